"""How functions that take whole messages are called through an adapter, and what counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tightfit.contenders import calltext
from tightfit.contenders.adapter import LENGTHS, STATUS, Words
from tightfit.contenders.calltext import Call
from tightfit.contenders.messages import HASH, MAC, VERIFY, Messages, Tags
from tightfit.contenders.overhead import Added, Overhead
from tightfit.contenders.sealings import DATA_BYTES, OPEN, SEAL, Sealings
from tightfit.contenders.streams import ENCRYPT, KEYSTREAM, Texts
from tightfit.contenders.whole import EMPTY, MADE_BYTES, ONE, TWO, Interface, Whole
from tightfit.curve import LENGTHS as MESSAGES
from tightfit.errors import UsageError
from tightfit.harness.bench import CYCLE_LIMIT
from tightfit.harness.gate import Findings
from tightfit.primitives import Primitive
from tightfit.records import Timing
from tightfit.targets import Part

Entries = Mapping[str, tuple[Call, ...]]
_STACK_ROOM = 1024
"""Bytes of RAM left free beside the longest message; half of the RAM where that is less."""


@dataclass(frozen=True)
class WholePlan:
    """The whole message at once. `beside` are entries that are tested and do not count.

    As with our own routines a block of the message counts as RAM; the rest of the message is the caller's.
    """

    primitive: Primitive
    longest: int
    entries: Entries = field(hash=False)
    beside: Entries = field(hash=False)
    status: bool
    limit: int = 16 * CYCLE_LIMIT
    ranked: tuple[str, ...] = ()

    messages = Whole

    @property
    def words(self) -> Words:
        """What the calls may pass, and where the block of the adapter has it."""
        fields, held, counted = self.passed()
        fields = {"out": fields.pop("out"), LENGTHS: 4, **fields}
        held |= {"length": f"{LENGTHS}[0]"}
        return Words(fields | ({STATUS: 2} if self.status else {}), held, counted)

    def passed(self) -> tuple[dict[str, int], dict[str, str], dict[str, int]]:
        """Bytes of the fields, the field of each word, and the bytes of RAM that stand for each word."""
        raise NotImplementedError

    def companion(self) -> "WholePlan | None":
        """The plan of what is tested beside."""
        return replace(self, entries=self.beside, beside={}) if self.beside else None

    def kind(self, added: Overhead) -> Whole:
        """Whole messages."""
        functions = {entry: calls[-1].function for entry, calls in self.entries.items()}
        cycles = {entry: added.entries[entry].cycles for entry in self.entries}
        interface = Interface(functions, cycles, self.words.fields, self.longest, self.status)
        return self.messages(self.primitive, interface)

    def by_entry(self, findings: Findings, added: Overhead) -> dict[str, Timing]:
        """First, middle and last as differences of whole messages.

        `middle` is what a message of two blocks takes beyond one of its first block; `last` is the empty
        message, and so what is done once; `first` is what a message of one block takes beyond the empty one.
        """
        timings, entry = findings.timings, next(iter(self.entries))
        return {
            "middle": timings.difference(TWO, ONE),
            "first": timings.difference(ONE, EMPTY),
            "last": without(findings.by_entry[EMPTY], [added.entries[entry]]),
        }


class HashPlan(WholePlan):
    """Digest, message and its length in bytes and in bits."""

    messages = Messages

    def passed(self) -> tuple[dict[str, int], dict[str, str], dict[str, int]]:
        digest = self.primitive.digest_bytes
        held = {"out": "out", "in": "message", "bits": f"{LENGTHS}[1]"}
        counted = {"out": digest, "in": self.primitive.block_bytes}
        return {"out": digest, "message": self.longest}, held, counted


class MacPlan(WholePlan):
    """Tag, message, its length and key."""

    messages = Tags

    def passed(self) -> tuple[dict[str, int], dict[str, str], dict[str, int]]:
        tag, key = self.primitive.tag_bytes, self.primitive.key_bytes
        held = {"out": "out", "tag": "out", "in": "message", "key": "key"}
        counted = {"out": tag, "tag": tag, "in": self.primitive.block_bytes, "key": key}
        return {"out": tag, "key": key, "message": self.longest}, held, counted


class StreamPlan(WholePlan):
    """Texts before and after, their length, initial value and key."""

    messages = Texts

    def passed(self) -> tuple[dict[str, int], dict[str, str], dict[str, int]]:
        of, block = self.primitive, self.primitive.block_bytes
        held = {"out": "out", "in": "message", "iv": "iv", "key": "key"}
        counted = {"out": block, "in": block, "iv": of.iv_bytes, "key": of.key_bytes}
        fields = {"out": self.longest, "iv": of.iv_bytes, "key": of.key_bytes, "message": self.longest}
        return fields, held, counted

    def by_entry(self, findings: Findings, added: Overhead) -> dict[str, Timing]:
        """`next` is what a text of two blocks takes beyond its first, `setup` the rest of one block."""
        one, following = findings.by_entry[ONE], findings.timings.difference(TWO, ONE)
        of_one, of_two = (findings.timings.cycles()[figure] for figure in (ONE, TWO))
        cycles = 2 * of_one - of_two
        setup = replace(
            one,
            total=int(cycles.sum()),
            minimum=int(cycles.min()),
            maximum=int(cycles.max()),
            constant_path=one.constant_path and following.constant_path,
            waits_apart=one.waits_apart - following.waits_apart,
        )
        return {"setup": without(setup, [added.entries[ENCRYPT]]), "next": following}


class AeadPlan(WholePlan):
    """Texts before and after with the tag, associated data, nonce and key, and how many bytes were made."""

    messages = Sealings

    def passed(self) -> tuple[dict[str, int], dict[str, str], dict[str, int]]:
        of, block, longest = (
            self.primitive,
            self.primitive.block_bytes,
            self.longest + self.primitive.tag_bytes,
        )
        held = {"out": "out", "in": "message", "data": "ad", "data_length": f"{LENGTHS}[1]"}
        held |= {name: name for name in ("made", "nonce", "key")}
        fixed = {"made": MADE_BYTES, "nonce": of.nonce_bytes, "key": of.key_bytes}
        counted = {"out": block + of.tag_bytes, "in": block, "data": block, **fixed}
        return {"out": longest, **fixed, "ad": _data_bytes(of), "message": longest}, held, counted

    def by_entry(self, findings: Findings, added: Overhead) -> dict[str, Timing]:
        """The ranked message, sealed and opened."""
        return {entry: without(findings.by_entry[entry], [added.entries[entry]]) for entry in self.entries}


_PLANS = {
    "hash": (HashPlan, (HASH,), ()),
    "mac": (MacPlan, (MAC,), (VERIFY,)),
    "stream-cipher": (StreamPlan, (ENCRYPT,), (KEYSTREAM,)),
    "aead": (AeadPlan, (SEAL, OPEN), ()),
}
"""By kind of primitive: its plan, and the entries that count and those beside."""
KINDS = tuple(_PLANS)


def whole_plan(primitive: Primitive, part: Part, texts: Sequence[str], status: bool) -> WholePlan:
    """The plan of calls that take whole messages of a primitive, those that count first.

    Raises
    ------
    UsageError
        The calls are none of the kind, or the part has too little RAM.
    """
    plan, counting, beside = _PLANS[primitive.kind]
    pairs = zip((*counting, *beside), texts, strict=False)
    read = {entry: calltext.read(text, primitive.kind) for entry, text in pairs if text}
    entries, more = ({entry: read[entry] for entry in names if entry in read} for names in (counting, beside))
    return plan(primitive, _longest(primitive, part), entries, more, status)


def without(timing: Timing, added: list[Added]) -> Timing:
    """A timing with what an adapter adds taken off every call."""
    cycles, apart = (sum(getattr(each, name) for each in added) for name in ("cycles", "waits_apart"))
    return replace(
        timing,
        total=timing.total - cycles * timing.inputs,
        minimum=timing.minimum - cycles,
        maximum=timing.maximum - cycles,
        waits_apart=timing.waits_apart - apart * timing.inputs,
    )


def _data_bytes(primitive: Primitive) -> int:
    return max(2 * primitive.block_bytes, DATA_BYTES)


def _longest(primitive: Primitive, part: Part) -> int:
    """Bytes of the longest message: of the curve, as far as the part has room for it where it is passed."""
    places = 1 if primitive.kind in ("hash", "mac") else 2
    room = part.ram - min(_STACK_ROOM, part.ram // 2)
    if primitive.kind == "aead":
        room -= _data_bytes(primitive) + 2 * primitive.tag_bytes
    lengths = [n for n in (2 * primitive.block_bytes, *MESSAGES) if places * n <= room]
    if places * 2 * primitive.block_bytes > room:
        raise UsageError(
            f"{part.name} has {part.ram} bytes of RAM: too few for a message of two blocks of "
            f"{primitive.name}; name another with --part"
        )
    return max(lengths)
