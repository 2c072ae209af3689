"""Skein by another way, for its oracles: the words stay where they are, and to turn one is to multiply it.

The product is by a power of two and modulo 2^64 - 1. Words make other pairs in each round instead of
changing places, so there is no permutation; after four rounds the pairs are the first ones again.
"""

from functools import cache
from itertools import cycle, islice

_FULL = 2**64 - 1
_PARITY = 2004413935125273122

# Pairs of words of four rounds, each as two digits; turns of eight rounds to the right, in the pairs' order.
_PAIRS = {4: "01 23  03 21  01 23  03 21", 8: "01 23 45 67  21 47 65 03  41 63 05 27  61 07 25 43"}
_TURNS = {
    4: "50 48  12  7  41 24  59 27  39 31  18 52   6 42  32 32",
    8: "18 28 45 27 31 37 50 22 47 15 28 25 20 55 10 8 25 34 30 40 51 14 54 47  39 35 25 21  56 29  8 42",
}


@cache
def _steps(size: int) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """Even and odd groups of four rounds: (word, its partner, factor) for every pair."""
    factors = [2 ** (64 - int(turn)) for turn in _TURNS[size].split()]
    pairs = islice(cycle(_PAIRS[size].split()), len(factors))
    steps = [(int(pair[0]), int(pair[1]), factor) for pair, factor in zip(pairs, factors, strict=True)]
    return tuple(steps[: len(steps) // 2]), tuple(steps[len(steps) // 2 :])


def _split(text: bytes) -> list[int]:
    value, words = int.from_bytes(text, "little"), []
    for _ in range(len(text) // 8):
        value, word = divmod(value, 2**64)
        words.append(word)
    return words


def _compressed(state: list[int], text: bytes, tweak: int) -> list[int]:
    """The next state: its encryption of the text, added to the text without carries."""
    size, given = len(state), _split(text)
    parity = _PARITY
    for word in state:
        parity ^= word
    high, low = divmod(tweak, 2**64)
    keys, tweaks = [*state, parity] * 4, [low, high, low ^ high] * 7
    words = list(given)
    for group in range(19):
        start = group % (size + 1)
        for i, word in enumerate(islice(keys, start, start + size)):
            words[i] += word
        words[-3] += tweaks[group]
        words[-2] += tweaks[group + 1]
        words[-1] += group
        words = [word % 2**64 for word in words]
        if group < 18:
            for to, other, factor in _steps(size)[group % 2]:
                words[to] = (words[to] + words[other]) % 2**64
                turned = words[other] if words[other] == _FULL else words[other] * factor % _FULL
                words[other] = turned ^ words[to]
    return [a ^ b for a, b in zip(words, given, strict=True)]


@cache
def _configured(size: int) -> tuple[int, ...]:
    """The state before any message."""
    text = bytes.fromhex("5348413301000000") + (64 * size).to_bytes(8 * size - 8, "little")
    return tuple(_compressed([0] * size, text, 0xC4 << 120 | 32))


def hashed(message: bytes, size: int) -> bytes:
    """The digest of 8 `size` bytes."""
    width, state, done = 8 * size, list(_configured(size)), 0
    top = 0x70
    while len(message) - done > width:
        done += width
        state = _compressed(state, message[done - width : done], top << 120 | done)
        top = 0x30
    rest = message[done:]
    state = _compressed(state, rest + bytes(width - len(rest)), (top | 0x80) << 120 | len(message))
    state = _compressed(state, bytes(width), 0xFF << 120 | 8)
    return sum(word << 64 * i for i, word in enumerate(state)).to_bytes(width, "little")
