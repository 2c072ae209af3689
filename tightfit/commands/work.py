"""`fill`, `verify`, `run`: the work that needs the toolchain or the simulator."""

from contextlib import nullcontext
from pathlib import Path

import click

from tightfit.commands.options import (
    chain,
    json_option,
    part_option,
    primitive_argument,
    target_option,
    workers_option,
)
from tightfit.commands.output import emit, known_store, note
from tightfit.errors import UsageError
from tightfit.generator import load_space
from tightfit.generator.space import Space
from tightfit.harness.store import Store
from tightfit.primitives import load_primitive
from tightfit.targets import load_target


@click.command()
@click.argument("primitives", metavar="PRIMITIVE...", nargs=-1, required=True)
@chain(target_option, part_option)
@click.option(
    "--operation", "operations", metavar="OPERATION", multiple=True, help="Only this one; repeatable."
)
@click.option(
    "--budgets", "budgets_file", type=Path, metavar="FILE", help="A budgets.yaml instead of the package's."
)
@click.option(
    "--portfolio", type=Path, metavar="DIR", help="Also write the portfolio's JSON into this folder."
)
@click.option(
    "--cluster", metavar="tcp://HOST:PORT", help="Measure on the workers of this Dask scheduler instead."
)
@chain(workers_option, json_option)
def fill(primitives, target, part, operations, budgets_file, portfolio, cluster, workers, as_json) -> None:
    """Search and measure until every cell is answered; resumes where it was stopped."""
    from tightfit.commands import filling
    from tightfit.harness.cluster import Cluster

    if cluster and workers:
        raise UsageError("--workers counts processes of this machine; with --cluster its workers measure")

    place = load_target(target)
    jobs = [
        filling.Job(one, operation, place, place.part(part), budgets_file)
        for one in map(load_primitive, dict.fromkeys(primitives))
        for operation in _offered(load_space(target, one.id), _chosen(one, operations), operations)
    ]
    with Store.open() as store, Cluster(cluster) if cluster else nullcontext() as far:
        done = [filling.fill(job, store, workers, cluster=far) for job in jobs]
        written = [] if portfolio is None else filling.write_portfolio(store, jobs, portfolio)
    emit([filling.form(one) for one in done], "\n".join([*map(filling.text, done), *written]), as_json)


def _chosen(primitive, operations: tuple[str, ...]) -> list[str]:
    for name in operations:
        primitive.operation(name)
    return [name for name in primitive.operations if not operations or name in operations]


def _offered(space: Space, chosen: list[str], asked: tuple[str, ...]) -> list[str]:
    """Those of the chosen operations that the space has templates for; all that were asked for must be."""
    for name in asked:
        if not space.of(name):
            offered = dict.fromkeys(one for spec in space.templates.values() for one in spec.operations)
            where = f"{space.primitive} on {space.target}"
            raise UsageError(f"no template of {where} offers {name}; they offer {', '.join(offered)}")
    return [name for name in chosen if space.of(name)]


@click.command()
@chain(primitive_argument, target_option, part_option)
@click.option("--vectors", type=Path, metavar="FILE", help="Known answers to check as well.")
@click.option(
    "--operation", "operations", metavar="OPERATION", multiple=True, help="Only this one; repeatable."
)
@json_option
def verify(primitive, target, part, vectors, operations, as_json) -> None:
    """Every winner against known answers, iterated ones included, and through the full gate.

    Exit status 1 if any winner fails, or if there is none.
    """
    from tightfit.commands import verifying

    one = load_primitive(primitive)
    place = load_target(target)
    extra = verifying.load(vectors, one) if vectors else []
    with known_store() as store:
        winners = [
            winner
            for operation in _chosen(one, operations)
            for winner in verifying.winners(store.known(target, place.part(part).name, primitive, operation))
        ]
    results = verifying.verify(winners, place, place.part(part), one, extra)
    emit(verifying.form(one, extra, results), verifying.text(one, extra, results), as_json)
    if not results or any(reason for _, reason in results):
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("image", type=Path, metavar="IMAGE.elf")
@chain(target_option, part_option)
@click.option("--profile", is_flag=True, help="Also the cycles of each function.")
@click.option(
    "--uninit",
    type=click.Choice(("error", "warn", "off")),
    default="error",
    help="What a read of never-written RAM does.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=1_000_000_000, help="Cycles after which it is given up."
)
@json_option
def run(image, target, part, profile, uninit, limit, as_json) -> None:
    """Run a firmware image to its end: cycles, waits, stack, registers.

    It ends at BRK, HALT, STOP or a branch to itself; any other end is an error, exit status 1.
    """
    from tightfit.commands import running

    found = running.run(image, load_target(target), part, profile, uninit, limit)
    emit(running.form(image, found), running.text(image, found), as_json)
    if not found.ended:
        note(f"{image}: {found.run.message}")
        raise click.exceptions.Exit(1)
