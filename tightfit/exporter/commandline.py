"""The command line that makes an export again, but for the folder; its files say it."""

from collections.abc import Iterable, Mapping

Value = str | int | Iterable[str] | None


def command_line(subject: Iterable[str], options: Mapping[str, Value], flags: Mapping[str, bool]) -> str:
    """`tightfit export` with its arguments, the options that have a value, and the flags that are set."""
    given = [f"{option} {_quoted(each)}" for option, value in options.items() for each in _values(value)]
    return " ".join(["tightfit export", *subject, *given, *(flag for flag in flags if flags[flag])])


def _values(value: Value) -> list[str]:
    if value is None:
        return []
    return [str(value)] if isinstance(value, str | int) else list(value)


def _quoted(value: str) -> str:
    return f'"{value}"' if " " in value else value
