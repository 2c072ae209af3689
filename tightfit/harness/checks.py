"""The single checks of the gate; each raises `Rejected` with the reason."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tightfit.harness.build import Image
from tightfit.harness.kinds import Turn
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Bytes, Rejected, Routine
from tightfit.harness.script import Outcome, Spoken


def check_memory(machine: Machine, image: Image, routine: Routine) -> None:
    """The part has RAM for static data, parameter block and return address."""
    needed = image.static_bytes + routine.layout.size + machine.target.abi.return_address
    available = image.end - machine.ram_start
    if needed > available:
        raise Rejected(f"needs at least {needed} bytes of RAM, {machine.part.name} has {available}")


def check_answers(routine: Routine, turn: Turn, outcome: Outcome) -> None:
    """The fields in which a call answers hold the right answers."""
    for answer in turn.answers:
        start = routine.field(answer.field).start
        found = outcome.blocks[:, start : start + answer.rows.shape[1]]
        wrong = (found != answer.rows).any(axis=1) != answer.differs
        if wrong.any():
            n = int(wrong.argmax())
            raise Rejected(answer.complaint(n, found[n].tobytes()))


def check_spoken(machine: Machine, routine: Routine, spoken: Spoken) -> None:
    """Every turn of a script returned, answered right and kept what the calling convention preserves."""
    script, made = spoken.script, len(spoken.cycles)
    wrong = ((spoken.blocks ^ script.answers[:made]) & script.asked[:made]).any()
    reached = machine.part.core.registers_apart and spoken.reached.any()
    changed, status = _changes(machine, spoken.registers)
    if wrong or spoken.failure or reached or status or changed.any():
        numbers: Iterable[int] = range(made)
    else:
        numbers = script.apart
    for number in numbers:
        turn, outcome, last = script.turns[number], spoken.outcome(number), number == made - 1
        machine.check_turn(turn.entry, bool(spoken.reached[number]), spoken.failure if last else None)
        check_answers(routine, turn, outcome)
        check_registers(machine, turn.entry, outcome)


def _before(machine: Machine) -> dict[str, int]:
    """The registers before a call."""
    return {**machine.caller.registers, "sp": machine.stack_pointer}


def _changes(machine: Machine, registers: NDArray[np.uint32]) -> tuple[NDArray[np.bool_], list[str]]:
    """What calls left otherwise: a column for each preserved register, and the names of status bits."""
    before, callers = _before(machine), machine.callers
    status = int(np.bitwise_or.reduce(registers[..., -1] ^ before[callers.status_register], axis=None))
    changed = registers[..., :-1] != [before[name] for name in machine.target.abi.preserved]
    return changed, [name for name, bits in callers.status_kept.items() if status & bits]


def check_same_cycles(entry: str, alone: Outcome, watched: Outcome) -> None:
    """Interrupts between the instructions of a call do not change what it takes."""
    if (alone.cycles != watched.cycles).any() or (alone.paths != watched.paths).any():
        raise Rejected(
            f"{entry}: cycles change with what an interrupt handler leaves below the stack pointer"
        )


def check_registers(machine: Machine, entry: str, outcome: Outcome) -> None:
    """The registers and status bits that the calling convention preserves are as before the call."""
    changed, status = _changes(machine, outcome.registers)
    if changed.any():
        row, column = np.argwhere(changed)[0]
        name, found = machine.target.abi.preserved[column], outcome.registers[row, column]
        before = _before(machine)[name]
        raise Rejected(f"{name.upper()} not preserved: {entry} turns {before:04X}h into {found:04X}h")
    if status:
        raise Rejected(f"{status[0]} not preserved: {entry} changes it")


def check_touched(machine: Machine, blocks: Iterable[int], size: int, stack: int) -> bool:
    """Nothing was written but blocks, stack and static data; tells whether static data was written.

    `blocks` are the addresses of parameter blocks of `size` bytes, `stack` the deepest stack in bytes.
    """
    touched = machine.touched().copy()
    static = False
    for address, data in machine.image.static:
        span = _span(machine, address, len(data))
        static |= bool(touched[span].any())
        touched[span] = 0
    for address in blocks:
        touched[_span(machine, address, size)] = 0
    top = machine.place.stack
    touched[_span(machine, top - stack, stack)] = 0
    strays = np.flatnonzero(touched)
    if len(strays):
        raise Rejected(f"stray write: {_where(machine, int(strays[0]), list(blocks), size, top - stack)}")
    return static


def check_peripherals(machine: Machine) -> None:
    """No special function register was written; those that decide how memory is read are unchanged."""
    changed = machine.changed_bytes()
    if changed:
        raise Rejected(f"{changed[0]} not preserved")
    written = machine.peripherals()
    if written is not None:
        raise Rejected(f"stray write: special function register {written:05X}h is written")


def check_other_block(machine: Machine, address: int, before: Bytes, entry: str) -> None:
    """A call with one parameter block leaves the other block unchanged."""
    if machine.read(address, len(before)) != before.tobytes():
        raise Rejected(f"contexts not independent: {entry} on one parameter block changes another")


def _span(machine: Machine, address: int, length: int) -> slice:
    start = machine.offset(address)
    return slice(start, start + length)


def _where(machine: Machine, index: int, blocks: list[int], size: int, stack_bottom: int) -> str:
    """The address of a stray write and what it is nearest to."""
    address, top = machine.ram_start + index, machine.place.stack
    near = [(address - block - size + 1, "behind the parameter block") for block in blocks]
    near += [(block - address, "before the parameter block") for block in blocks]
    near += [
        (stack_bottom - address, "below the deepest stack"),
        (address - top + 1, "into the caller's stack"),
    ]
    distance, what = min(pair for pair in near if pair[0] > 0)
    return f"{address:05X}h is written, {distance} bytes {what}"
