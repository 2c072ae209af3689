"""What the examples of an exported library compute, and the answers that they expect: by the reference."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tightfit.primitives import Primitive

CCM_BLOCK = 16
"""Bytes of a block in CCM, RFC 3610."""
_CCM_TAG, _CCM_LENGTH = 8, 2
_INNER, _OUTER = 0x36, 0x5C


def examples(primitive: Primitive, entries: Sequence[str]) -> list[str]:
    """The examples for a routine with these entries, beside the first, `main`.

    RFC 2104 takes hashes whose digest is no longer than their block: `hmac` is for those.
    """
    if primitive.kind == "hash":
        return ["hmac"] if primitive.digest_bytes <= primitive.block_bytes else []
    encrypts = any(entry.startswith("encrypt") for entry in entries)
    ccm = ["ccm"] if primitive.kind == "block-cipher" and primitive.block_bytes == CCM_BLOCK else []
    return ["ctr", *ccm] if primitive.kind == "block-cipher" and encrypts else []


@dataclass(frozen=True)
class Packet:
    """Inputs of an example, and its answer: the text as sent, and the tag of a message or packet."""

    key: bytes
    head: bytes
    data: bytes
    text: bytes
    sent: bytes = b""
    tag: bytes = b""


def hmac(primitive: Primitive) -> Packet:
    """A message and its HMAC, RFC 2104."""
    key, text = bytes(range(0x0B, 0x1B)), b"It is sent in pieces, and its tag is that of the whole: " * 3
    padded = key.ljust(primitive.block_bytes, b"\0")
    inner = primitive.reference.digest(_masked(padded, _INNER) + text)
    return Packet(key, b"", b"", text, tag=primitive.reference.digest(_masked(padded, _OUTER) + inner))


def ctr(primitive: Primitive) -> Packet:
    """A packet in CTR: `head` is its first counter, whose lowest byte soon carries."""
    key, text = bytes(range(primitive.key_bytes)), b"packet 7: temperature 21.5, humidity 40%"
    counter = bytes(range(0xF0, 0xF0 + primitive.block_bytes - 2)) + b"\0\xff"
    return Packet(key, counter, b"", text, sent=_ctr(primitive, key, counter, text))


def ccm(primitive: Primitive) -> Packet:
    """A packet in CCM: `head` is its nonce. The inputs are those of packet vector 1 of RFC 3610."""
    key = bytes((0xC0 + i) % 256 for i in range(primitive.key_bytes))
    nonce, data, text = bytes.fromhex("00000003020100a0a1a2a3a4a5"), bytes(range(8)), bytes(range(8, 31))
    first = bytes([0x40 + 8 * ((_CCM_TAG - 2) // 2) + _CCM_LENGTH - 1]) + nonce + len(text).to_bytes(2, "big")
    parts = (first, len(data).to_bytes(2, "big") + data, text)
    mac = bytes(CCM_BLOCK)
    for part in parts:
        for start in range(0, len(part), CCM_BLOCK):
            block = part[start : start + CCM_BLOCK].ljust(CCM_BLOCK, b"\0")
            mac = primitive.reference.encrypt(key, _xor(mac, block))
    sent = _ctr(primitive, key, bytes([_CCM_LENGTH - 1]) + nonce + b"\0\0", mac + text)
    return Packet(key, nonce, data, text, sent=sent[CCM_BLOCK:], tag=sent[:_CCM_TAG])


PACKETS: dict[str, Callable[[Primitive], Packet]] = {"hmac": hmac, "ctr": ctr, "ccm": ccm}


def _ctr(primitive: Primitive, key: bytes, counter: bytes, text: bytes) -> bytes:
    size, number = primitive.block_bytes, int.from_bytes(counter, "big")
    stream = b"".join(
        primitive.reference.encrypt(key, ((number + block) % 256**size).to_bytes(size, "big"))
        for block in range(-(-len(text) // size))
    )
    return _xor(text, stream)


def _masked(data: bytes, mask: int) -> bytes:
    return bytes(byte ^ mask for byte in data)


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=False))
