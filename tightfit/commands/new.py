"""`tightfit new`."""

import click

from tightfit import api
from tightfit.commands.options import json_option, primitive_argument
from tightfit.commands.output import emit
from tightfit.errors import UsageError
from tightfit.skeletons import CONSTRUCTIONS, KINDS, Skeleton


@click.group("new")
def command() -> None:
    """The files of a new primitive or template, each saying what goes where.

    They are written into the package, which is to be a checkout.
    """


@command.command("primitive")
@click.argument("name", metavar="NAME")
@click.option("--kind", type=click.Choice(KINDS), help="What kind of primitive it is.")
@click.option("--over", metavar="ID", help="The primitive that it calls, in place of --kind.")
@click.option(
    "--mode", type=click.Choice(list(CONSTRUCTIONS)), help="Which mode of operation --over another."
)
@json_option
def _primitive(name: str, kind: str | None, over: str | None, mode: str | None, as_json: bool) -> None:
    """Definition, reference, oracle and known answers of a primitive, to be filled in.

    With --over it is a mode of operation over another primitive, whose templates are there.
    """
    if over is not None:
        if kind is not None:
            raise UsageError("--kind: expected none beside --over, as the mode implies it")
        _tell(api.new_construction(name, over, mode), as_json)
        return
    if mode is not None:
        raise UsageError("--mode: expected --over beside it, the primitive that is called")
    if kind is None:
        raise click.MissingParameter(param_hint="'--kind'", param_type="option")
    _tell(api.new_primitive(name, kind), as_json)


@command.command("template")
@click.argument("target", metavar="TARGET")
@primitive_argument
@click.argument("name", metavar="NAME")
@json_option
def _template(target: str, primitive: str, name: str, as_json: bool) -> None:
    """A template that assembles and computes nothing yet."""
    _tell(api.new_template(target, primitive, name), as_json)


def _tell(skeleton: Skeleton, as_json: bool) -> None:
    files = [str(file) for file in skeleton.files]
    lines = [*(f"wrote {file}" for file in files), *(f"next: {step}" for step in skeleton.next)]
    form = {"folder": str(skeleton.folder), "files": files, "next": list(skeleton.next)}
    emit(form, "\n".join(lines), as_json)
