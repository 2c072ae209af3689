"""`tightfit explore`."""

from pathlib import Path

import click

from tightfit.commands.output import note
from tightfit.errors import UsageError

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
def command(file: Path | None, port: int, no_browser: bool) -> None:
    """Trade-off, portfolio and every variant in a browser.

    Serves on this machine only, until it is interrupted.
    """
    if file is not None:
        _write(file)
        return
    from tightfit.explorer.server import serve

    def started(address: str, empty: str | None) -> None:
        click.echo(address)
        if empty:
            note(empty)
        note("serving until Ctrl-C")
        if not no_browser:
            click.launch(address)

    serve(port, started)


def _write(file: Path) -> None:
    from tightfit.explorer.standalone import write

    if file.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"--out {file}: expected a name that ends in .html")
    click.echo(write(file))
