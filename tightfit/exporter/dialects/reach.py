"""Branches out of reach: GNU as silently inverts them around a long branch; here that is written out.

The other assemblers refuse a conditional branch whose target is out of reach, so the text for them has the
inverted branch and the long one, with the same bytes as GNU as makes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tightfit.exporter.dialects.instructions import Sizes
from tightfit.exporter.dialects.lines import CONDITIONAL, Instruction, Line, Operand, Value, wrong

_INVERSE = {"bc": "bnc", "bz": "bnz", "bh": "bnh", "bt": "bf"}
_INVERSE |= {inverse: mnemonic for mnemonic, inverse in _INVERSE.items()}
_REACH = range(-128, 128)
"""Bytes from the end of a branch that it can bridge."""
_FARTHEST = 128
"""Bytes forward from the start of a branch beyond which GNU as inverts it; some would still reach."""
_LONG_BYTES = 3
_PAST = ".Lpast"


def expanded(lines: Sequence[Line], sizes: Sizes) -> tuple[Line, ...]:
    """Lines of one section in which every conditional branch reaches.

    Raises
    ------
    UsageError
        A branch out of reach has no inverse, its target is not in the section, or an instruction is unknown.
    """
    far = _far(lines, sizes)
    names = _fresh_names(lines)
    written: list[Line] = []
    for index, line in enumerate(lines):
        written += _around(line, next(names)) if index in far else [line]
    return tuple(written)


def check_reach(lines: Sequence[Line], sizes: Sizes) -> None:
    """Check that every conditional branch of a section reaches its target.

    Raises
    ------
    UsageError
        A branch does not.
    """
    places, labels = _layout(lines, sizes, frozenset())
    for index, line in _branches(lines):
        distance = _distance(line, places[index + 1], labels)
        if distance not in _REACH:
            raise wrong(line, _words(line), f"its target is {distance} bytes off: out of reach")


def addresses(lines: Sequence[Line], sizes: Sizes) -> dict[str, int]:
    """The place of every label in its section, in bytes from the first."""
    return _layout(lines, sizes, frozenset())[1]


def _far(lines: Sequence[Line], sizes: Sizes) -> frozenset[int]:
    """The branches that do not reach, given that each inverted one moves the targets of others away."""
    far: frozenset[int] = frozenset()
    while True:
        places, labels = _layout(lines, sizes, far)
        more = far | {
            index
            for index, line in _branches(lines)
            if index not in far and _turned(line, places[index], places[index + 1], labels)
        }
        if more == far:
            return far
        far = more


def _turned(line: Line, start: int, end: int, labels: dict[str, int]) -> bool:
    """Whether a branch becomes a long one.

    Backwards GNU as measures from the wrong end as well, and lets a branch of up to 4 bytes too far wrap
    round to another place; no routine that was tested holds one, and here it becomes a long one.
    """
    return _distance(line, start, labels) > _FARTHEST or _distance(line, end, labels) < _REACH.start


def _layout(lines: Sequence[Line], sizes: Sizes, far: frozenset[int]) -> tuple[list[int], dict[str, int]]:
    """The place of every line and of what follows the last, and of every label."""
    places, labels, place = [], {}, 0
    for index, line in enumerate(lines):
        places.append(place)
        if line.label:
            labels[line.label] = place
        place += sizes.of(line, place) + (_LONG_BYTES if index in far else 0)
    return [*places, place], labels


def _branches(lines: Sequence[Line]) -> Iterator[tuple[int, Line]]:
    for index, line in enumerate(lines):
        if isinstance(line.item, Instruction) and line.item.mnemonic in (*CONDITIONAL, "br"):
            target = line.item.target
            if target and target.kind == "$":
                yield index, line


def _distance(line: Line, place: int, labels: dict[str, int]) -> int:
    """Bytes from a place to the target of a branch."""
    value = line.item.target.value
    if value.symbol not in labels:
        raise wrong(line, _words(line), f"{value.symbol} is not in the section")
    return labels[value.symbol] + value.offset - place


def _around(line: Line, past: str) -> list[Line]:
    item: Instruction = line.item
    inverse = _INVERSE.get(item.mnemonic)
    if inverse is None:
        raise wrong(line, _words(line), "its target is out of reach, and it has no inverse")
    over = Instruction(inverse, (*item.operands[:-1], Operand("$", Value(0, past))))
    long = Instruction("br", (replace(item.target, kind="$!"),))
    return [replace(line, item=over), Line(0, item=long), Line(0, label=past)]


def _fresh_names(lines: Sequence[Line]) -> Iterator[str]:
    taken = {line.label for line in lines}
    number = 0
    while True:
        number += 1
        if f"{_PAST}{number}" not in taken:
            yield f"{_PAST}{number}"


def _words(line: Line) -> str:
    target = line.item.target
    return f"{line.item.mnemonic} ... {target.value.symbol}"
