"""SUPERCOP's checksums of small inputs: one number for what an implementation answers to many inputs.

Inputs are keystream of Salsa20 under a fixed key, with a nonce that counts how often something was drawn. The
checksum is the state of Salsa20's core with answers as its input, 16 bytes at a time, and itself as its key.
The rule is that of `try.c` and `try-anything.c` in SUPERCOP (https://bench.cr.yp.to/supercop.html), in its
small form.
"""

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence

from tightfit.primitives import Primitive

LONGEST = 128
"""Bytes of the longest message and of the longest associated data."""
Inputs = Mapping[str, bytes]
Run = Callable[[str, Sequence[Inputs]], Sequence[bytes]]
"""Answers of an entry to inputs by name."""
_CONSTANTS = struct.unpack("<4I", b"expand 32-byte k")
_KEY = b"generate inputs for test vectors"
_QUARTERS = tuple(
    tuple((5 * n + 4 * m) % 16 if column else 4 * n + (n + m) % 4 for m in range(4))
    for column in (True, False)
    for n in range(4)
)
_FORGERIES = 3
"""Answers that SUPERCOP changes, a place and a value each, after those that count."""


def small(primitive: Primitive, run: Run) -> str:
    """The checksum of what `run` answers, in hexadecimal digits."""
    total = _Sum()
    for answers in _KINDS[primitive.kind](primitive, _Drawn(), run):
        for answer in answers:
            total.add(answer)
    return total.state[:32].hex()


def of_reference(primitive: Primitive) -> str:
    """The checksum of a primitive, by its oracle."""
    oracle = primitive.oracle
    answers = {
        "hash": lambda message: oracle.digest(message),
        "mac": lambda message, key: oracle.tag(key, message),
        "keystream": lambda message, key, iv: oracle.keystream(key, iv, 0, len(message)),
        "encrypt": lambda message, key, iv: _added(message, oracle.keystream(key, iv, 0, len(message))),
        "seal": lambda message, key, nonce, ad: oracle.seal(key, nonce, ad, message),
    }
    texts: dict[bytes, bytes] = {}

    def run(entry: str, inputs: Sequence[Inputs]) -> list[bytes]:
        if entry == "open":
            return [texts[each["message"]] for each in inputs]
        found = [answers[entry](**each) for each in inputs]
        if entry == "seal":
            texts.update(zip(found, (each["message"] for each in inputs), strict=True))
        return found

    return small(primitive, run)


class _Drawn:
    """Inputs in the order in which they are drawn."""

    def __init__(self) -> None:
        self._count = 0

    def bytes(self, size: int) -> bytes:
        """The next bytes."""
        nonce, self._count = self._count, self._count + 1
        blocks = range(-(-size // 64))
        return b"".join(_core(struct.pack("<2Q", nonce, block), _KEY) for block in blocks)[:size]

    def number(self) -> int:
        """The next number of 64 bits."""
        return int.from_bytes(self.bytes(8), "little")

    def length(self) -> int:
        """The next length."""
        return self.number() % (LONGEST + 1)

    def skip_forgeries(self) -> None:
        """What is drawn for answers that are changed."""
        self._count += 2 * _FORGERIES


class _Sum:
    """The checksum so far."""

    def __init__(self) -> None:
        self.state = bytes(64)

    def add(self, answer: bytes) -> None:
        """Take in an answer; its end is marked, and so is that it is the last of it."""
        whole = len(answer) // 16 * 16
        for start in range(0, whole, 16):
            self.state = _core(answer[start : start + 16], self.state[:32])
        last = (answer[whole:] + b"\1").ljust(16, b"\0")
        self.state = _core(last, bytes([self.state[0] ^ 1]) + self.state[1:32])


def _of_hash(primitive: Primitive, drawn: _Drawn, run: Run) -> Iterator[Sequence[bytes]]:
    inputs = [{"message": drawn.bytes(drawn.length())} for _ in range(64)]
    return zip(run("hash", inputs), strict=True)


def _of_mac(primitive: Primitive, drawn: _Drawn, run: Run) -> Iterator[Sequence[bytes]]:
    inputs = []
    for _ in range(4096):
        inputs.append({"message": drawn.bytes(drawn.length()), "key": drawn.bytes(primitive.key_bytes)})
        drawn.skip_forgeries()
    return zip(run("mac", inputs), strict=True)


def _of_stream(primitive: Primitive, drawn: _Drawn, run: Run) -> Iterator[Sequence[bytes]]:
    inputs = []
    for _ in range(512):
        length = drawn.length()
        given = {"iv": drawn.bytes(primitive.iv_bytes), "key": drawn.bytes(primitive.key_bytes)}
        inputs.append({**given, "message": drawn.bytes(length)})
    return zip(run("keystream", inputs), run("encrypt", inputs), strict=True)


def _of_aead(primitive: Primitive, drawn: _Drawn, run: Run) -> Iterator[Sequence[bytes]]:
    """The last of three answers is a secret part of the nonce, which nobody has."""
    inputs = []
    for _ in range(64):
        text, data = drawn.length(), drawn.length()
        given = {"message": drawn.bytes(text), "ad": drawn.bytes(data)}
        drawn.bytes(0)
        given |= {"nonce": drawn.bytes(primitive.nonce_bytes), "key": drawn.bytes(primitive.key_bytes)}
        inputs.append(given)
        drawn.skip_forgeries()
    sealed = run("seal", inputs)
    opened = run("open", [{**each, "message": c} for each, c in zip(inputs, sealed, strict=True)])
    return ((c, text, b"") for c, text in zip(sealed, opened, strict=True))


_KINDS = {"hash": _of_hash, "mac": _of_mac, "stream-cipher": _of_stream, "aead": _of_aead}


def _core(given: bytes, key: bytes) -> bytes:
    """The core of Salsa20 with 20 rounds on 16 bytes and a key of 32."""
    keys, words = struct.unpack("<8I", key), struct.unpack("<4I", given)
    first = [0] * 16
    first[0::5], first[1:5], first[6:10], first[11:15] = _CONSTANTS, keys[:4], words, keys[4:]
    x = list(first)
    for _ in range(10):
        for a, b, c, d in _QUARTERS:
            x[b] ^= _turned(x[a] + x[d], 7)
            x[c] ^= _turned(x[b] + x[a], 9)
            x[d] ^= _turned(x[c] + x[b], 13)
            x[a] ^= _turned(x[d] + x[c], 18)
    return struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(x, first, strict=True)))


def _turned(value: int, bits: int) -> int:
    value &= 0xFFFFFFFF
    return (value << bits | value >> 32 - bits) & 0xFFFFFFFF


def _added(text: bytes, stream: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(text, stream, strict=True))
