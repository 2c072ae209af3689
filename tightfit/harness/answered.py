"""What oracles answer: they are slow, and every candidate in every process gets the same questions.

Answers are kept in the user's cache by the oracle's source and the question; those of an oracle in C are not.
"""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

from tightfit.errors import WorkError
from tightfit.harness.provenance import digest_files
from tightfit.harness.routine import Bytes
from tightfit.paths import cache_dir
from tightfit.primitives import FOLDER, Primitive
from tightfit.primitives.code import Code
from tightfit.textfile import replace_text

_FEW = 8
"""So few questions are asked again rather than looked up."""


def answers(primitive: Primitive, function: str, keys: Bytes, texts: Bytes) -> Bytes:
    """What a function of the oracle answers to keys and texts, a row of bytes each."""

    def asked() -> bytes:
        oracle = getattr(primitive.oracle, function)
        return b"".join(oracle(key.tobytes(), text.tobytes()) for key, text in zip(keys, texts, strict=True))

    if len(keys) <= _FEW:
        return _rows(asked(), texts.shape)
    return _rows(
        _kept(primitive, (function, keys.tobytes(), texts.tobytes()), texts.size, asked), texts.shape
    )


def iterated(primitive: Primitive, function: str, key: bytes, text: bytes, times: int) -> Bytes:
    """The answers, a row each, where every answer is the next text."""

    def asked() -> bytes:
        oracle, found = getattr(primitive.oracle, function), [text]
        for _ in range(times):
            found.append(oracle(key, found[-1]))
        return b"".join(found[1:])

    size = times * len(text)
    return _rows(_kept(primitive, (function, key, text, b"%d" % times), size, asked), (times, len(text)))


def _rows(data: bytes, shape: tuple[int, ...]) -> Bytes:
    return np.frombuffer(data, np.uint8).reshape(shape)


def _kept(
    primitive: Primitive, question: tuple[str | bytes, ...], size: int, asked: Callable[[], bytes]
) -> bytes:
    """An answer of `size` bytes from the cache, or asked and put there; a damaged one is asked again."""
    if not isinstance(primitive.oracle, Code):
        return asked()
    name = hashlib.sha256(_state(primitive.folder).encode())
    for part in question:
        name.update(b"%d\0" % len(part) + (part.encode() if isinstance(part, str) else part))
    file = cache_dir() / "answers" / primitive.id / name.hexdigest()[:32]
    with suppress(OSError, ValueError):
        checksum, text = file.read_text(encoding="ascii").split()
        data = bytes.fromhex(text)
        if len(data) == size and checksum == hashlib.sha256(data).hexdigest():
            return data
    data = asked()
    with suppress(WorkError):  # a cache that cannot be written is none
        replace_text(file, f"{hashlib.sha256(data).hexdigest()} {data.hex()}\n")
    return data


@cache
def _state(folder: Path) -> str:
    """A hash of the oracle, and of what oracles share."""
    return digest_files([folder / "oracle.py", *sorted(FOLDER.glob("*.py"))])
