"""Tables that stay in flash and are aligned: which routines have them, and how much room they take."""

from tightfit.exporter.prepared import Prepared

_FLASH = ".progmem"


def has_aligned(member: Prepared) -> bool:
    """Whether tables in flash are aligned; those in RAM pad RAM and their initial values alike."""
    padding = member.measurement.cost.padding
    return padding.rom > padding.ram


def room(source: str) -> int:
    """Bytes of a GNU source's tables in flash, from the first to the end of the last."""
    at, inside = 0, False
    for line in source.splitlines():
        word, _, operands = line.split(";")[0].strip().partition(" ")
        if word in (".section", ".text", ".data", ".bss"):
            inside = operands.strip().startswith(_FLASH)
        elif inside and word == ".balign":
            at += -at % int(operands)
        elif inside and word == ".byte":
            at += operands.count(",") + 1
    return at
