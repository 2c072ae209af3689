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
    quantities : of the solver's model, which the condition keeps at 0.
    padded : whether bounds on ROM and RAM also hold the most that a linker pads.
    instead_of : the condition, a narrower one, in whose place this one is asked where both are, and which
        stands for it on targets that do not declare this one.

    Without quantities, and not padded, the search cannot close cells under the condition: answers under it
    are chosen from what is known.
    """

    name: str
    title: str
    help: str
    holds: Callable[[Cost], bool]
    quantities: tuple[str, ...] = ()
    padded: bool = False
    instead_of: str | None = None


BANKS, LEAKS, FLASH_LOOKUPS = "banks", "leaks", "look-ups"
"""Quantities of the solver's model: bytes of register banks, fragments whose time depends on a secret, those
that look up at a secret address in flash behind a prefetcher."""
CONSTANT_TIME = "constant-time"
CONSTANT_PATH = "constant-path"
ANY_ADDRESS = "any-address"
_WITHOUT: dict[str, Callable[[Cost], bool]] = {
    BANKS: lambda cost: not cost.ram_parts.banks,
    LEAKS: lambda cost: cost.constant_time_without_prefetch,
}
"""When a cost has nothing of a quantity that targets may have conditions on."""


def declared() -> Iterator[Condition]:
    """The conditions that targets declare, each once; targets that share one have the same words for it."""
    known: dict[str, Condition] = {}
    for target in map(load_target, target_ids()):
        for name, facts in target.conditions.items():
            quantity = facts["without"]
            words = facts["title"], facts["help"]
            own = Condition(name, *words, _WITHOUT[quantity], (quantity,), instead_of=facts.get("instead_of"))
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
            (LEAKS, FLASH_LOOKUPS),
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


def without(quantity: str) -> tuple[str, ...]:
    """The conditions that keep a quantity at 0."""
    return tuple(name for name, condition in CONDITIONS.items() if quantity in condition.quantities)


def conditions(names: Iterable[str]) -> tuple[str, ...]:
    """The names, each once, in a fixed order, without those in whose place another one is asked.

    Raises
    ------
    UsageError
        A name is unknown; the message says the nearest.
    """
    asked = set(names)
    for name in sorted(asked - CONDITIONS.keys()):
        raise unknown("condition", name, CONDITIONS)
    asked -= {CONDITIONS[name].instead_of for name in asked}
    return tuple(name for name in CONDITIONS if name in asked)


def as_on(target: Target, names: Iterable[str]) -> tuple[str, ...]:
    """The conditions as `conditions`, those that the target does not know by what they stand in place of."""
    asked = conditions(names)
    foreign = {name for name in asked if CONDITIONS[name].instead_of and name not in target.conditions}
    return conditions(CONDITIONS[name].instead_of if name in foreign else name for name in asked)


def meets(cost: Cost, names: Iterable[str]) -> bool:
    """Whether a cost meets the conditions."""
    return all(CONDITIONS[name].holds(cost) for name in names)


def searched(names: Iterable[str]) -> tuple[str, ...]:
    """Those of the conditions under which the search closes cells."""
    return tuple(name for name in names if CONDITIONS[name].quantities or CONDITIONS[name].padded)


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
