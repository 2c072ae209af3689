"""`tightfit ask`."""

import click

from tightfit import api
from tightfit.budgets import budget
from tightfit.commands.nametypes import KIND, NEED, SUBJECT, TARGET
from tightfit.commands.options import (
    amounts,
    chain,
    condition_options,
    is_said,
    json_option,
    part_option,
    ram_option,
    reentrant_option,
    rom_option,
    weight_option,
)
from tightfit.commands.output import emit, fitted, show
from tightfit.errors import UsageError
from tightfit.reports.filters import filters as filters_of
from tightfit.reports.scope import Wanted, names_place
from tightfit.reports.scope import scope as scope_of
from tightfit.targets import target_ids

_ALONE = (
    "kind",
    "key_bits",
    "block_bits",
    "security",
    "reentrant",
    "message",
    "clock",
    "under",
    "toolchain",
    "everything",
)
"""What does not go with --need."""
MANY = 24
"""Answers that are printed one by one; of more of them, the first of each kind and target."""
_bits = click.IntRange(min=1)


@click.command("ask")
@click.argument("names", type=SUBJECT, metavar="[NAME]...", nargs=-1)
@click.option("--target", type=TARGET, metavar="ID", help="What it runs on; every target otherwise.")
@chain(part_option, rom_option, ram_option)
@click.option("--kind", type=KIND, metavar="KIND", help="Only primitives of this kind, such as hash.")
@click.option("--key-bits", type=_bits, metavar="BITS", help="Only ciphers with a key of this length.")
@click.option("--block-bits", type=_bits, metavar="BITS", help="Only primitives with a block of this length.")
@click.option(
    "--security", type=_bits, metavar="BITS", help="Only primitives of this strength or more (classical)."
)
@reentrant_option
@click.option("--message", type=int, metavar="BYTES", help="Rank by whole messages of this length.")
@click.option("--clock", metavar="CLOCK", help="Also in milliseconds, at a clock such as 8MHz.")
@click.option("--under", metavar="TIME", help="Only what takes no longer, at its slowest, such as 5ms.")
@click.option("--toolchain", metavar="NAME", help="Count the interface of a toolchain, as export has it.")
@click.option(
    "--need",
    "needs",
    type=NEED,
    metavar="PRIMITIVE[:OPERATION]",
    multiple=True,
    help="Instead of names: several primitives under one budget; repeatable.",
)
@weight_option
@click.option(
    "--sum-ram",
    is_flag=True,
    help="With --need: add up their RAM; otherwise work areas are not alive together.",
)
@click.option("--all", "everything", is_flag=True, help="Every answer, where otherwise the first lead.")
@chain(condition_options, json_option)
@click.pass_context
def command(
    context,
    names,
    target,
    part,
    rom,
    ram,
    kind,
    key_bits,
    block_bits,
    security,
    reentrant,
    message,
    clock,
    under,
    toolchain,
    needs,
    weights,
    sum_ram,
    everything,
    only,
    as_json,
) -> None:
    """The fastest variant that fits, what limits it, what the next budget would buy.

    NAME is a primitive or a family, a kind, an operation, a target or a part, in any spelling and order. What
    is left out is answered for all there is.
    """
    if needs:
        if beside := [name for name in ("names", *_ALONE) if is_said(context, name)]:
            raise UsageError(f"--need stands alone: expected no {beside[0].replace('_', '-')} beside it")
    elif names:
        target, part, kind = _unless_named(context, names, target, part, kind)
    wanted = Wanted(kind, key_bits, block_bits, security)
    filters = filters_of(reentrant=reentrant, message=message, clock=clock, under=under, toolchain=toolchain)
    where = {"target": target, "part": part, "rom": rom, "ram": ram, "only": only}
    if needs:
        places = scope_of(target=target, part=part).places
        if len(places) > 1:
            raise UsageError(f"--need: on which target? say --target, one of {', '.join(target_ids())}")
        where |= {"target": places[0][0].id, "part": places[0][1].name}
        _print_together(api.ask_together(needs, weights=amounts(weights), tasks=sum_ram, **where), as_json)
        return
    if weights or sum_ram:
        raise UsageError("--weight and --sum-ram go with --need: ask for each --need PRIMITIVE[:OPERATION]")
    scope = scope_of(names, wanted=wanted, target=target, part=part)
    if scope.is_one:
        asked = scope.subjects()[0]
        where |= {"target": asked.target.id, "part": asked.part.name, "filters": filters}
        _print_answer(api.ask(asked.primitive.id, asked.operation, **where), as_json)
    elif everything or as_json or len(scope.subjects()) <= MANY:
        from tightfit.reports.ranking import ranking_document, ranking_form

        ranked = api.ask_all(*names, wanted=wanted, filters=filters, **where)
        page = ranking_document(budget(rom, ram, only=only), filters, ranked, wanted.titles())
        show(ranking_form(kind, ranked), page, as_json)
    else:
        from tightfit.reports.leading import leading_document

        leaders = api.ask_leading(*names, wanted=wanted, filters=filters, **where)
        show(None, leading_document(budget(rom, ram, only=only), filters, leaders, wanted.titles()), False)


def _unless_named(context, names, target, part, kind) -> tuple[str | None, str | None, str | None]:
    """Target, part and kind without those that only settings have, where names may say another."""
    if not is_said(context, "kind"):
        kind = None
    if names_place(names):
        target = target if is_said(context, "target") else None
        part = part if is_said(context, "part") else None
    return target, part, kind


def _print_answer(answer, as_json: bool) -> None:
    from tightfit.reports.answertext import published_within, text
    from tightfit.reports.forms import asked_form

    emit(asked_form(answer), fitted(text(answer, published_within(answer.question))), as_json)


def _print_together(together, as_json: bool) -> None:
    from tightfit.reports.togethertext import form, text

    emit(form(together), fitted(text(together)), as_json)
