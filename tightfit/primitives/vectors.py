"""Known answers: vector files in JSON, every byte string in hexadecimal."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from tightfit.errors import UsageError
from tightfit.primitives import schema


@dataclass(frozen=True)
class Vector:
    """A known answer of a block cipher.

    `iterations` is how often the cipher is applied to its own output under the same key; `origin` names the
    published file that the vector is from.
    """

    key: bytes
    plaintext: bytes
    ciphertext: bytes
    iterations: int = 1
    origin: str = ""


def load_vectors(path: Path, block_bytes: int, key_bytes: int) -> list[Vector]:
    """The vectors of a file.

    Parameters
    ----------
    path : JSON file with a list `vectors` of `key`, `plaintext`, `ciphertext` and, if not 1, `iterations`.
    block_bytes, key_bytes : sizes that every vector must have.

    Raises
    ------
    UsageError
        The file cannot be read, is no JSON, or holds something that is no vector; names the place.
    """
    data = _read(path)
    error = best_match(Draft202012Validator(schema.VECTORS).iter_errors(data))
    if error is not None:
        expected = error.schema.get("description") if error.validator == "pattern" else None
        place = "/".join(map(str, error.absolute_path)) or "top level"
        found = f"expected {expected}, found {error.instance!r}" if expected else error.message
        raise UsageError(f"{path}: {place}: {found}")
    vectors = [_vector(entry) for entry in data["vectors"]]
    for index, vector in enumerate(vectors):
        _check_sizes(f"{path}: vectors/{index}", vector, block_bytes, key_bytes)
    return vectors


def _read(path: Path) -> Any:
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(
            f"{path}: expected a vector file, found none that can be read ({error.strerror})"
        ) from None
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path}: expected UTF-8 text, found byte {error.object[error.start]:#04x}"
        ) from None
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{error.lineno}: expected JSON, found {error.msg}") from None


def _vector(entry: dict[str, Any]) -> Vector:
    texts = (bytes.fromhex(entry[name]) for name in ("key", "plaintext", "ciphertext"))
    return Vector(*texts, iterations=entry.get("iterations", 1), origin=entry.get("origin", ""))


def _check_sizes(place: str, vector: Vector, block_bytes: int, key_bytes: int) -> None:
    for name, size in (("key", key_bytes), ("plaintext", block_bytes), ("ciphertext", block_bytes)):
        found = len(getattr(vector, name))
        if found != size:
            raise UsageError(f"{place}: {name}: expected {size} bytes, found {found}")
