"""`tightfit ask`."""

import click

from tightfit import api
from tightfit.budgets import budget
from tightfit.commands.options import (
    amounts,
    chain,
    condition_options,
    exactly_one,
    json_option,
    part_option,
    ram_option,
    rom_option,
    target_option,
    weight_option,
)
from tightfit.commands.output import emit
from tightfit.errors import UsageError


@click.command("ask")
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
@chain(condition_options, json_option)
def command(
    primitive, operation, target, part, rom, ram, kind, needs, weights, sum_ram, only, as_json
) -> None:
    """The fastest variant that fits, what limits it, what the next budget would buy."""
    exactly_one(
        "ask for a PRIMITIVE and an OPERATION, for a --kind, or for each --need",
        primitive is not None,
        kind is not None,
        bool(needs),
    )
    if (weights or sum_ram) and not needs:
        raise UsageError("--weight and --sum-ram go with --need: ask for each --need PRIMITIVE[:OPERATION]")
    where = {"target": target, "part": part, "rom": rom, "ram": ram, "only": only}
    if needs:
        _print_together(api.ask_together(needs, weights=amounts(weights), tasks=sum_ram, **where), as_json)
    elif kind:
        _print_ranking(kind, api.ask_kind(kind, **where), rom, ram, as_json)
    else:
        _print_answer(api.ask(primitive, operation, **where), as_json)


def _print_answer(answer, as_json: bool) -> None:
    from tightfit.reports.answertext import text
    from tightfit.reports.forms import answer_form
    from tightfit.reports.portfolio import published_within

    emit(answer_form(answer), text(answer, published_within(answer.question)), as_json)


def _print_ranking(kind: str, ranked, rom: str | None, ram: str | None, as_json: bool) -> None:
    from tightfit.reports.ranking import ranking_form, ranking_text

    emit(ranking_form(kind, ranked), ranking_text(kind, budget(rom, ram), ranked), as_json)


def _print_together(together, as_json: bool) -> None:
    from tightfit.reports.togethertext import form, text

    emit(form(together), text(together), as_json)
