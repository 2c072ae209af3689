"""A variant with the interface of a toolchain: chosen, rendered, and measured where it can be."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from tightfit import extras
from tightfit.errors import WorkError
from tightfit.exporter.aligned import aligned
from tightfit.exporter.figures import read_figures
from tightfit.exporter.interfaces import Interface, load_interface
from tightfit.exporter.names import check_name
from tightfit.generator import Rendered, load_space, render
from tightfit.records import Budget, Cell, Cost, Measurement
from tightfit.reports.answer import Known, fits, rank
from tightfit.targets import load_target

GNU = "gnu"


@dataclass(frozen=True)
class Prepared:
    """A variant with a toolchain's interface: its source, and its cost where it could be measured.

    `source` is GNU assembly for every toolchain; `reason` says why there is no `cost`; `wins` are the cells
    that the variant wins as the portfolio counts, None where they were not looked up.
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
        """The interface that callers use."""
        return load_interface(self.measurement.variant.target, self.toolchain)

    @property
    def marked(self) -> str:
        """The source with labels `__tf_b<i>` and `__tf_e<i>` round emission i."""
        rendered = render(self.measurement.variant, name=self.name)
        reentrant = self.measurement.reentrant
        source = self.interface.source(rendered.source, self.name, rendered.entries, reentrant)
        return aligned(source, load_target(self.measurement.variant.target).block_alignment)

    @property
    def as_exported(self) -> Measurement:
        """The measurement with the toolchain's interface: as measured, else as predicted."""
        if self.cost is None:
            return predicted(self.measurement, self.toolchain)
        return replace(self.measurement, cost=self.cost)


def with_wins(prepared: Prepared, cells: Iterable[Cell]) -> Prepared:
    """A routine with those of the cells that its variant wins."""
    variant = prepared.measurement.variant.id
    return replace(prepared, wins=tuple(cell for cell in cells if cell.variant_id == variant))


def prepare(measurement: Measurement, name: str, toolchain: str = GNU) -> Prepared:
    """A measured variant with a toolchain's interface, measured again where that is not the one counted.

    Raises
    ------
    UsageError
        No library can have the name.
    WorkError
        The routine fails with the toolchain's interface.
    """
    check_name(name)
    rendered = render(measurement.variant, name=name, markers=False)
    interface = load_interface(measurement.variant.target, toolchain)
    source = interface.source(rendered.source, name, rendered.entries, measurement.reentrant)
    cost, reason = measurement.cost, None
    if not interface.counted:
        cost, reason = _measured(measurement, rendered, source, name)
    source = aligned(source, load_target(measurement.variant.target).block_alignment)
    return Prepared(measurement, name, rendered, source, cost, reason, toolchain)


def prepare_fastest(
    known: Known, budget: Budget, name: str, make: Callable[[Measurement, str], Prepared] = prepare
) -> Prepared | None:
    """The best known variant that fits a budget with the GNU interface; None where none does.

    Without a toolchain only variants whose figures ship with the portfolio are considered. `make` prepares a
    variant; pass one that caches to ask for many budgets.
    """
    known = with_figures(known)
    best: Prepared | None = None
    for measurement in sorted(
        filter(lambda measurement: fits(measurement, budget), known.usable),
        key=lambda measurement: rank(measurement, budget),
    ):
        if best and rank(measurement, budget) >= rank(best.as_exported, budget):
            break  # the shim only adds
        if not fits(predicted(measurement), budget) or not is_measurable(measurement):
            continue
        candidate = make(measurement, name)
        if fits(candidate.as_exported, budget) and (
            best is None or rank(candidate.as_exported, budget) < rank(best.as_exported, budget)
        ):
            best = candidate
    return best and replace(best, measurement=_attributed(best.measurement))


def _attributed(measurement: Measurement) -> Measurement:
    """A measurement with its attribution; where it ships without, it is measured again for that."""
    if measurement.attribution is not None or missing_tool(measurement.variant.target) is not None:
        return measurement
    from tightfit.harness.bench import Bench

    with Bench(measurement.variant.target, measurement.variant.part, measurement.variant.primitive) as bench:
        measured = bench.measure(measurement.variant)
    return (
        replace(measurement, attribution=measured.attribution, curve=measured.curve)
        if measured.cost == measurement.cost
        else measurement
    )


def with_figures(known: Known) -> Known:
    """What is known, with the variants that the portfolio keeps only for the GNU interface."""
    questions = {
        (
            measurement.variant.target,
            measurement.variant.part,
            measurement.variant.primitive,
            measurement.variant.operation,
        )
        for measurement in known.measurements
    }
    ids = {measurement.variant.id for measurement in known.measurements}
    more = [
        figure.measurement
        for target, part, primitive, operation in sorted(questions)
        for key, figure in read_figures(target, primitive).items()
        if key not in ids
        and (figure.measurement.variant.part, figure.measurement.variant.operation) == (part, operation)
    ]
    return replace(known, measurements=(*known.measurements, *more))


def predicted(measurement: Measurement, toolchain: str = GNU) -> Measurement:
    """A measurement with what a toolchain's shim is known to add; unchanged where there is no shim."""
    variant = measurement.variant
    entries = (
        load_space(variant.target, variant.primitive, part=variant.part)
        .spec(variant)
        .entries(variant.knobs, variant.operation)
    )
    interface = load_interface(variant.target, toolchain)
    return replace(measurement, cost=interface.predicted(measurement.cost, entries, measurement.reentrant))


def is_measurable(measurement: Measurement) -> bool:
    """Whether the cost with the GNU interface is known or can be measured."""
    variant = measurement.variant
    if load_interface(variant.target).counted:
        return True
    missing = missing_tool(variant.target)
    return missing is None or variant.id in read_figures(variant.target, variant.primitive)


def _measured(
    measurement: Measurement, rendered: Rendered, source: str, name: str
) -> tuple[Cost | None, str | None]:
    """The cost with the GNU interface; None and the reason where it cannot be measured and is not known."""
    variant = measurement.variant
    missing = missing_tool(variant.target)
    if missing is not None:
        figure = read_figures(variant.target, variant.primitive).get(variant.id)
        return (figure.cost, None) if figure else (None, missing)
    from tightfit.harness.bench import routine_of
    from tightfit.harness.routine import Rejected

    routine = replace(
        routine_of(variant, rendered, name), source=source, static=None, banks=None, emissions=()
    )
    try:
        return load_interface(variant.target).measure(routine, variant), None
    except Rejected as error:
        raise WorkError(f"variant {variant.id} with the GNU interface: {error}") from None


def missing_tool(target: str, programs: Sequence[str] = ("as", "ld")) -> str | None:
    """What is missing to measure on a target, as the toolchain's error says it; None where all is there."""
    from tightfit.targets.toolchain import tool

    if absent := extras.missing("search"):
        return absent
    try:
        for program in programs:
            tool(target, program)
    except WorkError as error:
        return str(error)
    return None
