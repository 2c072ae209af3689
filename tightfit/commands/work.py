"""`fill`, `verify`, `run`: the work that needs the toolchain or the simulator."""

from collections.abc import Sequence
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
from tightfit.generator import load_space, spaces
from tightfit.generator.space import Space
from tightfit.harness.store import Store
from tightfit.primitives import load_primitive
from tightfit.targets import Target, load_target, target_ids


@click.command()
@click.argument("primitives", metavar="[PRIMITIVE...]", nargs=-1)
@click.option("--target", metavar="ID", help="What it runs on; every target otherwise.")
@part_option
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
    """Search and measure until every cell is answered; resumes where it was stopped.

    Without a PRIMITIVE: all that have templates.
    """
    from tightfit.commands import filling
    from tightfit.commands.display import display
    from tightfit.harness.cluster import Cluster

    if cluster and workers:
        raise UsageError("--workers counts processes of this machine; with --cluster its workers measure")
    if part is not None and target is None:
        raise UsageError(f"--part {part}: of which target? say --target, one of {', '.join(target_ids())}")
    jobs = [
        filling.Job(load_primitive(primitive), operation, place, place.part(part), budgets_file)
        for place, primitive in _places(primitives, target)
        for operation in _offered(load_space(place.id, primitive), primitive, operations)
    ]
    with Store.open() as store:
        with Cluster(cluster) if cluster else nullcontext() as far, display(len(jobs)) as shown:
            done = [filling.fill(job, store, shown, workers, cluster=far) for job in jobs]
        written = [] if portfolio is None else filling.write_portfolio(store, jobs, portfolio)
    lines = [*map(filling.text, done), *filling.about_baselines(done), *written]
    emit([filling.form(one) for one in done], "\n".join(lines), as_json)


def _places(primitives: Sequence[str], target: str | None) -> list[tuple[Target, str]]:
    """Targets and primitives as asked for: all that have templates, where nothing narrows them."""
    names = [load_primitive(name).id for name in primitives]
    targets = target_ids() if target is None else [load_target(target).id]
    found = [(on, name) for on, name in spaces() if on in targets and (not names or name in names)]
    for name in names:
        if name not in (other for _, other in found):
            load_space(targets[0], name)  # says what there is
    return [(load_target(on), name) for on, name in found]


def _offered(space: Space, primitive: str, asked: tuple[str, ...]) -> list[str]:
    """The operations that the space has templates for; all that were asked for must be."""
    known = load_primitive(primitive)
    for name in asked:
        known.operation(name)
        if not space.of(name):
            offered = dict.fromkeys(one for spec in space.templates.values() for one in spec.operations)
            where = f"{space.primitive} on {space.target}"
            raise UsageError(f"no template of {where} offers {name}; they offer {', '.join(offered)}")
    return [name for name in known.operations if space.of(name) and (not asked or name in asked)]


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
    for name in operations:
        one.operation(name)
    extra = verifying.load(vectors, one) if vectors else []
    with known_store() as store:
        winners = [
            winner
            for operation in (operations or one.operations)
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
