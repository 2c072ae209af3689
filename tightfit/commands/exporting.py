"""`export`."""

from pathlib import Path

import click

from tightfit.budgets import budget, load_budgets
from tightfit.commands.options import (
    chain,
    constant_path_option,
    json_option,
    operation_argument,
    part_option,
    primitive_argument,
    ram_option,
    rom_option,
    subject,
    target_option,
)
from tightfit.commands.output import emit, known_store, note
from tightfit.errors import UsageError, WorkError
from tightfit.export import TOOLCHAINS, Export, Prepared, default_name, prepare, prepare_fastest
from tightfit.export import export as write_export
from tightfit.export.interfaces import load_interface
from tightfit.records import Budget, Measurement
from tightfit.reports import words
from tightfit.reports.answer import Answer, Known, Question, answer
from tightfit.reports.forms import cost_form, variant_form


@click.command()
@chain(primitive_argument, operation_argument, target_option, part_option, rom_option, ram_option)
@click.option(
    "--to", "folder", type=Path, metavar="DIR", required=True, help="A new folder, or an earlier export."
)
@click.option(
    "--toolchain", type=click.Choice(TOOLCHAINS), default="gnu", help="Whose interface and build file."
)
@click.option("--name", metavar="NAME", help="Prefix of the C names; made from the primitive's id otherwise.")
@click.option("--variant", metavar="ID", help="This variant instead of the fastest that fits.")
@chain(constant_path_option, json_option)
def export(
    primitive, operation, target, part, rom, ram, folder, toolchain, name, variant, constant_path, as_json
) -> None:
    """A drop-in library: source, header, example, self-test, build file, data sheet."""
    one = subject(primitive, operation, target, part)
    asked = budget(rom, ram)
    with known_store() as store:
        known = store.known(*one.names, constant_path=constant_path)
    found = answer(Question(*one.names, asked), known, load_budgets())
    name = name or default_name(primitive)
    chosen = _prepared(known, found, variant, name)
    given = {"--target": target, "--part": part, "--rom": rom, "--ram": ram, "--variant": variant}
    done = write_export(
        chosen,
        folder,
        command=_command(primitive, operation, given, constant_path, toolchain, name),
        answer=found if variant is None else None,
    )
    if done.reason:
        note(f"figures with the GNU interface not measured: {done.reason}")
    if variant is None and done.cost and not done.fits(asked):
        note(f"nothing known fits {asked.name} with the GNU shim; this variant fits without it")
    emit(_form(done, asked), _text(done, found if variant is None else None), as_json)


def _prepared(known: Known, found: Answer, variant: str | None, name: str) -> Prepared:
    """The variant asked for, or the fastest that keeps within the budget with the toolchain's interface."""
    if variant is not None:
        return prepare(_chosen(known, variant), name)
    question = found.question
    asked = f"{question.primitive} {question.operation} on {question.target} ({question.part})"
    if found.measurement is None:
        raise WorkError(f"{asked} within {question.budget.name}: {found.status}, nothing to export")
    return prepare_fastest(known, question.budget, name) or prepare(found.measurement, name)


def _chosen(known: Known, prefix: str) -> Measurement:
    found = [one for one in known.usable if one.variant.id.startswith(prefix.lower())]
    if len(found) == 1:
        return found[0]
    problem = "is ambiguous" if found else "is none of the known ones of this operation"
    raise UsageError(f"variant {prefix!r} {problem}; `tightfit front` lists them")


def _command(
    primitive: str, operation: str, given: dict, constant_path: bool, toolchain: str, name: str
) -> str:
    """The command line that makes the same again, but for the folder."""
    options = [f"{option} {_quoted(value)}" for option, value in given.items() if value is not None]
    flags = ["--constant-path"] if constant_path else []
    own = [f"--name {name}"] if name != default_name(primitive) else []
    return " ".join(
        ["tightfit export", primitive, operation, *options, f"--toolchain {toolchain}", *own, *flags]
    )


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
    interface = load_interface(variant.target)
    gnu = ("GNU interface", done.cost)
    for what, each in (gnu,) if interface.counted else ((interface.counted_as, cost), gnu):
        if each is not None:
            figures = f"{words.by_entry(each)} cycles, {each.rom} B of ROM, {words.ram(each)} B of RAM"
            lines.append(f"{what}: {figures}")
    if found and found.measurement is done.measurement:
        lines.append(words.proof(found.certificate))
    return "\n".join(lines)
