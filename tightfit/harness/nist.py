"""NIST's files of test values: known answers and Monte Carlo tests, with answers (.rsp) or without (.req).

A file has lines `NAME = VALUE`, comments with `#`, sections in brackets, and empty lines between tests. Those
of the submissions to AES (`ecb_vk.txt`, `ecb_e_m.txt`) are read too: `PT`, `CT` and `I` are names in them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightfit.errors import UsageError
from tightfit.harness.ecrypt import read_streams
from tightfit.harness.groups import Test
from tightfit.harness.montecarlo import tests_of
from tightfit.harness.nistaead import read_messages
from tightfit.harness.nistblocks import REQUESTED, block_lines, read_blocks
from tightfit.harness.nistlines import Chain, Reader, Record, is_test, text_of
from tightfit.harness.nistmac import read_tags
from tightfit.harness.onhost import fast
from tightfit.primitives import Primitive
from tightfit.primitives.kinds import CHAINED
from tightfit.primitives.vectors import HashVector


@dataclass(frozen=True)
class File:
    """What a file asks of a primitive: known answers, lines `wanted` by the line before each, and chains.

    `skipped` counts the tests that are not of the primitive as it is defined here, by what they have.
    """

    path: Path
    text: tuple[str, ...]
    vectors: tuple
    wanted: Mapping[int, Sequence[str]]
    chains: tuple[Chain, ...]
    skipped: Mapping[str, int]

    @property
    def is_request(self) -> bool:
        """Whether answers are missing."""
        return bool(self.wanted) or any(not chain.test.expected for chain in self.chains)

    def response(self) -> str:
        """The file with the answers that were missing."""
        added = dict(self.wanted)
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
    text = text_of(path)
    reader = Reader(path, primitive, text)
    _READERS[primitive.form](reader)
    if not reader.vectors and not reader.chains:
        others = "".join(f"; skipped {count}: {why}" for why, count in reader.skipped.items())
        raise UsageError(f"{path}: expected tests of {primitive.name}, found none{others}")
    return File(path, text, tuple(reader.vectors), reader.wanted, tuple(reader.chains), reader.skipped)


# ---- hashes ----


def _hash(reader: Reader) -> None:
    primitive = reader.primitive
    begun: list[Record] = []
    for record in reader.records:
        _check_length(reader, record)
        if "SEED" in record.values:
            begun.append(record)
        elif "LEN" in record.values or "MSG" in record.values:
            _message(reader, record)
        else:
            raise reader.error(record.last, "expected Len = BITS or Seed = VALUE before it, found none")
    if begun:
        (test,) = tests_of(primitive)
        (seed,) = test.start
        start = (reader.bytes_of(begun[0], "SEED", len(seed)),)
        tests = [record for record in begun if is_test(record)]
        expected = tuple(reader.bytes_of(record, "MD", primitive.digest_bytes) for record in tests)
        groups = len(tests) or REQUESTED
        line = begun[0].lines["SEED"]
        reader.chains.append(Chain(replace(test, groups=groups, start=start, expected=expected), line))


def _check_length(reader: Reader, record: Record) -> None:
    """The section `[L = 32]` has the length of the digest, in bytes or in bits."""
    said = re.fullmatch(r"L\s*=\s*(\d{1,6})", record.section)
    size = reader.primitive.digest_bytes
    if said and int(said[1]) not in (size, 8 * size):
        what = f"[{record.section}]: expected digests of {size} bytes, as {reader.primitive.name} has them"
        raise reader.error(record.last, what)


def _message(reader: Reader, record: Record) -> None:
    """A known answer; of a message of no bits the file has a byte that does not count.

    Files of the contest for lightweight cryptography do not say how long a message is.
    """
    message = reader.bytes_of(record, "MSG")
    if "LEN" in record.values:
        bits = record.values["LEN"]
        if not re.fullmatch(r"\d{1,9}", bits, re.A) or int(bits) % 8:
            raise reader.error(record.lines["LEN"], f"LEN: expected bits of whole bytes, found {bits!r}")
        size = int(bits) // 8
        if len(message) != max(size, 1) and len(message) != size:
            raise reader.error(record.lines["MSG"], f"MSG: expected {size} bytes, found {len(message)}")
        message = message[:size]
    if "MD" in record.values:
        digest = reader.bytes_of(record, "MD", reader.primitive.digest_bytes)
    else:
        digest = fast(reader.primitive, "digest")(message)
        reader.want(record, f"MD = {digest.hex()}")
    reader.vectors.append(HashVector(message, digest, reader.origin(record)))


_READERS = {
    "block-cipher": read_blocks,
    CHAINED: read_blocks,
    "hash": _hash,
    "mac": read_tags,
    "stream-cipher": read_streams,
    "aead": read_messages,
}


# ---- responses ----


def _chain_lines(test: Test) -> Iterator[str]:
    """What follows the beginning of a Monte Carlo test in its response."""
    if test.function == "digest":
        for group in test.answers():
            yield from ("", f"COUNT = {group.number}", f"MD = {test.expected_of(group).hex()}")
        return
    yield from block_lines(test)
