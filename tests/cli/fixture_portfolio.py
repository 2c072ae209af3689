"""A small portfolio: real variants with invented costs, so that answers can be told in advance."""

from itertools import islice
from pathlib import Path

from tightfit.budgets import load_budgets
from tightfit.generator import load_space, render
from tightfit.generator.sources import sources_of, space_digest
from tightfit.harness.provenance import context_of
from tightfit.records import (
    Attribution,
    Cell,
    Certificate,
    Cost,
    Measurement,
    RamParts,
    RomShare,
    TimeShare,
    Timing,
    Variant,
)
from tightfit.reports.answer import contains, fits, rank
from tightfit.textfile import replace_texts

TARGET, PART, PRIMITIVE = "rl78", "R5F100xE", "aes-128"
BLOCK = 58
PROVENANCE = {"gate": "full", "context": context_of({"gate": "full"})}
# ROM, static, stack, cycles a entry, those of the wait told apart, constant path
COSTS = {
    "encrypt": [
        (200, 0, 8, (9000,), 5, True),
        (400, 0, 8, (5000,), 0, False),
        (900, 24, 6, (3000,), 1, True),
        (1500, 24, 6, (2500,), 2, False),
        (950, 256, 6, (2000,), 3, True),
    ],
    "encrypt+decrypt": [(700, 0, 8, (7000, 9000), 0, True), (1900, 24, 8, (3800, 6000), 10, True)],
}


def proof(kind: str, space: int, measured: int, **more) -> Certificate:
    """A certificate with the given claim."""
    return Certificate(
        proved=kind in ("optimal", "infeasible"),
        kind=kind,
        space=str(space),
        measured=measured,
        exact=measured,
        bound=more.pop("bound", None),
        margin=0,
        solver="CP-SAT of the test",
        seed=1,
        deterministic_limit=1.0,
        **more,
    )


def measurement(variant: Variant, rom, static, stack, cycles, apart, constant, **more) -> Measurement:
    """A measurement with the given figures; its only fragment holds and takes everything."""
    entries = ("encrypt", "decrypt")[: len(cycles)]
    rendered = render(variant, markers=False)
    spread = 0 if constant else 7
    timings = {
        entry: Timing(4, 4 * each, each - spread, each + spread, constant, 4 * apart)
        for entry, each in zip(entries, cycles, strict=True)
    }
    shares = tuple(
        TimeShare(entry, ("body",), 4 * each, 4) for entry, each in zip(entries, cycles, strict=True)
    )
    return Measurement(
        variant=variant,
        cost=Cost(rom, RamParts(BLOCK, static, stack), timings, entries, 1),
        rejected=None,
        attribution=Attribution(4, (RomShare("body", rom, 1),), shares),
        source_sha256=rendered.sha256,
        reentrant=more.get("reentrant", static == 0),
        destroys_key=more.get("destroys_key", False),
        provenance=PROVENANCE,
    )


def measurements(operation: str, costs=None) -> list[Measurement]:
    """One measurement for each row of costs, of variants of the smallest block first."""
    costs = COSTS[operation] if costs is None else costs
    spec = load_space(TARGET, PRIMITIVE).of(operation)[0]
    knobs = islice(spec.variants(operation), len(costs))
    variants = [Variant(TARGET, PART, PRIMITIVE, operation, spec.name, values) for values in knobs]
    return [measurement(variant, *figures) for variant, figures in zip(variants, costs, strict=True)]


def cells(operation: str, measured: list[Measurement]) -> list[Cell]:
    """The cells of the package's budgets, all proved."""
    done: list[Cell] = []
    question = (TARGET, PART, PRIMITIVE, operation)
    space = space_digest(*question)
    for budget in load_budgets():
        fitting = [measurement for measurement in measured if fits(measurement, budget)]
        best = min(fitting, key=lambda measurement, budget=budget: rank(measurement, budget), default=None)
        by = next((cell.budget.name for cell in done if _reaches(cell, budget, best, measured)), None)
        status = "impossible" if best is None else "satiated" if by else "fits"
        kind = "infeasible" if best is None else "optimal"
        bound = rank(best, budget)[0] if best else None
        certificate = proof(kind, 1000, 50, bound=bound)
        done.append(Cell(*question, budget, status, best and best.variant.id, by, certificate, space))
    return done


def _reaches(cell: Cell, budget, best, measured) -> bool:
    if (
        best is None
        or budget.objective != "cycles"
        or cell.budget.objective != "cycles"
        or cell.variant_id is None
    ):
        return False
    winner = next(measurement for measurement in measured if measurement.variant.id == cell.variant_id)
    return contains(budget, cell.budget) and winner.cost.cycles == best.cost.cycles


def fill(store) -> None:
    """Put the fixture into a store."""
    for operation in COSTS:
        measured = measurements(operation)
        for measurement in measured:
            store.add(measurement)
        store.put_answers(cells(operation, measured))


def write(folder: Path, costs=COSTS) -> Path:
    """The fixture as a portfolio folder, with the costs of each operation."""
    from tightfit.harness import portfolio

    known = {operation: measurements(operation, rows) for operation, rows in costs.items()}
    every = [measurement for measured in known.values() for measurement in measured]
    answers = [cell for operation, measured in known.items() for cell in cells(operation, measured)]
    file = folder / TARGET / f"{PRIMITIVE}.json"
    file.parent.mkdir(parents=True)
    file.write_text(portfolio.render(TARGET, PRIMITIVE, every, answers))
    templates = {m.variant.template: {"sources": sources_of(m.variant), "texts": {}} for m in every}
    replace_texts(portfolio.measurement_texts(file, TARGET, PRIMITIVE, every, templates))
    return folder
