"""Functions behind an adapter that passed the gate: what they cost, and SUPERCOP's checksum of them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tightfit.contenders import checksums
from tightfit.contenders.adapter import Adapter
from tightfit.contenders.checksums import Inputs
from tightfit.contenders.measure import Question, Result
from tightfit.contenders.overhead import Overhead, Through
from tightfit.contenders.plans import Plan
from tightfit.contenders.sealings import OPEN, SEAL
from tightfit.curve import of_blocks
from tightfit.harness.build import Image
from tightfit.harness.caller import places
from tightfit.harness.gate import Findings
from tightfit.harness.kinds import Kind, Turn
from tightfit.harness.routine import Rejected
from tightfit.primitives import Primitive
from tightfit.records import Cost, Secrecy


@dataclass(frozen=True)
class Trial:
    """The functions of a plan with their adapter, and what the gate found."""

    plan: Plan
    adapter: Adapter
    added: Overhead
    image: Image
    machine: Through
    kind: Kind
    findings: Findings

    def result(self, asked: Question, secrecy: Secrecy) -> Result:
        """The figures, without the adapter."""
        findings, image = self.findings, self.image
        more_stack = self.machine.stack - findings.stack
        cost = Cost(
            rom=image.rom - self.added.rom,
            ram_parts=findings.ram_parts(self.adapter.block_bytes, more_stack),
            by_entry=self.plan.by_entry(findings, self.added),
            ranked=asked.ranked,
            alignment=image.alignment,
            secrecy=secrecy,
            padding=image.padding,
        )
        return Result(cost, findings.curve or of_blocks(asked.primitive, cost), findings)

    def answers(self, entry: str, inputs: Sequence[Inputs]) -> list[bytes]:
        """What an entry that takes whole messages makes of inputs; those of one shape in one go."""
        block = self.adapter.block.size
        self.machine.load(self.image)
        self.machine.start(places(self.image, block)[0], self.machine.callers.callers[0])
        shapes = defaultdict(list)
        for at, each in enumerate(inputs):
            shapes[tuple(map(len, each.values()))].append(at)
        found = {}
        for same in shapes.values():
            fields = {name: [inputs[at][name] for at in same] for name in inputs[same[0]]}
            texts = fields.pop("message")
            turn, routine = Turn(entry, None, self.kind.given(texts, fields)), self.adapter.routine
            filling = np.zeros((len(same), block), np.uint8)
            blocks = self.machine.call(
                entry, turn.blocks(routine, None, filling), turn.written(routine)
            ).blocks
            out, made = routine.field("out"), routine.field("made")
            for at, row in zip(same, blocks, strict=True):
                size = self._bytes(entry, len(texts[0]), row[made].tobytes())
                found[at] = row[out][:size].tobytes()
        return [found[at] for at in range(len(inputs))]

    def _bytes(self, entry: str, length: int, made: bytes) -> int:
        """How many bytes an entry made of a message."""
        of = self.kind.primitive
        if entry in (SEAL, OPEN):
            return int.from_bytes(made, "little")
        return {"hash": of.digest_bytes, "mac": of.tag_bytes}.get(entry, length)


def check_checksum(primitive: Primitive, trials: Sequence[Trial], expected: str) -> None:
    """Raise `Rejected` unless SUPERCOP's checksum of the functions is the expected one."""

    def run(entry: str, inputs: Sequence[Inputs]) -> list[bytes]:
        trial = next(each for each in trials if entry in each.adapter.entries)
        return trial.answers(entry, inputs)

    found = checksums.small(primitive, run)
    if found != expected:
        raise Rejected(f"checksumsmall: expected {expected}, found {found}")
