"""Inputs and answers of block ciphers, and the order in which entries are called."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tightfit.harness.routine import Rejected
from tightfit.primitives import Primitive
from tightfit.primitives.vectors import Vector

Bytes = NDArray[np.uint8]
Oracle = Callable[[bytes, bytes], bytes]
DIRECTIONS = ("encrypt", "decrypt")


@dataclass(frozen=True)
class Step:
    """An entry, and the entry that must have run before it on the same block (None: a fresh key)."""

    entry: str
    after: str | None

    @property
    def direction(self) -> str | None:
        """`encrypt` or `decrypt`; None for `setup`, which leaves the text alone."""
        return next((d for d in DIRECTIONS if self.entry.startswith(d)), None)


@dataclass(frozen=True)
class Inputs:
    """Keys and texts, a row of bytes each, and what the texts must become."""

    keys: Bytes
    texts: Bytes
    answers: Bytes

    def __len__(self) -> int:
        return len(self.keys)


def plan(entries: Sequence[str]) -> list[Step]:
    """The entries, each after the one that it relies on: those of a fresh key first.

    Raises
    ------
    Rejected
        An entry that nothing is known about, or a `_next` without the entry that prepares it.
    """
    steps = []
    for entry in entries:
        base = entry.removesuffix("_next")
        if entry != "setup" and base not in DIRECTIONS:
            raise Rejected(f"entry {entry!r}: expected setup, encrypt, decrypt, encrypt_next or decrypt_next")
        if base == entry:
            steps.append(Step(entry, None))
        elif "setup" in entries:
            steps.append(Step(entry, "setup"))
        elif base in entries:
            steps.append(Step(entry, base))
        else:
            raise Rejected(f"entry {entry!r}: expected setup or {base} beside it")
    return sorted(steps, key=lambda step: step.after is not None)


def followers(entries: Sequence[str]) -> list[Step]:
    """Further blocks under one key: what may be called after a `_next`."""
    following = [entry for entry in entries if entry.endswith("_next")]
    if "setup" in entries:
        return [Step(entry, before) for before in following for entry in following]
    return [Step(entry, entry) for entry in following]


class Cases:
    """Inputs of one primitive, the same for every candidate; answers come from the oracle, once."""

    def __init__(self, primitive: Primitive):
        self.primitive = primitive
        self.known = [vector for vector in primitive.vectors() if vector.iterations == 1]
        self.iterated = [vector for vector in primitive.vectors() if vector.iterations > 1]
        self.random = lru_cache(maxsize=64)(self._random)

    def _random(self, direction: str | None, count: int, block: int = 0) -> Inputs:
        """`count` inputs, extremes first; `block` numbers the texts that one key is used for."""
        keys = self._rows("keys", count, self.primitive.key_bytes, _extremes(self.primitive.key_bytes))
        size = self.primitive.block_bytes
        texts = self._rows(f"texts {block}", count, size, _extremes(size)[::-1] if block == 0 else [])
        return self.answer(direction, keys, texts)

    def vectors(self, direction: str | None, vectors: Sequence[Vector]) -> Inputs:
        """The inputs of known answers; their answers are the published ones."""
        plain = _rows([vector.plaintext for vector in vectors])
        cipher = _rows([vector.ciphertext for vector in vectors])
        keys = _rows([vector.key for vector in vectors])
        texts, answers = (cipher, plain) if direction == "decrypt" else (plain, cipher)
        return Inputs(keys, texts, answers if direction else texts)

    def answer(self, direction: str | None, keys: Bytes, texts: Bytes) -> Inputs:
        """Keys and texts with the answers of one application."""
        return Inputs(keys, texts, self._answers(direction, keys, texts))

    def _rows(self, what: str, count: int, size: int, extremes: list[bytes]) -> Bytes:
        source = random.Random(f"{self.primitive.id} {self.primitive.seed} {what}")
        return _rows((extremes + [source.randbytes(size) for _ in range(count)])[:count])

    def _answers(self, direction: str | None, keys: Bytes, texts: Bytes) -> Bytes:
        if direction is None:
            return texts
        oracle: Oracle = getattr(self.primitive.oracle, direction)
        pairs = zip(keys, texts, strict=True)
        return _rows([_answer(oracle, key.tobytes(), text.tobytes()) for key, text in pairs])


@lru_cache(maxsize=1 << 16)
def _answer(oracle: Oracle, key: bytes, text: bytes) -> bytes:
    """An oracle may be slow, and every candidate is asked the same."""
    return oracle(key, text)


def _extremes(size: int) -> list[bytes]:
    zeros, ones = bytes(size), b"\xff" * size
    low, high = zeros[:-1] + b"\1", b"\x80" + zeros[1:]
    return [zeros, ones, zeros, low, high, bytes(range(size)), b"\x80" * size, ones]


def _rows(items: Sequence[bytes]) -> Bytes:
    return np.frombuffer(b"".join(items), np.uint8).reshape(len(items), -1)
