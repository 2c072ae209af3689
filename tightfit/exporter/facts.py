"""What the templates of an exported library may use: facts of the library and of each routine."""

import re
from collections.abc import Container, Mapping
from typing import Any

from tightfit import __version__
from tightfit.conditions import BANKS, without
from tightfit.exporter.aligned import alignment
from tightfit.exporter.annotate import annotated
from tightfit.exporter.bundle import Library
from tightfit.exporter.examples import PACKETS, examples
from tightfit.exporter.kinds import kind_words
from tightfit.exporter.lengths import added_by_call, exported_curve
from tightfit.exporter.messages import has_messages
from tightfit.exporter.messages import words as message_words
from tightfit.exporter.names import KEYWORDS
from tightfit.exporter.prepared import Prepared
from tightfit.exporter.standards import page_of
from tightfit.exporter.tables import has_aligned, room
from tightfit.exporter.texts import dialect_of, suffix
from tightfit.primitives import load_primitive
from tightfit.reports import words
from tightfit.reports.answer import fits
from tightfit.reports.cautions import bank_words, cores_without, sentences
from tightfit.targets import Part, load_target
from tightfit.targets.recipes import load_toolchain


def library_facts(library: Library) -> dict[str, Any]:
    """Facts that all templates may use."""
    first = library.members[0]
    variant = first.measurement.variant
    target = load_target(variant.target)
    part = target.part(library.part or variant.part)
    routines = [_routine(member, library) for member in library.members]
    dialect = dialect_of(first)
    padded = [member for member in library.members if has_aligned(member)]
    cross = load_toolchain(variant.target).tools["as"].removesuffix("as")
    return {
        "library": library,
        "name": library.name,
        "NAME": library.name.upper(),
        "title": ", ".join(f"{routine['primitive'].name} {routine['operation']}" for routine in routines),
        "members": library.members,
        "routines": routines,
        "headers": [f"{name}.h" for name in library.names]
        + [f"{member.name}_messages.h" for member in library.members if has_messages(_form(member))],
        "tests": library.tests,
        "examples": [] if library.together else _examples(first),
        "messages": [member.name for member in library.members if has_messages(_form(member))],
        "command": library.command,
        "version": __version__,
        "release": ".".join(re.findall(r"\d+", __version__)[:3]),
        "target": target,
        "part": part,
        "simulated": part.simulated,
        "mirror": None if target.harvard else next(iter(part.regions("mirror")), None),
        "cross": cross,
        "c_options": _c_options(variant.target, part),
        "compiler": dialect.words if dialect else f"GNU (`{cross}gcc`)",
        "dialect": dialect,
        "suffix": suffix(first),
        "clocks": library.has_clocks,
        "together": library.together,
        "total": library.total,
        "padded": padded,
        "tables_bytes": room("".join(member.source for member in padded)),
        "page": page_of(load_primitive(variant.primitive)),
    }


def _form(member: Prepared) -> str:
    return load_primitive(member.measurement.variant.primitive).form


def _examples(member: Prepared) -> list[str]:
    return examples(load_primitive(member.measurement.variant.primitive), member.rendered.entries)


def _c_options(target: str, part: Part) -> tuple[str, ...]:
    """Options of the C compiler that select a part; the assembler's where none are known for its core."""
    toolchain = load_toolchain(target)
    return toolchain.compile_options(part) if part.core.name in toolchain.compiling else part.assemble


def _routine(member: Prepared, library: Library) -> dict[str, Any]:
    """Facts of one routine for a page about several."""
    variant = member.measurement.variant
    return {
        "name": member.name,
        "short": member.name.removeprefix(f"{library.name}_"),
        "primitive": load_primitive(variant.primitive),
        "operation": variant.operation,
        "measurement": member.measurement,
        "cost": member.as_exported.cost,
        "cautions": sentences(member.measurement),
        "entries": member.rendered.entries,
    }


def routine_facts(member: Prepared, library: Library) -> dict[str, Any]:
    """Further facts that the templates of one routine may use."""
    measurement, rendered = member.measurement, member.rendered
    variant, answer = measurement.variant, library.answer
    target = load_target(variant.target)
    primitive = load_primitive(variant.primitive)
    kind = kind_words(primitive, measurement)
    return {
        "name": member.name,
        "NAME": member.name.upper(),
        "lib": library.name,
        "LIB": library.name.upper(),
        "variant": variant,
        "knobs": words.free_knobs(variant),
        "recipe": words.recipe(variant),
        "marks": words.marks(measurement),
        "cautions": sentences(measurement),
        "banks": bank_words(measurement) if measurement.cost.ram_parts.banks else None,
        "without_banks": next(iter(without(BANKS)), None),
        "cores_without": cores_without(variant.target) if measurement.registers_as_memory else None,
        "measurement": measurement,
        "measured": measurement.cost,
        "cost": member.cost,
        "alignment": alignment(member.source, target.block_alignment),
        "reason": member.reason,
        "curve": exported_curve(member),
        "wins": [(cell.budget.name, words.proof(cell.certificate)) for cell in member.wins or ()],
        "searched": member.wins is not None,
        "proof": words.proof(answer.certificate) if answer else None,
        "budget": answer.question.budget if answer else None,
        "fastest": answer is not None and answer.measurement is measurement,
        "within": answer is not None and fits(member.as_exported, answer.question.budget),
        "primitive": primitive,
        "block": rendered.block,
        "block_place": _place(target.block_alignment),
        "fields": _fields(member, kind.fields),
        "place_type": f"{member.name}_{'block' if library.gnu else 'even'}",
        "place": "block" if library.gnu else "room",
        "block_at": "block" if library.gnu else "room.block",
        "prepares": _prepares(rendered.entries),
        "has_messages": has_messages(primitive.form),
        "message_words": message_words(primitive, rendered.entries),
        "packets": {example: PACKETS[example](primitive) for example in _examples(member)},
        "entries": rendered.entries,
        "entry_doc": {
            entry: " ".join([kind.entries.get(entry, ""), *sentences(measurement)])
            for entry in rendered.entries
        },
        "scalars": kind.scalars,
        "constants": dict(kind.constants),
        "vectors": kind.vectors,
        "figure_doc": {**kind.figures, **{entry: f"`{member.name}_{entry}`" for entry in rendered.entries}},
        "interface": member.interface,
        "claims": _claims(member),
        "shim": _shim(member),
        "sheet": f"{member.name}.md" if library.together else "README.md",
        "listing": annotated(member),
    }


def _place(alignment: int) -> str:
    """Where a parameter block may lie."""
    return "an even address" if alignment == 2 else f"an address that is a multiple of {alignment}"


def _prepares(entries: Container[str]) -> bool:
    """Whether the first block under a key prepares the following ones."""
    return "setup" not in entries and any(
        way in entries and f"{way}_next" in entries for way in ("encrypt", "decrypt")
    )


def _claims(member: Prepared) -> dict[str, str]:
    """Least and most clocks of every figure, as C writes them."""
    timings = member.as_exported.cost.by_entry
    return {name: f"{timing.minimum}, {timing.maximum}" for name, timing in timings.items()}


def _shim(member: Prepared) -> str | None:
    """The part of the cost that the shim takes."""
    cost, plain = member.cost, member.measurement.cost
    if cost is None or member.interface.counted:
        return None
    cycles = words.cycles(added_by_call(cost, plain))
    return f"{cost.rom - plain.rom} B of ROM, {cost.ram - plain.ram} B of RAM, {cycles} cycles a call"


def _fields(member: Prepared, meanings: Mapping[str, str]) -> list[tuple[str, int, int, str]]:
    """(name in C, offset, bytes, what it holds) of the fields that the variant has."""
    block = member.rendered.block
    return [
        (
            f"{name}_" if name in KEYWORDS else name,
            offset,
            size,
            meanings.get(name) or _work(name, block.kept),
        )
        for name, offset, size in block.fields
        if size
    ]


def _work(field: str, kept: Container[str]) -> str:
    return f"work area: {'kept between calls; leave it alone' if field in kept else 'undefined on return'}"
