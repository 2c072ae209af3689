"""`tightfit explore`."""

from pathlib import Path

import click

from tightfit.commands.output import note
from tightfit.errors import UsageError, WorkError
from tightfit.textfile import expect_writable

DEFAULT_PORT = 5006


@click.command("explore")
@click.option(
    "--out", "file", type=Path, metavar="FILE.html", help="Write one file that works offline instead."
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
def command(file: Path | None, port: int, no_browser: bool, listings: bool) -> None:
    """Trade-off, portfolio and every variant in a browser.

    Serves on this machine only, until it is interrupted.
    """
    if file is not None:
        _write(file, listings)
        return
    if listings:
        raise UsageError("--listings is for --out: a server measures a listing when it is shown")
    from tightfit.explorer.server import serve

    def started(address: str, empty: str | None) -> None:
        click.echo(address)
        if empty:
            note(empty)
        note("serving until Ctrl-C")
        if not no_browser:
            click.launch(address)

    serve(port, started)


def _write(file: Path, listings: bool) -> None:
    _expect_target(file)
    from tightfit.explorer.standalone import write
    from tightfit.targets.progress import shown

    with shown() as progress:
        write(file, listings, progress)
    click.echo(file)


def _expect_target(file: Path) -> None:
    """A file that cannot be written is refused before the work."""
    if file.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"--out {file}: expected a name that ends in .html")
    if file.is_dir():
        raise UsageError(f"--out {file} is a folder: expected a file")
    try:
        expect_writable(file.parent)
    except OSError as error:
        raise WorkError(f"{file}: cannot be written: {error.strerror}") from None
