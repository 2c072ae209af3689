"""What may be asked of a variant besides a budget, by the name that options and budgets have for it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tightfit.names import unknown
from tightfit.records import Cost


@dataclass(frozen=True)
class Condition:
    """A condition on the cost of a variant.

    Attributes
    ----------
    title : what answers under the condition are called.
    help : what the option says.
    quantity : of the solver's model, which the condition keeps at 0.
    padded : whether bounds on ROM and RAM also hold the most that a linker pads.

    Without either the search cannot close cells under the condition: answers under it are chosen from what is
    known.
    """

    name: str
    title: str
    help: str
    holds: Callable[[Cost], bool]
    quantity: str | None = None
    padded: bool = False


BANKS, LEAKS = "banks", "leaks"
"""Quantities of the solver's model: bytes of register banks, fragments whose time depends on a secret."""
CONSTANT_TIME = "constant-time"
CONSTANT_PATH = "constant-path"
NO_BANKS = "no-banks"
ANY_ADDRESS = "any-address"
CONDITIONS = {
    condition.name: condition
    for condition in (
        Condition(
            CONSTANT_TIME,
            "constant time",
            "Only variants whose cycles are proved to be the same for all secrets.",
            lambda cost: cost.constant_time,
            LEAKS,
        ),
        Condition(
            CONSTANT_PATH,
            "constant path only",
            "Only variants whose cycles and paths are the same for all inputs tested.",
            lambda cost: cost.constant_path,
        ),
        Condition(
            NO_BANKS,
            "no register banks",
            "Only variants that leave register banks 1 to 3 (RL78) to interrupt handlers.",
            lambda cost: not cost.ram_parts.banks,
            BANKS,
        ),
        Condition(
            ANY_ADDRESS,
            "at any address",
            "Bounds on ROM and RAM hold wherever the linker puts the routine: the worst padding counts.",
            lambda cost: True,
            padded=True,
        ),
    )
}


def conditions(names: Iterable[str]) -> tuple[str, ...]:
    """The names, each once, in a fixed order.

    Raises
    ------
    UsageError
        A name is unknown; the message says the nearest.
    """
    asked = set(names)
    for name in sorted(asked - CONDITIONS.keys()):
        raise unknown("condition", name, CONDITIONS)
    return tuple(name for name in CONDITIONS if name in asked)


def meets(cost: Cost, names: Iterable[str]) -> bool:
    """Whether a cost meets the conditions."""
    return all(CONDITIONS[name].holds(cost) for name in names)


def searched(names: Iterable[str]) -> tuple[str, ...]:
    """Those of the conditions under which the search closes cells."""
    return tuple(name for name in names if CONDITIONS[name].quantity or CONDITIONS[name].padded)


def padded(names: Iterable[str]) -> bool:
    """Whether bounds on ROM and RAM also hold the most that a linker pads."""
    return any(CONDITIONS[name].padded for name in names)


def sizes(cost: Cost, names: Iterable[str]) -> tuple[int, int]:
    """Bytes of ROM and of RAM that are compared with bounds under the conditions."""
    if padded(names):
        return cost.rom + cost.padding.rom, cost.ram + cost.padding.ram
    return cost.rom, cost.ram


def titles(names: Iterable[str]) -> str:
    """The conditions as words behind a comma, nothing where there are none."""
    return "".join(f", {CONDITIONS[name].title}" for name in names)
