"""The files of an exported library, written from templates."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from tightfit import __version__
from tightfit.export.annotate import annotated
from tightfit.export.kinds import kind_words
from tightfit.export.lengths import exported_curve
from tightfit.export.prepared import GNU, Prepared
from tightfit.primitives import load_primitive
from tightfit.reports import words
from tightfit.reports.answer import Answer, fits
from tightfit.reports.together import Together
from tightfit.targets import load_target
from tightfit.targets.recipes import load_toolchain

_FOLDER = Path(__file__).parent / "files"


@dataclass(frozen=True)
class Library:
    """What is to be written: routines of one target and toolchain under one name.

    A library of one routine has that routine's name, one of several a name of its own. `command` is what the
    files say they were made by; `answer` or `together` is the question that they answer, for the data sheet.
    """

    name: str
    members: tuple[Prepared, ...]
    command: str
    answer: Answer | None = None
    together: Together | None = None

    @property
    def target(self) -> str:
        """Id of the target."""
        return self.members[0].measurement.variant.target

    @property
    def gnu(self) -> bool:
        """Whether it is for GNU's tools, with what builds and times it."""
        return self.members[0].toolchain == GNU


def library_files(library: Library) -> dict[str, str]:
    """Text by path within the folder."""
    return dict(_files(library))


def _files(library: Library) -> Iterator[tuple[str, str]]:
    shared = _shared(library)
    for path, template in _library_templates(library):
        yield path, _render(template, shared)
    for member in library.members:
        facts = {**shared, **_facts(member, library)}
        for path, template in _member_templates(member, library):
            yield path, _render(template, facts)


def _library_templates(library: Library) -> Iterator[tuple[str, str]]:
    """(path, template) of what a library has once."""
    name = library.name
    yield "LICENSE", "LICENSE"
    if library.together:
        yield "README.md", "together/README.md"
        yield f"src/{name}.h", "together/header.h"
        yield f"src/{name}_selftest.h", "selftest.h"
        yield f"src/{name}_selftest.c", "together/selftest.c"
        yield "examples/main.c", "together/example.c"
    if library.gnu:
        yield from ((each, each) for each in ("Makefile", "CMakeLists.txt", "toolchain.cmake"))
        yield from _target_templates(library.target)
    if has_clocks(library):
        yield f"src/{name}_clocks.h", "clocks.h"
        yield f"src/{name}_clocks.c", "clocks.c"
        yield f"src/{name}_nothing.S", "nothing.S"


def _member_templates(member: Prepared, library: Library) -> Iterator[tuple[str, str]]:
    """(path, template) of what every routine has."""
    kind = load_primitive(member.measurement.variant.primitive).kind
    name = member.name
    yield f"src/{name}.h", "header.h"
    yield f"src/{name}.S", "routine.S"
    yield f"src/{name}_selftest.h", "selftest.h"
    yield f"src/{name}_selftest.c", f"{kind}/selftest.c"
    if has_clocks(library):
        yield f"src/{name}_timed.c", f"{kind}/timed.c"
    if library.together:
        yield f"{name}.md", "README.md"
    else:
        yield "README.md", "README.md"
        yield "examples/main.c", f"{kind}/example.c"


def has_clocks(library: Library) -> bool:
    """Whether the self-test can time the routines on the target."""
    return library.gnu and (_FOLDER / "targets" / library.target / "timer.h.j2").is_file()


def _target_templates(target: str) -> Iterator[tuple[str, str]]:
    """(path, template) of what only the libraries of one target have."""
    folder = _FOLDER / "targets" / target / "library"
    for file in sorted(folder.rglob("*.j2")):
        path = file.relative_to(folder).as_posix().removesuffix(".j2")
        yield path, f"targets/{target}/library/{path}"


def _shared(library: Library) -> dict[str, Any]:
    """What all templates may use."""
    first = library.members[0]
    variant = first.measurement.variant
    target = load_target(variant.target)
    part, routines = target.part(variant.part), [_routine(one) for one in library.members]
    cross = load_toolchain(variant.target).tools["as"].removesuffix("as")
    return {
        "library": library,
        "name": library.name,
        "NAME": library.name.upper(),
        "title": ", ".join(f"{one['primitive'].name} {one['operation']}" for one in routines),
        "members": library.members,
        "routines": routines,
        "headers": [f"{name}.h" for name in _names(library)],
        "tests": list(_tests(library)),
        "command": library.command,
        "version": __version__,
        "target": target,
        "part": part,
        "mirror": next(iter(part.regions("mirror")), None),
        "cross": cross,
        "compiler": f"GNU (`{cross}gcc`)",
        "suffix": "S",
        "clocks": has_clocks(library),
        "together": library.together,
    }


def _names(library: Library) -> list[str]:
    """What has a header: the library and its routines."""
    return [*dict.fromkeys([library.name, *(one.name for one in library.members)])]


def _tests(library: Library) -> Iterator[str]:
    """Sources of the self-test."""
    yield from (f"{name}_selftest.c" for name in _names(library))
    if has_clocks(library):
        yield from (f"{one.name}_timed.c" for one in library.members)
        yield f"{library.name}_clocks.c"
        yield f"{library.name}_nothing.S"


def _routine(member: Prepared) -> dict[str, Any]:
    """What a page about several routines says of one."""
    variant = member.measurement.variant
    return {
        "name": member.name,
        "primitive": load_primitive(variant.primitive),
        "operation": variant.operation,
        "measurement": member.measurement,
        "cost": member.as_exported.cost,
        "entries": member.rendered.entries,
    }


def _facts(member: Prepared, library: Library) -> dict[str, Any]:
    """What the templates of one routine may use besides."""
    measurement, rendered = member.measurement, member.rendered
    variant, answer = measurement.variant, library.answer
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
        "measurement": measurement,
        "measured": measurement.cost,
        "cost": member.cost,
        "reason": member.reason,
        "curve": exported_curve(member),
        "proof": words.proof(answer.certificate) if answer else None,
        "budget": answer.question.budget if answer else None,
        "fastest": answer is not None and answer.measurement is measurement,
        "within": answer is not None and fits(member.as_exported, answer.question.budget),
        "primitive": primitive,
        "block": rendered.block,
        "entries": rendered.entries,
        "entry_doc": {entry: kind.entries.get(entry, "") for entry in rendered.entries},
        "field_doc": _field_docs(member, kind.fields),
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


def _render(template: str, facts: Mapping[str, Any]) -> str:
    text = _environment().get_template(f"{template}.j2").render(facts)
    return re.sub(r"[ \t]+$", "", re.sub(r"\n{3,}", "\n\n", text), flags=re.MULTILINE)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters |= {"cycles": words.cycles, "bytes": c_bytes}
    return environment


def _claims(member: Prepared) -> dict[str, str]:
    """Least and most clocks of every figure that is one call, as C writes them."""
    timings = member.as_exported.cost.by_entry
    calls = member.rendered.entries if timings.keys() & set(member.rendered.entries) else timings
    return {name: f"{timings[name].minimum}, {timings[name].maximum}" for name in timings if name in calls}


def _shim(member: Prepared) -> str | None:
    """What of the cost is not the routine's own."""
    cost, plain = member.cost, member.measurement.cost
    if cost is None or member.interface.counted:
        return None
    figure = next(name for name in plain.by_entry if name in (*member.rendered.entries, *plain.ranked))
    cycles = words.cycles(cost.by_entry[figure].cycles - plain.by_entry[figure].cycles)
    return f"{cost.rom - plain.rom} B of ROM, {cost.ram - plain.ram} B of RAM, {cycles} cycles a call"


def _field_docs(member: Prepared, known: Mapping[str, str]) -> dict[str, str]:
    block, keeps = member.rendered.block, "kept between calls; leave it alone"
    work = {name: keeps if name in block.kept else "undefined on return" for name, _, _ in block.fields}
    return {name: known.get(name, f"work area: {doc}") for name, doc in work.items()}


def c_bytes(data: bytes) -> str:
    """Bytes as C writes them in an array."""
    return ", ".join(f"0x{byte:02x}" for byte in data)
