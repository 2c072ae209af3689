"""Data lies where it can be read, wherever a firmware's linker puts it.

RL78 and MSP430 read words at even addresses only, ARMv6-M those of four bytes at multiples of four, and GNU
as asks for no alignment on its own. Padding before a section's first byte is not counted as ROM, and the data
sections of the portfolio have an even size. RL78 code may begin at any address, code of the others has an
even size; AVR's tables in flash are read by bytes.
"""

import re

_DATA = re.compile(r"\s*(?:\.section\s+)?(\.(?:rodata|data|bss)\b[\w.]*)")


def aligned(source: str, unit: int) -> str:
    """GNU source in which each data section asks for a multiple of `unit` where it is first opened."""
    seen: set[str] = set()
    lines = []
    for line in source.splitlines():
        lines.append(line)
        opened = _DATA.match(line)
        if opened and opened[1] not in seen:
            seen.add(opened[1])
            lines.append(f"        .balign {unit}")
    return "\n".join(lines) + "\n"


def alignment(source: str, unit: int) -> int:
    """The alignment that `aligned` asks for."""
    return unit if any(map(_DATA.match, source.splitlines())) else 1
