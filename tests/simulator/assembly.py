"""Assembly text for every form of the table, and its bytes."""

import itertools
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from tightfit.harness.simulator import Form
from tightfit.targets import toolchain

REGISTERS = "xacbedlh"
PAIRS = ("ax", "bc", "de", "hl")
FIELDS: dict[str, Sequence] = {
    "NONE": ("",),
    "R": REGISTERS,
    "R_NOT_A": "xcbedlh",
    "R_NOT_AX": "cbedlh",
    "R_XACB": "xacb",
    "RP": PAIRS,
    "RP_NOT_AX": PAIRS[1:],
    "RP_HIGH": PAIRS,
    "BIT": range(8),
    "BIT_IE": ("",),
    "COUNT8": range(1, 8),
    "COUNT16": range(1, 16),
    "BANK": range(4),
    "CALLT": range(0x80, 0xC0, 2),
}


@dataclass(frozen=True)
class Example:
    """One instruction: a form, perhaps with ES:, with its opcode field chosen."""

    form: Form
    es: int
    text: str

    @property
    def length(self) -> int:
        return self.form.length + self.es


def examples(forms: Sequence[Form], *, address: str = "0xf020", base: str = "0xf000") -> Iterator[Example]:
    """Every form with every value of its field, plain and with ES:.

    `address` goes where the form has !addr16, `base` where it has word[...].
    """
    for form in forms:
        for value, es in itertools.product(FIELDS[form.field], range(form.es + 1)):
            yield Example(form, es, _text(form, value, es, address, base))


def _text(form: Form, value, es: int, address: str, base: str) -> str:
    mnemonic, _, operands = form.text.partition(" ")
    jump = mnemonic in ("CALL", "BR")
    operands = re.sub(r"\br\b|\brp\b|\bcnt\b", str(value), operands)
    operands = operands.replace(".bit", f".{value}").replace("RBn", f"rb{value}").replace("addr5", str(value))
    for pattern, operand in (
        ("#byte", "#0x12"),
        ("#word", "#0x1234"),
        ("saddrp", "0xffe40"),
        ("saddr", "0xffe40"),
        ("sfrp", "0xfff60"),
        ("sfr", "0xfff30"),
        ("$addr20", "$1f"),
        ("$!addr20", "$!1f"),
        ("!!addr20", "!!1f"),
        ("!addr16", "!1f" if jump else f"!{address}"),
        ("word[", f"{base}["),
        ("+byte]", "+4]"),
    ):
        operands = operands.replace(pattern, operand)
    return f"{mnemonic} {_with_es(operands) if es else operands}".strip().lower()


def _with_es(operands: str) -> str:
    parts = operands.split(",")
    memory = next(i for i, part in enumerate(parts) if "[" in part or part.startswith("!"))
    parts[memory] = f"es:{parts[memory]}"
    return ",".join(parts)


def assemble(source: str, folder: Path, *, start: int = 0x1000) -> tuple[bytes, dict[str, int]]:
    """Bytes of the text section linked at `start`, and its symbols."""
    elf = link(source, folder, start=start)
    with elf.open("rb") as file:
        image = ELFFile(file)
        symbols = {
            s.name: s["st_value"] for s in image.get_section_by_name(".symtab").iter_symbols() if s.name
        }
        return image.get_section_by_name(".text").data(), symbols


def link(source: str, folder: Path, *, start: int = 0x1000, flags: Sequence[str] = ("-mg14",)) -> Path:
    """An executable with the text section at `start`."""
    text, obj, elf = (folder / f"t.{kind}" for kind in ("s", "o", "elf"))
    text.write_text(source)
    _run([toolchain.tool("rl78", "as"), *flags, "-o", obj, text])
    _run([toolchain.tool("rl78", "ld"), f"-Ttext={start:#x}", f"-e{start:#x}", "-o", elf, obj])
    return elf


def _run(command: Sequence) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
