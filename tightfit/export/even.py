"""Sections that begin at even addresses wherever a firmware's linker puts them.

The cores read words and fetch instructions there only, and GNU as asks for no alignment on its own. Padding
before a section's first byte is no part of the ROM that is counted.
"""

import re

ALIGNMENT = 2
_SECTION = re.compile(r"\s*(?:\.section\s+)?(\.(?:text|data|bss|rodata|progmem)[\w.]*)")


def even(source: str) -> str:
    """GNU source whose every section asks for an even address, where it is opened first."""
    seen: set[str] = set()
    lines = []
    for line in source.splitlines():
        lines.append(line)
        found = _SECTION.match(line)
        if found and found[1] not in seen:
            seen.add(found[1])
            lines.append(f"        .balign {ALIGNMENT}")
    return "\n".join(lines) + "\n"
