"""`tightfit export`."""

from pathlib import Path

import click

from tightfit import api
from tightfit.budgets import budget
from tightfit.commands.nametypes import NEED, OPERATION, PRIMITIVE
from tightfit.commands.options import (
    amounts,
    chain,
    condition_options,
    exactly_one,
    is_said,
    json_option,
    part_option,
    ram_option,
    reentrant_option,
    rom_option,
    target_option,
    weight_option,
)
from tightfit.commands.output import emit, note
from tightfit.errors import UsageError
from tightfit.exporter import GNU, Export, ExportTogether, outcome


@click.command("export")
@click.argument("primitive", type=PRIMITIVE, metavar="[PRIMITIVE]", required=False)
@click.argument("operation", type=OPERATION, metavar="[OPERATION]", required=False)
@chain(target_option, part_option, rom_option, ram_option)
@click.option(
    "--to", "folder", type=Path, metavar="DIR", required=True, help="A new folder, or an earlier export."
)
@click.option(
    "--toolchain",
    metavar="NAME",
    default=GNU,
    help="Whose assembly and interface: gnu; for RL78 also ccrl, llvm, iar.",
)
@click.option("--name", metavar="NAME", help="Prefix of the C names; made from the primitive's id otherwise.")
@click.option("--variant", metavar="ID", help="This variant instead of the fastest that fits.")
@click.option(
    "--need",
    "needs",
    type=NEED,
    metavar="PRIMITIVE[:OPERATION]",
    multiple=True,
    help="Instead of one primitive: several under one budget, in one library; repeatable.",
)
@weight_option
@click.option("--sum-ram", is_flag=True, help="With --need: each routine gets RAM of its own.")
@chain(condition_options, reentrant_option, json_option)
@click.pass_context
def command(
    context,
    primitive,
    operation,
    target,
    part,
    rom,
    ram,
    folder,
    toolchain,
    name,
    variant,
    needs,
    weights,
    sum_ram,
    only,
    reentrant,
    as_json,
) -> None:
    """A drop-in library: source, header, example, self-test, build files, data sheet."""
    exactly_one("export a PRIMITIVE and an OPERATION, or each --need", primitive is not None, bool(needs))
    if (weights or sum_ram) and not needs:
        raise UsageError("--weight and --sum-ram go with --need: export each --need PRIMITIVE[:OPERATION]")
    if needs and variant is not None:
        raise UsageError("--variant goes with a PRIMITIVE: expected only --need")
    if needs and is_said(context, "reentrant"):
        raise UsageError("--reentrant goes with a PRIMITIVE: expected only --need")
    where = {"target": target, "part": part, "rom": rom, "ram": ram, "only": only}
    how = {**where, "to": folder, "toolchain": toolchain, "name": name}
    if needs:
        several = api.export_together(needs, weights=amounts(weights), tasks=sum_ram, **how)
        _note_twin(several)
        emit(outcome.form_together(several), outcome.text_together(several), as_json)
        return
    done = api.export(primitive, operation, variant=variant, reentrant=reentrant, **how)
    _note_twin(done)
    if done.reason:
        note(f"figures with the GNU interface not measured: {done.reason}")
    emit(outcome.form(done, budget(rom, ram)), outcome.text(done), as_json)


def _note_twin(done: Export | ExportTogether) -> None:
    if done.twin:
        note(f"{done.twin} has names of this library too: for both in one firmware, give one another --name")
