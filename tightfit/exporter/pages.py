"""The files of an exported library, written from templates."""

import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import jinja2

from tightfit.exporter.bundle import FILES, Library
from tightfit.exporter.examples import examples
from tightfit.exporter.facts import library_facts, routine_facts
from tightfit.exporter.messages import calls, has_messages
from tightfit.exporter.prepared import Prepared, missing_tool
from tightfit.exporter.texts import standing, suffix, written
from tightfit.primitives import load_primitive
from tightfit.reports import words

if TYPE_CHECKING:
    from tightfit.exporter.layer import Layer

_BUILD_FILES = ("Makefile", "CMakeLists.txt", "CMakePresets.json", "toolchain.cmake")


def library_files(library: Library) -> dict[str, str]:
    """Text by path within the folder."""
    return dict(_files(library))


def _files(library: Library) -> Iterator[tuple[str, str]]:
    shared = library_facts(library)
    for path, template in _library_templates(library):
        text = _render(template, shared)
        if text.strip():  # a template may have nothing to say of a library
            yield path, text
    for member in library.members:
        facts = {**shared, **routine_facts(member, library)}
        text = written(member, _render("routine.S", facts))
        yield f"src/{member.name}{suffix(member)}", text
        facts["standing"] = standing(member, text)
        facts["layer"], facts["layer_reason"] = _layer(member, library, facts)
        for path, template in _member_templates(member, library):
            text = _render(template, facts)
            if text.strip():
                yield path, text


def _library_templates(library: Library) -> Iterator[tuple[str, str]]:
    """(path, template) of the files that a library has once."""
    name = library.name
    yield "LICENSE", "LICENSE"
    if library.together:
        yield "README.md", "together/README.md"
        yield f"src/{name}.h", "together/header.h"
        yield f"src/{name}_selftest.h", "selftest.h"
        yield f"src/{name}_selftest.c", "together/selftest.c"
        yield "examples/main.c", "together/example.c"
    if library.gnu:
        yield from ((file, file) for file in _BUILD_FILES)
        yield from _target_templates(library.target)
    if library.has_clocks:
        yield f"src/{name}_clocks.h", "clocks.h"
        yield f"src/{name}_clocks.c", "clocks.c"
        yield f"src/{name}_nothing.S", "nothing.S"


def _member_templates(member: Prepared, library: Library) -> Iterator[tuple[str, str]]:
    """(path, template) of the files that every routine has."""
    primitive = load_primitive(member.measurement.variant.primitive)
    form, name = primitive.form, member.name
    yield f"src/{name}.h", "header.h"
    if has_messages(form):
        yield f"src/{name}_messages.h", f"{form}/messages.h"
        yield f"src/{name}_messages.c", f"{form}/messages.c"
    yield f"src/{name}_selftest.h", "selftest.h"
    yield f"src/{name}_selftest.c", f"{form}/selftest.c"
    if library.has_clocks:
        yield f"src/{name}_timed.c", f"{form}/timed.c"
    if library.together:
        yield f"{name}.md", "README.md"
    else:
        yield "README.md", "README.md"
        yield "examples/main.c", f"{form}/example.c"
        for example in examples(primitive, member.rendered.entries):
            yield f"examples/{example}.c", f"{form}/examples/{example}.c"


def _layer(member: Prepared, library: Library, facts: Mapping[str, Any]) -> tuple["Layer | None", str]:
    """What the functions for whole messages take, or why that is not known."""
    variant = member.measurement.variant
    primitive = load_primitive(variant.primitive)
    if not has_messages(primitive.form):
        return None, "there are none"
    if not library.gnu:
        return None, "figures come from GNU's compiler"
    if missing_tool(variant.target, ("as", "ld", "cc")):
        return None, missing_tool(variant.target, ("as", "ld", "cc"))
    from tightfit.exporter.layer import NAME, Text, measure_layer

    plain = {**facts, "name": NAME, "NAME": NAME.upper(), "place_type": f"{NAME}_block"}
    headers = {f"{NAME}.h": "header.h", f"{NAME}_messages.h": f"{primitive.form}/messages.h"}
    text = Text.of(
        {name: _render(template, plain) for name, template in headers.items()},
        _render(f"{primitive.form}/messages.c", plain),
        member.rendered.entries,
        calls(primitive, member.rendered.entries),
    )
    return measure_layer(variant.target, variant.part, text)


def _target_templates(target: str) -> Iterator[tuple[str, str]]:
    """(path, template) of the files that only libraries for this target have."""
    folder = FILES / "targets" / target / "library"
    for file in sorted(folder.rglob("*.j2")):
        path = file.relative_to(folder).as_posix().removesuffix(".j2")
        yield path, f"targets/{target}/library/{path}"


def _render(template: str, facts: Mapping[str, Any]) -> str:
    text = _environment().get_template(f"{template}.j2").render(facts)
    return re.sub(r"[ \t]+$", "", re.sub(r"\n{3,}", "\n\n", text), flags=re.MULTILINE)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FILES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters |= {
        "cycles": words.cycles,
        "bytes": c_bytes,
        "comment": c_comment,
        "rom": words.rom,
        "ram": words.ram,
        "padding": words.padding,
        "padded": words.padded,
        "by_entry": words.by_entry,
    }
    return environment


def c_comment(text: str) -> str:
    """A text as a comment in C, broken into lines."""
    return f"/* {textwrap.fill(text, 110, subsequent_indent=' * ')} */"


def c_bytes(data: bytes) -> str:
    """Bytes as C writes them in an array."""
    return ", ".join(f"0x{byte:02x}" for byte in data)
