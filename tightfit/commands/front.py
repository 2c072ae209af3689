"""`tightfit front`."""

from dataclasses import replace

import click

from tightfit import api
from tightfit.commands.options import (
    chain,
    condition_options,
    json_option,
    operation_argument,
    part_option,
    primitive_argument,
    target_option,
)
from tightfit.commands.output import show
from tightfit.generator import load_space
from tightfit.names import unknown
from tightfit.reports import contenders, words
from tightfit.reports import front as fronts
from tightfit.reports.subject import subject


@click.command("front")
@chain(primitive_argument, operation_argument, target_option, part_option)
@click.option("--template", metavar="NAME", help="Only this template.")
@chain(condition_options, json_option)
def command(primitive, operation, target, part, template, only, as_json) -> None:
    """The Pareto front over ROM, RAM and cycles, and the knobs that shape it."""
    asked = subject(primitive, operation, target, part)
    if template is not None:
        templates = load_space(target, primitive).templates
        if template not in templates:
            raise unknown("template", template, templates)
    with api.view(attribution=False) as store:
        known = store.known(*asked.names, only=only)
    usable = [each for each in known.usable if template in (None, each.variant.template)]
    points = fronts.front(usable)
    shaped = fronts.influences(points, usable)
    proved = known.front if template is None else None
    rivals = contenders.rivalries(known)
    where = f"{primitive} {operation} on {words.place(target, asked.part.name)}"
    page = fronts.document(points, shaped, f"{where}: {len(points)} of {len(usable)} known variants", proved)
    if rivals:
        page = replace(page, tables=(*page.tables, contenders.table(rivals, where)))
    form = {
        **fronts.front_form(points, shaped, proved),
        "contenders": list(map(contenders.rivalry_form, rivals)),
    }
    show(form, page, as_json)
