"""`tightfit table`."""

import click

from tightfit import api
from tightfit.commands.nametypes import KIND, PRIMITIVE, TARGET
from tightfit.commands.options import chain, condition_options, json_option, part_option
from tightfit.commands.output import emit
from tightfit.conditions import titles
from tightfit.errors import UsageError
from tightfit.reports import bestof, curves, portfolio, supercop
from tightfit.reports.criteria import CRITERIA
from tightfit.reports.document import FORMATS, write
from tightfit.reports.subject import places

SUPERCOP = "supercop"
_criterion = click.Choice(tuple(CRITERIA))


@click.command("table")
@click.option("--target", type=TARGET, metavar="ID", help="Only what runs on this; all targets otherwise.")
@part_option
@click.option(
    "--primitive",
    "primitives",
    type=PRIMITIVE,
    metavar="PRIMITIVE",
    multiple=True,
    help="Only this primitive; repeatable.",
)
@click.option("--kind", type=KIND, metavar="KIND", help="Only primitives of this kind, such as hash.")
@click.option("--curve", is_flag=True, help="Cycles of whole messages by their length instead.")
@click.option("--best-of", type=_criterion, help="The best variant of each primitive on each target instead.")
@click.option("--ranking", type=_criterion, help="Points for the best primitives, over all targets, instead.")
@click.option(
    "--format", "form", type=click.Choice((*FORMATS, SUPERCOP)), default="text", help="How to write it."
)
@chain(condition_options, json_option)
def command(target, part, primitives, kind, curve, best_of, ranking, form, only, as_json) -> None:
    """The portfolio of a target, or of all, the published figures beside ours."""
    if sum(map(bool, (curve, best_of, ranking))) > 1:
        raise UsageError("one of --curve, --best-of and --ranking at a time")
    if form == SUPERCOP and (curve or best_of or ranking):
        raise UsageError(
            "--format supercop goes with the portfolio: leave out --curve, --best-of and --ranking"
        )
    asked = {"part": part, "primitives": primitives, "kind": kind, "only": only}
    if best_of:
        lists = api.best_of(best_of, target, **asked)
        emit(bestof.best_form(lists), write(bestof.best_document(lists), form), as_json)
    elif ranking:
        lists = api.best_of(ranking, target, **asked)
        emit(bestof.ranking_form(lists), write(bestof.ranking_document(lists), form), as_json)
    elif curve:
        pages = api.table(target, **asked)
        page = curves.document(pages, _title("message lengths", target, part, only))
        emit(curves.form(pages), write(page, form), as_json)
    else:
        pages = api.table(target, **asked)
        title = _title("portfolio", target, part, only)
        emit(portfolio.portfolio_form(pages), _written(pages, title, form), as_json)


def _written(pages: list[portfolio.Portfolio], title: str, form: str) -> str:
    if form == SUPERCOP:
        return supercop.lines(pages)
    return write(portfolio.flat(pages) if form == "csv" else portfolio.document(pages, title), form)


def _title(what: str, target: str | None, part: str | None, only: tuple[str, ...]) -> str:
    where = ", ".join(f"{place.id} ({its_part.name})" for place, its_part in places(target, part))
    return f"tightfit {what}: {where}{titles(only)}"
