"""Which operations of which primitives are filled on which parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from tightfit.budgets import budgets_for, load_budgets, under
from tightfit.conditions import as_on, closed_on, conditions, searched
from tightfit.errors import UsageError
from tightfit.generator import load_space, spaces
from tightfit.generator.fingerprint import space_texts
from tightfit.generator.sources import space_digest
from tightfit.generator.space import Space
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Budget
from tightfit.targets import Part, Target, load_target, target_ids


@dataclass(frozen=True)
class Job:
    """One operation of a primitive to fill, on the simulated part of a core class."""

    primitive: Primitive
    operation: str
    target: Target
    part: Part
    budgets_file: Path | None = None
    single: Budget | None = None

    @property
    def name(self) -> str:
        """Primitive, operation, target and part in words."""
        return f"{self.primitive.id} {self.operation} on {self.target.id} ({self.part.name})"

    def budgets(self) -> list[Budget]:
        """The single budget; or those of the file; or else the listed ones and those of published cells.

        Those of the file or the list also under each condition that means something on the target.
        """
        if self.single is not None:
            return [self.single]
        listed = load_budgets(self.budgets_file)
        plain = listed
        if self.budgets_file is None:
            plain = budgets_for(self.primitive, self.target.id, self.operation)
        return [*plain, *(bounds for name in closed_on(self.target) for bounds in under(listed, [name]))]

    def fronts(self) -> list[tuple[str, ...]]:
        """The conditions under which fronts are traced; none where particular budgets are asked for."""
        if self.single is not None or self.budgets_file is not None:
            return []
        names = closed_on(self.target)
        every = [only for count in range(len(names) + 1) for only in combinations(names, count)]
        return [only for only in every if conditions(only) == only]

    def space_digest(self) -> str:
        """The digest of the space, which changes with the sources of its templates."""
        return space_digest(self.target.id, self.part.name, self.primitive.id, self.operation)

    def texts_digest(self) -> str:
        """The digest of the texts of the space, which stays where sources are only tidied."""
        return space_texts(self.target.id, self.part.name, self.primitive.id, self.operation)

    def space(self) -> Space:
        """The variants that are searched."""
        return load_space(self.target.id, self.primitive.id, part=self.part.name)


def jobs(
    primitives: Sequence[str] = (),
    target: str | None = None,
    part: str | None = None,
    operations: Sequence[str] = (),
    budgets_file: Path | None = None,
    single: Budget | None = None,
) -> list[Job]:
    """The jobs of some primitives on a target; of all that have templates where nothing narrows them.

    Parameters
    ----------
    primitives : ids; none means all.
    target : an id; None means every target.
    part : name of a part of the target, for whose core class cells are filled; None means every class whose
        cells ship.
    operations : only these; none means all that templates offer.
    budgets_file : a `budgets.yaml` in the place of the package's.
    single : the only budget.

    Raises
    ------
    UsageError
        A name is unknown, a part is named without a target, no template offers what is asked for, or no
        search closes cells under a condition of `single`.
    """
    if part is not None and target is None:
        raise UsageError(f"--part {part}: of which target? say --target, one of {', '.join(target_ids())}")
    for name in single.only if single else ():
        if not searched([name]):
            raise UsageError(f"--{name}: no search closes cells under it; `ask` and `table` filter by it")
    return [
        Job(load_primitive(primitive), operation, place, simulated, budgets_file, _meant(single, place))
        for place, primitive in _places(primitives, target)
        for simulated in _simulated(place, part)
        for operation in _offered(load_space(place.id, primitive, part=simulated.name), primitive, operations)
    ]


def _meant(single: Budget | None, place: Target) -> Budget | None:
    """The single budget under the conditions as they are meant on a target."""
    return single and under([single], as_on(place, single.only))[0]


def _simulated(place: Target, part: str | None) -> list[Part]:
    """The parts that stand for the core class of a part, or for all classes whose cells ship."""
    return place.shipped if part is None else [place.part(place.part(part).simulated)]


def _places(primitives: Sequence[str], target: str | None) -> list[tuple[Target, str]]:
    """The targets and primitives that are asked for and have templates; each primitive has some."""
    names = [load_primitive(name).id for name in primitives]
    targets = target_ids() if target is None else [load_target(target).id]
    places = [(place, name) for place, name in spaces() if place in targets and (not names or name in names)]
    for name in names:
        if name not in (other for _, other in places):
            load_space(targets[0], name)  # raises the error that says what there is
    return [(load_target(place), name) for place, name in places]


def _offered(space: Space, primitive: str, operations: Sequence[str]) -> list[str]:
    """The operations that the space has templates for; each that was asked for must be among them."""
    known = load_primitive(primitive)
    for name in operations:
        known.operation(name)
        if not space.of(name):
            offered = dict.fromkeys(each for spec in space.templates.values() for each in spec.operations)
            where = f"{space.primitive} on {space.target}"
            raise UsageError(f"no template of {where} offers {name}; they offer {', '.join(offered)}")
    return [name for name in known.operations if space.of(name) and (not operations or name in operations)]
