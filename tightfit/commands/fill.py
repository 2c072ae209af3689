"""`tightfit fill`."""

from pathlib import Path

import click

from tightfit import api
from tightfit.commands.nametypes import PRIMITIVE, TARGET
from tightfit.commands.options import (
    chain,
    condition_options,
    json_option,
    operations_option,
    part_option,
    ram_option,
    rom_option,
    workers_option,
)
from tightfit.commands.output import emit


@click.command("fill")
@click.argument("primitives", type=PRIMITIVE, metavar="[PRIMITIVE...]", nargs=-1)
@click.option("--target", type=TARGET, metavar="ID", help="What it runs on; every target otherwise.")
@chain(part_option, operations_option)
@click.option(
    "--budgets", "budgets_file", type=Path, metavar="FILE", help="A budgets.yaml instead of the package's."
)
@chain(rom_option, ram_option, condition_options)
@click.option(
    "--portfolio", type=Path, metavar="DIR", help="Also write the portfolio's JSON into this folder."
)
@click.option(
    "--cluster", metavar="tcp://HOST:PORT", help="Measure on the workers of this Dask scheduler instead."
)
@click.option("--anew", is_flag=True, help="Search again where nothing has changed since.")
@chain(workers_option, json_option)
def command(
    primitives,
    target,
    part,
    operations,
    budgets_file,
    rom,
    ram,
    portfolio,
    cluster,
    anew,
    workers,
    only,
    as_json,
) -> None:
    """Search and measure until every cell is answered; resumes where it was stopped.

    Without a PRIMITIVE: all that have templates. With --rom or --ram: only this budget. What is proved, and
    rests on nothing that has changed since, is not searched again.
    """
    from tightfit.commands.display import display
    from tightfit.filling import outcome

    written: list[str] = []
    outcomes = api.fill(
        *primitives,
        target=target,
        part=part,
        operations=operations,
        budgets=budgets_file,
        rom=rom,
        ram=ram,
        only=only,
        portfolio=portfolio,
        workers=workers,
        cluster=cluster,
        anew=anew,
        note=written.append,
        progress=display,
    )
    emit(list(map(outcome.form, outcomes)), "\n".join([outcome.text(outcomes), *written]), as_json)
