"""From lines to the text of a dialect."""

import re
from collections.abc import Iterable, Iterator

from tightfit.exporter.dialects import pattern
from tightfit.exporter.dialects.instructions import SADDR, SFR
from tightfit.exporter.dialects.lines import CONDITIONAL, Directive, Instruction, Line, Operand, Value, wrong
from tightfit.exporter.dialects.sections import Program
from tightfit.exporter.dialects.spelling import Spelling, to_dialect
from tightfit.exporter.dialects.values import address, number

_MNEMONIC, _OPERANDS, _COMMENT = 8, 16, 40
_DROPPED = ("type", "size", "stack")
"""Directives that emit no bytes: left out where a dialect does not have them."""


class Writer:
    """Writes a program in one dialect."""

    def __init__(self, spelling: Spelling, program: Program):
        self._spelling = spelling
        self._program = program

    def write(self) -> str:
        """The text.

        Raises
        ------
        UsageError
            The dialect has no such construct; the message names the line.
        """
        lines = [*self._lines(self._program.preamble)]
        for section, block in self._program.blocks.items():
            lines += [_placed("", self._section(section, block)), *self._lines(block)]
        if self._spelling.end:
            lines.append(_placed("", self._spelling.end))
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines) + "\n")

    def _section(self, section: str, block: Iterable[Line]) -> str:
        power = max(_power(line) for line in block)
        return pattern.write(
            self._spelling.sections[section], power=max(power, 0 if section == ".text" else 1)
        )

    def _lines(self, lines: Iterable[Line]) -> Iterator[str]:
        for line in lines:
            text, label = self._text(line), f"{self._symbol(line, line.label)}:" if line.label else ""
            if line.item and not text and not line.label and not line.comment:
                continue
            if line.comment and self._spelling.comments == "above" and (text or label):
                yield " " * _MNEMONIC + line.comment
                yield from _statement(label, text, "")
            else:
                yield from _statement(label, text, line.comment or "")

    def _text(self, line: Line) -> str:
        if isinstance(line.item, Instruction):
            return self._instruction(line, line.item)
        return self._directive(line, line.item) if line.item else ""

    def _directive(self, line: Line, item: Directive) -> str:
        patterns = self._spelling.directives.get(item.name)
        if patterns is None:
            if item.name in _DROPPED:
                return ""
            raise wrong(line, item.name, f"{self._spelling.words} has no such directive")
        fields = dict(item.fields)
        if "symbol" in fields:
            fields["symbol"] = self._symbol(line, fields["symbol"])
        if "bytes" in fields:
            fields["power"] = _power(line)
        word, blank, rest = pattern.write(patterns, **fields).partition(" ")
        return word.ljust(_OPERANDS - _MNEMONIC - 1) + blank + rest if blank else word

    def _instruction(self, line: Line, item: Instruction) -> str:
        operands = [self._operand(line, item, operand) for operand in item.operands]
        mnemonic = self._spelling.cased(item.mnemonic)
        return f"{mnemonic:{_OPERANDS - _MNEMONIC - 1}} {', '.join(operands)}" if operands else mnemonic

    def _operand(self, line: Line, item: Instruction, operand: Operand) -> str:
        if operand is item.target:
            text = self._target(line, item, operand)
        else:
            text = self._plain(line, operand)
        return text if operand.bit is None else f"{text}.{operand.bit}"

    def _target(self, line: Line, item: Instruction, operand: Operand) -> str:
        kind = "conditional" if item.mnemonic in CONDITIONAL else item.mnemonic
        patterns = self._spelling.targets[kind].get(operand.kind)
        if patterns is None:
            words = f"{item.mnemonic} {operand.kind}{operand.value.symbol}"
            raise wrong(line, words, f"{self._spelling.words} has no spelling for it")
        return pattern.write(patterns, label=self._address(line, operand.value))

    def _plain(self, line: Line, operand: Operand) -> str:
        kind, value, register = operand.kind, operand.value, self._spelling.cased(operand.register)
        if kind == "register":
            return register
        if kind == "[]":
            inner = self._spelling.cased(operand.index) or (number(value) if value else "")
            return f"[{register}+{inner}]" if inner else f"[{register}]"
        if kind == "n":
            return pattern.write(self._spelling.direct[_place(value)], number=number(value))
        key = {"#": "immediate", "!": "absolute", "n[]": "indexed"}[kind]
        patterns = getattr(self._spelling, key)
        if value.symbol is None:
            return pattern.write(patterns["number"], number=number(value), register=register)
        space = self._program.space(value.symbol)
        return pattern.write(patterns[space], address=self._address(line, value), register=register)

    def _address(self, line: Line, value: Value) -> str:
        return address(value, self._symbol(line, value.symbol))

    def _symbol(self, line: Line, name: str) -> str:
        symbol = to_dialect(self._spelling, name)
        if not self._spelling.is_symbol(symbol):
            raise wrong(line, name, f"{symbol!r} is no symbol of {self._spelling.words}")
        return symbol


def _statement(label: str, text: str, comment: str) -> Iterator[str]:
    """A label stands alone on its line."""
    if label and text:
        yield label
        label = ""
    yield _placed(label, text, comment)


def _placed(label: str, text: str, comment: str = "") -> str:
    """A line with its parts in their columns."""
    line = label or (" " * _MNEMONIC + text if text else "")
    if not comment:
        return line.rstrip()
    return f"{line:{_COMMENT - 1}} {comment}" if line else comment if not label else f"{label} {comment}"


def _place(value: Value) -> str:
    return "saddr" if value.offset in SADDR else "sfr" if value.offset in SFR else "count"


def _power(line: Line) -> int:
    """The power of two that a line aligns to."""
    if isinstance(line.item, Directive) and line.item.name == "align":
        return int(line.item["bytes"]).bit_length() - 1
    return 0
