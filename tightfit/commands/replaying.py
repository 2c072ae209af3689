"""`replay`: stored measurements, repeated."""

from collections.abc import Iterator, Sequence

import click

from tightfit.commands.options import json_option
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
@json_option
def replay(variant: str | None, everything: bool, as_json: bool) -> None:
    """Repeat a stored measurement and say what moved.

    Exit status 1 if any figure moved.
    """
    if everything == bool(variant):
        raise UsageError("expected a VARIANT or --all, found " + ("both" if variant else "neither"))
    found = _all() if everything else [_one(variant)]
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


def _all() -> list:
    files = portfolio.files(portfolio_dir())
    if not files:
        raise UsageError(
            f"{portfolio_dir()}: expected portfolio files, found none; `make portfolio` fills a store"
        )
    with shown() as progress:
        return [found for file in files for found in _repeated(portfolio.read(file)[0], file.stem, progress)]


def _repeated(measurements: Sequence[Measurement], name: str, progress) -> Iterator:
    from tightfit.harness.bench import Bench
    from tightfit.harness.replay import replay as repeat

    benches: dict[tuple[str, str, str], Bench] = {}
    try:
        for done, then in enumerate(measurements, 1):
            of = (then.variant.target, then.variant.part, then.variant.primitive)
            benches[of] = benches.get(of) or Bench(*of)
            yield repeat(then, benches[of])
            progress(f"replay of {name}", done, len(measurements))
    finally:
        for bench in benches.values():
            bench.close()


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
