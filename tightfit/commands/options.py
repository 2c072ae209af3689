"""Arguments and options that several commands share."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps

import click
from click.core import ParameterSource

from tightfit.commands.nametypes import OPERATION, PART, PRIMITIVE, TARGET
from tightfit.conditions import CONDITIONS
from tightfit.errors import UsageError

primitive_argument = click.argument("primitive", type=PRIMITIVE, metavar="PRIMITIVE")
operation_argument = click.argument("operation", type=OPERATION, metavar="OPERATION")
variant_argument = click.argument("variant", metavar="VARIANT")
target_option = click.option("--target", type=TARGET, metavar="ID", required=True, help="What it runs on.")
part_option = click.option(
    "--part",
    type=PART,
    metavar="NAME",
    callback=lambda context, _, value: _of_target(context, value),
    help="The part; the target's default one otherwise.",
)
operations_option = click.option(
    "--operation",
    "operations",
    type=OPERATION,
    metavar="OPERATION",
    multiple=True,
    help="Only this one; repeatable.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
rom_option = click.option(
    "--rom",
    metavar="SIZE",
    help="Most ROM, such as 486, 1KB or 0x200; ROM-min for the least; free otherwise.",
)
ram_option = click.option("--ram", metavar="SIZE", help="Most RAM, such as 64B; free otherwise.")
weight_option = click.option(
    "--weight",
    "weights",
    metavar="NEED=NUMBER",
    multiple=True,
    help="With --need: how many blocks of it count in the time; 1 otherwise.",
)
workers_option = click.option("--workers", type=click.IntRange(min=1), help="Processes; all cores otherwise.")


def is_said(context: click.Context, name: str) -> bool:
    """Whether the command line has a parameter; settings may have it otherwise."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _of_target(context: click.Context, part: str | None) -> str | None:
    """The part, unless it is that of the settings and the command line names a target."""
    return None if is_said(context, "target") and not is_said(context, "part") else part


def chain(*options: Callable) -> Callable:
    """Several click decorators as one, in the order in which help shows them."""

    def decorate(command: Callable) -> Callable:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def condition_options(command: Callable) -> Callable:
    """An option for each condition; the command gets the names of those asked for as `only`."""

    @wraps(command)
    def collected(*arguments, **options):
        asked = [name for name in CONDITIONS if options.pop(name.replace("-", "_"))]
        return command(*arguments, only=tuple(asked), **options)

    flags = (click.option(f"--{name}", is_flag=True, help=c.help) for name, c in CONDITIONS.items())
    return chain(*flags)(collected)


reentrant_option = click.option(
    "--reentrant", is_flag=True, help="Only variants that write no static data and use no banks."
)


def exactly_one(ways: str, *given: bool) -> None:
    """Raise UsageError, which says the ways to ask, unless exactly one of them is used."""
    if sum(given) != 1:
        raise UsageError(ways)


def amounts(weights: Sequence[str]) -> Mapping[str, str]:
    """What the words NEED=NUMBER say; a word without a number has an empty one, which is refused later."""
    return {name: amount for name, _, amount in (word.partition("=") for word in weights)}
