"""Which instruction forms there are, and the bytes of each."""

from collections.abc import Iterable
from functools import cache
from itertools import product
from pathlib import Path

from tightfit.exporter.dialects.lines import Directive, Instruction, Line, Operand, Value, wrong
from tightfit.yamlfile import load_yaml, mapping, named

SADDR = range(0xFFE20, 0xFFF20)
SFR = range(0xFFF00, 0x100000)
_CLASSES = {
    **dict.fromkeys(("a", "x", "b", "c", "d", "e", "h", "l"), "r"),
    **dict.fromkeys(("ax", "bc", "de", "hl"), "rp"),
    **dict.fromkeys(("rb0", "rb1", "rb2", "rb3"), "rbn"),
    **dict.fromkeys(("sp", "psw", "es", "cs", "cy"), ""),
}
REGISTERS = frozenset(_CLASSES)
_WORD = {"type": "string"}
_SCHEMA = {
    "type": "array",
    "items": mapping({"of": {"type": "array", "items": _WORD}, "forms": named({"type": "integer"})}),
}
_UNITS = {"byte": 1, "short": 2, "long": 4}


@cache
def load_forms(path: Path) -> dict[str, dict[str, int]]:
    """Bytes by mnemonic and operand classes, from `instructions.yaml`.

    Raises
    ------
    UsageError
        The file is not in order.
    """
    rows = load_yaml(path, _SCHEMA)
    return {mnemonic: row["forms"] for row in rows for mnemonic in row["of"]}


class Sizes:
    """Bytes that lines take, by the forms of `instructions.yaml`."""

    def __init__(self, path: Path):
        self._forms = load_forms(path)

    def __contains__(self, mnemonic: str) -> bool:
        return mnemonic in self._forms

    def takes_bit(self, mnemonic: str) -> bool:
        """Whether any form of an instruction has a bit operand."""
        return any(".n" in form for form in self._forms.get(mnemonic, ()))

    def of(self, line: Line, address: int) -> int:
        """Bytes of a line at an address of its section.

        Raises
        ------
        UsageError
            There is no such instruction form.
        """
        item = line.item
        if isinstance(item, Instruction):
            return self._of_instruction(line, item)
        return directive_size(item, address) if isinstance(item, Directive) else 0

    def _of_instruction(self, line: Line, item: Instruction) -> int:
        forms = self._forms.get(item.mnemonic, {})
        for classes in product(*map(_operand_classes, item.operands)):
            if (size := forms.get(", ".join(classes))) is not None:
                return size
        shapes = ", ".join(_operand_classes(operand)[0] for operand in item.operands)
        raise wrong(line, f"{item.mnemonic} {shapes}", "no form of an RL78 instruction that is known here")


def directive_size(item: Directive, address: int) -> int:
    """Bytes that a directive puts at an address of its section."""
    if item.name in _UNITS:
        return _UNITS[item.name] * len(item["values"].split(","))
    if item.name == "space":
        return int(item["count"], 0)
    if item.name == "align":
        return -address % int(item["bytes"], 0)
    return 0


def _operand_classes(operand: Operand) -> list[str]:
    bit = "" if operand.bit is None else ".n"
    return [f"{name}{bit}" for name in _plain_classes(operand)]


def _plain_classes(operand: Operand) -> Iterable[str]:
    kind, register = operand.kind, operand.register
    if kind == "register":
        return [name for name in (register, _CLASSES[register]) if name]
    if kind == "[]":
        return [f"[{register}+{operand.index or 'n'}]" if operand.index or operand.value else f"[{register}]"]
    if kind == "n[]":
        return [f"n[{register}]"]
    if kind == "n":
        return _number_classes(operand.value)
    return [kind]


def _number_classes(value: Value) -> list[str]:
    names = [name for name, places in (("saddr", SADDR), ("sfr", SFR)) if value.offset in places]
    return names or ["n"]
