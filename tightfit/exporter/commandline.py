"""The command line that repeats an export, without the folder; the exported files quote it."""

from collections.abc import Iterable, Mapping

Value = str | int | Iterable[str] | None


def command_line(subject: Iterable[str], options: Mapping[str, Value], flags: Iterable[str]) -> str:
    """`tightfit export` with its arguments, the options that have a value, and flags by their names."""
    arguments = [f"{option} {_quoted(text)}" for option, value in options.items() for text in _values(value)]
    return " ".join(["tightfit export", *subject, *arguments, *(f"--{flag}" for flag in flags)])


def _values(value: Value) -> list[str]:
    if value is None:
        return []
    return [str(value)] if isinstance(value, str | int) else list(value)


def _quoted(value: str) -> str:
    return f'"{value}"' if " " in value else value
