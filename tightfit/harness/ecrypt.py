"""Test vectors of eSTREAM (`verified.test-vectors`): parts of a stream by key and initial value.

A part may go on over several lines. The XOR of the blocks of 64 bytes of the whole stream ends a test.
"""

import re
from dataclasses import dataclass, field
from functools import reduce

from tightfit.harness.nistlines import Reader
from tightfit.primitives.vectors import StreamVector

_TEST = re.compile(r"Set\s+\d+,\s*vector#\s*\d+:")
_VALUE = re.compile(r"(key|IV|xor-digest|stream\[\d{1,7}\.\.\d{1,7}\])\s*=\s*(\S*)")
_PLACE = re.compile(r"stream\[(\d+)\.\.(\d+)\]")
_BLOCK = 64
_LONGEST = 1 << 20


@dataclass
class _Test:
    """A test: digits by name, and the line of each."""

    line: int
    values: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


def read_streams(reader: Reader) -> None:
    """The parts of streams; tests with keys or initial values of other sizes are skipped."""
    for test in _tests(reader):
        key, iv = (_bytes(reader, test, name) for name in ("key", "IV"))
        sizes = len(key), len(iv)
        if sizes != (reader.primitive.key_bytes, reader.primitive.iv_bytes):
            reader.skipped[f"keys of {sizes[0]} bytes with initial values of {sizes[1]}"] += 1
            continue
        ends = [_part(reader, test, name, key, iv) for name in test.values if name.startswith("stream")]
        if not ends:
            raise reader.error(test.line, "expected stream[FIRST..LAST] = VALUE among its lines, found none")
        if "xor-digest" in test.values:
            _check_digest(reader, test, reader.primitive.oracle.keystream(key, iv, 0, max(ends)))


def _tests(reader: Reader) -> list[_Test]:
    """Every test, from its heading to an empty line; what is between tests is for those who read them."""
    tests: list[_Test] = []
    test, name = None, ""
    for number, raw in enumerate(reader.text, 1):
        line = raw.strip()
        value = _VALUE.fullmatch(line)
        if _TEST.fullmatch(line):
            test, name = _Test(number), ""
            tests.append(test)
        elif not line:
            test = None
        elif test and value:
            name = value[1]
            test.values[name], test.lines[name] = value[2], number
        elif test and name and re.fullmatch(r"[0-9A-Fa-f]+", line):
            test.values[name] += line
        elif test or value:
            raise reader.error(number, f"expected a value of a test, found {line[:40]!r}")
    return tests


def _part(reader: Reader, test: _Test, name: str, key: bytes, iv: bytes) -> int:
    """A known answer; where it ends."""
    first, last = map(int, _PLACE.fullmatch(name).groups())
    part, expected = _bytes(reader, test, name), last + 1 - first
    if not 0 < expected <= _LONGEST or last >= _LONGEST:
        raise reader.error(test.lines[name], f"{name}: expected a part of the first {_LONGEST} bytes")
    if len(part) != expected:
        raise reader.error(test.lines[name], f"{name}: expected {expected} bytes, found {len(part)}")
    origin = f"{reader.path.name}:{test.lines[name]}"
    reader.vectors.append(StreamVector(key, iv, part, first, origin))
    return last + 1


def _check_digest(reader: Reader, test: _Test, stream: bytes) -> None:
    """The digest is that of the stream, every byte of which the gate compares."""
    blocks = (int.from_bytes(stream[n : n + _BLOCK], "big") for n in range(0, len(stream), _BLOCK))
    right = reduce(int.__xor__, blocks).to_bytes(_BLOCK, "big")
    found = _bytes(reader, test, "xor-digest")
    if found != right:
        what = f"xor-digest: expected {right.hex()} for {len(stream)} bytes, found {found.hex()}"
        raise reader.error(test.lines["xor-digest"], what)


def _bytes(reader: Reader, test: _Test, name: str) -> bytes:
    if name not in test.values:
        raise reader.error(test.line, f"expected {name} = VALUE among its lines, found none")
    try:
        return bytes.fromhex(test.values[name])
    except ValueError:
        found = test.values[name][:40]
        raise reader.error(
            test.lines[name], f"{name}: expected hexadecimal digits, found {found!r}"
        ) from None
