"""`tightfit measure`."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from tightfit import api
from tightfit.commands.nametypes import OPERATION, PRIMITIVE
from tightfit.commands.options import chain, exactly_one, json_option, part_option, target_option
from tightfit.commands.output import emit, note
from tightfit.contenders.candidates import INTERFACES
from tightfit.contenders.compiler import LEVELS
from tightfit.contenders.path import LEVELS as LEVEL_SETS
from tightfit.errors import UsageError
from tightfit.reports import measured
from tightfit.targets.progress import shown


@click.command("measure")
@click.argument("paths", metavar="PATH...", type=Path, nargs=-1)
@chain(target_option, part_option)
@click.option("--primitive", type=PRIMITIVE, metavar="PRIMITIVE", help="What files compute.")
@click.option(
    "--operation", type=OPERATION, metavar="OPERATION", help="Only this one; otherwise all that files have."
)
@click.option("--name", metavar="NAME", help="Which routine NAME_ENTRY of files that have several.")
@click.option("--call", metavar="CALLS", help="How to encrypt a block or to hash a message, in calls.")
@click.option("--setup", metavar="CALLS", help="With --call: what prepares a key.")
@click.option("--decrypt", metavar="CALLS", help="With --call: how to decrypt a block.")
@click.option(
    "--interface",
    type=click.Choice(INTERFACES),
    help="Files with makeKey, cipherInit and blockEncrypt, as --header declares them.",
)
@click.option("--header", "headers", metavar="FILE", multiple=True, help="The files' own; repeatable.")
@click.option(
    "--level", "levels", type=click.Choice(LEVELS), multiple=True, help="Optimisation of C; repeatable."
)
@click.option("--cc", "flags", metavar="FLAGS", multiple=True, help="Flags for C instead; repeatable.")
@click.option(
    "--finalists", is_flag=True, help="Without PATH: the five finalists of AES, by our references in C."
)
@json_option
def command(paths, target, part, levels, flags, finalists, as_json, **described) -> None:
    """Somebody else's routine, tested and counted by the same rules.

    PATH... are the files of one routine in C, C++ or assembly, with the one-pointer interface, or as --call
    or --interface says; or a YAML file that describes it; or a folder in the layout of SUPERCOP and XBX:
    hashes, stream ciphers, authenticated encryption and MACs. C is compiled with -Os, -O2 and -O3 if nothing
    else is said. --finalists measures Rijndael, Serpent, Twofish, RC6 and MARS instead. Exit status 1 if
    anything was rejected.
    """
    sets = (*((level,) for level in levels), *map(_words, flags))
    exactly_one("measure PATH... or measure --finalists: expected one of them", bool(paths), finalists)
    if finalists:
        _finalists(target, part, sets, described, as_json)
        return
    with shown() as progress:
        done = api.measure(
            paths, target=target, part=part, flags=sets, note=note, progress=progress, **described
        )
    emit(measured.form(done), measured.text(done), as_json)
    if done.rejected:
        raise click.exceptions.Exit(1)


def _finalists(
    target: str, part: str | None, sets: Sequence[tuple[str, ...]], described: Mapping, as_json: bool
) -> None:
    """The table of the finalists; nothing is kept."""
    from tightfit.contenders import finalists
    from tightfit.reports import aesfinalists

    for name, value in described.items():
        if value:
            raise UsageError(f"--finalists: expected no --{name.rstrip('s')} beside it")
    with shown() as progress:
        rows = finalists.measure(target, part, sets or LEVEL_SETS, progress)
    emit(aesfinalists.form(rows), aesfinalists.text(rows), as_json)
    if any(row.rejected for row in rows):
        raise click.exceptions.Exit(1)


def _words(flags: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(flags))
    except ValueError as error:
        raise UsageError(f"--cc: {error}: {flags}") from None
