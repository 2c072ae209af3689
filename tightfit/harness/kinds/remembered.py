"""What a kind asks, made once for all routines that are asked the same."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from tightfit.harness.kinds import Kind
from tightfit.harness.kinds.turns import Dialogue
from tightfit.harness.routine import Routine

_ALIKE = "quick random elsewhere contexts watched secret long thorough many iterated shapes".split()
"""Questions that depend on the entries and the kept fields of a routine, but not on where these are.

`known` is not among them: it begins with noise in a whole block.
"""
_PROMISES = 16
"""Sorts of routines whose dialogues are kept."""

_Made = Dialogue | Iterable[Dialogue | tuple[Dialogue, Dialogue]] | Mapping[str, Dialogue]


@dataclass(frozen=True)
class _Kept:
    """The kept fields alone, in alphabetical order."""

    fields: tuple[tuple[str, int, int], ...]
    size: int


class Remembered:
    """A kind whose dialogues are made once for all routines with the same entries and kept fields."""

    def __init__(self, kind: Kind):
        self._kind = kind
        self._made: Callable[[tuple], dict[tuple, _Made]] = lru_cache(_PROMISES)(lambda key: {})

    def __getattr__(self, name: str) -> Any:
        return partial(self._asked, name) if name in _ALIKE else getattr(self._kind, name)

    def _asked(self, question: str, routine: Routine, *arguments: Any) -> _Made:
        promise = _promise(routine)
        key = promise.entries, promise.layout, promise.kept, promise.static, promise.destroys_key
        made = self._made(key)
        if (question, *arguments) not in made:
            dialogues = getattr(self._kind, question)(promise, *arguments)
            made[question, *arguments] = (
                dialogues if isinstance(dialogues, (Mapping, Sequence)) else tuple(dialogues)
            )
        return made[question, *arguments]


def _promise(routine: Routine) -> Routine:
    """A routine as far as dialogues depend on it: of static RAM they ask only whether there is any."""
    sizes = {name: size for name, _, size in routine.layout.fields if name in routine.kept}
    fields, offset = [], 0
    for name in sorted(sizes):
        fields.append((name, offset, sizes[name]))
        offset += sizes[name]
    static = 0 if routine.static == 0 else None
    return replace(routine, source="", emissions=(), layout=_Kept(tuple(fields), offset), static=static)
