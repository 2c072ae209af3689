"""`tightfit explore`."""

from pathlib import Path

import click

from tightfit.commands.nametypes import PRIMITIVE
from tightfit.commands.output import note
from tightfit.errors import UsageError, WorkError
from tightfit.textfile import expect_writable

DEFAULT_PORT = 5006


@click.command("explore")
@click.option(
    "--out",
    type=Path,
    metavar="FOLDER",
    help="Write a folder that works from a disk instead: a new one, or an earlier explorer.",
)
@click.option(
    "--one-file",
    "primitive",
    type=PRIMITIVE,
    metavar="PRIMITIVE",
    help="With --out FILE.html: this primitive on all targets in one file, to be mailed.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="Port of this machine; 0 for any free one.",
)
@click.option("--no-browser", is_flag=True, help="Serve, but open no browser.")
@click.option(
    "--listings", is_flag=True, help="With --out: bytes and cycles of every line, which takes a toolchain."
)
def command(out: Path | None, primitive: str | None, port: int, no_browser: bool, listings: bool) -> None:
    """What fits, the trade-off and every variant in a browser.

    Serves on this machine only, until it is interrupted.
    """
    if out is not None and primitive is not None:
        _write_one(out, primitive, listings)
        return
    if out is not None:
        _write(out, listings)
        return
    if listings:
        raise UsageError("--listings is for --out: a server measures a listing when it is shown")
    if primitive is not None:
        raise UsageError("--one-file is for --out FILE.html, which names the file")
    from tightfit.explorer.server import serve

    def started(address: str, empty: str | None) -> None:
        click.echo(address)
        if empty:
            note(empty)
        note("serving until Ctrl-C")
        if not no_browser:
            click.launch(address)

    serve(port, started)


def _write(folder: Path, listings: bool) -> None:
    if _is_page(folder):
        raise UsageError(
            f"--out {folder}: expected a folder; one file holds one primitive: --one-file PRIMITIVE"
        )
    from tightfit.explorer.written import MADE_BY, write
    from tightfit.exporter.folder import expect_folder
    from tightfit.targets.progress import shown

    expect_folder(folder, MADE_BY)
    with shown() as progress:
        files = write(folder, listings, progress)
    click.echo(f"{folder / 'index.html'}: {len(files)} files")


def _write_one(file: Path, primitive: str, listings: bool) -> None:
    from tightfit.primitives import load_primitive

    load_primitive(primitive)
    _expect_file(file)
    from tightfit.explorer.written import write_one
    from tightfit.targets.progress import shown

    with shown() as progress:
        write_one(file, primitive, listings, progress)
    click.echo(file)


def _is_page(path: Path) -> bool:
    return path.suffix.lower() in (".html", ".htm") and not path.is_dir()


def _expect_file(file: Path) -> None:
    """A file that cannot be written is refused before the work."""
    if file.is_dir():
        raise UsageError(f"--out {file} is a folder: expected a file")
    if not _is_page(file):
        raise UsageError(f"--out {file}: expected a name that ends in .html")
    try:
        expect_writable(file.parent)
    except OSError as error:
        raise WorkError(f"{file}: cannot be written: {error.strerror}") from None
