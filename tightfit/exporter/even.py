"""Data lies at even addresses, wherever a firmware's linker puts it.

RL78 and MSP430 read words there only, and GNU as asks for no alignment on its own. Padding before a section's
first byte is no part of the ROM that is counted, and the data sections of the portfolio have an even size.
Code of RL78 may begin anywhere, code of the others has an even size; AVR's tables in flash are read by bytes.
"""

import re

ALIGNMENT = 2
_DATA = re.compile(r"\s*(?:\.section\s+)?(\.(?:rodata|data|bss)\b[\w.]*)")


def even(source: str) -> str:
    """GNU source whose data sections ask for an even address, where they are opened first."""
    seen: set[str] = set()
    lines = []
    for line in source.splitlines():
        lines.append(line)
        found = _DATA.match(line)
        if found and found[1] not in seen:
            seen.add(found[1])
            lines.append(f"        .balign {ALIGNMENT}")
    return "\n".join(lines) + "\n"


def alignment(source: str) -> int:
    """The alignment that `even` asks for."""
    return ALIGNMENT if any(map(_DATA.match, source.splitlines())) else 1
