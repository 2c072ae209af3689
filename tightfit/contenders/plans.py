"""How a kind of primitive is called through an adapter: its entries, what the gate asks, and what counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tightfit.contenders import calltext
from tightfit.contenders.adapter import Words
from tightfit.contenders.calltext import Call
from tightfit.contenders.overhead import Added, Overhead
from tightfit.contenders.wholeplans import KINDS, whole_plan, without
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
_CALLED = ("block-cipher", "hash")


@dataclass(frozen=True)
class Calls:
    """The calls of a routine as users write them: of `encrypt` or `hash`, of `decrypt`, and before them.

    With a `setup` the others are for a block under the key that it prepared. `headers` are the routine's own,
    which declare its functions. With `status` they must return 0. `head` is C in front of all, about what the
    routine's own file `stated` says. Those `beside` are tested and do not count.
    """

    call: str
    setup: str = ""
    decrypt: str = ""
    headers: tuple[str, ...] = ()
    status: bool = False
    head: str = ""
    stated: str = ""
    beside: str = ""

    @property
    def text(self) -> str:
        """All calls in one line."""
        named = (("setup", self.setup), ("", self.call), ("decrypt", self.decrypt))
        return "; ".join(f"{name}: {' '.join(text.split())}".lstrip(": ") for name, text in named if text)


class Plan(Protocol):
    """How the routines of one primitive are called and counted.

    `limit` are the cycles after which a call counts as one that never returns, `ranked` the entries whose
    timings the gate finds, `longest` the bytes of the longest message, 0 where there are blocks.
    """

    entries: Mapping[str, tuple[Call, ...]]
    words: Words
    limit: int
    ranked: tuple[str, ...]
    longest: int

    def companion(self) -> "Plan | None":
        """The plan of entries that are tested beside and do not count; None where there are none."""

    def kind(self, added: Overhead) -> Kind:
        """What the gate asks."""

    def by_entry(self, findings: Findings, added: Overhead) -> dict[str, Timing]:
        """The figures, without the adapter."""


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
    longest: int = 0

    @property
    def words(self) -> Words:
        """Text and key; the text before and after a call where it is not replaced in place."""
        block, key = self.primitive.block_bytes, self.primitive.key_bytes
        held = {"text": "text", "in": "text", "out": "text", "key": "key"}
        counted = {"text": block, "in": block, "out": block, "key": key}
        return Words({"text": block, "key": key}, held, counted)

    def companion(self) -> None:
        """None: every entry counts."""

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
            return without(timing, [added.entries[part] for part in parts])
        whole = parts[-1]
        if name != whole:  # the entry `whole` has the set-up inside
            return without(findings.by_entry[whole], [added.entries[whole]])
        more, fewer = added.entries[whole], added.entries["setup"]
        difference = Added(more.cycles - fewer.cycles, more.waits_apart - fewer.waits_apart, 0)
        return without(findings.timings.difference(whole, "setup"), [difference])


def computed(primitive: Primitive, calls: Calls) -> list[str]:
    """The operations that calls compute."""
    given = {"hash", "encrypt"} | ({"setup"} if calls.setup else set())
    given |= {"decrypt"} if calls.decrypt else set()
    bases = {
        name: {entry.removesuffix("_next") for entry in operation.entries}
        for name, operation in primitive.operations.items()
    }
    return [name for name, wanted in bases.items() if wanted <= given]


def check_kind(primitive: Primitive) -> None:
    """Raise UsageError for a primitive that calls of users cannot compute."""
    if primitive.kind not in _CALLED:
        raise UsageError(
            f"--call: expected a block cipher or a hash, found {primitive.name}; it is measured through one "
            "pointer or in SUPERCOP's layout"
        )


def plan_of(primitive: Primitive, part: Part, operation: Operation, calls: Calls) -> Plan:
    """How the routine of those calls is called for an operation.

    Raises
    ------
    UsageError
        The calls are not those of the operation, or the part has too little RAM.
    """
    kind = primitive.kind
    if kind in KINDS:
        if calls.setup or (calls.decrypt and kind != "aead"):
            raise UsageError(f"--setup and --decrypt: {primitive.name} has all its calls in --call")
        return whole_plan(primitive, part, (calls.call, calls.decrypt or calls.beside), calls.status)
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
