"""`doctor`, `setup`: what is there, and what gets the rest."""

import click

from tightfit.commands.options import json_option
from tightfit.commands.output import emit, note
from tightfit.reports.document import Document, Table, write
from tightfit.targets import load_target, target_ids


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """What is there, what is missing, and the one command that gets it.

    Exit status 1 if something is missing; compilers, which the main work does without, may be.
    """
    from tightfit.doctor import examine

    checks = examine()
    form = [
        {
            "name": one.name,
            "ok": one.ok,
            "needed": one.needed,
            "detail": one.detail,
            "fix": one.fix,
            "needed_for": one.needed_for,
        }
        for one in checks
    ]
    rows = tuple(
        (one.state, one.name, one.detail, "" if one.ok else one.needed_for, one.fix or "") for one in checks
    )
    table = Table("", ("", "what", "where", "needed for", "command that gets it"), rows)
    emit({"checks": form}, write(Document("tightfit doctor", (table,)), "text"), as_json)
    if not all(one.ok or not one.needed for one in checks):
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("targets", metavar="[TARGET]...", nargs=-1)
@click.option("--compilers", is_flag=True, help="Also the C compilers: Debian's, or built, minutes each.")
@click.option("--tests", is_flag=True, help="Also what only the tests need, the C compilers among it.")
def setup(targets: tuple[str, ...], compilers: bool, tests: bool) -> None:
    """Get the tools of targets, of all by default, and build the simulator.

    What is there already is left alone.
    """
    from tightfit.harness.simulator import build_library
    from tightfit.targets.debian import require
    from tightfit.targets.progress import shown
    from tightfit.targets.toolchain import ensure

    chosen = [load_target(target).id for target in targets or target_ids()]
    step = "tests" if tests else "compilers" if compilers else "tools"
    with shown() as progress:
        for target in chosen:
            ensure(target, progress, step)
        progress("simulator", 0, 1)
        build_library()
        progress("simulator", 1, 1)
        if tests:
            progress("browser and cmake", 0, 1)
            require({"chromium": "chromium", "cmake": "cmake"}, "a test")
            progress("browser and cmake", 1, 1)
    note(f"ready: {', '.join(chosen)}")
