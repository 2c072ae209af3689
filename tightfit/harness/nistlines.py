"""The lines of NIST's files of test values, as records."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tightfit.errors import UsageError
from tightfit.harness.groups import Test
from tightfit.primitives import Primitive

_MOST = 1 << 26
_PAIR = re.compile(r"([A-Za-z][\w ]*?)\s*=\s*(\S*)(?:\s+\(.*\))?")
"""A name and its value; what is said of a `Result` in parentheses is no part of it."""
_SECTION = re.compile(r"\[\s*([^\]]+?)\s*\]")
_ALIASES = {"PT": "PLAINTEXT", "CT": "CIPHERTEXT", "I": "COUNT", "J": "COUNT"}
_MONTE_CARLO = re.compile(r"MCT|Monte|_m\.txt", re.I)


@dataclass
class Record:
    """A test: values by name in capitals, the line of each; of a section, which begins with some values.

    `last` is the last line of it, counted from 1.
    """

    section: str
    values: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    last: int = 0


@dataclass(frozen=True)
class Chain:
    """A Monte Carlo test, and the last line of what begins it."""

    test: Test
    line: int


def text_of(path: Path) -> tuple[str, ...]:
    """The lines of a file; UsageError where it cannot be read."""
    try:
        with path.open(encoding="ascii") as opened:
            text = opened.read(_MOST + 1)
    except OSError as error:
        raise UsageError(
            f"{path}: expected a file of NIST's, found none that can be read ({error.strerror})"
        ) from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: expected ASCII, found byte {error.object[error.start]:#04x}") from None
    if len(text) > _MOST:
        raise UsageError(f"{path}: expected at most {_MOST >> 20} MB")
    return tuple(text.splitlines())


class Reader:
    """The records of a file, and what was made of them."""

    def __init__(self, path: Path, primitive: Primitive, text: Sequence[str]):
        self.path, self.primitive, self.text = path, primitive, text
        self.vectors: list[Any] = []
        self.wanted: dict[int, list[str]] = {}
        self.skipped: Counter[str] = Counter()
        self.chains: list[Chain] = []
        self.header: list[str] = [path.name]

    @cached_property
    def records(self) -> list[Record]:
        """The tests of the file; what is no test is in the `header`."""
        return list(self._records())

    @property
    def is_monte_carlo(self) -> bool:
        """Whether the tests are links of chains."""
        return bool(self.records) and any(map(_MONTE_CARLO.search, self.header))

    def error(self, line: int, what: str) -> UsageError:
        return UsageError(f"{self.path}:{line}: {what}")

    def _records(self) -> Iterator[Record]:
        """Every test. Values that no test counts, such as a seed, are those of all tests that follow."""
        shared, record = Record(""), Record("")
        for number, raw in enumerate(self.text, 1):
            line = raw.strip()
            heading, pair = _SECTION.fullmatch(line), _PAIR.fullmatch(line)
            name = pair and _ALIASES.get(pair[1].upper(), pair[1].upper())
            if not line or heading or line.startswith("#") or (name in record.values):
                if is_test(record):
                    yield _with(shared, record)
                elif record.values:
                    shared = _with(shared, record)
                record = Record(record.section)
            if heading:
                shared = _headed(shared, heading[1], number)
                record = Record(shared.section)
            elif name:
                record.values[name], record.lines[name], record.last = pair[2], number, number
            elif line == "FAIL":
                record.values["RESULT"], record.lines["RESULT"], record.last = "Fail", number, number
            elif line.startswith("#") or not (shared.values or record.values or shared.section):
                self.header.append(line)
            elif line.strip("="):
                raise self.error(number, f"expected NAME = VALUE, found {line[:40]!r}")
        if is_test(record):
            yield _with(shared, record)
        elif record.values:
            yield _with(shared, record)

    def want(self, record: Record, *lines: str) -> None:
        """Lines that are missing behind a record."""
        self.wanted.setdefault(record.last, []).extend(lines)

    def origin(self, record: Record) -> str:
        """Where a known answer is from."""
        return f"{self.path.name}:{record.last}"

    def number(self, record: Record, name: str) -> int | None:
        """A number; None where there is none of the name."""
        said = record.values.get(name)
        if said is not None and not re.fullmatch(r"\d{1,9}", said, re.A):
            raise self.error(record.lines[name], f"{name}: expected a number, found {said[:40]!r}")
        return None if said is None else int(said)

    def bytes_of(self, record: Record, name: str, size: int | None = None) -> bytes:
        """A value in hexadecimal."""
        line = record.lines.get(name, record.last)
        if name not in record.values:
            raise self.error(record.last, f"expected {name} = VALUE among its lines, found none")
        try:
            data = bytes.fromhex(record.values[name])
        except ValueError:
            found = record.values[name][:40]
            raise self.error(line, f"{name}: expected hexadecimal digits, found {found!r}") from None
        if size is not None and len(data) != size:
            raise self.error(line, f"{name}: expected {size} bytes, found {len(data)}")
        return data


def is_test(record: Record) -> bool:
    """Whether a record is a test, rather than what all tests behind it share."""
    return "COUNT" in record.values or "LEN" in record.values


def _with(shared: Record, record: Record) -> Record:
    return Record(
        record.section or shared.section,
        shared.values | record.values,
        shared.lines | record.lines,
        record.last,
    )


def _headed(shared: Record, heading: str, number: int) -> Record:
    """What tests of a section share: what its heading says and, where that is values alone, what was shared
    before it.
    """
    section = heading.upper()
    pairs = [_PAIR.fullmatch(part.strip()) for part in heading.split(",")]
    if not all(pairs):
        return Record(section)
    said = {pair[1].upper(): pair[2] for pair in pairs}
    lines = {name: number for name in said}
    return Record(section, shared.values | said, shared.lines | lines, number)
