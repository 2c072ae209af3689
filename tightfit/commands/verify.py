"""`tightfit verify`."""

from pathlib import Path

import click

from tightfit import api
from tightfit.commands.options import (
    chain,
    json_option,
    operations_option,
    part_option,
    primitive_argument,
    target_option,
)
from tightfit.commands.output import emit, note
from tightfit.primitives import load_primitive
from tightfit.targets import load_target
from tightfit.targets.progress import shown


@click.command("verify")
@chain(primitive_argument, target_option, part_option)
@click.option("--vectors", type=Path, metavar="FILE", help="Known answers to check as well.")
@chain(operations_option, json_option)
def command(primitive, target, part, vectors, operations, as_json) -> None:
    """Every winner against known answers, iterated ones included, and through the full gate.

    Exit status 1 if any winner fails, or if there is none.
    """
    from tightfit.harness import verification
    from tightfit.reports import verified

    asked, place = load_primitive(primitive), load_target(target)
    its_part = place.part(part)
    for operation in operations:
        asked.operation(operation)
    extra = asked.load_vectors(vectors) if vectors else []
    with api.view(attribution=False) as store:
        winners = [
            winner
            for operation in (operations or asked.operations)
            for winner in store.known(target, its_part.name, primitive, operation).winners
        ]
    with shown() as progress:
        results = verification.verify(winners, place, its_part, asked, extra, progress)
    emit(
        verified.form(asked, len(extra), results),
        verified.text(asked, len(extra), results),
        as_json,
    )
    failed = [result for result in results if result.reason]
    if not results:
        note(f"no winner of {asked.id} to check; `tightfit fill {asked.id}` finds some")
    elif failed:
        note(f"{len(failed)} of {len(results)} winners fail, the first: {failed[0].reason}")
    if failed or not results:
        raise click.exceptions.Exit(1)
