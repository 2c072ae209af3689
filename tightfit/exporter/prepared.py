"""A variant with the interface of a toolchain: chosen, rendered, and measured where it can be."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from tightfit.errors import UsageError, WorkError
from tightfit.exporter.even import even
from tightfit.exporter.figures import read_figures
from tightfit.exporter.interfaces import Interface, load_interface
from tightfit.generator import Rendered, load_space, render
from tightfit.records import Budget, Cell, Cost, Measurement
from tightfit.reports.answer import Known, fits, rank

GNU = "gnu"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Prepared:
    """A variant with a toolchain's interface: its source, and its cost where it could be measured.

    `source` is in GNU's words for every toolchain; `reason` says why there is no `cost`; `wins` are the cells
    that the variant is the answer of, as the portfolio counts, None where nobody looked.
    """

    measurement: Measurement
    name: str
    rendered: Rendered
    source: str
    cost: Cost | None
    reason: str | None
    toolchain: str = GNU
    wins: tuple[Cell, ...] | None = None

    @property
    def interface(self) -> Interface:
        """How its callers call it."""
        return load_interface(self.measurement.variant.target, self.toolchain)

    @property
    def marked(self) -> str:
        """The source with labels `__tf_b<i>` and `__tf_e<i>` round emission i."""
        rendered = render(self.measurement.variant, name=self.name)
        reentrant = self.measurement.reentrant
        return even(self.interface.source(rendered.source, self.name, rendered.entries, reentrant))

    @property
    def as_exported(self) -> Measurement:
        """The measurement with the toolchain's interface: as measured, else as foretold."""
        if self.cost is None:
            return foretold(self.measurement, self.toolchain)
        return replace(self.measurement, cost=self.cost)


def with_wins(prepared: Prepared, cells: Iterable[Cell]) -> Prepared:
    """A routine with those of the cells that its variant is the answer of."""
    variant = prepared.measurement.variant.id
    return replace(prepared, wins=tuple(cell for cell in cells if cell.variant_id == variant))


def prepare(measurement: Measurement, name: str, toolchain: str = GNU) -> Prepared:
    """A measured variant with a toolchain's interface, measured again where that is not the counted one.

    Raises
    ------
    UsageError
        The name is no C name.
    WorkError
        The routine fails with the toolchain's interface.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no C name: expected letters, digits and _, a letter first")
    rendered = render(measurement.variant, name=name, markers=False)
    interface = load_interface(measurement.variant.target, toolchain)
    source = interface.source(rendered.source, name, rendered.entries, measurement.reentrant)
    cost, reason = measurement.cost, None
    if not interface.counted:
        cost, reason = _measured(measurement, rendered, source, name)
    return Prepared(measurement, name, rendered, even(source), cost, reason, toolchain)


def prepare_fastest(
    known: Known, budget: Budget, name: str, make: Callable[[Measurement, str], Prepared] = prepare
) -> Prepared | None:
    """The best known variant that keeps within a budget with the GNU interface; None where none does.

    Without a toolchain only those variants count whose figures ship with the portfolio. `make` prepares a
    variant; one that remembers serves many budgets.
    """
    known = _with_figures(known)
    best: Prepared | None = None
    for one in sorted(filter(lambda one: fits(one, budget), known.usable), key=lambda one: rank(one, budget)):
        if best and rank(one, budget) >= rank(best.as_exported, budget):
            break  # the shim only adds
        if not fits(foretold(one), budget) or not _measurable(one):
            continue
        found = make(one, name)
        if fits(found.as_exported, budget) and (
            best is None or rank(found.as_exported, budget) < rank(best.as_exported, budget)
        ):
            best = found
    return best and replace(best, measurement=_attributed(best.measurement))


def _attributed(one: Measurement) -> Measurement:
    """A measurement with where its cycles are; one that ships with figures alone is measured for it here."""
    if one.attribution is not None or missing_tool(one.variant.target) is not None:
        return one
    from tightfit.harness.bench import Bench

    with Bench(one.variant.target, one.variant.part, one.variant.primitive) as bench:
        found = bench.measure(one.variant)
    return replace(one, attribution=found.attribution, curve=found.curve) if found.cost == one.cost else one


def _with_figures(known: Known) -> Known:
    """What is known, with the variants that the portfolio keeps only for the GNU interface."""
    questions = {
        (one.variant.target, one.variant.part, one.variant.primitive, one.variant.operation)
        for one in known.measurements
    }
    ids = {one.variant.id for one in known.measurements}
    more = [
        figure.measurement
        for target, part, primitive, operation in sorted(questions)
        for key, figure in read_figures(target, primitive).items()
        if key not in ids
        and (figure.measurement.variant.part, figure.measurement.variant.operation) == (part, operation)
    ]
    return replace(known, measurements=(*known.measurements, *more))


def foretold(one: Measurement, toolchain: str = GNU) -> Measurement:
    """A measurement with what a toolchain's shim is known to add; as it is where there is none."""
    variant = one.variant
    entries = (
        load_space(variant.target, variant.primitive, part=variant.part)
        .spec(variant)
        .entries(variant.knobs, variant.operation)
    )
    interface = load_interface(variant.target, toolchain)
    return replace(one, cost=interface.foretold(one.cost, entries, one.reentrant))


def _measurable(measurement: Measurement) -> bool:
    variant = measurement.variant
    if load_interface(variant.target).counted:
        return True
    missing = missing_tool(variant.target)
    return missing is None or variant.id in read_figures(variant.target, variant.primitive)


def _measured(
    measurement: Measurement, rendered: Rendered, source: str, name: str
) -> tuple[Cost | None, str | None]:
    """The cost with the GNU interface; None, with the reason, where it is neither measurable nor known."""
    variant = measurement.variant
    missing = missing_tool(variant.target)
    if missing is not None:
        figure = read_figures(variant.target, variant.primitive).get(variant.id)
        return (figure.cost, None) if figure else (None, missing)
    from tightfit.harness.bench import routine_of
    from tightfit.harness.routine import Rejected

    routine = replace(routine_of(variant, rendered, name), source=source, static=None, emissions=())
    try:
        return load_interface(variant.target).measure(routine, variant), None
    except Rejected as error:
        raise WorkError(f"variant {variant.id} with the GNU interface: {error}") from None


def missing_tool(target: str) -> str | None:
    """What is missing to measure on a target, in the words of the toolchain; None where all is there."""
    from tightfit.targets.toolchain import tool

    try:
        for each in ("as", "ld"):
            tool(target, each)
    except WorkError as error:
        return str(error)
    return None
