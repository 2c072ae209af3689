"""Arguments and options that several commands share."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import click

from tightfit.errors import UsageError
from tightfit.generator.space import unknown
from tightfit.primitives import Primitive, load_primitive, primitive_ids
from tightfit.targets import Part, Target, load_target

primitive_argument = click.argument("primitive", metavar="PRIMITIVE")
operation_argument = click.argument("operation", metavar="OPERATION")
variant_argument = click.argument("variant", metavar="VARIANT")
target_option = click.option("--target", metavar="ID", required=True, help="What it runs on.")
part_option = click.option("--part", metavar="NAME", help="The part; the target's default one otherwise.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
constant_path_option = click.option(
    "--constant-path",
    is_flag=True,
    help="Only variants whose cycles and paths are the same for all inputs tested.",
)
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


@dataclass(frozen=True)
class Subject:
    """What a command is about, every name checked."""

    primitive: Primitive
    operation: str
    target: Target
    part: Part

    @property
    def names(self) -> tuple[str, str, str, str]:
        """(target, part, primitive, operation) as the store keys them."""
        return self.target.id, self.part.name, self.primitive.id, self.operation


def subject(primitive: str, operation: str, target: str, part: str | None) -> Subject:
    """The subject of those names; UsageError names the nearest where one is unknown."""
    found = load_primitive(primitive)
    found.operation(operation)
    place = load_target(target)
    return Subject(found, operation, place, place.part(part))


def only_operation(primitive: Primitive) -> str:
    """The operation that need not be said; UsageError names them where there are several."""
    if len(primitive.operations) > 1:
        raise UsageError(f"{primitive.id}: which operation? there are: {', '.join(primitive.operations)}")
    return primitive.first_operation


def of_kind(primitives: Iterable[Primitive], kind: str | None) -> list[Primitive]:
    """Those of a kind, all where it is None; UsageError names the kinds where there is no such."""
    kinds = sorted({load_primitive(one).kind for one in primitive_ids()})
    if kind not in (None, *kinds):
        raise unknown("kind", kind, kinds)
    return [one for one in primitives if kind in (None, one.kind)]


def chain(*options: Callable) -> Callable:
    """Several click decorators as one, in the order in which help shows them."""

    def decorate(command: Callable) -> Callable:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def one_of(what: str, *given: bool) -> None:
    """Raise UsageError unless exactly one of several ways to ask is used."""
    if sum(given) != 1:
        raise UsageError(what)
