"""Names as people write them: which known name is meant, and the nearest where none is."""

import re
from collections.abc import Iterable
from itertools import accumulate

from tightfit.errors import UsageError

_SHOWN, _ALIKE = 3, 0.4


def same(name: str, choices: Iterable[str]) -> list[str]:
    """The choices of that name: case, spaces and signs do not count, and a plural stands for its singular."""
    choices = list(choices)
    if name in choices:
        return [name]
    plain = _plain(name)
    for wanted in filter(None, (plain, plain.removesuffix("s"), plain.removesuffix("es"))):
        if found := [choice for choice in choices if _plain(choice) == wanted]:
            return found
    return []


def begun(name: str, choices: Iterable[str]) -> list[str]:
    """The choices that begin with a name, as the members of a family do with the family's.

    Those come alone of which it is a whole beginning: `a1` begins `a1-28` rather than `a-128`.
    """
    plain = _plain(name)
    begin = [choice for choice in choices if plain and _plain(choice).startswith(plain)]
    return [choice for choice in begin if plain in _beginnings(choice)] or begin


def meant(name: str, choices: Iterable[str]) -> list[str]:
    """The choices that a name may stand for: the one of that name, else all that begin with it."""
    choices = list(choices)
    return same(name, choices) or begun(name, choices)


def spelled(name: str, choices: Iterable[str]) -> str:
    """The only choice that a name may stand for; the name as it is where there is none, or more than one."""
    likely = meant(name, choices)
    return likely[0] if len(likely) == 1 else name


def nearest(name: str, choices: Iterable[str]) -> list[str]:
    """The choices that a wrong name may be a misspelling of, the most alike first; none where nothing is."""
    from difflib import get_close_matches

    by_plain = {_plain(choice): choice for choice in choices}
    return [by_plain[plain] for plain in get_close_matches(_plain(name), by_plain, n=_SHOWN, cutoff=_ALIKE)]


def closest(name: str, choices: Iterable[str]) -> str | None:
    """The choice that is most like a name; None where nothing is alike."""
    from difflib import get_close_matches

    by_plain = {_plain(choice): choice for choice in choices}
    close = get_close_matches(_plain(name), by_plain, n=1, cutoff=_ALIKE)
    return by_plain[close[0]] if close else None


def unknown(what: str, name: str, choices: Iterable[str], of: str = "") -> UsageError:
    """Error for a name that is none of the choices: it says which it may stand for, or the nearest, or all.

    `of` says what they are the choices of, such as a target.
    """
    choices, whose = list(choices), of and f" of {of}"
    if not choices:
        return UsageError(f"no {what} {name!r}{whose}; there are none yet")
    if len(likely := meant(name, choices)) > 1:
        more = ", ..." if len(likely) > _SHOWN else ""
        return UsageError(f"no {what} {name!r}{whose}; it may be {' or '.join(likely[:_SHOWN])}{more}")
    near = nearest(name, choices)
    said = f"the nearest: {', '.join(near)}" if near else f"there are: {', '.join(choices)}"
    return UsageError(f"no {what} {name!r}{whose}; {said}")


def _beginnings(name: str) -> set[str]:
    """`a`, `a1` and `a128` of `a1-28`: it as far as each of its words and numbers."""
    return set(accumulate(re.findall("[a-z]+|[0-9]+", name.lower())))


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
