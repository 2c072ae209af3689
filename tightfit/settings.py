"""Settings that stand for options: `tightfit.toml` of the user and of the working folder, `TIGHTFIT_*`."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tightfit.budgets import budget, parse_size
from tightfit.conditions import CONDITIONS
from tightfit.errors import UsageError
from tightfit.names import spelled, unknown
from tightfit.paths import config_path
from tightfit.units import parse_clock, parse_duration

FILE = "tightfit.toml"
_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


def _target(value: Any) -> str:
    from tightfit.targets import target_ids

    return _one_of("target", value, target_ids())


def _part(value: Any) -> str:
    from tightfit.targets import load_target, target_ids

    return _one_of("part", value, [name for place in map(load_target, target_ids()) for name in place.parts])


def _kind(value: Any) -> str:
    from tightfit.reports.subject import kinds

    return _one_of("kind", value, kinds())


def _one_of(what: str, value: Any, choices: list[str]) -> str:
    name = spelled(_text(value), choices)
    if name not in choices:
        raise unknown(what, name, choices)
    return name


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError(f"expected text, found {value!r}")
    return value


def _number(value: Any) -> int:
    text = str(value)
    if isinstance(value, bool) or not (
        text.isascii() and text.isdigit() and 0 < len(text) < 16 and int(text)
    ):
        raise UsageError(f"expected a number above 0, found {value!r}")
    return int(text)


def _flag(value: Any) -> bool:
    word = str(value).lower()
    if word not in (*_TRUE, *_FALSE):
        raise UsageError(f"expected true or false, found {value!r}")
    return word in _TRUE


def _checked(parse: Callable[[Any], Any]) -> Callable[[Any], str]:
    """The value as the option takes it, once it is known to be right."""

    def check(value: Any) -> str:
        if isinstance(value, (dict, list, bool)):
            raise UsageError(f"expected text, found {value!r}")
        parse(value)
        return str(value)

    return check


_PLACE = {"target": _target, "part": _part}
_CONDITIONS = dict.fromkeys(CONDITIONS, _flag)
_BOUNDS = {"rom": _checked(lambda value: budget(value, None)), "ram": _checked(parse_size)}
_FILTERS = {
    "kind": _kind,
    **dict.fromkeys(("key-bits", "block-bits", "security", "message"), _number),
    "reentrant": _flag,
    "clock": _checked(parse_clock),
    "under": _checked(parse_duration),
    "toolchain": _text,
}
KEYS: Mapping[str, Callable[[Any], Any]] = {**_PLACE, **_BOUNDS, **_FILTERS, **_CONDITIONS}
"""Every setting, and what makes the value of its option; the option has the same name."""
COMMANDS = {
    "ask": tuple(KEYS),
    "table": (*_PLACE, "kind", *_CONDITIONS),
    "front": (*_PLACE, *_CONDITIONS),
    "report": ("target", *_CONDITIONS),
    "export": (*_PLACE, *_BOUNDS, "toolchain", "reentrant", *_CONDITIONS),
}
"""The settings that each command takes; the others take none."""


def defaults(command: str) -> dict[str, Any]:
    """Values of a command's options by parameter: of the user, then the folder, then the environment.

    Raises
    ------
    UsageError
        "file: key: what is wrong", for the first thing that is.
    """
    settings = {**_of_file(config_path()), **_of_file(Path(FILE)), **_of_environment()}
    return {key.replace("-", "_"): settings[key] for key in COMMANDS[command] if key in settings}


def _of_file(file: Path) -> dict[str, Any]:
    try:
        if not file.exists():
            return {}
        import tomllib

        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: expected TOML: {error}") from None
    for key in data:
        if key not in KEYS:
            raise UsageError(f"{file}: {unknown('key', key, KEYS)}")
    return {key: _value(f"{file}: {key}", key, value) for key, value in data.items()}


def _of_environment() -> dict[str, Any]:
    named = {key: f"TIGHTFIT_{key.upper().replace('-', '_')}" for key in KEYS}
    return {key: _value(name, key, os.environ[name]) for key, name in named.items() if os.environ.get(name)}


def _value(place: str, key: str, value: Any) -> Any:
    try:
        return KEYS[key](value)
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from None
