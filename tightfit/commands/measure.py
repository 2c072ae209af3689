"""`tightfit measure`."""

import shlex
from pathlib import Path

import click

from tightfit import api
from tightfit.commands.nametypes import OPERATION, PRIMITIVE
from tightfit.commands.options import chain, json_option, part_option, target_option
from tightfit.commands.output import emit, note
from tightfit.contenders.compiler import LEVELS
from tightfit.errors import UsageError
from tightfit.reports import measured
from tightfit.targets.progress import shown


@click.command("measure")
@click.argument("path", type=Path)
@chain(target_option, part_option)
@click.option("--primitive", type=PRIMITIVE, metavar="PRIMITIVE", help="What a single file computes.")
@click.option(
    "--operation", type=OPERATION, metavar="OPERATION", help="Only this one; otherwise all that the file has."
)
@click.option("--name", metavar="NAME", help="Which routine NAME_ENTRY of a file that has several.")
@click.option(
    "--level", "levels", type=click.Choice(LEVELS), multiple=True, help="Optimisation of C; repeatable."
)
@click.option("--cc", "flags", metavar="FLAGS", multiple=True, help="Flags for C instead; repeatable.")
@json_option
def command(path, target, part, primitive, operation, name, levels, flags, as_json) -> None:
    """Somebody else's routine, tested and counted by the same rules.

    PATH is a file of C or assembly with the one-pointer interface, or a folder in the layout of SUPERCOP
    and XBX. C is compiled with -Os, -O2 and -O3 if nothing else is said. Exit status 1 if anything was
    rejected.
    """
    sets = (*((level,) for level in levels), *map(_words, flags))
    with shown() as progress:
        done = api.measure(
            path,
            target=target,
            part=part,
            primitive=primitive,
            operation=operation,
            name=name,
            flags=sets,
            note=note,
            progress=progress,
        )
    emit(measured.form(done), measured.text(done), as_json)
    if done.rejected:
        raise click.exceptions.Exit(1)


def _words(flags: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(flags))
    except ValueError as error:
        raise UsageError(f"--cc: {error}: {flags}") from None
