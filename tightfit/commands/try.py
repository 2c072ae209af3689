"""`tightfit try`."""

import click

from tightfit import api
from tightfit.commands.nametypes import OPERATION
from tightfit.commands.options import json_option, part_option
from tightfit.commands.output import emit, note
from tightfit.generator.naming import knobs_of
from tightfit.reports import trial


@click.command("try")
@click.argument("template", metavar="TEMPLATE")
@click.argument("knobs", metavar="[KNOB=VALUE]...", nargs=-1)
@click.option(
    "--operation",
    type=OPERATION,
    metavar="OPERATION",
    help="What it computes; the template's first otherwise.",
)
@part_option
@click.option(
    "--gate", type=click.Choice(("search", "full")), default="search", help="full: many more inputs."
)
@click.option("--source", is_flag=True, help="Also the source that was assembled, its lines numbered.")
@json_option
def command(template, knobs, operation, part, gate, source, as_json) -> None:
    """One variant of a template: cost by fragment, or why it is rejected and by which line.

    TEMPLATE is TARGET/PRIMITIVE/TEMPLATE, or the path of its folder. Knobs that are left out have the first
    values that go with the others. Nothing is kept. Exit status 1 if it is rejected.
    """
    done = api.trial(template, knobs_of(knobs), operation=operation, part=part, gate=gate)
    emit(trial.form(done, source), trial.text(done, source), as_json)
    if done.measurement.rejected:
        note(f"rejected: {done.measurement.rejected}")
        raise click.exceptions.Exit(1)
