"""What the gate asks of a kind of primitive: the calls to make, and what must be there after each.

All kinds answer the same questions, so the gate knows none of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from tightfit.harness.kinds.aead import Aead
from tightfit.harness.kinds.block_cipher import BlockCipher
from tightfit.harness.kinds.chained_blocks import ChainedBlocks
from tightfit.harness.kinds.counting import Ask, Called
from tightfit.harness.kinds.hashing import Hash
from tightfit.harness.kinds.mac import Mac
from tightfit.harness.kinds.stream_cipher import StreamCipher
from tightfit.harness.kinds.turns import Answer, Dialogue, Turn
from tightfit.harness.routine import Cycles, Routine
from tightfit.primitives import Primitive
from tightfit.primitives.kinds import CHAINED
from tightfit.records import Curve

__all__ = ["Answer", "Dialogue", "Kind", "Turn", "kind_of"]

_KINDS = {
    "aead": Aead,
    "block-cipher": BlockCipher,
    CHAINED: ChainedBlocks,
    "hash": Hash,
    "mac": Mac,
    "stream-cipher": StreamCipher,
}


class Kind(Protocol):
    """Inputs of one primitive and their answers, the same for every candidate.

    `full_inputs` is the number of random inputs of the full gate; `sums` are the figures that are sums of
    others, each over the calls that it consists of.
    """

    full_inputs: int
    sums: Mapping[str, Sequence[str]]

    def add(self, vectors: Iterable) -> None:
        """More known answers, checked with the primitive's own."""

    def check(self, routine: Routine) -> None:
        """Raise `Rejected` for a routine whose entries or parameter block are not those of the kind."""

    def quick(self, routine: Routine) -> Dialogue:
        """One known answer, for a first look."""

    def random(self, routine: Routine, count: int) -> Dialogue:
        """Every figure once, for `count` random inputs, extremes first."""

    def known(self, routine: Routine) -> Iterable[Dialogue]:
        """The known answers, and what else every candidate must get right."""

    def elsewhere(self, routine: Routine, count: int) -> Iterable[Dialogue]:
        """What the gate asks again with parameter blocks at other addresses."""

    def contexts(self, routine: Routine) -> Iterable[tuple[Dialogue, Dialogue]]:
        """Dialogues of two contexts at a time, one input each, for taking turns."""

    def watched(self, routine: Routine, full: bool) -> Iterable[Dialogue]:
        """Every entry and figure, for runs that are watched between instructions; more of them if `full`."""

    def secret(self, routine: Routine) -> Iterable[Dialogue]:
        """Every entry and shape with one input, for runs that follow the secrets."""

    def counts(self, routine: Routine, ask: Ask) -> list[Called]:
        """Calls after forged counts of a long message; none where no count of the routine is found."""

    def long(self, routine: Routine) -> Iterable[Dialogue]:
        """What stands for forged counts in the full gate, where there are none."""

    def tested_bytes(self, full: bool) -> int:
        """Length of the longest messages tested, where no count is forged; 0 where lengths do not matter."""

    def thorough(self, routine: Routine) -> Iterable[Dialogue]:
        """The slow dialogues, for the full gate."""

    def many(self, routine: Routine) -> Iterable[Dialogue]:
        """Inputs with a structure by the hundred, of which the full gate asks a slow routine fewer."""

    def iterated(self, routine: Routine) -> Iterable[Dialogue]:
        """Answers that are the next input again and again, all known on the way; they count for no figure."""

    def shapes(self, routine: Routine, count: int) -> Mapping[str, Dialogue]:
        """Dialogues whose last turn the message-length curve needs beside the figures, for `count` inputs."""

    def curve(self, cycles: Mapping[str, Cycles]) -> Curve | None:
        """The message-length curve from cycles by figure and shape; None where the figures suffice."""


def kind_of(primitive: Primitive) -> Kind:
    """The kind of a primitive, with its questions.

    Raises
    ------
    UsageError
        A file of the primitive is missing, or its oracle copies its reference.
    """
    primitive.check_sources()
    return _KINDS[primitive.form](primitive)
