"""Rendering of variants: Jinja2 with a `fragment` block and knobs that record who reads them."""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any

import jinja2

from tightfit.errors import UsageError
from tightfit.primitives import load_primitive
from tightfit.records import Variant, canonical_json
from tightfit.targets import load_target

from .compiled import Compiled
from .declaration import load_space
from .linemarks import LineMarks
from .recorder import BlockReader, Constants, Entries, KnobReader, Recorder, RenderError
from .space import MAIN, BlockLayout, Inner, Space, TemplateSpec
from .tags import BEGIN, END, Fragments, Symbols

_EDGE = re.compile(f"([{BEGIN}{END}])(\\d+);")


@dataclass(frozen=True)
class Emission:
    """One emission of a fragment.

    Attributes
    ----------
    begin_label, end_label : local labels round it where the source has markers.
    parent_index : index of the emission that encloses it, or None.
    text : its source without that of the fragments inside it.
    """

    fragment: str
    begin_label: str
    end_label: str
    parent_index: int | None
    text: str


@dataclass(frozen=True)
class Rendered:
    """Source of a variant.

    Attributes
    ----------
    emissions : in the order of their first line.
    reads : knobs each fragment may depend on: those it declares and those read outside all fragments.
    outside : knobs read outside all fragments.
    block : layout of the parameter block, in bytes.
    static : declared static RAM in bytes, register banks included, which are `banks` of them.
    sha256 : of what is measured: the source with its fragment marks but without comments, blank lines and
        runs of spaces, the parameter block, the entries, and what the variant declares of static RAM and key.
    """

    source: str
    emissions: tuple[Emission, ...]
    reads: dict[str, frozenset[str]]
    outside: frozenset[str]
    block: BlockLayout
    entries: tuple[str, ...]
    static: int
    banks: int
    sha256: str


def render(
    variant: Variant, name: str = "tf", markers: bool = True, *, space: Space | None = None
) -> Rendered:
    """Assembly source of a variant.

    Parameters
    ----------
    name : prefix of the global symbols.
    markers : whether labels `__tf_b<i>` and `__tf_e<i>` bracket every emission.
    space : where the variant is from; by default the package's.

    Raises
    ------
    UsageError
        Where the variant is not of the space, or the template is wrong, with file, line, fragment and knob.
    """
    space = space or load_space(variant.target, variant.primitive, part=variant.part)
    spec = space.spec(variant)
    layout = spec.block_layout(variant.knobs, variant.operation)
    entries = spec.entries(variant.knobs, variant.operation)
    text, recorder = _text(variant, name, spec, layout, entries)
    plain, marked, emissions = _split(text, recorder)
    return Rendered(
        source=marked if markers else plain,
        emissions=emissions,
        reads={fragment: declared | recorder.outside for fragment, declared in recorder.declared.items()},
        outside=frozenset(recorder.outside),
        block=layout,
        entries=entries,
        static=spec.static_bytes(variant.knobs, variant.operation),
        banks=spec.banks(variant.knobs, variant.operation),
        sha256=_digest(
            _bare(marked, load_target(variant.target).comment),
            [emission.fragment for emission in emissions],
            [*layout.fields, sorted(layout.kept)],
            entries,
            spec.static_bytes(variant.knobs, variant.operation),
            spec.destroys_key(variant.knobs, variant.operation),
        ),
    )


def render_with_lines(variant: Variant, *, space: Space | None = None) -> str:
    """The source of `render` with the marks of `linemarks` in it; slower, for when something is wrong."""
    space = space or load_space(variant.target, variant.primitive, part=variant.part)
    spec = space.spec(variant)
    layout = spec.block_layout(variant.knobs, variant.operation)
    entries = spec.entries(variant.knobs, variant.operation)
    return _split(*_text(variant, "tf", spec, layout, entries, lines=True))[1]


def _text(
    variant: Variant,
    name: str,
    spec: TemplateSpec,
    layout: BlockLayout,
    entries: tuple[str, ...],
    lines: bool = False,
) -> tuple[str, Recorder]:
    """What the template says, the edges of emissions in it, and what it read."""
    recorder = Recorder(spec.knobs)
    entry_reads = frozenset().union(*(when.knobs for when in spec.extra_entries.values()))
    inner = spec.inner and _Called(variant, f"{name}_inner", spec.inner, recorder)
    if inner is not None:
        recorder.implied = frozenset().union(*(size.knobs for _, size in inner.spec.fields))
    text = _source(variant, name, spec, variant.operation, layout, recorder, lines)(
        routines=frozenset(entries), entries=Entries(recorder, entries, entry_reads), inner=inner
    )
    text = "".join(f"        {line}\n" for line in load_target(variant.target).head) + text
    if inner is not None:
        recorder.implied = frozenset()
        text += _source(variant, inner.name, inner.spec, inner.operation, inner.layout, recorder, lines)(
            routines=frozenset(), entries=inner.entries
        )
    return text, recorder


class _Called:
    """What a construction calls, as its templates see it: `inner.symbol('hash')`, `inner.p.digest_bytes`."""

    def __init__(self, variant: Variant, name: str, inner: Inner, recorder: Recorder) -> None:
        self.name, self.spec, self.operation = name, inner.spec, inner.operation
        knobs = {knob: variant.knobs[knob] for knob in inner.spec.knobs}
        self.layout = inner.spec.block_layout(knobs, inner.operation)
        self.entries = Entries(recorder, inner.spec.entries(knobs, inner.operation), frozenset())
        self.symbol = _symbols(variant.target, name)
        self.p = Constants(self.spec.constants, "inner.p", "constant of what is called")
        self.full_last = load_primitive(self.spec.primitive).full_last


def _symbols(target: str, name: str) -> Callable[[str], str]:
    abi = load_target(target).abi
    return lambda stem: abi.symbol(f"{name}_{stem}")


def _source(
    variant: Variant,
    name: str,
    spec: TemplateSpec,
    operation: str,
    layout: BlockLayout,
    recorder: Recorder,
    lines: bool,
) -> Callable[..., str]:
    """Renders the main source of a template with what every template sees, and more by name."""
    root = spec.folder.parents[2]
    return partial(
        _rendered,
        _environment(root, lines),
        (spec.folder / MAIN).relative_to(root).as_posix(),
        recorder,
        k=KnobReader(recorder, variant.knobs, operation),
        p=Constants(spec.constants, "p", "constant of the primitive"),
        t=Constants(spec.facts, "t", "fact of the core class"),
        name=name,
        symbol=_symbols(variant.target, name),
        sections=load_target(variant.target).sections,
        type_mark=load_target(variant.target).type_mark,
        block=BlockReader(recorder, spec, layout),
    )


def _bare(source: str, comment: str) -> str:
    """A source as the assembler sees it: no comments, no blank lines, one space where there are several."""
    lines = (_code(line, comment) for line in source.splitlines())
    return "\n".join(line for line in lines if line)


def _code(line: str, comment: str) -> str:
    if '"' in line:
        return re.sub(rf'("[^"]*")|\s*{re.escape(comment)}.*', lambda found: found[1] or "", line).strip()
    return " ".join(line.partition(comment)[0].split())


def _digest(*facts: Any) -> str:
    return hashlib.sha256(canonical_json(facts).encode()).hexdigest()


def _split(text: str, recorder: Recorder) -> tuple[str, str, tuple[Emission, ...]]:
    """The source, the source with the edges of emissions turned into labels, and the emissions."""
    source, labels, owned, position = [], [], [], {}
    line_open = False
    open_emissions: list[int] = []
    found: list[tuple[str, int | None]] = []
    for piece, edge, index in _pieces(text):
        source.append(piece)
        if open_emissions:
            owned[open_emissions[-1]].append(piece)
        line_open = not piece.endswith("\n") if piece else line_open
        if edge and line_open:
            source.append("\n")
            line_open = False
        if edge == BEGIN:
            if index in position:
                raise UsageError(
                    f"fragment {recorder.emitted[index]!r}: expected its text once, found a copy"
                )
            position[index] = len(found)
            found.append((recorder.emitted[index], open_emissions[-1] if open_emissions else None))
            owned.append([])
            open_emissions.append(position[index])
        elif edge:
            open_emissions.pop()
        if edge:
            labels.append((len(source), f"{_label(edge, position[index])}:\n"))
    emissions = (
        Emission(fragment, _label(BEGIN, i), _label(END, i), parent, "".join(owned[i]))
        for i, (fragment, parent) in enumerate(found)
    )
    marked = source.copy()
    for place, label in reversed(labels):
        marked.insert(place, label)
    return "".join(source), "".join(marked), tuple(emissions)


def _pieces(text: str) -> Iterator[tuple[str, str, int]]:
    parts = _EDGE.split(text)
    for piece, edge, index in zip(parts[:-1:3], parts[1::3], parts[2::3], strict=True):
        yield piece, edge, int(index)
    yield parts[-1], "", -1


def _label(edge: str, index: int) -> str:
    return f"__tf_{'b' if edge == BEGIN else 'e'}{index}"


class _Template(jinja2.Template):
    """A template whose imported macros see the variant at hand, never one from an earlier rendering."""

    def _get_default_module(self, ctx: jinja2.runtime.Context | None = None):
        return self.make_module(ctx.parent if ctx is not None else None)


class _Context(jinja2.runtime.Context):
    """Calls macros straight away: a rendering makes thousands of calls, and none of them passes a context."""

    def call(__self, __callable, *args, **kwargs):  # noqa: N805
        if type(__callable) is not jinja2.runtime.Macro:
            return super().call(__callable, *args, **kwargs)
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        return __callable(*args, **kwargs)


class _Environment(jinja2.Environment):
    template_class = _Template
    context_class = _Context

    def join_path(self, template: str, parent: str) -> str:
        """A template by a name that another uses: beside it, else in the nearest folder above it."""
        return _nearest(Path(self.loader.searchpath[0]), template, parent)


@cache
def _nearest(root: Path, name: str, user: str) -> str:
    places = (folder / name for folder in PurePosixPath(user).parents)
    return next((str(place) for place in places if (root / place).is_file()), name)


@cache
def _environment(root: Path, lines: bool = False) -> jinja2.Environment:
    tags = (Fragments, Symbols, *([LineMarks] if lines else []))
    return _Environment(
        bytecode_cache=Compiled("lines" if lines else "plain"),
        loader=jinja2.FileSystemLoader(root),
        extensions=[*tags, "jinja2.ext.do", "jinja2.ext.loopcontrols"],
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        cache_size=-1,
    )


def _rendered(environment: jinja2.Environment, filename: str, recorder: Recorder, **context: object) -> str:
    try:
        return environment.get_template(filename).render(context)
    except jinja2.TemplateSyntaxError as error:
        raise UsageError(f"{error.filename or filename}:{error.lineno}: {error.message}") from None
    except jinja2.TemplateNotFound as error:
        raise UsageError(f"{filename}: expected a template {error.name!r} to include, found none") from None
    except (RenderError, jinja2.TemplateError, TypeError, ValueError, LookupError, ArithmeticError) as error:
        inside = f" in fragment {recorder.failed!r}" if recorder.failed else ""
        raise UsageError(f"{_place(error.__traceback__, filename)}: {error}{inside}") from None


def _place(traceback: TracebackType | None, filename: str) -> str:
    """The innermost line of a template on the traceback, as file:line."""
    place = filename
    while traceback:
        file = traceback.tb_frame.f_code.co_filename
        if file.endswith(".j2"):
            place = f"{file}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place
