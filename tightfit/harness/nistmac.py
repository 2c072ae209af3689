"""CAVS files of MACs: `CMACGenAES128`, `CMACVerAES128` and `HMAC`, with tags that may be cut short."""

import re

from tightfit.harness.nistlines import Reader, Record, is_test
from tightfit.harness.onhost import fast
from tightfit.primitives import Primitive, load_primitive
from tightfit.primitives.vectors import MacVector

_VERIFIES = re.compile("MACVer", re.I)


def read_tags(reader: Reader) -> None:
    """The messages of a file with their tags; those of other hashes and keys are skipped."""
    tests = list(filter(is_test, reader.records))
    verifies = any(map(_VERIFIES.search, reader.header))
    for record in tests:
        key, why = _key(reader, record)
        if why:
            reader.skipped[why] += 1
        else:
            _tag(reader, record, key, verifies)


def _key(reader: Reader, record: Record) -> tuple[bytes, str]:
    """The key as the primitive has it, or why it has none."""
    of, digest = reader.primitive, reader.number(record, "L")
    if digest not in (None, of.tag_bytes):
        return b"", f"hashes of {digest} bytes"
    under = _hash_of(of)
    if under is None:
        return reader.bytes_of(record, "KEY", of.key_bytes), ""
    key = reader.bytes_of(record, "KEY", reader.number(record, "KLEN"))
    if len(key) > under.block_bytes:
        key = under.oracle.digest(key)
    if len(key) > of.key_bytes:
        return b"", f"keys of {of.key_bytes + 1} to {under.block_bytes} bytes"
    return key.ljust(of.key_bytes, b"\0"), ""


def _hash_of(primitive: Primitive) -> Primitive | None:
    """The hash of HMAC, whose keys are filled with zeros or hashed; None for MACs of other kinds."""
    under = load_primitive(primitive.over) if primitive.over else None
    return under if under and under.kind == "hash" else None


def _tag(reader: Reader, record: Record, key: bytes, verifies: bool) -> None:
    message = reader.bytes_of(record, "MSG")
    said = reader.number(record, "MLEN")
    if said == 0:
        message = b""  # the file has a byte that does not count
    elif said not in (None, len(message)):
        raise reader.error(record.lines["MSG"], f"MSG: expected {said} bytes, found {len(message)}")
    right = fast(reader.primitive, "tag")(key, message)
    size = reader.number(record, "TLEN")
    size = len(right) if size is None else size
    if not 1 <= size <= len(right):
        raise reader.error(record.lines["TLEN"], f"TLEN: expected 1 to {len(right)} bytes, found {size}")
    tag = right
    if "MAC" not in record.values:
        reader.want(record, f"Mac = {right[:size].hex()}")
    else:
        tag = _judged(reader, record, reader.bytes_of(record, "MAC", size), right, verifies)
    reader.vectors.append(MacVector(key, message, tag, reader.origin(record)))


def _judged(reader: Reader, record: Record, found: bytes, right: bytes, verifies: bool) -> bytes:
    """The tag that a routine must give: that of the file, to its full length, unless it is said wrong."""
    verdict = record.values.get("RESULT", "").upper()
    is_right = right.startswith(found)
    if verifies and not verdict:
        reader.want(record, f"Result = {'P' if is_right else 'F'}")
        return right
    if verdict not in ("", "P", "F"):
        raise reader.error(record.lines["RESULT"], f"RESULT: expected P or F, found {verdict[:40]!r}")
    if verdict != "F":
        return found + right[len(found) :]
    if is_right:
        raise reader.error(record.lines["RESULT"], "RESULT: expected P, as the tag is right, found F")
    return right
