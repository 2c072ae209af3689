"""`replay`: stored measurements, repeated."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from tightfit.commands.options import chain, json_option, workers_option
from tightfit.commands.output import emit
from tightfit.errors import UsageError
from tightfit.harness import portfolio
from tightfit.harness.store import Store
from tightfit.paths import portfolio_dir
from tightfit.records import Measurement
from tightfit.reports import words
from tightfit.reports.document import Document, Table, write
from tightfit.targets.progress import shown


@click.command()
@click.argument("variant", metavar="[VARIANT]", required=False)
@click.option(
    "--all", "everything", is_flag=True, help="Every measurement of the portfolio instead of one variant."
)
@chain(workers_option, json_option)
def replay(variant: str | None, everything: bool, workers: int | None, as_json: bool) -> None:
    """Repeat a stored measurement and say what moved.

    Exit status 1 if any figure moved.
    """
    if everything == bool(variant):
        raise UsageError("expected a VARIANT or --all, found " + ("both" if variant else "neither"))
    if workers and not everything:
        raise UsageError("--workers goes with --all: one variant is measured by one process")
    found = _all(workers) if everything else [_one(variant)]
    forms = [_form(one) for one in found]
    moved = [form for form in forms if not form["same"]]
    if everything:
        emit({"replayed": len(forms), "moved": moved}, _all_text(found), as_json)
    else:
        emit(forms[0], _text(found[0]), as_json)
    if moved:
        raise click.exceptions.Exit(1)


def _one(variant: str):
    from tightfit.harness.replay import replay as repeat

    with Store.open(read_only=True) as store:
        then = store.by_id(variant)
    return repeat(then)


def _all(workers: int | None) -> list:
    files = portfolio.files(portfolio_dir())
    if not files:
        raise UsageError(
            f"{portfolio_dir()}: expected portfolio files, found none; `make portfolio` fills a store"
        )
    with shown() as progress:
        return [found for file in files for found in _repeated(file, workers, progress)]


def _repeated(file: Path, workers: int | None, progress) -> list:
    """Every measurement of a portfolio file again, in the order of the file."""
    from tightfit.harness.replay import compare

    measurements = portfolio.read(file)[0]
    what, then = f"replay of {file.stem} on {file.parent.name}", {one.variant.id: one for one in measurements}
    found = {}
    for now in _measured(measurements, workers):
        found[now.variant.id] = compare(then[now.variant.id], now)
        progress(what, len(found), len(then))
    return [found[name] for name in then]


def _measured(measurements: Sequence[Measurement], workers: int | None) -> Iterator[Measurement]:
    """The same variants through the same gates, as they finish."""
    from tightfit.harness.crew import here

    groups: dict[tuple, list] = defaultdict(list)
    for one in measurements:
        variant = one.variant
        question = (variant.target, variant.part, variant.primitive)
        groups[question, one.provenance["gate"]].append(variant)
    for (question, gate), variants in groups.items():
        crew = here(question, workers)
        try:
            yield from crew.measure(variants, gate)
        finally:
            crew.close()


def _form(found) -> dict:
    return {
        "variant": found.then.variant.id,
        "same": found.same,
        "moved": [{"what": what, "then": old, "now": new} for what, old, new in found.moved],
        "changed": [{"what": what, "then": old, "now": new} for what, old, new in found.changed],
    }


def _all_text(found: Sequence) -> str:
    moved = [one for one in found if not one.same]
    head = f"{len(found)} measurements replayed: " + (
        f"{len(moved)} moved" if moved else "every figure as before"
    )
    return "\n".join([head, *(_text(one) for one in moved)])


def _text(found) -> str:
    fate = "every figure as before" if found.same else f"{len(found.moved)} figures moved"
    cost = found.now.cost
    figures = f" ({words.by_entry(cost)} cycles, {cost.rom} B of ROM, {cost.ram} B of RAM)" if cost else ""
    head = f"variant {found.then.variant.id}: {fate}{figures}"
    tables = [
        Table(caption, ("what", "then", "now"), tuple((what, str(old), str(new)) for what, old, new in rows))
        for caption, rows in (("moved", found.moved), ("changed since", found.changed))
        if rows
    ]
    return write(Document(head, tuple(tables)), "text")
