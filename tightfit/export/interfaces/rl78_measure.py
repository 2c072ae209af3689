"""The cost of an exported routine, called as its toolchain calls it."""

from dataclasses import replace

from tightfit.export.interfaces.rl78 import ARGUMENT_BYTES
from tightfit.harness.bench import CYCLE_LIMIT
from tightfit.harness.build import Builder
from tightfit.harness.caller import Caller, Place
from tightfit.harness.gate import Gate
from tightfit.harness.kinds import kind_of
from tightfit.harness.machine import Machine, Outcome
from tightfit.harness.routine import Bytes, Rejected, Routine
from tightfit.primitives import load_primitive
from tightfit.records import Cost, RamParts, Variant
from tightfit.targets import Part, Target, load_target

BANK2, BANK2_BYTES = 0xFFEE8, 8


class GnuMachine(Machine):
    """A machine whose caller pushes the pointer and expects r16-r23 back; AX holds nothing of use."""

    def __init__(self, target: Target, part: Part, cycle_limit: int):
        super().__init__(replace(target, abi=replace(target.abi, pointer="de")), part, cycle_limit)

    def start(self, place: Place, caller: Caller) -> None:
        """As `Machine.start`, with room for the argument above the stack."""
        super().start(replace(place, stack=place.stack - ARGUMENT_BYTES), caller)

    def call(self, entry: str, blocks: Bytes, written: Bytes, address: int | None = None) -> Outcome:
        """As `Machine.call`, and r16-r23 must come back."""
        self._push(self.place.block if address is None else address)
        before = self.read(BANK2, BANK2_BYTES)
        outcome = super().call(entry, blocks, written, address)
        if self.read(BANK2, BANK2_BYTES) != before:
            raise Rejected(f"r16-r23 not preserved: {entry} changes register bank 2")
        return outcome

    def profile(self, entry: str, block: Bytes, written: Bytes):
        """As `Machine.profile`."""
        self._push(self.place.block)
        return super().profile(entry, block, written)

    def _push(self, pointer: int) -> None:
        self._simulator.write(self.place.stack, (pointer & 0xFFFF).to_bytes(ARGUMENT_BYTES, "little"))


def measure_gnu(routine: Routine, variant: Variant) -> Cost:
    """The cost of a routine with the GNU interface, after the full gate; the pushed argument counts as stack.

    Raises
    ------
    Rejected
        It fails the gate, or does not bring r16-r23 back.
    WorkError
        A tool is missing.
    """
    target, primitive = load_target(variant.target), load_primitive(variant.primitive)
    part, ranked = target.part(variant.part), primitive.operation(variant.operation).ranked
    builder = Builder(target, part)
    try:
        image = builder.build(routine)
        gate = Gate(GnuMachine(target, part, CYCLE_LIMIT), kind_of(primitive))
        findings = gate.check(routine, image, ranked, full=True)
    finally:
        builder.close()
    return Cost(
        rom=image.rom,
        ram_parts=RamParts(routine.layout.size, findings.static, findings.stack + ARGUMENT_BYTES),
        by_entry=findings.by_entry,
        ranked=ranked,
        alignment=image.alignment,
    )
