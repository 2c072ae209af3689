"""`tightfit table`."""

import click

from tightfit import api
from tightfit.commands.nametypes import KIND, PRIMITIVE, TARGET
from tightfit.commands.options import chain, condition_options, json_option, part_option
from tightfit.commands.output import emit, show
from tightfit.conditions import titles
from tightfit.errors import UsageError
from tightfit.reports import bestof, curves, estream, finalists, overview, portfolio, supercop
from tightfit.reports.criteria import CRITERIA
from tightfit.reports.document import FORMATS, Document, write
from tightfit.reports.picture import picture
from tightfit.reports.subject import places

SUPERCOP, SVG, TEXT = "supercop", "svg", "text"
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
@click.option(
    "--all", "everything", is_flag=True, help="Every operation, and the grids of a single primitive."
)
@click.option("--wide", is_flag=True, help="All there is: proofs, variants, compilers, sources.")
@click.option("--curve", is_flag=True, help="Cycles of whole messages by their length instead.")
@click.option("--best-of", type=_criterion, help="The best variant of each primitive on each target instead.")
@click.option(
    "--ranking",
    type=click.Choice((*CRITERIA, finalists.NAME)),
    help="Points for the best primitives, over all targets, instead; sha3-finalists: beside a published one.",
)
@click.option(
    "--measures",
    type=click.Choice((estream.NAME,)),
    help="Stream ciphers by eSTREAM's measures instead: long streams, packets, their mix, set-up.",
)
@click.option(
    "--format", "form", type=click.Choice((*FORMATS, SUPERCOP, SVG)), default="text", help="How to write it."
)
@chain(condition_options, json_option)
def command(
    target, part, primitives, kind, everything, wide, curve, best_of, ranking, measures, form, only, as_json
) -> None:
    """The portfolio of a target, or of all, the published figures beside ours."""
    if sum(map(bool, (curve, best_of, ranking, measures))) > 1:
        raise UsageError("one of --curve, --best-of, --ranking and --measures at a time")
    if form in (SUPERCOP, SVG) and (curve or best_of or ranking or measures):
        raise UsageError(
            f"--format {form} goes with the portfolio: leave out --curve, --best-of, --ranking and --measures"
        )
    if measures and kind not in (None, estream.KIND):
        raise UsageError(f"--measures {measures} is for stream ciphers: leave out --kind {kind}")
    asked = {"part": part, "primitives": primitives, "kind": kind, "only": only}
    if best_of:
        lists = api.best_of(best_of, target, **asked)
        _print(bestof.best_form(lists), bestof.best_document(lists), form, as_json)
    elif ranking == finalists.NAME:
        lists = {by: api.best_of(by, target, **asked) for by in finalists.BY}
        _print(finalists.form(lists), finalists.document(lists), form, as_json)
    elif ranking:
        lists = api.best_of(ranking, target, **asked)
        _print(bestof.ranking_form(lists), bestof.ranking_document(lists), form, as_json)
    elif measures:
        pages = api.table(target, **{**asked, "kind": estream.KIND})
        page = estream.document(pages, _title("eSTREAM's measures", target, part, only))
        _print(estream.form(pages), page, form, as_json)
    elif curve:
        pages = api.table(target, **asked)
        page = curves.document(pages, _title("message lengths", target, part, only))
        _print(curves.form(pages), page, form, as_json)
    elif as_json or form != TEXT or wide:
        _print_whole(api.table(target, **asked), _title("portfolio", target, part, only), form, as_json)
    else:
        pages = api.table(target, **asked) if everything else api.overview(target, **asked)
        title = _title("portfolio", target, part, only)
        show(None, overview.document(pages, title, everything), False)


def _print_whole(pages: list[portfolio.Portfolio], title: str, form: str, as_json: bool) -> None:
    """All there is, in any form."""
    every = portfolio.portfolio_form(pages) if as_json else None
    if form == SUPERCOP:
        emit(every, supercop.lines(pages), as_json)
    elif form == SVG:
        emit(every, picture(pages), as_json)
    else:
        page = portfolio.flat(pages) if form == "csv" else portfolio.document(pages, title)
        _print(every, page, form, as_json, wide=True)


def _print(everything: object, page: Document, form: str, as_json: bool, wide: bool = False) -> None:
    if form == TEXT:
        show(everything, page, as_json, wide)
    else:
        emit(everything, write(page, form), as_json)


def _title(what: str, target: str | None, part: str | None, only: tuple[str, ...]) -> str:
    where = ", ".join(f"{place.id} ({its_part.name})" for place, its_part in places(target, part))
    return f"tightfit {what}: {where}{titles(only)}"
