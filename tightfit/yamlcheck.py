"""The text of a YAML file, parsed and checked against a schema; errors name the line."""

from collections.abc import Iterable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import best_match
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from tightfit.errors import UsageError

_DEEPEST = 500
"""Brackets within brackets; no file of ours has more than a few."""
_MOST = 1_000_000
"""Entries, those behind an alias counted wherever it stands; no file of ours has more than a few thousand."""
_NOUNS = {
    "object": "a mapping",
    "array": "a list",
    "string": "a word",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


def parse(path: Path, text: bytes) -> Any:
    """The document of a YAML 1.2 file, its entries marked with their lines; UsageError if it is no YAML."""
    if _depth(text) > _DEEPEST:
        raise _too_deep(path)
    try:
        return YAML(typ="rt").load(text.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path}:1: expected UTF-8 text, found byte {error.object[error.start]:#04x}"
        ) from None
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        problem = (error.problem or "something else").splitlines()[0].removeprefix("found ")
        raise UsageError(f"{path}:{line}: expected YAML, found {problem}") from None
    except YAMLError as error:
        raise UsageError(f"{path}:1: expected YAML, found {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise _too_deep(path) from None
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{path}: expected YAML, found a value that is none: {error}") from None


def checked(path: Path, text: bytes, schema: Mapping[str, Any]) -> Any:
    """Plain data of a YAML file that obeys a JSON schema; UsageError for the first thing that is wrong."""
    document = parse(path, text)
    try:
        if _entries(document, {}) >= _MOST:
            raise UsageError(f"{path}: expected fewer than {_MOST:,} entries, found more behind its aliases")
        data = _plain(document)
        error = best_match(Draft202012Validator(schema).iter_errors(data))
    except RecursionError:
        raise _too_deep(path) from None
    if error is not None:
        keys, expected, found = _explain(error)
        raise UsageError(f"{path}:{line_in(document, keys)}: expected {expected}, found {found}")
    return data


def _depth(text: bytes) -> int:
    """How deep brackets are nested, those in quotes among them; a parser takes long for very deep ones."""
    steps = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
    return max(accumulate(steps.get(byte, 0) for byte in text), default=0)


def _entries(node: Any, counted: dict[int, int]) -> int:
    """Entries of a node with those below it; `counted` has what aliases share, each walked once."""
    if not isinstance(node, Mapping | list):
        return 1
    if id(node) not in counted:
        inner = node.values() if isinstance(node, Mapping) else node
        counted[id(node)] = _MOST  # until it is known: an alias within itself has no end
        counted[id(node)] = min(_MOST, 1 + sum(_entries(each, counted) for each in inner))
    return counted[id(node)]


def _too_deep(path: Path) -> UsageError:
    return UsageError(f"{path}: expected YAML, found what is nested too deep")


def line_in(document: Any, keys: Iterable[str | int]) -> int:
    """Line, counted from 1, of the entry that `keys` lead to, or of the deepest one on the way."""
    line = document.lc.line if hasattr(document, "lc") else 0
    node = document
    for key in keys:
        if isinstance(node, CommentedMap) and key in node:
            line = node.lc.key(key)[0]
        elif isinstance(node, CommentedSeq) and isinstance(key, int) and key < len(node):
            line = node.lc.item(key)[0]
        else:
            break
        node = node[key]
    return line + 1


def _plain(node: Any) -> Any:
    if isinstance(node, Mapping):
        return {_plain(key): _plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(item) for item in node]
    for kind in (bool, int, float, str):
        if isinstance(node, kind):
            return kind(node)
    return node


def _explain(error: ValidationError) -> tuple[list[str | int], str, str]:
    """(keys that lead to the fault, what was expected, what was found)."""
    keys: list[str | int] = list(error.absolute_path)
    where = f" in {keys[-1]!r}" if keys and isinstance(keys[-1], str) else ""
    match error.validator:
        case "type":
            return keys, _types(error.validator_value) + _of(keys), _shown(error.instance)
        case "enum":
            return (
                keys,
                "one of " + ", ".join(map(str, error.validator_value)) + _of(keys),
                _shown(error.instance),
            )
        case "const":
            return keys, f"{error.validator_value!r}" + _of(keys), _shown(error.instance)
        case "required":
            missing = next(key for key in error.validator_value if key not in error.instance)
            return keys, f"a key {missing!r}{where}", _keys(error.instance)
        case "additionalProperties" if isinstance(error.validator_value, bool):
            allowed = error.schema.get("properties", {})
            extra = next(key for key in error.instance if key not in allowed)
            return [*keys, extra], f"one of the keys {', '.join(allowed)}{where}", f"{extra!r}"
        case "pattern":
            return (
                keys,
                _hint(error, f"text like {error.validator_value}") + _of(keys),
                _shown(error.instance),
            )
        case "minItems" | "minProperties":
            return keys, f"at least {error.validator_value} entries" + _of(keys), str(len(error.instance))
        case "minimum":
            return keys, f"at least {error.validator_value}" + _of(keys), _shown(error.instance)
        case "maximum":
            return keys, f"at most {error.validator_value}" + _of(keys), _shown(error.instance)
        case "uniqueItems":
            return keys, "different entries" + _of(keys), _shown(error.instance)
        case "propertyNames" | "not" | "anyOf" | "oneOf":
            return keys, _hint(error, "another value") + _of(keys), _shown(error.instance)
        case _:
            return (
                keys,
                _hint(error, f"{error.validator} {error.validator_value}") + _of(keys),
                _shown(error.instance),
            )


def _hint(error: ValidationError, otherwise: str) -> str:
    """What the schema's own description says, which reads better than a pattern."""
    description = error.schema.get("description") if isinstance(error.schema, Mapping) else None
    return description or otherwise


def _types(names: str | list[str]) -> str:
    return " or ".join(_NOUNS[name] for name in ([names] if isinstance(names, str) else names))


def _of(keys: list[str | int]) -> str:
    named = [key for key in keys if isinstance(key, str)]
    return f" for {named[-1]!r}" if named else ""


def _keys(mapping: Mapping[str, Any]) -> str:
    return "the keys " + ", ".join(map(str, mapping)) if mapping else "no keys"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
