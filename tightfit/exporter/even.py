"""Data lies at even addresses, wherever a firmware's linker puts it.

RL78 and MSP430 read words at even addresses only, and GNU as asks for no alignment on its own. Padding before
a section's first byte is not counted as ROM, and the data sections of the portfolio have an even size. RL78
code may begin at any address, code of the others has an even size; AVR's tables in flash are read by bytes.
"""

import re

ALIGNMENT = 2
_DATA = re.compile(r"\s*(?:\.section\s+)?(\.(?:rodata|data|bss)\b[\w.]*)")


def even(source: str) -> str:
    """GNU source in which each data section asks for an even address where it is first opened."""
    seen: set[str] = set()
    lines = []
    for line in source.splitlines():
        lines.append(line)
        opened = _DATA.match(line)
        if opened and opened[1] not in seen:
            seen.add(opened[1])
            lines.append(f"        .balign {ALIGNMENT}")
    return "\n".join(lines) + "\n"


def alignment(source: str) -> int:
    """The alignment that `even` asks for."""
    return ALIGNMENT if any(map(_DATA.match, source.splitlines())) else 1
