"""`tightfit setup`."""

import click

from tightfit.commands.output import note
from tightfit.targets import load_target, target_ids


@click.command("setup")
@click.argument("targets", metavar="[TARGET]...", nargs=-1)
@click.option("--compilers", is_flag=True, help="Also the C compilers: Debian's, or built, minutes each.")
@click.option("--tests", is_flag=True, help="Also what only the tests need, the C compilers included.")
def command(targets: tuple[str, ...], compilers: bool, tests: bool) -> None:
    """Get the tools of some targets, or of all, build the simulator, and make answers ready.

    What is there already is left alone.
    """
    from tightfit.harness.simulator import build_library
    from tightfit.reports.indexing import made_ready
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
        made_ready(progress)
        if tests:
            progress("browser and cmake", 0, 1)
            require({"chromium": "chromium", "cmake": "cmake"}, "a test")
            progress("browser and cmake", 1, 1)
    note(f"ready: {', '.join(chosen)}")
