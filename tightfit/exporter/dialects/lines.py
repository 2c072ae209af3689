"""What a line of RL78 assembly is, in whatever dialect it is written."""

from collections.abc import Iterable
from dataclasses import dataclass

from tightfit.errors import UsageError


@dataclass(frozen=True)
class Value:
    """A number, or the address of a symbol and an offset in bytes.

    `claims` is the memory that the spelling says the symbol is in, `flash` or `ram`; None where it says
    nothing.
    """

    offset: int
    symbol: str | None = None
    hexadecimal: bool = False
    claims: str | None = None


@dataclass(frozen=True)
class Operand:
    """An operand of an instruction.

    `kind` is `register`, `#` (constant), `!` or `!!` (address of 16 or 20 bits), `$` or `$!` (target within
    8 or 16 bits), `[]` (`register` or `register` + `index` or + `value` points), `n[]` (`value` +
    `register` points) or `n` (a number: a short address or a count).
    """

    kind: str
    value: Value | None = None
    register: str = ""
    index: str = ""
    bit: int | None = None


@dataclass(frozen=True)
class Instruction:
    """A mnemonic in lower case and its operands."""

    mnemonic: str
    operands: tuple[Operand, ...] = ()

    @property
    def target(self) -> Operand | None:
        """The operand that it branches to or calls, where that is a label."""
        last = self.operands[-1] if self.operands else None
        return last if last and last.kind in ("$", "$!", "!!", "!") and self.mnemonic in _JUMPS else None


@dataclass(frozen=True)
class Directive:
    """A directive by its key in the data of a dialect, and its fields."""

    name: str
    fields: tuple[tuple[str, str], ...] = ()

    def __getitem__(self, field: str) -> str:
        return dict(self.fields)[field]


@dataclass(frozen=True)
class Line:
    """A line of source: each part may be missing. `number` counts from 1, 0 for a line that was added."""

    number: int
    label: str | None = None
    item: Instruction | Directive | None = None
    comment: str | None = None


LOCAL = ".L"
"""How a label of the file alone begins, as GNU as has it."""

CONDITIONAL = ("bc", "bnc", "bz", "bnz", "bh", "bnh", "bt", "bf", "btclr")
_JUMPS = (*CONDITIONAL, "br", "call")


def directives(lines: Iterable[Line], name: str) -> Iterable[Directive]:
    """The directives of a name among lines."""
    return (line.item for line in lines if isinstance(line.item, Directive) and line.item.name == name)


def wrong(line: Line | int, text: str, why: str) -> UsageError:
    """The error about a line."""
    number = line if isinstance(line, int) else line.number
    return UsageError(f"line {number}: {' '.join(text.split())!r}: {why}")
