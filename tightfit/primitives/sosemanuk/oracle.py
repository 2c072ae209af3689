"""SOSEMANUK by products and circuits: rotations are products folded, S-boxes operations on whole words.

Products in GF(2^8) go by logarithms, and the register is a list that only grows. The circuits are those of
D. A. Osvik, "Speeding up Serpent" (AES3, 2000): five registers, the input in 0 to 3, and where the output is.
"""

import struct
from collections.abc import Sequence

WORD = 2**32
FULL = WORD - 1
CIRCUITS = (
    ("4=3 3|0 0^4 4^2 ~4 3^1 1&0 1^4 2^0 0^3 4|0 0^2 2&1 3^2 ~1 2^4 1^2", (2, 1, 3, 0)),
    ("4=1 1^0 0^3 ~3 4&1 0|1 3^2 0^3 1^3 3^4 1|4 4^2 2&0 2^1 1|0 ~0 0^2 4^1", (4, 2, 3, 0)),
    ("~3 1^0 4=0 0&2 0^3 3|4 2^1 3^1 1&0 0^2 2&3 3|1 ~0 3^0 4^0 0^2 1|2", (4, 1, 0, 3)),
    ("4=1 1^3 3|0 4&0 0^2 2^1 1&3 2^3 0|4 4^3 1^0 0&3 3&4 3^2 4|1 2&1 4^3 0^3 3^2", (3, 4, 1, 0)),
    ("4=3 3&0 0^4 3^2 2|4 0^1 4^3 2|0 2^1 1&0 1^4 4&2 2^3 4^0 3|1 ~1 3^0", (1, 2, 3, 4)),
    ("4=1 1|0 2^1 ~3 4^0 0^2 1&4 4|3 4^0 0&3 1^3 3^2 0^1 2&4 1^2 2&0 3^2", (4, 0, 1, 3)),
    ("4=1 3^0 1^2 2^0 0&3 1|3 ~4 0^1 1^2 3^4 4^0 2&0 4^1 2^3 3&1 3^0 1^2", (2, 4, 1, 3)),
    ("~1 4=1 ~0 1&2 1^3 3|4 4^2 2^3 3^0 0|1 2&0 0^4 4^3 3&0 4^1 2^4 3^1 4|0 4^1", (4, 2, 3, 0)),
)


def _compiled(circuit: str, output: tuple[int, ...]):
    """A circuit as a function of four words."""
    lines = []
    for step in circuit.split():
        if step.startswith("~"):
            lines.append(f"r{step[1]} ^= {FULL}")
        else:
            into, operation, other = step
            lines.append(f"r{into} {operation.replace('=', '')}= r{other}")
    made: dict[str, object] = {}
    body = "\n ".join([*lines, f"return [{', '.join(f'r{i}' for i in output)}]"])
    exec(f"def box(r0, r1, r2, r3):\n {body}", made)
    return made["box"]


BOXES = [_compiled(*circuit) for circuit in CIRCUITS]


def _powers() -> list[int]:
    """beta to the 0th, 1st and so on, twice round."""
    powers = [1]
    for _ in range(509):
        doubled = 2 * powers[-1]
        powers.append(min(doubled, doubled ^ 0x1A9))
    return powers


def _multiples(exponents: Sequence[int]) -> list[int]:
    """Each byte times the word that has these powers of beta as its bytes, the lowest first."""
    powers = _powers()
    logarithm = {power: i for i, power in enumerate(powers[:255])}
    rows = [bytes(4)]
    for byte in range(1, 256):
        rows.append(bytes(powers[logarithm[byte] + exponent] for exponent in exponents))
    return [struct.unpack("<I", row)[0] for row in rows]


UP = _multiples((239, 48, 245, 23))
DOWN = _multiples([(exponent - 239) % 255 for exponent in (48, 245, 23, 0)])


def _turn(word: int, factor: int) -> int:
    """A rotation: a product with a power of two, its overflow brought in below."""
    high, low = divmod(word * factor, WORD)
    return high + low


def _schedule(key: bytes) -> list[int]:
    """The words before the S-boxes, eight of the key in front."""
    w = list(struct.unpack("<8I", key + struct.pack("<4I", 1, 0, 0, 0)))
    while len(w) < 108:
        w.append(_turn(w[-8] ^ w[-5] ^ w[-3] ^ w[-1] ^ 0x9E3779B9 ^ (len(w) - 8), 2048))
    return w


def _started(key: bytes, iv: bytes) -> tuple[list[int], int, int]:
    """The register, its first word s1, and the two words of the machine."""
    w = _schedule(key)
    state = struct.unpack("<4I", iv)
    seen = []
    for at in range(8, 108, 4):
        number = at // 4 - 2
        k = BOXES[(3 - number) & 7](*w[at : at + 4])
        added = [word ^ part for word, part in zip(state, k, strict=True)]
        if number in (12, 18):
            seen.append(state)
        if number == 24:
            break
        x0, x1, x2, x3 = BOXES[number & 7](*added)
        x0, x2 = _turn(x0, 8192), _turn(x2, 8)
        x1, x3 = _turn(x1 ^ x0 ^ x2, 2), _turn(x3 ^ x2 ^ x0 * 8 % WORD, 128)
        x0, x2 = _turn(x0 ^ x1 ^ x3, 32), _turn(x2 ^ x3 ^ x1 * 128 % WORD, 1 << 22)
        state = (x0, x1, x2, x3)
    twelfth, (r1, s5, r2, s6) = seen
    return [*added[::-1], s5, s6, *twelfth[::-1]], r1, r2


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on."""
    s, r1, r2 = _started(key, iv)
    stream = bytearray()
    for t in range(0, 4 * -(-(start + length) // 16), 4):
        out = []
        for i in range(t, t + 4):
            chosen = s[i + 1] ^ (r1 % 2) * s[i + 8]
            r1, r2 = (r2 + chosen) % WORD, _turn(r1 * 0x54655307 % WORD, 128)
            out.append((r1 + s[i + 9]) % WORD ^ r2)
            last = s[i + 9] ^ s[i + 3] // 256 ^ DOWN[s[i + 3] % 256]
            s.append(last ^ s[i] * 256 % WORD ^ UP[s[i] // 2**24])
        substituted = BOXES[2](*out)
        stream += struct.pack("<4I", *(a ^ b for a, b in zip(substituted, s[t : t + 4], strict=True)))
    return bytes(stream[start : start + length])
