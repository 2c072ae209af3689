"""What may be asked of a variant besides a budget, by the name that options and budgets have for it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tightfit.errors import UsageError
from tightfit.names import unknown
from tightfit.records import Cost
from tightfit.targets import Target, load_target, target_ids


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
ANY_ADDRESS = "any-address"
_WITHOUT: dict[str, Callable[[Cost], bool]] = {BANKS: lambda cost: not cost.ram_parts.banks}
"""When a cost has nothing of a quantity that targets may have conditions on."""


def declared() -> Iterator[Condition]:
    """The conditions that targets declare, each once; targets that share one have the same words for it."""
    known: dict[str, Condition] = {}
    for target in map(load_target, target_ids()):
        for name, facts in target.conditions.items():
            quantity = facts["without"]
            own = Condition(name, facts["title"], facts["help"], _WITHOUT[quantity], quantity)
            if known.setdefault(name, own) != own:
                raise UsageError(f"target {target.id}: {name}: another target has other words for it")
    yield from known.values()


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
        *declared(),
        Condition(
            ANY_ADDRESS,
            "at any address",
            "Bounds on ROM and RAM hold wherever the linker puts the routine: the worst padding counts.",
            lambda cost: True,
            padded=True,
        ),
    )
}
"""Those of all targets, and those that a target declares."""


def closed_on(target: Target) -> tuple[str, ...]:
    """The conditions under which the search closes cells of their own on a target."""
    return (CONSTANT_TIME, *target.conditions, ANY_ADDRESS)


def without(quantity: str) -> str | None:
    """The condition that keeps a quantity at 0; None where no target has one."""
    return next((name for name, condition in CONDITIONS.items() if condition.quantity == quantity), None)


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
