"""Files of authenticated encryption: CAVS for GCM and CCM, and the contest for lightweight cryptography.

GCM says sizes in bits and has tags apart, which may be cut short; CCM says them in bytes and has the tag
behind the ciphertext, as the contest has it. A message with a wrong tag has no text: `FAIL`, `Result = Fail`.
"""

from tightfit.harness.nistlines import Reader, Record, is_test
from tightfit.harness.onhost import fast
from tightfit.primitives import Primitive
from tightfit.primitives.vectors import AeadVector

_NONCES, _DATA, _TEXTS = ("NONCE", "IV"), ("AD", "AAD", "ADATA"), ("PLAINTEXT", "PAYLOAD")


def read_messages(reader: Reader) -> None:
    """The messages of a file, sealed and to be opened; those of other sizes are skipped."""
    for record in filter(is_test, reader.records):
        if why := _other(reader, record):
            reader.skipped[why] += 1
        elif _present(record, _TEXTS) and "CIPHERTEXT" not in record.values:
            _seal(reader, record)
        else:
            _open(reader, record)


def _other(reader: Reader, record: Record) -> str:
    """What a test has that the primitive does not, as its section says it; empty where it suits."""
    of = reader.primitive
    for name, size, unit in (
        ("KEYLEN", 8 * of.key_bytes, "keys of {} bits"),
        ("IVLEN", 8 * of.nonce_bytes, "initial values of {} bits"),
        ("NLEN", of.nonce_bytes, "nonces of {} bytes"),
        ("TLEN", of.tag_bytes, "tags of {} bytes"),
    ):
        said = reader.number(record, name)
        if said not in (None, size):
            return unit.format(said)
    return ""


def _seal(reader: Reader, record: Record) -> None:
    """A request: ciphertext and tag are missing."""
    key, nonce, data = _given(reader, record)
    text = _sized(reader, record, _name(reader, record, _TEXTS), "PLEN")
    sealed = fast(reader.primitive, "seal")(key, nonce, data, text)
    ciphertext, tag = sealed[: len(text)], sealed[len(text) :]
    if _apart(record):
        reader.want(record, f"CT = {ciphertext.hex()}", f"Tag = {tag[: _tag_bytes(reader, record)].hex()}")
    else:
        reader.want(record, f"CT = {sealed.hex()}")
    reader.vectors.append(AeadVector(key, nonce, data, text, ciphertext, tag, reader.origin(record)))


def _open(reader: Reader, record: Record) -> None:
    """A known answer, a message with a wrong tag, or a request for what there is in a message."""
    key, nonce, data = _given(reader, record)
    ciphertext, tag = _ciphertext(reader, record)
    opened = _opened(reader.primitive, key, nonce, data, ciphertext)
    if len(tag) < reader.primitive.tag_bytes:
        tag += _right_tag(reader.primitive, key, nonce, data, opened)[len(tag) :]
    said = record.values.get("RESULT", "Pass").upper()
    if said not in ("PASS", "FAIL"):
        raise reader.error(record.lines["RESULT"], f"RESULT: expected Pass or Fail, found {said[:40]!r}")
    forged = said == "FAIL"
    if forged:
        text = bytes(len(ciphertext))
    elif name := _present(record, _TEXTS):
        text = _sized(reader, record, name, "PLEN")
        if len(text) != len(ciphertext):
            what = f"{name}: expected {len(ciphertext)} bytes, as the ciphertext has them, found {len(text)}"
            raise reader.error(record.lines[name], what)
    else:
        forged = tag != _right_tag(reader.primitive, key, nonce, data, opened)
        text = bytes(len(ciphertext)) if forged else opened
        reader.want(record, *_verdict(record, text, forged))
    origin = reader.origin(record)
    reader.vectors.append(AeadVector(key, nonce, data, text, ciphertext, tag, origin, forged))


def _verdict(record: Record, text: bytes, forged: bool) -> tuple[str, ...]:
    """What a response says of a message that was to be opened."""
    if _apart(record):
        return ("FAIL",) if forged else (f"PT = {text.hex()}",)
    return ("Result = Fail",) if forged else ("Result = Pass", f"Payload = {text.hex() or '00'}")


def _opened(primitive: Primitive, key: bytes, nonce: bytes, data: bytes, ciphertext: bytes) -> bytes:
    """The text of a ciphertext by GCM or CCM, which add a stream that depends on key and nonce alone."""
    stream = fast(primitive, "seal")(key, nonce, data, bytes(len(ciphertext)))
    return bytes(a ^ b for a, b in zip(ciphertext, stream, strict=False))


def _right_tag(primitive: Primitive, key: bytes, nonce: bytes, data: bytes, text: bytes) -> bytes:
    return fast(primitive, "seal")(key, nonce, data, text)[len(text) :]


def _given(reader: Reader, record: Record) -> tuple[bytes, bytes, bytes]:
    of = reader.primitive
    return (
        reader.bytes_of(record, "KEY", of.key_bytes),
        reader.bytes_of(record, _name(reader, record, _NONCES), of.nonce_bytes),
        _sized(reader, record, _name(reader, record, _DATA), "ALEN"),
    )


def _ciphertext(reader: Reader, record: Record) -> tuple[bytes, bytes]:
    """Ciphertext and tag, which is behind it unless the file has it apart."""
    whole = reader.bytes_of(record, "CIPHERTEXT")
    if _apart(record):
        return whole, reader.bytes_of(record, "TAG", _tag_bytes(reader, record))
    size = reader.primitive.tag_bytes
    if len(whole) < size:
        what = f"CIPHERTEXT: expected at least a tag of {size} bytes, found {len(whole)}"
        raise reader.error(record.lines["CIPHERTEXT"], what)
    return whole[:-size], whole[-size:]


def _apart(record: Record) -> bool:
    return "TAG" in record.values or "TAGLEN" in record.values


def _tag_bytes(reader: Reader, record: Record) -> int:
    """Bytes of the tags of a section, which may be cut short."""
    most = reader.primitive.tag_bytes
    bits = reader.number(record, "TAGLEN")
    if bits is not None and (bits % 8 or not 8 <= bits <= 8 * most):
        what = f"TAGLEN: expected whole bytes, at most {8 * most} bits, found {bits}"
        raise reader.error(record.lines["TAGLEN"], what)
    return most if bits is None else bits // 8


def _sized(reader: Reader, record: Record, name: str, length: str) -> bytes:
    """Bytes of the length that CCM says; of none the file has one that does not count."""
    data, size = reader.bytes_of(record, name), reader.number(record, length)
    if size == 0:
        return b""
    if size is not None and len(data) != size:
        raise reader.error(record.lines[name], f"{name}: expected {size} bytes, found {len(data)}")
    return data


def _present(record: Record, names: tuple[str, ...]) -> str:
    return next((name for name in names if name in record.values), "")


def _name(reader: Reader, record: Record, names: tuple[str, ...]) -> str:
    """The one of some names that a file has."""
    name = _present(record, names)
    if not name:
        one = " or ".join(f"{name} = VALUE" for name in names)
        raise reader.error(record.last, f"expected {one} among its lines, found none")
    return name
