"""Where the lines of a variant's source are from, for those who say what is wrong with one."""

import re
from dataclasses import dataclass
from pathlib import Path

from tightfit.records import Variant

from .declaration import load_space
from .linemarks import origins, without_marks
from .rendering import Rendered, render, render_with_lines
from .space import Space

_LABEL = re.compile(r"__tf_([be])(\d+):")


@dataclass(frozen=True)
class SourceLine:
    """A line of rendered source, counted from 1.

    `fragment` is the innermost one that holds it, "" outside of all; `template` the file and `template_line`
    the line that it was rendered from, None and 0 where that is not known.
    """

    number: int
    text: str
    fragment: str
    template: Path | None
    template_line: int


def source_lines(variant: Variant, *, space: Space | None = None) -> tuple[SourceLine, ...]:
    """Every line of the source that is measured; renders the variant twice, so it is for failures."""
    space = space or load_space(variant.target, variant.primitive, part=variant.part)
    rendered = render(variant, space=space)
    root = space.folder.parents[1]
    marked = render_with_lines(variant, space=space)
    lines = rendered.source.split("\n")
    known = origins(marked) if without_marks(marked) == rendered.source else [("", 0)] * len(lines)
    return tuple(
        SourceLine(i + 1, text, fragment, root / name if name else None, at)
        for i, (text, fragment, (name, at)) in enumerate(
            zip(lines, _fragments(rendered, lines), known, strict=True)
        )
    )


def _fragments(rendered: Rendered, lines: list[str]) -> list[str]:
    """The innermost fragment that is open at each line."""
    opened, found = [""], []
    for line in lines:
        if edge := _LABEL.fullmatch(line):
            opened = [*opened, rendered.emissions[int(edge[2])].fragment] if edge[1] == "b" else opened[:-1]
        found.append(opened[-1])
    return found
