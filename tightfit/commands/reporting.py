"""`report`: the portfolio as pages."""

from pathlib import Path

import click

from tightfit.budgets import load_budgets
from tightfit.commands.options import chain, constant_path_option, json_option
from tightfit.commands.output import emit, known_store
from tightfit.errors import WorkError
from tightfit.export.folder import write_folder
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.reports.portfolio import gather
from tightfit.reports.site import Shelf, site
from tightfit.targets import load_target, target_ids


@click.command()
@click.option(
    "--out", "folder", type=Path, metavar="DIR", required=True, help="A new folder, or an earlier report."
)
@click.option("--target", metavar="ID", help="Only what runs on this; all targets otherwise.")
@chain(constant_path_option, json_option)
def report(folder, target, constant_path, as_json) -> None:
    """The portfolio as pages of HTML that need no server: open index.html."""
    places = [(one.id, one.part(None).name) for one in map(load_target, [target] if target else target_ids())]
    with known_store() as store:
        every = [_shelf(store, *place, name, constant_path) for place in places for name in _operations()]
    shelves = [one for one in every if not one.portfolio.is_empty]
    if not shelves:
        raise WorkError("nothing is known of any primitive; `tightfit fill` searches")
    files = site(shelves)
    write_folder(folder, files, {"command": "tightfit report"})
    form = {"folder": str(folder), "files": list(files)}
    emit(form, f"{folder / 'index.html'}: {len(files)} files", as_json)


def _operations() -> list[tuple[str, str]]:
    return [(name, operation) for name in primitive_ids() for operation in load_primitive(name).operations]


def _shelf(store, target: str, part: str, question: tuple[str, str], constant_path: bool) -> Shelf:
    name, operation = question
    known = store.known(target, part, name, operation, constant_path)
    page = gather(load_primitive(name), target, part, operation, known, load_budgets())
    return Shelf(page, tuple(known.usable))
