"""`ask`, `front`: questions that the store answers."""

from dataclasses import replace

import click

from tightfit.budgets import budget, load_budgets
from tightfit.commands.needs import ask_needs
from tightfit.commands.options import (
    chain,
    constant_path_option,
    json_option,
    of_kind,
    one_of,
    only_operation,
    operation_argument,
    part_option,
    primitive_argument,
    ram_option,
    rom_option,
    subject,
    target_option,
    weight_option,
)
from tightfit.commands.output import emit, known_store
from tightfit.errors import UsageError
from tightfit.generator import load_space
from tightfit.generator.space import unknown
from tightfit.primitives import Primitive, load_primitive, primitive_ids
from tightfit.records import Budget
from tightfit.reports import contenders, togethertext
from tightfit.reports import front as fronts
from tightfit.reports import portfolio as portfolios
from tightfit.reports.answer import Answer, Question, answer
from tightfit.reports.answertext import text
from tightfit.reports.document import write
from tightfit.reports.known import Current
from tightfit.reports.ranking import ranking, ranking_form, ranking_text
from tightfit.targets import load_target


@click.command()
@click.argument("primitive", metavar="[PRIMITIVE]", required=False)
@click.argument("operation", metavar="[OPERATION]", required=False)
@chain(target_option, part_option, rom_option, ram_option)
@click.option("--kind", metavar="KIND", help="Instead of one primitive: all of a kind, such as hash, ranked.")
@click.option(
    "--need",
    "needs",
    metavar="PRIMITIVE[:OPERATION]",
    multiple=True,
    help="Instead of one primitive: several under one budget; repeatable.",
)
@weight_option
@click.option(
    "--sum-ram",
    is_flag=True,
    help="With --need: add up their RAM; otherwise work areas are not alive together.",
)
@chain(constant_path_option, json_option)
def ask(
    primitive, operation, target, part, rom, ram, kind, needs, weights, sum_ram, constant_path, as_json
) -> None:
    """The fastest that fits, what limits it, what the next budget would buy."""
    one_of(
        "ask for a PRIMITIVE and an OPERATION, for a --kind, or for each --need",
        primitive is not None,
        kind is not None,
        bool(needs),
    )
    if (weights or sum_ram) and not needs:
        raise UsageError("--weight and --sum-ram go with --need: ask for each --need PRIMITIVE[:OPERATION]")
    asked = budget(rom, ram)
    with known_store() as store:
        if needs:
            found = ask_needs(store, needs, weights, target, part, asked, constant_path, sum_ram)
            emit(togethertext.form(found), togethertext.text(found), as_json)
            return
        if kind:
            _ask_kind(store, kind, target, part, asked, constant_path, as_json)
            return
        operation = operation or only_operation(load_primitive(primitive))
        one = subject(primitive, operation, target, part)
        known = store.known(*one.names, constant_path=constant_path)
        budgets = load_budgets()
        found = answer(Question(*one.names, asked), known, budgets)
        page = portfolios.gather(one.primitive, *_place(one), known, budgets)
        emit(portfolios.answer_form(found), text(found, portfolios.within(page, asked)), as_json)


def _place(one) -> tuple[str, str, str]:
    return one.target.id, one.part.name, one.operation


def _ask_kind(
    store: Current, kind: str, target: str, part: str | None, asked: Budget, constant_path, as_json
) -> None:
    place = load_target(target)
    part = place.part(part).name
    found: list[tuple[Primitive, Answer]] = []
    for one in of_kind(map(load_primitive, primitive_ids()), kind):
        known = store.known(target, part, one.id, one.first_operation, constant_path)
        question = Question(target, part, one.id, one.first_operation, asked)
        found.append((one, answer(question, known, load_budgets())))
    ranked = ranking(found)
    emit(ranking_form(kind, ranked), ranking_text(kind, asked, ranked), as_json)


@click.command()
@chain(primitive_argument, operation_argument, target_option, part_option)
@click.option("--template", metavar="NAME", help="Only this template.")
@chain(constant_path_option, json_option)
def front(primitive, operation, target, part, template, constant_path, as_json) -> None:
    """The Pareto front over ROM, RAM and cycles, and the knobs that shape it."""
    one = subject(primitive, operation, target, part)
    if template is not None:
        templates = load_space(target, primitive).templates
        if template not in templates:
            raise unknown("template", template, templates)
    with known_store() as store:
        known = store.known(*one.names, constant_path=constant_path)
    usable = [each for each in known.usable if template in (None, each.variant.template)]
    points = fronts.front(usable)
    shaped = fronts.influences(points, usable)
    where = f"{primitive} {operation} on {target} ({one.part.name})"
    title = f"{where}: {len(points)} of {len(usable)} known variants"
    rivals = contenders.rivalries(known)
    form = {**fronts.front_form(points, shaped), "contenders": list(map(contenders.rivalry_form, rivals))}
    page = fronts.document(points, shaped, title)
    if rivals:
        page = replace(page, tables=(*page.tables, contenders.table(rivals, where)))
    emit(form, write(page, "text"), as_json)
