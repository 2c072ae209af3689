"""A page of tables and notes, and its writers: text, Markdown, HTML, LaTeX, CSV."""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

Style = Callable[[str, str], str]
"""Gives a part of a page its look, by what it is and its text."""
FORMATS = ("text", "md", "html", "csv", "latex")
_BROKEN = 20
_WHOLE = "\0"
"""In the place of a space at which a line is not broken."""


@dataclass(frozen=True)
class Table:
    """Rows of text under a caption; `right` holds the indices of the columns that hold figures.

    `spare` names columns that a narrow screen can do without, the one to miss first in front; the words of
    the columns in `broken` may stand below each other there.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int] = frozenset()
    spare: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    def fitted(self, width: int) -> "Table":
        """The table without as many of its spare columns, the first of them first, as do not fit a width."""
        for column in self.spare:
            if self.width <= width:
                return self
            if column in self.columns:
                return self._without(column).fitted(width)
        return self

    def broken_to(self, width: int) -> "Table":
        """The table with cells broken over several rows, as far as it is wider; words stay whole."""
        columns = list(zip(self.columns, *self.rows, strict=True))
        widths = [max(map(len, cells)) for cells in columns]
        least = [max(len(word) for cell in cells for word in cell.split() or [""]) for cells in columns]
        while sum(widths) + 2 * len(widths) > width and widths != least:
            widest = max(range(len(widths)), key=lambda at: (widths[at] > least[at], widths[at]))
            widths[widest] -= 1
        rows = (line for row in self.rows for line in _lines(row, widths))
        return replace(self, rows=tuple(rows))

    @property
    def width(self) -> int:
        """Characters that a line of its text takes at least, `_BROKEN` of them for a broken column."""
        return sum(self._least(at) + 2 for at in range(len(self.columns)))

    def _least(self, at: int) -> int:
        cells = [row[at] for row in (self.columns, *self.rows)]
        longest = max(map(len, cells))
        if self.columns[at] not in self.broken:
            return longest
        return max(min(longest, _BROKEN), *(len(word) for cell in cells for word in cell.split()))

    def dropping(self, column: str) -> "Table":
        """The table without a column that says nothing: empty or 0 in every row."""
        at = self.columns.index(column)
        if any(row[at] not in ("", "0") for row in self.rows):
            return self
        return self._without(column)

    def _without(self, column: str) -> "Table":
        at = self.columns.index(column)
        right = frozenset(index - (index > at) for index in self.right if index != at)
        columns, *rows = (row[:at] + row[at + 1 :] for row in (self.columns, *self.rows))
        spare = tuple(name for name in self.spare if name != column)
        return replace(self, columns=columns, rows=tuple(rows), right=right, spare=spare)


def _lines(row: Sequence[str], widths: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """The lines of a row whose cells are no wider than their columns."""
    if all(len(cell) <= width for cell, width in zip(row, widths, strict=True)):
        yield tuple(row)
        return
    from textwrap import wrap

    broken = [
        wrap(cell, width, break_long_words=False, break_on_hyphens=False) if cell else []
        for cell, width in zip(row, widths, strict=True)
    ]
    yield from zip_longest(*broken, fillvalue="")


@dataclass(frozen=True)
class Document:
    """A title, tables, and notes below them."""

    title: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()

    def fitted(self, width: int) -> "Document":
        """The page in lines of a width: tables without spare columns, the title and notes broken."""
        return Document(
            filled(self.title, width),
            tuple(table.fitted(width).broken_to(width) for table in self.tables),
            tuple(filled(note, width) for note in self.notes),
        )


def filled(text: str, width: int, indent: str = "") -> str:
    """A line broken into lines of a width, those behind the first with an indent; commands stay whole."""
    if len(text) <= width:
        return text
    from textwrap import fill

    commands = re.sub(r"`[^`]*`", lambda match: match[0].replace(" ", _WHOLE), text)
    lines = fill(commands, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return lines.replace(_WHOLE, " ")


def write(document: Document, form: str) -> str:
    """The document in one of `FORMATS`, ending in a newline."""
    writers: dict[str, Callable[[Document], str]] = {
        "text": lambda document: text_of(document, _as_it_is),
        "md": _markdown,
        "html": _html,
        "csv": _csv,
        "latex": _latex,
    }
    return writers[form](document)


def text_of(document: Document, style: Style) -> str:
    """The document as text, each of its parts as a function gives it.

    `style` takes what a part is (`title`, `head` of a column, `cell`, `note`) and its text, and may add what
    takes no room on a line.
    """
    parts = [style("title", document.title)]
    for table in document.tables:
        parts.append("\n".join([style("title", table.caption), *_columns(table, style)]))
    if document.notes:
        parts.append("\n".join(style("note", note) for note in document.notes))
    return "\n\n".join(parts) + "\n"


def _as_it_is(part: str, text: str) -> str:
    return text


def _columns(table: Table, style: Style) -> list[str]:
    rows = [table.columns, *table.rows]
    widths = [max(len(row[index]) for row in rows) for index in range(len(table.columns))]

    def line(part: str, row: Sequence[str]) -> str:
        cells = []
        for index, (cell, width) in enumerate(zip(row, widths, strict=True)):
            room = " " * (width - len(cell))
            shown = style(part, cell)
            cells.append(f"{room}{shown}" if index in table.right else f"{shown}{room}")
        return ("  " + "  ".join(cells)).rstrip()

    rule = "  " + "  ".join("-" * width for width in widths)
    return [line("head", table.columns), style("note", rule), *(line("cell", row) for row in table.rows)]


def _markdown(document: Document) -> str:
    parts = [f"# {document.title}"]
    for table in document.tables:
        rule = ["---:" if index in table.right else "---" for index in range(len(table.columns))]
        rows = [table.columns, tuple(rule), *(tuple(map(_escape_bar, row)) for row in table.rows)]
        parts += [f"## {table.caption}", "\n".join("| " + " | ".join(row) + " |" for row in rows)]
    if document.notes:
        parts.append("\n".join(f"- {note}" for note in document.notes))
    return "\n\n".join(parts) + "\n"


def _escape_bar(cell: str) -> str:
    return cell.replace("|", "\\|")


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:.5rem 0 2rem;display:block;overflow-x:auto}"
    "th,td{padding:.25rem .75rem;border-bottom:1px solid #bbb;text-align:left}"
    ".n{text-align:right;font-variant-numeric:tabular-nums}caption{text-align:left;font-weight:600}"
)


def _html(document: Document) -> str:
    title = _escape(document.title)
    body = [f"<h1>{title}</h1>"]
    for table in document.tables:
        head = _html_row("th", table.columns, table.right)
        rows = "\n".join(_html_row("td", row, table.right) for row in table.rows)
        caption = _escape(table.caption)
        body.append(
            f"<table>\n<caption>{caption}</caption>\n<thead>\n{head}\n</thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
        )
    if document.notes:
        body.append("<ul>\n" + "\n".join(f"<li>{_escape(note)}</li>" for note in document.notes) + "\n</ul>")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<style>{_STYLE}</style>\n</head>\n<body>\n'
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _html_row(tag: str, cells: Sequence[str], right: frozenset[int]) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    return (
        "<tr>"
        + "".join(
            f"<{tag}{scope}{' class=n' if index in right else ''}>{_escape(cell)}</{tag}>"
            for index, cell in enumerate(cells)
        )
        + "</tr>"
    )


def _csv(document: Document) -> str:
    """A single table as it is; several one below another, the caption in the first column of every row."""
    import csv

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    several = len(document.tables) > 1
    for table in document.tables:
        writer.writerow((*(["table"] * several), *table.columns))
        writer.writerows((*([table.caption] * several), *row) for row in table.rows)
    return out.getvalue()


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)


def _latex(document: Document) -> str:
    """A section with a `tabular` for each table; it needs no package."""
    parts = [rf"\section*{{{document.title.translate(_LATEX)}}}"]
    for table in document.tables:
        columns = "".join("r" if index in table.right else "l" for index in range(len(table.columns)))
        rows = [" & ".join(cell.translate(_LATEX) for cell in row) + r" \\" for row in table.rows]
        head = " & ".join(cell.translate(_LATEX) for cell in table.columns) + r" \\"
        parts.append(
            "\n".join(
                [
                    rf"\paragraph{{{table.caption.translate(_LATEX)}}}",
                    "",
                    rf"\begin{{tabular}}{{{columns}}}",
                    r"\hline",
                    head,
                    r"\hline",
                    *rows,
                    r"\hline",
                    r"\end{tabular}",
                ]
            )
        )
    if document.notes:
        notes = "\n".join(rf"\item {note.translate(_LATEX)}" for note in document.notes)
        parts.append(f"\\begin{{itemize}}\n{notes}\n\\end{{itemize}}")
    return "\n\n".join(parts) + "\n"


def _escape(text: str) -> str:
    from html import escape

    return escape(text)
