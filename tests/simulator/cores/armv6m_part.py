"""The ARMv6-M parts that the tests run on, and their tools."""

from tightfit.targets import load_target

from .tools import Tools

TARGET = load_target("armv6m")
PARTS = {core.name: TARGET.part(core.part) for core in TARGET.cores.values()}
START = 0x08000000
SCRIPT = """SECTIONS {
    .text $start : { *(.text) } .data $data : { *(.data) } .bss : { *(.bss) } /DISCARD/ : { *(*) }
}
"""
TOOLS = Tools(
    "armv6m",
    PARTS["cortex-m0+"].assemble,
    ("--no-warn-rwx-segments",),
    START,
    SCRIPT,
    "".join(f" {line}\n" for line in TARGET.head),
)
