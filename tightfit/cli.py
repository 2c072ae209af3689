"""The command line. Each command is a file of `tightfit.commands`, imported when it is wanted."""

import importlib
import os
import sys
from contextlib import suppress

import click

from tightfit import __version__
from tightfit.errors import TightfitError
from tightfit.names import unknown
from tightfit.printable import one_line

# Nothing here multiplies matrices, and numpy's idle threads would take a tenth of a second of every command.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

COMMANDS = {
    "list": "What there is: primitives, operations, targets, parts, budgets.",
    "ask": "The fastest variant that fits, what limits it, what the next budget would buy.",
    "table": "The portfolio of a target, or of all, the published figures beside ours.",
    "front": "The Pareto front over ROM, RAM and cycles, and the knobs that shape it.",
    "report": "The portfolio as pages of HTML that need no server: open index.html.",
    "show": "A variant: knobs, cost split by fragment, listing with cycles per line.",
    "export": "A drop-in library: source, header, example, self-test, build files, data sheet.",
    "fill": "Search and measure until every cell is answered; resumes where it was stopped.",
    "verify": "Every winner against known answers, iterated ones included, and through the full gate.",
    "replay": "Repeat a stored measurement and say what moved.",
    "explore": "What fits, the trade-off and every variant in a browser.",
    "run": "Run a firmware image to its end: cycles, waits, stack, registers.",
    "new": "The files of a new primitive or template, each saying what goes where.",
    "try": "One variant of a template: cost by fragment, or why it is rejected and by which line.",
    "measure": "Somebody else's routine, tested and counted by the same rules.",
    "doctor": "What is there, what is missing, and the one command that gets it.",
    "setup": "Get the tools of some targets, or of all, build the simulator, and make answers ready.",
}
"""What each command does, as its own help begins: it is shown without importing the command."""


CONFIGURED = ("ask", "table", "front", "report", "export")
"""The commands that take settings, those of `tightfit.settings.COMMANDS`."""


class LazyGroup(click.Group):
    """Imports a command's file when the command is wanted, so that answers come at once."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        return importlib.import_module(f"tightfit.commands.{name}").command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(self, context: click.Context, arguments: list[str]):
        if arguments and not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
            raise unknown("command", arguments[0], COMMANDS)
        return super().resolve_command(context, arguments)


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="tightfit")
@click.option("--no-config", is_flag=True, help="Leave out tightfit.toml and the settings of TIGHTFIT_*.")
@click.pass_context
def cli(context: click.Context, no_config: bool) -> None:
    """The fastest cryptographic implementation that fits a ROM and RAM budget, measured.

    Exit status: 0 answered (an `impossible` is an answer), 1 the work failed, 2 the question was wrong.
    """
    command = context.invoked_subcommand
    if command in CONFIGURED and not no_config:
        from tightfit.settings import defaults

        context.default_map = {command: defaults(command)}


def main(arguments: list[str] | None = None) -> int:
    """Run a command line and return its exit status. An error is one line on standard error."""
    try:
        status = cli.main(args=arguments, prog_name="tightfit", standalone_mode=False) or 0
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except TightfitError as error:
        return _say(str(error), error.exit_status)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help(), err=True)
        return 2
    except click.ClickException as error:
        return _say(error.format_message(), 2)
    except ModuleNotFoundError as error:
        from tightfit.extras import line_about

        line = line_about(error.name)
        if line is None:
            raise
        return _say(line, 1)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted; what was measured is kept", 1)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        if error.filename is not None:
            raise
        _drop_output()
        return _say(f"standard output cannot be written: {error.strerror}", 1)


def _say(message: str, status: int) -> int:
    with suppress(OSError):
        click.echo("tightfit: " + one_line(message), err=True)
    return status


def _drop_output() -> None:
    """Let what standard output still holds go nowhere, or the interpreter would try again as it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
