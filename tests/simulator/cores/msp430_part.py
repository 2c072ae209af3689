"""The MSP430 parts that the tests run on, and their tools."""

from dataclasses import replace

from tightfit.targets import load_target

from .tools import Tools

TARGET = load_target("msp430")
PARTS = {"msp430": TARGET.part("MSP430F1611"), "msp430x": TARGET.part("MSP430FG4618")}
PARTS["msp430xv2"] = replace(PARTS["msp430x"], core=TARGET.cores["msp430xv2"])
"""The later CPUX, in the memory that programs for the CPUX are for."""
START = 0x4000
SCRIPT = """SECTIONS {
    .text $start : { *(.text) } .data $data : { *(.data) } .bss : { *(.bss) } /DISCARD/ : { *(*) }
}
"""
LINKER = ("--no-relax", "--no-warn-rwx-segments", "--defsym=__crt0_movedata=0")
TOOLS = {
    core: Tools("msp430", (f"-mcpu={cpu}",), LINKER, START, SCRIPT)
    for core, cpu in (("msp430", "430"), ("msp430x", "430x"), ("msp430xv2", "430xv2"))
}
