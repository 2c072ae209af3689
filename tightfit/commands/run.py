"""`tightfit run`."""

from pathlib import Path

import click

from tightfit.commands.options import chain, json_option, part_option, target_option
from tightfit.commands.output import emit, note
from tightfit.targets import load_target


@click.command("run")
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
    "--limit",
    type=click.IntRange(1, 2**63 - 1),
    default=1_000_000_000,
    help="Cycles after which it is given up.",
)
@json_option
def command(image, target, part, profile, uninit, limit, as_json) -> None:
    """Run a firmware image to its end: cycles, waits, stack, registers.

    It ends at BRK, HALT, STOP or a branch to itself; any other end is an error, exit status 1.
    """
    from tightfit.harness.simulator import run_elf
    from tightfit.reports.run import form, text

    place = load_target(target)
    done = run_elf(image, place, place.part(part), cycle_limit=limit, profile=profile, uninit=uninit)
    emit(form(image, done), text(image, done), as_json)
    if not done.ended:
        note(f"{image}: {done.run.message}")
        raise click.exceptions.Exit(1)
