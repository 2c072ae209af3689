"""Modes of operation built another way than `modes`, for oracles over ciphers that no library has.

The cipher is the oracle of its primitive. A block is a list of bits, the highest of its first byte first: a
counter is counted by flipping bits from its end, and doubling drops a bit at the front.
"""

from collections.abc import Sequence

from tightfit.primitives import load_primitive

_FEEDBACK = {64: (0, 1, 3, 4), 128: (0, 1, 2, 7)}
"""Powers of x that x to the number of bits is the sum of (SP 800-38B, 5.3)."""
Bits = list[int]


class Cipher:
    """The oracle of a block cipher under a key."""

    def __init__(self, primitive: str, key: bytes):
        known = load_primitive(primitive)
        self.size, self._key, self._code = known.block_bytes, key, known.oracle

    def __call__(self, block: bytes) -> bytes:
        return self._code.encrypt(self._key, block)

    def back(self, block: bytes) -> bytes:
        """The plaintext of a block."""
        return self._code.decrypt(self._key, block)


def counted(cipher: Cipher, iv: bytes, start: int, length: int) -> bytes:
    """Keystream of the counter mode from byte `start` on."""
    stream, bits = bytearray(), _bits(iv)
    bits = _added(bits, _bits((start // cipher.size % (1 << len(bits))).to_bytes(cipher.size)))
    while len(stream) < start % cipher.size + length:
        stream += cipher(_bytes(bits))
        for place in reversed(range(len(bits))):
            bits[place] ^= 1
            if bits[place]:
                break
    return bytes(stream[start % cipher.size :][:length])


def chained(cipher: Cipher, iv: bytes, plaintext: bytes) -> bytes:
    """CBC of whole blocks, each under the ciphertext that was made so far."""
    made = iv
    while len(made) < len(iv) + len(plaintext):
        text = plaintext[len(made) - len(iv) :][: cipher.size]
        made += cipher(_bytes(_sum(_bits(text), _bits(made[-cipher.size :]))))
    return made[len(iv) :]


def unchained(cipher: Cipher, iv: bytes, ciphertext: bytes) -> bytes:
    """The plaintext of CBC, from its end on."""
    rest, made = iv + ciphertext, b""
    while len(rest) > cipher.size:
        rest, last = rest[: -cipher.size], rest[-cipher.size :]
        made = _bytes(_sum(_bits(cipher.back(last)), _bits(rest[-cipher.size :]))) + made
    return made


def authenticated(cipher: Cipher, message: bytes) -> bytes:
    """CMAC of a message."""
    blocks = [message[at : at + cipher.size] for at in range(0, len(message), cipher.size)] or [b""]
    mask = _doubled(_bits(cipher(bytes(cipher.size))))
    last = _bits(blocks[-1])
    if len(blocks[-1]) < cipher.size:
        mask, last = _doubled(mask), [*last, 1]
        last += [0] * (8 * cipher.size - len(last))
    state = [0] * len(mask)
    for block in blocks[:-1]:
        state = _bits(cipher(_bytes(_sum(state, _bits(block)))))
    return cipher(_bytes(_sum(_sum(state, last), mask)))


def _doubled(bits: Bits) -> Bits:
    first, *rest = bits
    doubled = [*rest, 0]
    for power in _FEEDBACK[len(bits)] if first else ():
        doubled[-1 - power] ^= 1
    return doubled


def _added(a: Bits, b: Bits) -> Bits:
    """The sum of two numbers, without what goes over the highest bit."""
    total, carry = [], 0
    for one, other in zip(reversed(a), reversed(b), strict=True):
        total.append(one ^ other ^ carry)
        carry = one + other + carry > 1
    return total[::-1]


def _sum(a: Bits, b: Bits) -> Bits:
    return [one ^ other for one, other in zip(a, b, strict=True)]


def _bits(data: bytes) -> Bits:
    return [byte >> place & 1 for byte in data for place in range(7, -1, -1)]


def _bytes(bits: Sequence[int]) -> bytes:
    return bytes(int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, len(bits), 8))
