"""`tightfit replay`."""

import click

from tightfit.commands.options import chain, json_option, workers_option
from tightfit.commands.output import emit, note
from tightfit.errors import UsageError
from tightfit.harness import portfolio
from tightfit.harness.replay import Replay, replay_file
from tightfit.harness.replay import replay as replay_one
from tightfit.paths import portfolio_dir
from tightfit.reports import replayed
from tightfit.reports.view import view
from tightfit.targets.progress import shown


@click.command("replay")
@click.argument("variant", metavar="[VARIANT]", required=False)
@click.option(
    "--all", "everything", is_flag=True, help="Every measurement of the portfolio instead of one variant."
)
@chain(workers_option, json_option)
def command(variant: str | None, everything: bool, workers: int | None, as_json: bool) -> None:
    """Repeat a stored measurement and say what moved.

    Exit status 1 if any figure moved.
    """
    if everything == bool(variant):
        raise UsageError("expected a VARIANT or --all, found " + ("both" if variant else "neither"))
    if workers and not everything:
        raise UsageError("--workers goes with --all: one variant is measured by one process")
    if everything:
        replays = _replay_all(workers)
        emit(replayed.form_of_all(replays), replayed.text_of_all(replays), as_json)
    else:
        with view() as store:
            then = store.by_id(variant)
        replays = [replay_one(then)]
        emit(replayed.form(replays[0]), replayed.text(replays[0]), as_json)
    moved = [each.then.variant.id for each in replays if not each.same]
    if moved:
        note(f"{len(moved)} of {len(replays)} measurements moved, that of variant {moved[0]} first")
        raise click.exceptions.Exit(1)


def _replay_all(workers: int | None) -> list[Replay]:
    files = portfolio.files(portfolio_dir())
    if not files:
        raise UsageError(
            f"{portfolio_dir()}: expected portfolio files, found none; `fill --portfolio` writes some"
        )
    with shown() as progress:
        return [each for file in files for each in replay_file(file, workers, progress)]
