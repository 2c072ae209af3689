"""The commands. Each is a thin layer over the package; they are in `tightfit.commands`."""

import importlib
import sys
from difflib import get_close_matches

import click

from tightfit import __version__
from tightfit.errors import TightfitError, UsageError

COMMANDS = {
    "list": ("listing", "list_command"),
    "ask": ("query", "ask"),
    "table": ("tables", "table"),
    "front": ("query", "front"),
    "report": ("reporting", "report"),
    "show": ("variant", "show"),
    "export": ("exporting", "export"),
    "fill": ("work", "fill"),
    "verify": ("work", "verify"),
    "replay": ("replaying", "replay"),
    "explore": ("exploring", "explore"),
    "run": ("work", "run"),
    "measure": ("measuring", "measure"),
    "doctor": ("house", "doctor"),
    "setup": ("house", "setup"),
}


class Lazy(click.Group):
    """Imports a command's module when the command is wanted, so that answers come at once."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, attribute = COMMANDS[name]
        return getattr(importlib.import_module(f"tightfit.commands.{module}"), attribute)

    def resolve_command(self, context: click.Context, arguments: list[str]):
        if arguments and not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
            near = get_close_matches(arguments[0], COMMANDS, n=3, cutoff=0.4) or COMMANDS
            raise UsageError(f"no command {arguments[0]!r}; the nearest: {', '.join(near)}")
        return super().resolve_command(context, arguments)


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="tightfit")
def cli() -> None:
    """The fastest cryptographic implementation that fits a ROM and RAM budget, measured.

    Exit status: 0 answered (an `impossible` is an answer), 1 the work failed, 2 the question was wrong.
    """


def main(arguments: list[str] | None = None) -> int:
    """Run a command line; its exit status. What is wrong is one line on standard error."""
    try:
        return cli.main(args=arguments, prog_name="tightfit", standalone_mode=False) or 0
    except TightfitError as error:
        return _say(str(error), error.exit_status)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help(), err=True)
        return 2
    except click.ClickException as error:
        return _say(error.format_message(), 2)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted; what was measured is kept", 1)
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _say(message: str, status: int) -> int:
    click.echo("tightfit: " + " ".join(message.split()), err=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
