"""The GNU calling convention of RL78 in front of a routine that takes its pointer in AX.

GNU passes the pointer on the stack at [sp+4], leaves bank 0 and r8-r15 (bank 1) to the callee, and expects
r16-r23, which are register bank 2 at FFEE8-FFEEF, to be preserved.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tightfit.exporter.interfaces import Interface
from tightfit.records import Cost, Timing, Variant

if TYPE_CHECKING:
    from tightfit.harness.routine import Routine

SAVED = (0xFFEE8, 0xFFEEA, 0xFFEEC, 0xFFEEE)
ARGUMENT_BYTES = 2
SAVING_BYTES = 2 * len(SAVED) + 4
"""Stack of the shim that saves bank 2: the saved registers, and the return address of its call."""
FALLING, SAVING = (2, 1, ARGUMENT_BYTES), (30, 26, ARGUMENT_BYTES + SAVING_BYTES)
"""Bytes of ROM, cycles of a call and bytes of stack that a shim adds: the shim that falls into the routine,
and the shim that saves bank 2 and calls it."""
_LINKAGE = re.compile(r"\s*\.(global|globl|type|size)\b")


def gnu_source(source: str, name: str, entries: Sequence[str], saves_bank2: bool) -> str:
    """Source with the same symbols `_<name>_<entry>`, now called as GNU's compiler calls them.

    Parameters
    ----------
    saves_bank2 : whether the routine may use register bank 2; the shim then saves it on the stack, and calls
        the routine instead of falling into it.
    """
    for entry in entries:
        source = _with_shim(source, f"_{name}_{entry}", saves_bank2)
    return source


def _with_shim(source: str, symbol: str, saves_bank2: bool) -> str:
    """The symbol becomes the shim; whatever the routine itself jumps to becomes a label behind it."""
    inner = f".Lbody{symbol}"  # GNU as takes no branch to `.L_...`
    lines = []
    for line in source.splitlines():
        if re.match(rf"{re.escape(symbol)}:", line):
            lines += [line, *(_saving(inner) if saves_bank2 else _FALLING), f"{inner}:"]
        elif _LINKAGE.match(line):
            lines.append(line)
        else:
            lines.append(re.sub(rf"(?<![\w.]){re.escape(symbol)}(?!\w)", inner, line))
    return "\n".join(lines) + "\n"


_FALLING = ("        movw    ax, [sp+4]          ; the pointer, as GNU passes it",)


def _saving(inner: str) -> list[str]:
    """The shim that saves bank 2: fetch the pointer past what is saved, call, restore."""
    lines = []
    for address in SAVED:
        lines += [
            f"        movw    ax, {address:#x}         ; r16-r23 belong to the caller",
            "        push    ax",
        ]
    lines += [
        f"        movw    ax, [sp+{4 + 2 * len(SAVED)}]         ; the pointer, as GNU passes it",
        f"        call    $!{inner}",
    ]
    for address in reversed(SAVED):
        lines += ["        pop     ax", f"        movw    {address:#x}, ax"]
    return [*lines, "        ret"]


class Shimmed(Interface):
    """The GNU interface of RL78: every entry begins with a shim."""

    counted = False
    counted_as = "pointer in AX"
    counted_for = "CC-RL"
    stack_holds = "return address and the 2 bytes of the argument included"
    handlers = (
        "Handlers in C are right as they are: `rl78-elf-gcc` makes them save what they use of r8 to r23 "
        "(banks 1 and 2), and uses r24 to r31 (bank 3) only with `-mallregs`, with which the firmware must "
        "not be compiled. Handlers in assembly must keep r8 to r31 as they were"
    )

    def source(self, source: str, name: str, entries: Sequence[str], reentrant: bool) -> str:
        """As `gnu_source`; bank 2 is saved unless the routine is re-entrant, and so uses no bank."""
        return gnu_source(source, name, entries, saves_bank2=not reentrant)

    def least(self, entries: Sequence[str]) -> tuple[int, int]:
        """What the shims add that fall into the routine."""
        rom, _, stack = FALLING
        return rom * len(entries), stack

    def predicted(self, cost: Cost, entries: Sequence[str], reentrant: bool) -> Cost:
        """With a shim in every entry: its bytes, its cycles in every call, and its stack."""
        rom, cycles, stack = FALLING if reentrant else SAVING
        parts = replace(cost.ram_parts, stack=cost.ram_parts.stack + stack)
        timings = {
            figure: _longer(timing, cycles * _calls(figure, entries, cost))
            for figure, timing in cost.by_entry.items()
        }
        return replace(cost, rom=cost.rom + rom * len(entries), ram_parts=parts, by_entry=timings)

    def measure(self, routine: "Routine", variant: Variant) -> Cost:
        """As `measure_pushed`."""
        from tightfit.exporter.interfaces.measured import measure_pushed

        return measure_pushed(routine, variant, ARGUMENT_BYTES)


def _calls(figure: str, entries: Sequence[str], cost: Cost) -> int:
    """The calls of a figure: a set-up and the call that follows it, or those of a message."""
    if "setup" in entries and figure not in entries:
        return 2
    parts = [f"{figure}_{name}" for name in ("first", "data", "turn", "last")]
    if not cost.by_entry.keys() >= set(parts):
        return 1
    ends = (parts[0], parts[-1])
    whole = cost.by_entry[figure].total
    return 2 if whole == sum(cost.by_entry[name].total for name in ends) else len(parts)


def _longer(timing: Timing, cycles: int) -> Timing:
    return replace(
        timing,
        total=timing.total + cycles * timing.inputs,
        minimum=timing.minimum + cycles,
        maximum=timing.maximum + cycles,
    )


INTERFACE = Shimmed()
