"""A variant as a folder that drops into a firmware project."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import jinja2

from tightfit import __version__
from tightfit.errors import UsageError, WorkError
from tightfit.export.figures import read_figures
from tightfit.export.folder import write_folder
from tightfit.export.interfaces import load_interface
from tightfit.export.kinds import kind_words
from tightfit.generator import Rendered, render
from tightfit.primitives import load_primitive
from tightfit.records import Budget, Cost, Measurement
from tightfit.reports import words
from tightfit.reports.answer import Answer, Known, fits, rank
from tightfit.reports.forms import cost_form, variant_form
from tightfit.targets import load_target
from tightfit.targets.recipes import load_toolchain

TOOLCHAINS = ("gnu",)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Export:
    """What was written: the folder, its files, the variant, and the cost with the toolchain's interface.

    `cost` is None where the routine could not be measured here, and `reason` says why.
    """

    folder: Path
    files: tuple[str, ...]
    toolchain: str
    measurement: Measurement
    cost: Cost | None
    reason: str | None

    def fits(self, budget: Budget) -> bool:
        """Whether it keeps within a budget, with the toolchain's interface where that was measured."""
        return fits(replace(self.measurement, cost=self.cost or self.measurement.cost), budget)


@dataclass(frozen=True)
class Prepared:
    """A variant with a toolchain's interface: its source, and its cost where it could be measured."""

    measurement: Measurement
    name: str
    rendered: Rendered
    source: str
    cost: Cost | None
    reason: str | None


def prepare(measurement: Measurement, name: str) -> Prepared:
    """A measured variant with the GNU interface, measured again with it where that is not the counted one.

    Raises
    ------
    UsageError
        The name is no C name.
    WorkError
        The routine fails with the toolchain's interface.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no C name: expected letters, digits and _, a letter first")
    rendered = render(measurement.variant, name=name, markers=False)
    interface = load_interface(measurement.variant.target)
    source = interface.source(rendered.source, name, rendered.entries, measurement.reentrant)
    if interface.counted:
        return Prepared(measurement, name, rendered, source, measurement.cost, None)
    cost, reason = _measured(measurement, rendered, source, name)
    return Prepared(measurement, name, rendered, source, cost, reason)


def prepare_fastest(
    known: Known, budget: Budget, name: str, make: Callable[[Measurement, str], Prepared] = prepare
) -> Prepared | None:
    """The best known variant that keeps within a budget with the GNU interface; None where none does.

    Without a toolchain only those variants count whose figures ship with the portfolio. `make` prepares a
    variant; one that remembers serves many budgets.
    """
    known = _with_figures(known)
    best: Prepared | None = None
    for one in sorted(filter(lambda one: fits(one, budget), known.usable), key=lambda one: rank(one, budget)):
        if best and rank(one, budget) >= rank(_as_exported(best), budget):
            break  # the shim only adds
        if not _may_fit(one, budget) or not _measurable(one):
            continue
        found = make(one, name)
        if fits(_as_exported(found), budget) and (
            best is None or rank(_as_exported(found), budget) < rank(_as_exported(best), budget)
        ):
            best = found
    return best


def _with_figures(known: Known) -> Known:
    """What is known, with the variants that the portfolio keeps only for the GNU interface."""
    questions = {
        (one.variant.target, one.variant.part, one.variant.primitive, one.variant.operation)
        for one in known.measurements
    }
    ids = {one.variant.id for one in known.measurements}
    more = [
        figure.measurement
        for target, part, primitive, operation in sorted(questions)
        for key, figure in read_figures(target, primitive).items()
        if key not in ids
        and (figure.measurement.variant.part, figure.measurement.variant.operation) == (part, operation)
    ]
    return replace(known, measurements=(*known.measurements, *more))


def _may_fit(one: Measurement, budget: Budget) -> bool:
    """Whether what the shim takes at least leaves room."""
    interface = load_interface(one.variant.target)
    entries = load_primitive(one.variant.primitive).operation(one.variant.operation).entries
    ram = one.cost.ram + interface.added_stack(one.reentrant)
    rom = one.cost.rom + interface.added_rom(one.reentrant) * len(entries)
    return (budget.ram is None or ram <= budget.ram) and (budget.rom is None or rom <= budget.rom)


def _measurable(measurement: Measurement) -> bool:
    variant = measurement.variant
    if load_interface(variant.target).counted:
        return True
    missing = _missing_tool(variant.target)
    return missing is None or variant.id in read_figures(variant.target, variant.primitive)


def export(
    prepared: Prepared, folder: Path, *, command: str, toolchain: str = "gnu", answer: Answer | None = None
) -> Export:
    """Write a prepared variant as a library.

    Parameters
    ----------
    command : what the files say they were made by.
    answer : the question that the variant answers, for the data sheet.

    Raises
    ------
    UsageError
        The folder holds what is not ours.
    WorkError
        It cannot be written.
    """
    measurement, cost = prepared.measurement, prepared.cost
    files = {_file(each, prepared.name): _text(each, prepared, command, answer) for each in _TEMPLATES}
    facts = {
        "tightfit": __version__,
        "command": command,
        "toolchain": toolchain,
        "variant": variant_form(measurement),
        "cost": cost_form(cost) if cost else None,
    }
    write_folder(folder, files, facts)
    return Export(folder, tuple(files), toolchain, measurement, cost, prepared.reason)


def default_name(primitive: str) -> str:
    """The id without what C names may not have."""
    return re.sub(r"\W", "", primitive)


def _as_exported(prepared: Prepared) -> Measurement:
    return replace(prepared.measurement, cost=prepared.cost)


def _measured(
    measurement: Measurement, rendered: Rendered, source: str, name: str
) -> tuple[Cost | None, str | None]:
    """The cost with the GNU interface; None, with the reason, where it is neither measurable nor known."""
    variant = measurement.variant
    missing = _missing_tool(variant.target)
    if missing is not None:
        figure = read_figures(variant.target, variant.primitive).get(variant.id)
        return (figure.cost, None) if figure else (None, missing)
    from tightfit.harness.bench import routine_of
    from tightfit.harness.routine import Rejected

    routine = replace(routine_of(variant, rendered, name), source=source, static=None, emissions=())
    try:
        return load_interface(variant.target).measure(routine, variant), None
    except Rejected as error:
        raise WorkError(f"variant {variant.id} with the GNU interface: {error}") from None


def _missing_tool(target: str) -> str | None:
    """What is missing to measure on a target, in the words of the toolchain; None where all is there."""
    from tightfit.targets.toolchain import tool

    try:
        for each in ("as", "ld"):
            tool(target, each)
    except WorkError as error:
        return str(error)
    return None


_TEMPLATES = (
    "routine.s",
    "header.h",
    "example.c",
    "selftest.h",
    "selftest.c",
    "Makefile",
    "README.md",
    "LICENSE",
)


def _file(template: str, name: str) -> str:
    own = {"routine.s": f"{name}.s", "header.h": f"{name}.h", "example.c": "main.c"}
    return own.get(template, template.replace("selftest", f"{name}_selftest"))


def _text(template: str, prepared: Prepared, command: str, answer: Answer | None) -> str:
    measurement, rendered = prepared.measurement, prepared.rendered
    variant = measurement.variant
    target, primitive = load_target(variant.target), load_primitive(variant.primitive)
    part, kind = target.part(variant.part), kind_words(primitive, measurement)
    return (
        _environment()
        .select_template([f"{primitive.kind}/{template}.j2", f"{template}.j2"])
        .render(
            name=prepared.name,
            NAME=prepared.name.upper(),
            command=command,
            version=__version__,
            variant=variant,
            knobs=words.free_knobs(variant),
            recipe=words.recipe(variant),
            marks=words.marks(measurement),
            measurement=measurement,
            measured=measurement.cost,
            cost=prepared.cost,
            reason=prepared.reason,
            proof=words.proof(answer.certificate) if answer else None,
            budget=answer.question.budget if answer else None,
            fastest=answer is not None and answer.measurement is measurement,
            within=answer is not None and fits(_as_exported(prepared), answer.question.budget),
            primitive=primitive,
            part=part,
            target=target,
            block=rendered.block,
            entries=rendered.entries,
            entry_doc={entry: kind.entries.get(entry, "") for entry in rendered.entries},
            field_doc=_field_docs(prepared, kind.fields),
            scalars=kind.scalars,
            constants=dict(kind.constants),
            source=prepared.source,
            vectors=kind.vectors,
            figure_doc={
                **kind.figures,
                **{entry: f"`{prepared.name}_{entry}`" for entry in rendered.entries},
            },
            mirror=next(iter(part.regions("mirror")), None),
            interface=load_interface(variant.target),
            cross=load_toolchain(variant.target).tools["as"].removesuffix("as"),
        )
    )


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("tightfit.export", "gnu"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters |= {"cycles": words.cycles, "bytes": _c_bytes}
    return environment


def _field_docs(prepared: Prepared, known: Mapping[str, str]) -> dict[str, str]:
    block, keeps = prepared.rendered.block, "kept between calls; leave it alone"
    work = {name: keeps if name in block.kept else "undefined on return" for name, _, _ in block.fields}
    return {name: known.get(name, f"work area: {doc}") for name, doc in work.items()}


def _c_bytes(data: bytes) -> str:
    return ", ".join(f"0x{byte:02x}" for byte in data)
