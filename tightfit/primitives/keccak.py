"""Keccak as its authors and FIPS 202 describe it, lane by lane; shared by the references of its family."""

LANE_BITS = 64
ROUNDS = 24
STATE_BYTES = 200

Lanes = dict[tuple[int, int], int]


def _rotate(lane: int, count: int) -> int:
    """A lane rotated left by `count` bits."""
    count %= LANE_BITS
    return (lane << count | lane >> LANE_BITS - count) & (1 << LANE_BITS) - 1


def _round_bit(t: int) -> int:
    """Output t of the linear feedback shift register x^8 + x^6 + x^5 + x^4 + 1 (FIPS 202, 3.2.5)."""
    register = 1
    for _ in range(t % 255):
        register <<= 1
        if register & 0x100:
            register ^= 0x171
    return register & 1


def _round_constant(number: int) -> int:
    """Bit 2^j - 1 of the constant is output j + 7 number of the register."""
    return sum(_round_bit(j + 7 * number) << (1 << j) - 1 for j in range(7))


def _offsets() -> dict[tuple[int, int], int]:
    """Rotation counts of rho (3.2.2): triangular numbers along the walk that pi takes."""
    offsets, x, y = {(0, 0): 0}, 1, 0
    for t in range(24):
        offsets[x, y] = (t + 1) * (t + 2) // 2 % LANE_BITS
        x, y = y, (2 * x + 3 * y) % 5
    return offsets


OFFSETS = _offsets()
ROUND_CONSTANTS = tuple(_round_constant(number) for number in range(ROUNDS))


def theta(lanes: Lanes) -> Lanes:
    """Every bit plus the parities of two columns (3.2.1)."""
    parity = [0] * 5
    for (x, _), lane in lanes.items():
        parity[x] ^= lane
    added = [parity[x - 1] ^ _rotate(parity[(x + 1) % 5], 1) for x in range(5)]
    return {(x, y): lane ^ added[x] for (x, y), lane in lanes.items()}


def rho_pi(lanes: Lanes) -> Lanes:
    """Lanes rotated by their offsets (3.2.2) and moved to their places (3.2.3)."""
    return {(y, (2 * x + 3 * y) % 5): _rotate(lane, OFFSETS[x, y]) for (x, y), lane in lanes.items()}


def chi(lanes: Lanes) -> Lanes:
    """Every lane plus the product of the two after it in its row, the first of them negated (3.2.4)."""
    return {(x, y): lane ^ ~lanes[(x + 1) % 5, y] & lanes[(x + 2) % 5, y] for (x, y), lane in lanes.items()}


def permute(state: bytes) -> bytes:
    """Keccak-f[1600] on 200 bytes; lane (x, y) is the little-endian word 5 y + x."""
    places = [(x, y) for y in range(5) for x in range(5)]
    words = (int.from_bytes(state[i : i + 8], "little") for i in range(0, STATE_BYTES, 8))
    lanes = dict(zip(places, words, strict=True))
    for constant in ROUND_CONSTANTS:
        lanes = chi(rho_pi(theta(lanes)))
        lanes[0, 0] ^= constant
    return b"".join(lanes[place].to_bytes(8, "little") for place in places)


def sponge(message: bytes, rate: int, padding: int, digest_bytes: int) -> bytes:
    """The first bytes of the state after the padded message is absorbed.

    Parameters
    ----------
    rate : bytes absorbed by a permutation, at least `digest_bytes`.
    padding : first byte of the padding, 0x01 for the SHA-3 candidate, 0x06 for SHA-3; the last has bit 7 set.
    """
    tail = bytearray(rate - len(message) % rate)
    tail[0] ^= padding
    tail[-1] ^= 0x80
    padded, state = message + tail, bytes(STATE_BYTES)
    for i in range(0, len(padded), rate):
        block = padded[i : i + rate] + bytes(STATE_BYTES - rate)
        state = permute(bytes(a ^ b for a, b in zip(state, block, strict=True)))
    return state[:digest_bytes]
