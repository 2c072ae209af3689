"""Names on the command line: any spelling is understood, and the shell completes them."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from tightfit.names import spelled

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Name(click.ParamType):
    """The name of one of some choices; what it may not stand for is left as it is, for a later error."""

    def __init__(self, name: str, choices: Callable[[], Iterable[str]]):
        self.name, self.choices = name, choices

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return spelled(value, self.choices())

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        begun = incomplete.lower()
        return [CompletionItem(name) for name in self.choices() if name.lower().startswith(begun)]


def _primitives() -> list[str]:
    from tightfit.primitives import primitive_ids

    return primitive_ids()


def _operations() -> list[str]:
    from tightfit.primitives import load_primitive

    return list(dict.fromkeys(name for one in map(load_primitive, _primitives()) for name in one.operations))


def _needs() -> list[str]:
    from tightfit.primitives import load_primitive

    return [f"{one.id}:{name}" for one in map(load_primitive, _primitives()) for name in one.operations]


def _kinds() -> list[str]:
    from tightfit.reports.subject import kinds

    return kinds()


def _targets() -> list[str]:
    from tightfit.targets import target_ids

    return target_ids()


def _parts() -> list[str]:
    from tightfit.targets import load_target

    return [name for place in map(load_target, _targets()) for name in place.parts]


def _subjects() -> list[str]:
    return list(dict.fromkeys([*_primitives(), *_operations(), *_kinds(), *_targets(), *_parts()]))


PRIMITIVE, OPERATION, KIND = (
    Name("primitive", _primitives),
    Name("operation", _operations),
    Name("kind", _kinds),
)
TARGET, PART = Name("target", _targets), Name("part", _parts)
NEED, SUBJECT = Name("need", _needs), Name("word", _subjects)
