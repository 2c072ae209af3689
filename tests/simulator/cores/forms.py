"""What the tests of a table of forms ask of a target: examples of each form, states for them, clocks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tightfit.harness.simulator import Form, Run, Simulator

if TYPE_CHECKING:
    from .core import Core

State = Mapping[str, Any]


@dataclass(frozen=True)
class Example:
    """One instruction of a form; `more` is what its target must know of it besides."""

    form: Form
    text: str
    more: Any = None
    prefix: int = 0
    """Bytes before the form's own."""


@dataclass(frozen=True)
class Placed:
    """An example in an image, and where the next instruction is."""

    example: Example
    address: int
    after: int

    @property
    def form(self) -> Form:
        return self.example.form

    @property
    def text(self) -> str:
        return self.example.text


@dataclass(frozen=True)
class Image:
    """Examples as code; "
    "`states` are those in which their clocks are counted, none if they are not to be run."""

    code: bytes
    placed: Sequence[Placed]
    states: Sequence[State] = ()


class Forms:
    """What is a target's own; a subclass says it."""

    count = 0
    """Forms of the largest core."""
    register = ""
    """Which one has the flags."""
    flags: Mapping[str, int] = {}
    """In the order of the table's column."""
    aliases: Mapping[str, str] = {}
    """Forms that decode as another."""
    ended: Mapping[str, str] = {}
    """Forms that end a run, and how."""
    no_flags: Sequence[str] = ()
    """Forms whose flags are not looked at."""
    repeats = 1
    """Random states in which the flags of an example are looked at."""
    always_steps = False
    every_flag_shows = False
    """Whether there are enough examples for each listed flag to change."""

    def has(self, machine: str, form: Form) -> bool:
        """Whether a machine has the form."""
        raise NotImplementedError

    def images(self, core: "Core") -> Sequence[Image]:
        """All examples; the first image that has states is the one for the flags."""
        raise NotImplementedError

    def prepare(self, sim: Simulator, placed: Placed | None, state: State) -> None:
        """A machine in that state."""
        raise NotImplementedError

    def expected(self, core: "Core", placed: Placed, run: Run, state: State) -> Mapping[str, Any]:
        """What must be told of the step."""
        raise NotImplementedError

    def random_state(self, placed: Placed, chance: Random) -> State:
        """One for looking at flags."""
        raise NotImplementedError

    def rule(self, placed: Placed, flag: int) -> str:
        """`-` unchanged, `0`, `1`, `c` cleared or unchanged, else changed."""
        return placed.form.flags[flag]

    def check_table(self, forms: Sequence[Form]) -> None:
        """What else is true of the table."""

    against_disassembler: Callable[["Core", Path], None] | None = None


def place(
    core: "Core", examples: Iterable[Example], *, after: str = "", tail: str = ""
) -> tuple[bytes, list[Placed]]:
    """Assemble examples, with the lines of `after` behind each and of `tail` at the end."""
    chosen = list(examples)
    lines = [f"e{n}: {example.text}\nn{n}: {after}" for n, example in enumerate(chosen)]
    code, labels = core.tools.assemble("\n".join([*lines, tail, ""]))
    return code, [Placed(e, labels[f"e{n}"], labels[f"n{n}"]) for n, e in enumerate(chosen)]
