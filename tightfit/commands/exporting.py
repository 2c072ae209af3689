"""`export`."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from tightfit.budgets import budget, load_budgets
from tightfit.commands.exportingneeds import export_needs, needs_form, needs_text
from tightfit.commands.needs import ask_needs
from tightfit.commands.options import (
    chain,
    constant_path_option,
    json_option,
    one_of,
    only_operation,
    part_option,
    ram_option,
    rom_option,
    subject,
    target_option,
    weight_option,
)
from tightfit.commands.output import emit, known_store, note
from tightfit.errors import UsageError, WorkError
from tightfit.export import (
    GNU,
    Export,
    Prepared,
    check_toolchain,
    default_name,
    prepare,
    prepare_fastest,
    with_wins,
)
from tightfit.export import export as write_export
from tightfit.primitives import load_primitive
from tightfit.records import Budget, Measurement
from tightfit.reports import words
from tightfit.reports.answer import Answer, Known, Question, answer
from tightfit.reports.forms import cost_form, variant_form


@click.command()
@click.argument("primitive", metavar="[PRIMITIVE]", required=False)
@click.argument("operation", metavar="[OPERATION]", required=False)
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
    metavar="PRIMITIVE[:OPERATION]",
    multiple=True,
    help="Instead of one primitive: several under one budget, in one library; repeatable.",
)
@weight_option
@click.option("--sum-ram", is_flag=True, help="With --need: each routine gets RAM of its own.")
@chain(constant_path_option, json_option)
def export(
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
    constant_path,
    as_json,
) -> None:
    """A drop-in library: source, header, example, self-test, build files, data sheet."""
    one_of("export a PRIMITIVE and an OPERATION, or each --need", primitive is not None, bool(needs))
    if (weights or sum_ram) and not needs:
        raise UsageError("--weight and --sum-ram go with --need: export each --need PRIMITIVE[:OPERATION]")
    if needs and variant is not None:
        raise UsageError("--variant goes with a PRIMITIVE: expected only --need")
    check_toolchain(target, toolchain)
    asked = budget(rom, ram)
    options = {"--target": target, "--part": part, "--rom": rom, "--ram": ram, "--toolchain": toolchain}
    flags = {"--sum-ram": sum_ram, "--constant-path": constant_path}
    if needs:
        several = {"--need": needs, "--weight": weights, **options, "--name": name}
        question = {"needs": needs, "weights": weights, "target": target, "part": part, "asked": asked}
        ask = partial(ask_needs, **question, constant_path=constant_path, tasks=sum_ram)
        written = export_needs(ask, folder, toolchain, name, _command([], several, flags))
        emit(needs_form(written), needs_text(written), as_json)
        return
    operation = operation or only_operation(load_primitive(primitive))
    one = subject(primitive, operation, target, part)
    with known_store() as store:
        known = store.known(*one.names, constant_path=constant_path)
    found = answer(Question(*one.names, asked), known, load_budgets())
    own = None if name == default_name(primitive) else name
    command = _command([primitive, operation], {**options, "--variant": variant, "--name": own}, flags)
    chosen = _prepared(known, found, variant, name or default_name(primitive), toolchain)
    done = write_export(
        with_wins(chosen, known.cells), folder, command=command, answer=found if variant is None else None
    )
    if done.reason:
        note(f"figures with the GNU interface not measured: {done.reason}")
    if variant is None and done.cost and not done.fits(asked):
        note(f"nothing known fits {asked.name} with the GNU shim; this variant fits without it")
    emit(_form(done, asked), _text(done, found if variant is None else None), as_json)


def _prepared(known: Known, found: Answer, variant: str | None, name: str, toolchain: str) -> Prepared:
    """The variant asked for, or the fastest that keeps within the budget with the toolchain's interface."""
    if variant is not None:
        return prepare(_chosen(known, variant), name, toolchain)
    question = found.question
    asked = f"{question.primitive} {question.operation} on {question.target} ({question.part})"
    if found.measurement is None:
        raise WorkError(f"{asked} within {question.budget.name}: {found.status}, nothing to export")
    fastest = prepare_fastest(known, question.budget, name) if toolchain == GNU else None
    return fastest or prepare(found.measurement, name, toolchain)


def _chosen(known: Known, prefix: str) -> Measurement:
    found = [one for one in known.usable if one.variant.id.startswith(prefix.lower())]
    if len(found) == 1:
        return found[0]
    problem = "is ambiguous" if found else "is none of the known ones of this operation"
    raise UsageError(f"variant {prefix!r} {problem}; `tightfit front` lists them")


def _command(subject: list[str], options: Mapping[str, Any], flags: Mapping[str, bool]) -> str:
    """The command line that makes the same again, but for the folder."""
    given = [
        f"{option} {_quoted(each)}"
        for option, value in options.items()
        for each in ([value] if isinstance(value, str) else value or [])
    ]
    return " ".join(["tightfit export", *subject, *given, *(flag for flag in flags if flags[flag])])


def _quoted(value: str) -> str:
    return f'"{value}"' if " " in value else value


def _form(done: Export, asked: Budget) -> dict:
    return {
        "folder": str(done.folder),
        "files": list(done.files),
        "toolchain": done.toolchain,
        "variant": variant_form(done.measurement),
        "portfolio_cost": cost_form(done.measurement.cost),
        "cost": cost_form(done.cost) if done.cost else None,
        "fits": done.fits(asked),
        "not_measured": done.reason,
    }


def _text(done: Export, found: Answer | None) -> str:
    cost, variant = done.measurement.cost, done.measurement.variant
    lines = [f"{done.folder}: {', '.join(done.files)}", f"variant {variant.id}  {words.recipe(variant)}"]
    interface = done.prepared.interface
    own = ("GNU interface" if done.toolchain == GNU else f"interface of {done.toolchain}", done.cost)
    for what, each in (own,) if interface.counted else ((interface.counted_as, cost), own):
        if each is not None:
            figures = f"{words.by_entry(each)} cycles, {each.rom} B of ROM, {words.ram(each)} B of RAM"
            lines.append(f"{what}: {figures}")
    if found and found.measurement is done.measurement:
        lines.append(words.proof(found.certificate))
    return "\n".join(lines)
