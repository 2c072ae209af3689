"""NIST's tests of block ciphers: each block by itself (ECB), or in CBC mode with an initial value."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tightfit.harness.groups import Group, Test
from tightfit.harness.montecarlo import tests_of
from tightfit.harness.nistlines import Chain, Reader, Record, is_test
from tightfit.harness.onhost import fast
from tightfit.primitives.kinds import CHAINED
from tightfit.primitives.vectors import ChainedVector, Vector

REQUESTED = 100
"""Groups of a Monte Carlo test that a file asks for."""
_TEXTS = {"encrypt": ("PLAINTEXT", "CIPHERTEXT"), "decrypt": ("CIPHERTEXT", "PLAINTEXT")}
_CALLS = {"validation": 1_000, "submission": 10_000}


def read_blocks(reader: Reader) -> None:
    """The tests of a block cipher, or of one that chains blocks."""
    primitive = reader.primitive
    begun: dict[str, list[Record]] = {}
    for record in reader.records:
        if "IV" in record.values and not _chains(reader):
            raise reader.error(record.lines["IV"], "IV: expected tests in ECB, which have none")
        size = record.values.get("KEYSIZE")
        if not is_test(record) or size not in (None, str(primitive.key_bits)):
            continue
        function = _function(reader, record)
        if function not in primitive.functions:
            raise reader.error(record.last, f"{primitive.name} has no {function}ion here")
        if reader.is_monte_carlo:
            begun.setdefault(function, []).append(record)
        else:
            _blocks(reader, record, function)
    for function, records in begun.items():
        reader.chains.append(_chain(reader, function, records))


def block_lines(test: Test) -> Iterator[str]:
    """What follows the beginning of a Monte Carlo test in its response."""
    given, answered = _TEXTS[test.function]
    for group in test.answers():
        if group.number:
            yield from ("", f"COUNT = {group.number}", f"KEY = {group.key.hex()}")
            yield from _texts(test, group, given)
        yield f"{answered} = {test.expected_of(group).hex()}"


def _texts(test: Test, group: Group, given: str) -> Iterator[str]:
    block = test.primitive.block_bytes
    if test.primitive.form == CHAINED:
        yield f"IV = {group.tape[block:].hex()}"
        yield f"{given} = {group.tape[:block].hex()}"
    else:
        yield f"{given} = {group.tape[-block:].hex()}"


def _chains(reader: Reader) -> bool:
    return reader.primitive.form == CHAINED


def _function(reader: Reader, record: Record) -> str:
    """The direction: that of the section, of the header, or from what there is to what is missing."""
    if record.section in ("ENCRYPT", "DECRYPT"):
        return record.section.lower()
    if any("DECRYPTION" in line.upper() for line in reader.header):
        return "decrypt"
    return "encrypt" if "PLAINTEXT" in record.values else "decrypt"


def _blocks(reader: Reader, record: Record, function: str) -> None:
    """A known answer, of one block or of several under one key."""
    primitive, (given, answered) = reader.primitive, _TEXTS[function]
    key = reader.bytes_of(record, "KEY", primitive.key_bytes)
    iv = reader.bytes_of(record, "IV", primitive.iv_bytes) if _chains(reader) else b""
    text, size = reader.bytes_of(record, given), primitive.block_bytes
    if not text or len(text) % size:
        what = f"{given}: expected blocks of {size} bytes, found {len(text)} bytes"
        raise reader.error(record.lines[given], what)
    if answered in record.values:
        answer = reader.bytes_of(record, answered, len(text))
    else:
        answer = _caller(reader, function)(key, iv, text)
        reader.want(record, f"{answered} = {answer.hex()}")
    plain, cipher = (text, answer) if function == "encrypt" else (answer, text)
    origin = reader.origin(record)
    if _chains(reader):
        reader.vectors.append(ChainedVector(key, iv, plain, cipher, origin))
        return
    reader.vectors += [
        Vector(key, plain[n : n + size], cipher[n : n + size], origin=origin)
        for n in range(0, len(text), size)
    ]


def _caller(reader: Reader, function: str) -> Callable[[bytes, bytes, bytes], bytes]:
    """What answers for a text of several blocks."""
    primitive, size = reader.primitive, reader.primitive.block_bytes
    call = fast(primitive, function)
    if _chains(reader):
        return call
    return lambda key, _iv, text: b"".join(call(key, text[n : n + size]) for n in range(0, len(text), size))


def _chain(reader: Reader, function: str, records: Sequence[Record]) -> Chain:
    primitive, (given, answered) = reader.primitive, _TEXTS[function]
    (test,) = tests_of(primitive, [function])
    first, size = records[0], primitive.block_bytes
    text = reader.bytes_of(first, given, size)
    iv = reader.bytes_of(first, "IV", primitive.iv_bytes) if _chains(reader) else b""
    start = reader.bytes_of(first, "KEY", primitive.key_bytes), text + iv
    asked = answered not in first.values
    if asked and len(records) > 1:
        raise reader.error(first.last, f"expected {answered} = VALUE, as further tests follow, found none")
    expected = () if asked else tuple(reader.bytes_of(record, answered, size) for record in records)
    calls = _CALLS["submission" if "KEYSIZE" in first.values else "validation"]
    groups = REQUESTED if asked else len(records)
    return Chain(replace(test, calls=calls, groups=groups, start=start, expected=expected), first.last)
