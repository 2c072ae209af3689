"""How a kind of primitive is called through an adapter: its entries, what the gate asks, and what counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from tightfit.contenders import calltext
from tightfit.contenders.adapter import LENGTHS, STATUS, Words
from tightfit.contenders.calltext import Call
from tightfit.contenders.messages import EMPTY, ENTRY, ONE, TWO, Messages
from tightfit.contenders.overhead import Added, Overhead
from tightfit.curve import LENGTHS as MESSAGES
from tightfit.errors import UsageError
from tightfit.harness.bench import CYCLE_LIMIT
from tightfit.harness.gate import Findings
from tightfit.harness.kinds import Kind, kind_of
from tightfit.primitives import Operation, Primitive
from tightfit.records import Timing
from tightfit.targets import Part

_OPTIONS = {
    "setup": ("--setup", "prepare a key"),
    "encrypt": ("--call", "encrypt"),
    "decrypt": ("--decrypt", "decrypt"),
}
_STACK_ROOM = 1024
"""Bytes of RAM left free beside the longest message; half of the RAM where that is less."""


@dataclass(frozen=True)
class Calls:
    """The calls of a routine as users write them: of `encrypt` or `hash`, of `decrypt`, and before them.

    With a `setup` the others are for a block under the key that it prepared. `headers` are the routine's own,
    which declare its functions. With `status` they must return 0. `head` is C in front of all, about what the
    routine's own file `stated` says.
    """

    call: str
    setup: str = ""
    decrypt: str = ""
    headers: tuple[str, ...] = ()
    status: bool = False
    head: str = ""
    stated: str = ""

    @property
    def text(self) -> str:
        """All calls in one line."""
        named = (("setup", self.setup), ("", self.call), ("decrypt", self.decrypt))
        return "; ".join(f"{name}: {' '.join(text.split())}".lstrip(": ") for name, text in named if text)


class Plan(Protocol):
    """How the routines of one primitive are called and counted.

    `limit` are the cycles after which a call counts as one that never returns, `ranked` the entries whose
    timings the gate finds.
    """

    entries: Mapping[str, tuple[Call, ...]]
    words: Words
    limit: int
    ranked: tuple[str, ...]

    def kind(self, added: Overhead) -> Kind:
        """What the gate asks."""

    def by_entry(self, findings: Findings, added: Overhead) -> dict[str, Timing]:
        """The figures, without the adapter."""


@dataclass(frozen=True)
class HashPlan:
    """The whole message at once.

    `middle` is what a message of two blocks takes beyond one of its first block; `last` is the empty message,
    and so what is done once; `first` is what a message of one block takes beyond the empty one. As with our
    own routines a block of the message counts as RAM; the rest of the message is the caller's.
    """

    primitive: Primitive
    calls: Calls
    longest: int
    entries: Mapping[str, tuple[Call, ...]] = field(hash=False)
    limit: int = 16 * CYCLE_LIMIT
    ranked: tuple[str, ...] = ()

    @property
    def words(self) -> Words:
        """Digest, message and its length in bytes and in bits."""
        digest = self.primitive.digest_bytes
        fields = {"out": digest, LENGTHS: 4, "message": self.longest}
        held = {"out": "out", "in": "message", "length": f"{LENGTHS}[0]", "bits": f"{LENGTHS}[1]"}
        counted = {"out": digest, "in": self.primitive.block_bytes}
        return Words(fields | ({STATUS: 2} if self.calls.status else {}), held, counted)

    def kind(self, added: Overhead) -> Kind:
        """Whole messages."""
        function, cycles = self.entries[ENTRY][-1].function, added.entries[ENTRY].cycles
        return Messages(self.primitive, self.longest, cycles, function, self.calls.status)

    def by_entry(self, findings: Findings, added: Overhead) -> dict[str, Timing]:
        """First, middle and last as differences of whole messages."""
        timings = findings.timings
        return {
            "middle": timings.difference(TWO, ONE),
            "first": timings.difference(ONE, EMPTY),
            "last": _without(findings.by_entry[EMPTY], [added.entries[ENTRY]]),
        }


@dataclass(frozen=True)
class CipherPlan:
    """Blocks, each with a fresh key or under one that a first call prepared.

    Where nothing that is passed ties the following calls to the first, it left what it prepared in `static`
    RAM: then each of them comes after a first call of its own, which is taken off.
    """

    primitive: Primitive
    entries: Mapping[str, tuple[Call, ...]] = field(hash=False)
    ranked: tuple[str, ...]
    static: bool
    limit: int = CYCLE_LIMIT

    @property
    def words(self) -> Words:
        """Text and key; the text before and after a call where it is not replaced in place."""
        block, key = self.primitive.block_bytes, self.primitive.key_bytes
        held = {"text": "text", "in": "text", "out": "text", "key": "key"}
        counted = {"text": block, "in": block, "out": block, "key": key}
        return Words({"text": block, "key": key}, held, counted)

    def kind(self, added: Overhead) -> Kind:
        """Blocks."""
        return kind_of(self.primitive)

    def by_entry(self, findings: Findings, added: Overhead) -> dict[str, Timing]:
        """The entries, and the sums of `setup` and `<entry>_next` that the operation ranks."""
        found = findings.by_entry.items()
        return {name: self._timing(name, timing, findings, added) for name, timing in found}

    def _timing(self, name: str, timing: Timing, findings: Findings, added: Overhead) -> Timing:
        parts = (name,) if name in self.entries else ("setup", f"{name}_next")
        if not self.static or name == "setup":
            return _without(timing, [added.entries[part] for part in parts])
        whole = parts[-1]
        if name != whole:  # the entry `whole` has the set-up inside
            return _without(findings.by_entry[whole], [added.entries[whole]])
        more, fewer = added.entries[whole], added.entries["setup"]
        difference = Added(more.cycles - fewer.cycles, more.hazard - fewer.hazard, 0)
        return _without(findings.timings.difference(whole, "setup"), [difference])


def computed(primitive: Primitive, calls: Calls) -> list[str]:
    """The operations that calls compute."""
    given = {"hash", "encrypt"} | ({"setup"} if calls.setup else set())
    given |= {"decrypt"} if calls.decrypt else set()
    bases = {
        name: {entry.removesuffix("_next") for entry in operation.entries}
        for name, operation in primitive.operations.items()
    }
    return [name for name, wanted in bases.items() if wanted <= given]


def plan_of(primitive: Primitive, part: Part, operation: Operation, calls: Calls) -> Plan:
    """How the routine of those calls is called for an operation.

    Raises
    ------
    UsageError
        The calls are not those of the operation, or the part has too little RAM.
    """
    kind = primitive.kind
    if kind == "hash":
        if calls.setup or calls.decrypt:
            raise UsageError(f"--setup and --decrypt: {primitive.name} has all its calls in --call")
        entries = {ENTRY: calltext.read(calls.call, kind)}
        return HashPlan(primitive, calls, _longest(primitive, part), entries)
    given = {"setup": calls.setup, "encrypt": calls.call, "decrypt": calls.decrypt}
    read = {name: calltext.read(text, kind) for name, text in given.items() if text}
    wanted = {entry.removesuffix("_next") for entry in operation.entries}
    for name in sorted(wanted - read.keys()):
        option, what = _OPTIONS[name]
        raise UsageError(f"expected {option} with the calls that {what}, found none")
    setup = read.pop("setup", ())
    read = {name: read[name] for name in sorted(wanted - {"setup"}, reverse=True)}
    _check_answers(read)
    if not setup:
        return CipherPlan(primitive, read, operation.ranked, static=False)
    static = not all(_are_tied(setup, each) for each in read.values())
    entries = {f"{name}_next": (*(setup if static else ()), *each) for name, each in read.items()}
    return CipherPlan(primitive, {"setup": setup, **entries}, operation.ranked, static)


def _check_answers(entries: Mapping[str, Sequence[Call]]) -> None:
    for name, calls in entries.items():
        if not any(call.passes(what) for call in calls for what in ("out", "text")):
            raise UsageError(f"{_OPTIONS[name][0]}: expected out or text among the arguments, found none")


def _are_tied(setup: Sequence[Call], calls: Sequence[Call]) -> bool:
    """Whether a call gets a buffer that the set-up had."""
    return any(call.passes(buffer) for call in calls for buffer in calltext.buffers(setup, "block-cipher"))


def _without(timing: Timing, added: Sequence[Added]) -> Timing:
    """A timing with what an adapter adds taken off every call."""
    cycles, hazard = (sum(getattr(each, name) for each in added) for name in ("cycles", "hazard"))
    return replace(
        timing,
        total=timing.total - cycles * timing.inputs,
        minimum=timing.minimum - cycles,
        maximum=timing.maximum - cycles,
        hazard=timing.hazard - hazard * timing.inputs,
    )


def _longest(primitive: Primitive, part: Part) -> int:
    """Bytes of the longest message: of the curve, as far as the part has room for it."""
    room = part.ram - min(_STACK_ROOM, part.ram // 2)
    lengths = [length for length in (2 * primitive.block_bytes, *MESSAGES) if length <= room]
    if 2 * primitive.block_bytes > room:
        raise UsageError(
            f"{part.name} has {part.ram} bytes of RAM: too few for a message of two blocks of "
            f"{primitive.name}; name another with --part"
        )
    return max(lengths)
