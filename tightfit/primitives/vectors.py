"""Known answers: vector files in JSON, every byte string in hexadecimal."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from tightfit.errors import UsageError
from tightfit.primitives import schema

Record = TypeVar("Record")


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


@dataclass(frozen=True)
class HashVector:
    """A known answer of a hash: a message of whole bytes and its digest."""

    message: bytes
    digest: bytes
    origin: str = ""


@dataclass(frozen=True)
class MacVector:
    """A known answer of a message authentication code: a message of whole bytes and its tag under a key."""

    key: bytes
    message: bytes
    tag: bytes
    origin: str = ""


@dataclass(frozen=True)
class StreamVector:
    """A known answer of a stream cipher: keystream from byte `keystream_offset` on."""

    key: bytes
    iv: bytes
    keystream: bytes
    keystream_offset: int = 0
    origin: str = ""


@dataclass(frozen=True)
class ChainedVector:
    """A known answer of a cipher that chains blocks: a plaintext of whole blocks, and its ciphertext."""

    key: bytes
    iv: bytes
    plaintext: bytes
    ciphertext: bytes
    origin: str = ""


@dataclass(frozen=True)
class AeadVector:
    """A known answer of authenticated encryption: plaintext and associated data `ad`, ciphertext and tag.

    The tag of a `forged` one is wrong, so that its plaintext is nobody's: as many zeros as it has bytes.
    """

    key: bytes
    nonce: bytes
    ad: bytes
    plaintext: bytes
    ciphertext: bytes
    tag: bytes
    origin: str = ""
    forged: bool = False


def load_vectors(path: Path, kind: str, record: type[Record], sizes: Mapping[str, int]) -> list[Record]:
    """The known answers of a file, which has them in a list `vectors`.

    Parameters
    ----------
    kind : the form of the primitive; `schema.VECTORS` says what a vector of it has.
    record : what becomes of each.
    sizes : bytes that fields of every vector must have.

    Raises
    ------
    UsageError
        The file cannot be read, is no JSON, or holds something other than vectors; the message says where.
    """
    from jsonschema import Draft202012Validator

    data = _read(path)
    error = next(Draft202012Validator(schema.VECTORS[kind]).iter_errors(data), None)
    if error is not None:
        expected = error.schema.get("description") if error.validator in ("pattern", "minItems") else None
        place = "/".join(map(str, error.absolute_path)) or "top level"
        problem = f"expected {expected}, found {error.instance!r}" if expected else error.message
        raise UsageError(f"{path}: {place}: {problem}")
    vectors = [_vector(record, entry) for entry in data["vectors"]]
    for index, vector in enumerate(vectors):
        _check_sizes(f"{path}: vectors/{index}", vector, sizes)
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
    except RecursionError:
        raise UsageError(f"{path}: expected a vector file, found JSON that is nested too deep") from None
    except ValueError:
        raise UsageError(f"{path}: expected a vector file, found a number of too many digits") from None


def _vector(record: type[Record], entry: dict[str, Any]) -> Record:
    binary = {field.name for field in fields(record) if field.type is bytes}
    values = {name: bytes.fromhex(value) if name in binary else value for name, value in entry.items()}
    return record(**values)


def _check_sizes(place: str, vector: Any, sizes: Mapping[str, int]) -> None:
    for name, size in sizes.items():
        found = len(getattr(vector, name))
        if found != size:
            raise UsageError(f"{place}: {name}: expected {size} bytes, found {found}")
