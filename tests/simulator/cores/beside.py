"""A core beside an independent simulator of it, on the same programs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tightfit.harness.build import Image
from tightfit.harness.simulator import Form
from tightfit.paths import simulator_source
from tightfit.yamlfile import load_yaml


@cache
def known(group: str) -> list[dict[str, Any]]:
    """A group of simulator/known_differences.yaml."""
    return load_yaml(simulator_source() / "known_differences.yaml", {"type": "object"})[group]


def excluded(group: str) -> set[str]:
    """Forms that are not compared at all."""
    return {text for entry in known(group) if "when" not in entry for text in entry["forms"]}


@dataclass
class Seen:
    """What a comparison has seen: forms, known differences that showed, instructions."""

    forms: set[Any] = field(default_factory=set)
    met: set[str] = field(default_factory=set)
    steps: int = 0

    def step(self, form: Any) -> None:
        self.forms.add(form)
        self.steps += 1

    def allow(self, group: str, form: Form, what: str, where: str) -> None:
        """A difference in a flag, or in memory, must be a known one."""
        mnemonic = form.text.split()[0]
        for entry in known(group):
            if (form.text in entry["forms"] or mnemonic in entry["forms"]) and (
                what in entry.get("flags", ()) or (what == "memory" and entry.get("memory"))
            ):
                self.met.add(entry["id"])
                return
        raise AssertionError(f"{where}: {what} differs")


@dataclass(frozen=True, kw_only=True, eq=False)
class Other:
    """An independent simulator of a core. A comparison fails at the first difference that is not known."""

    name: str
    every_form: Callable[[int, Path], Seen]
    """Each form in random order, by a seed and a folder for files."""
    seeds: Sequence[int]
    wanted: Callable[[], Iterable[Any]]
    """What must be seen with all these seeds."""
    differences: Callable[[], Iterable[str]] = lambda: ()
    """Ids of the known differences that must show."""
    long_program: Callable[[int, Path], Seen] | None = None
    long_seeds: Sequence[int] = ()
    least: int = 5000
    """Instructions of a long program."""
    compare: Callable[[str, Path], Seen] | None = None
    sources: Sequence[tuple[str, str, int]] = ()
    """Programs for `compare`: what they are, source, steps."""
    routine: Callable[[Image, Sequence[str], Random, Path], int] | None = None
    """Calls what an image has, by the names of the entries; the instructions compared."""
    variants: int = 1
    """Of each template and operation that are called."""
    knobs_may_clash: bool = False
    """Whether knobs at random may not assemble together."""

    def __repr__(self) -> str:
        return self.name
