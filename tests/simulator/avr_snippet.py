"""An assembled AVR snippet in a fresh machine."""

from pathlib import Path

from .avr_parts import LARGE, AvrPart
from .avr_tools import assemble
from .snippets import Snippet, lines, machine

STACK_TOP, STACK_LIMIT = 0x03FF, 0x02FF


def snippet(source: str, folder: Path, *, part: AvrPart = LARGE, **options) -> Snippet:
    """Assemble instructions with `;` between them; code at 0, 256 bytes of stack up to 03FF or RAM's end."""
    code, labels = assemble(lines(source), folder, mcu=part.mcu, machine=part.emulation)
    top = min(STACK_TOP, part.ram.stop - 1)
    named = {name: address for name, address in labels.items() if address < part.flash}
    return machine(part.simulator(**options), code, named, 0, (top, top - STACK_TOP + STACK_LIMIT))
