"""NIST's files of test values: known answers and Monte Carlo tests, with answers (.rsp) or without (.req).

A file has lines `NAME = VALUE`, comments with `#`, sections in brackets, and empty lines between tests. Those
of the submissions to AES (`ecb_vk.txt`, `ecb_e_m.txt`) are read too: `PT`, `CT` and `I` are names in them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tightfit.errors import UsageError
from tightfit.harness.groups import Test
from tightfit.harness.montecarlo import tests_of
from tightfit.harness.onhost import fast
from tightfit.primitives import Primitive
from tightfit.primitives.vectors import HashVector, Vector

_MOST = 1 << 26
_PAIR = re.compile(r"([A-Za-z][\w ]*?)\s*=\s*(\S*)")
_SECTION = re.compile(r"\[\s*([^\]]+?)\s*\]")
_ALIASES = {"PT": "PLAINTEXT", "CT": "CIPHERTEXT", "I": "COUNT", "J": "COUNT"}
_TEXTS = {"encrypt": ("PLAINTEXT", "CIPHERTEXT"), "decrypt": ("CIPHERTEXT", "PLAINTEXT")}
_MONTE_CARLO = re.compile(r"MCT|Monte|_m\.txt", re.I)
_REQUESTED = 100
_CALLS = {"validation": 1_000, "submission": 10_000}


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


@dataclass(frozen=True)
class File:
    """What a file asks of a primitive: known answers, those `wanted` by the line before each, and chains."""

    path: Path
    text: tuple[str, ...]
    vectors: tuple[Vector | HashVector, ...]
    wanted: dict[int, tuple[str, bytes]]
    chains: tuple[Chain, ...]

    @property
    def is_request(self) -> bool:
        """Whether answers are missing."""
        return bool(self.wanted) or any(not chain.test.expected for chain in self.chains)

    def response(self) -> str:
        """The file with the answers that were missing."""
        added = {line: [f"{name} = {answer.hex()}"] for line, (name, answer) in self.wanted.items()}
        for chain in self.chains:
            if not chain.test.expected:
                added[chain.line] = list(_chain_lines(chain.test))
        lines = []
        for number, line in enumerate(self.text, 1):
            lines += [line, *added.get(number, ())]
        return "\n".join(lines) + "\n"


def read(path: Path, primitive: Primitive) -> File:
    """The tests of a file; answers that it asks for are those of the reference.

    Raises
    ------
    UsageError
        It cannot be read, or has something else than tests of the primitive; the message says the line.
    """
    text = _text(path)
    reader = _Reader(path, primitive, text)
    (_hash if primitive.kind == "hash" else _cipher)(reader)
    if not reader.vectors and not reader.chains:
        raise UsageError(f"{path}: expected tests of {primitive.name}, found none")
    return File(path, text, tuple(reader.vectors), reader.wanted, tuple(reader.chains))


def _text(path: Path) -> tuple[str, ...]:
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


class _Reader:
    """The records of a file, and what was made of them."""

    def __init__(self, path: Path, primitive: Primitive, text: Sequence[str]):
        self.path, self.primitive, self.text = path, primitive, text
        self.vectors: list[Vector | HashVector] = []
        self.wanted: dict[int, tuple[str, bytes]] = {}
        self.chains: list[Chain] = []
        self.header: list[str] = [path.name]
        self.records = list(self._records())
        self.is_monte_carlo = any(map(_MONTE_CARLO.search, self.header))

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
                if _is_test(record):
                    yield _with(shared, record)
                elif record.values:
                    shared = _with(shared, record)
                record = Record(record.section)
            if heading:
                shared = Record(heading[1].upper())
                record = Record(heading[1].upper())
            elif name:
                record.values[name], record.lines[name], record.last = pair[2], number, number
            elif line.startswith("#") or not (shared.values or record.values or shared.section):
                self.header.append(line)
            elif line.strip("="):
                raise self.error(number, f"expected NAME = VALUE, found {line[:40]!r}")
        if _is_test(record):
            yield _with(shared, record)
        elif record.values:
            yield _with(shared, record)

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


def _is_test(record: Record) -> bool:
    return "COUNT" in record.values or "LEN" in record.values


def _with(shared: Record, record: Record) -> Record:
    return Record(
        record.section or shared.section,
        shared.values | record.values,
        shared.lines | record.lines,
        record.last,
    )


# ---- block ciphers ----


def _cipher(reader: _Reader) -> None:
    primitive = reader.primitive
    begun: dict[str, list[Record]] = {}
    for record in reader.records:
        if "IV" in record.values:
            raise reader.error(record.lines["IV"], "IV: expected tests in ECB, which have none")
        size = record.values.get("KEYSIZE")
        if not _is_test(record) or size not in (None, str(primitive.key_bits)):
            continue
        function = _function(reader, record)
        if function not in primitive.functions:
            raise reader.error(record.last, f"{primitive.name} has no {function}ion here")
        if reader.is_monte_carlo:
            begun.setdefault(function, []).append(record)
        else:
            _blocks(reader, record, function)
    for function, records in begun.items():
        reader.chains.append(_cipher_chain(reader, function, records))


def _function(reader: _Reader, record: Record) -> str:
    """The direction: that of the section, of the header, or from what there is to what is missing."""
    if record.section in ("ENCRYPT", "DECRYPT"):
        return record.section.lower()
    if any("DECRYPTION" in line.upper() for line in reader.header):
        return "decrypt"
    return "encrypt" if "PLAINTEXT" in record.values else "decrypt"


def _blocks(reader: _Reader, record: Record, function: str) -> None:
    """A known answer, of one block or of several under one key."""
    primitive, (given, answered) = reader.primitive, _TEXTS[function]
    key = reader.bytes_of(record, "KEY", primitive.key_bytes)
    text, size = reader.bytes_of(record, given), primitive.block_bytes
    if not text or len(text) % size:
        what = f"{given}: expected blocks of {size} bytes, found {len(text)} bytes"
        raise reader.error(record.lines[given], what)
    if answered in record.values:
        answer = reader.bytes_of(record, answered, len(text))
    else:
        call = fast(primitive, function)
        answer = b"".join(call(key, text[n : n + size]) for n in range(0, len(text), size))
        reader.wanted[record.last] = (answered, answer)
    plain, cipher = (text, answer) if function == "encrypt" else (answer, text)
    origin = f"{reader.path.name}:{record.last}"
    reader.vectors += [
        Vector(key, plain[n : n + size], cipher[n : n + size], origin=origin)
        for n in range(0, len(text), size)
    ]


def _cipher_chain(reader: _Reader, function: str, records: Sequence[Record]) -> Chain:
    primitive, (given, answered) = reader.primitive, _TEXTS[function]
    (test,) = tests_of(primitive, [function])
    first, size = records[0], primitive.block_bytes
    start = reader.bytes_of(first, "KEY", primitive.key_bytes), reader.bytes_of(first, given, size)
    asked = answered not in first.values
    if asked and len(records) > 1:
        raise reader.error(first.last, f"expected {answered} = VALUE, as further tests follow, found none")
    expected = () if asked else tuple(reader.bytes_of(record, answered, size) for record in records)
    calls = _CALLS["submission" if "KEYSIZE" in first.values else "validation"]
    groups = _REQUESTED if asked else len(records)
    return Chain(replace(test, calls=calls, groups=groups, start=start, expected=expected), first.last)


# ---- hashes ----


def _hash(reader: _Reader) -> None:
    primitive = reader.primitive
    begun: list[Record] = []
    for record in reader.records:
        _check_length(reader, record)
        if "SEED" in record.values:
            begun.append(record)
        elif "LEN" in record.values:
            _message(reader, record)
        else:
            raise reader.error(record.last, "expected Len = BITS or Seed = VALUE before it, found none")
    if begun:
        (test,) = tests_of(primitive)
        (seed,) = test.start
        start = (reader.bytes_of(begun[0], "SEED", len(seed)),)
        tests = [record for record in begun if _is_test(record)]
        expected = tuple(reader.bytes_of(record, "MD", primitive.digest_bytes) for record in tests)
        groups = len(tests) or _REQUESTED
        line = begun[0].lines["SEED"]
        reader.chains.append(Chain(replace(test, groups=groups, start=start, expected=expected), line))


def _check_length(reader: _Reader, record: Record) -> None:
    """The section `[L = 32]` has the length of the digest, in bytes or in bits."""
    said = re.fullmatch(r"L\s*=\s*(\d{1,6})", record.section)
    size = reader.primitive.digest_bytes
    if said and int(said[1]) not in (size, 8 * size):
        what = f"[{record.section}]: expected digests of {size} bytes, as {reader.primitive.name} has them"
        raise reader.error(record.last, what)


def _message(reader: _Reader, record: Record) -> None:
    """A known answer; of a message of no bits the file has a byte that does not count."""
    bits = record.values["LEN"]
    if not re.fullmatch(r"\d{1,9}", bits, re.A) or int(bits) % 8:
        raise reader.error(record.lines["LEN"], f"LEN: expected bits of whole bytes, found {bits!r}")
    message, size = reader.bytes_of(record, "MSG"), int(bits) // 8
    if len(message) != max(size, 1) and len(message) != size:
        raise reader.error(record.lines["MSG"], f"MSG: expected {size} bytes, found {len(message)}")
    message = message[:size]
    if "MD" in record.values:
        digest = reader.bytes_of(record, "MD", reader.primitive.digest_bytes)
    else:
        digest = fast(reader.primitive, "digest")(message)
        reader.wanted[record.last] = ("MD", digest)
    reader.vectors.append(HashVector(message, digest, f"{reader.path.name}:{record.last}"))


# ---- responses ----


def _chain_lines(test: Test) -> Iterator[str]:
    """What follows the beginning of a Monte Carlo test in its response."""
    if test.function == "digest":
        for group in test.answers():
            yield from ("", f"COUNT = {group.number}", f"MD = {test.expected_of(group).hex()}")
        return
    given, answered = _TEXTS[test.function]
    for group in test.answers():
        if group.number:
            text = group.tape[-test.primitive.block_bytes :].hex()
            yield from ("", f"COUNT = {group.number}", f"KEY = {group.key.hex()}", f"{given} = {text}")
        yield f"{answered} = {test.expected_of(group).hex()}"
