"""The RISC-V cores that the tests run on, the part that has their memory, and their tools."""

from dataclasses import replace

from tightfit.targets import load_target

from .tools import Tools

TARGET = load_target("rv32e")
PART = TARGET.part("Ibex-16K-2K")
IMC = replace(PART, core=replace(PART.core, name="ibex-imc"))
"""The core with all registers and the multiplier, in the memory of the default part."""
QINGKE = TARGET.part("CH32V003F4")
START = 0x1000
LINKER = ("-m", "elf32lriscv", "--no-relax", "--no-warn-rwx-segments")
TOOLS = Tools("rv32e", ("-march=rv32ec_zicsr", "-mabi=ilp32e", "-mno-relax"), LINKER, START)
TOOLS_IMC = Tools("rv32e", ("-march=rv32imc_zicsr", "-mabi=ilp32", "-mno-relax"), LINKER, START)
