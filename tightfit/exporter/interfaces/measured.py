"""The cost of an exported routine, called as its toolchain calls it."""

from typing import TYPE_CHECKING

from tightfit.contenders.convention import StackMachine, load_convention
from tightfit.harness.bench import CYCLE_LIMIT
from tightfit.harness.build import Builder
from tightfit.harness.gate import Gate
from tightfit.harness.kinds import kind_of
from tightfit.primitives import load_primitive
from tightfit.records import Cost, Variant
from tightfit.targets import load_target

if TYPE_CHECKING:
    from tightfit.harness.routine import Routine


def measure_pushed(routine: "Routine", variant: Variant, argument_bytes: int) -> Cost:
    """The cost, after the full gate, of a routine that takes its pointer on the stack.

    Parameters
    ----------
    argument_bytes : bytes that the caller pushes; they count as stack.

    Raises
    ------
    Rejected
        It fails the gate, or does not preserve a register that the convention keeps.
    WorkError
        A tool is missing.
    """
    target, primitive = load_target(variant.target), load_primitive(variant.primitive)
    part, ranked = target.part(variant.part), primitive.operation(variant.operation).ranked
    builder = Builder(target, part)
    try:
        image = builder.build(routine)
        kept = load_convention(target.folder).kept_memory
        gate = Gate(StackMachine(target, part, CYCLE_LIMIT, kept), kind_of(primitive))
        findings = gate.check(routine, image, ranked, full=True)
    finally:
        builder.close()
    return Cost(
        rom=image.rom,
        ram_parts=findings.ram_parts(routine.layout.size, argument_bytes),
        by_entry=findings.by_entry,
        ranked=ranked,
        alignment=image.alignment,
        secrecy=findings.secrecy,
        padding=image.padding,
    )
