"""`table`: the portfolio, and what else many cells show when they stand side by side."""

import click

from tightfit.budgets import load_budgets
from tightfit.commands.options import chain, constant_path_option, json_option, of_kind, part_option
from tightfit.commands.output import emit, known_store
from tightfit.errors import UsageError
from tightfit.primitives import Primitive, load_primitive, primitive_ids
from tightfit.reports import bestof, curves, supercop
from tightfit.reports import portfolio as portfolios
from tightfit.reports.criteria import CRITERIA
from tightfit.reports.document import FORMATS, write
from tightfit.reports.known import Current
from tightfit.targets import Part, Target, load_target, target_ids

SUPERCOP = "supercop"
Place = tuple[Target, Part]
_criterion = click.Choice(tuple(CRITERIA))


@click.command()
@click.option("--target", metavar="ID", help="Only what runs on this; all targets otherwise.")
@part_option
@click.option(
    "--primitive", "only", metavar="PRIMITIVE", multiple=True, help="Only this primitive; repeatable."
)
@click.option("--kind", metavar="KIND", help="Only primitives of this kind, such as hash.")
@click.option("--curve", is_flag=True, help="Cycles of whole messages by their length instead.")
@click.option("--best-of", type=_criterion, help="The best variant of each primitive on each target instead.")
@click.option("--ranking", type=_criterion, help="Points for the best primitives, over all targets, instead.")
@click.option(
    "--format", "form", type=click.Choice((*FORMATS, SUPERCOP)), default="text", help="How to write it."
)
@chain(constant_path_option, json_option)
def table(target, part, only, kind, curve, best_of, ranking, form, constant_path, as_json) -> None:
    """The portfolio of a target, or of all, the published figures beside ours."""
    if part is not None and target is None:
        raise UsageError(f"--part {part}: of which target? say --target, one of {', '.join(target_ids())}")
    if sum(map(bool, (curve, best_of, ranking))) > 1:
        raise UsageError("one of --curve, --best-of and --ranking at a time")
    if form == SUPERCOP and (curve or best_of or ranking):
        raise UsageError(
            "--format supercop goes with the portfolio: leave out --curve, --best-of and --ranking"
        )
    places = [(one, one.part(part)) for one in map(load_target, [target] if target else target_ids())]
    chosen = of_kind(map(load_primitive, only or primitive_ids()), kind)
    with known_store() as store:
        if best_of or ranking:
            lists = [_best(store, place, chosen, best_of or ranking, constant_path) for place in places]
        else:
            pages = _pages(store, places, chosen, constant_path)
    if best_of:
        emit(bestof.best_form(lists), write(bestof.best_document(lists), form), as_json)
        return
    if ranking:
        emit(bestof.ranking_form(lists), write(bestof.ranking_document(lists), form), as_json)
        return
    on = ", ".join(f"{target.id} ({part.name})" for target, part in places)
    title = f"tightfit portfolio: {on}" + (", constant path only" if constant_path else "")
    if curve:
        page = curves.document(pages, title.replace("portfolio", "message lengths"))
        emit(curves.form(pages), write(page, form), as_json)
        return
    if form == SUPERCOP:
        emit(portfolios.portfolio_form(pages), supercop.lines(pages), as_json)
        return
    page = portfolios.flat(pages) if form == "csv" else portfolios.document(pages, title)
    emit(portfolios.portfolio_form(pages), write(page, form), as_json)


def _pages(
    store: Current, places: list[Place], chosen: list[Primitive], constant_path: bool
) -> list[portfolios.Portfolio]:
    every = [
        portfolios.gather(
            one,
            target.id,
            part.name,
            operation,
            store.known(target.id, part.name, one.id, operation, constant_path),
            load_budgets(),
        )
        for target, part in places
        for one in chosen
        for operation in one.operations
    ]
    return [one for one in every if not one.is_empty]


def _best(
    store: Current, place: Place, chosen: list[Primitive], criterion: str, constant_path: bool
) -> bestof.Best:
    """The list of one part; each primitive stands for its first operation."""
    target, part = place[0].id, place[1].name
    known = [
        store.known(target, part, primitive.id, primitive.first_operation, constant_path)
        for primitive in chosen
    ]
    usable = [one for each in known for one in each.usable]
    baselines = [one for each in known for one in each.baselines]
    return bestof.best_of(criterion, target, part, usable, baselines)
