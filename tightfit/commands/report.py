"""`tightfit report`."""

import dataclasses
from pathlib import Path

import click

from tightfit import api
from tightfit.commands.nametypes import TARGET
from tightfit.commands.options import chain, condition_options, json_option
from tightfit.commands.output import emit
from tightfit.exporter.folder import expect_folder
from tightfit.exporter.report import MADE_BY, write_report
from tightfit.targets.progress import shown


@click.command("report")
@click.option(
    "--out", "folder", type=Path, metavar="DIR", required=True, help="A new folder, or an earlier report."
)
@click.option("--target", type=TARGET, metavar="ID", help="Only what runs on this; all targets otherwise.")
@chain(condition_options, json_option)
def command(folder: Path, target: str | None, only: tuple[str, ...], as_json: bool) -> None:
    """The portfolio as pages of HTML that need no server: open index.html."""
    expect_folder(folder, MADE_BY)
    with api.view(attribution=False) as store, shown() as progress:
        report = write_report(store, folder, target, only, progress)
    form = {
        "folder": str(folder),
        "files": list(report.files),
        "unfilled": [dataclasses.asdict(core_class) for core_class in report.unfilled],
    }
    lines = [f"{folder / 'index.html'}: {len(report.files)} files", *map(str, report.unfilled)]
    emit(form, "\n".join(lines), as_json)
