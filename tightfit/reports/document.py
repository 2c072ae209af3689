"""A page of tables and notes, and its writers: text, Markdown, HTML, LaTeX, CSV."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

FORMATS = ("text", "md", "html", "csv", "latex")
_BROKEN = 20


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


@dataclass(frozen=True)
class Document:
    """A title, tables, and notes below them."""

    title: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()


def write(document: Document, form: str) -> str:
    """The document in one of `FORMATS`, ending in a newline."""
    writers: dict[str, Callable[[Document], str]] = {
        "text": _text,
        "md": _markdown,
        "html": _html,
        "csv": _csv,
        "latex": _latex,
    }
    return writers[form](document)


def _text(document: Document) -> str:
    parts = [document.title]
    for table in document.tables:
        parts.append("\n".join([table.caption, *_columns(table)]))
    if document.notes:
        parts.append("\n".join(document.notes))
    return "\n\n".join(parts) + "\n"


def _columns(table: Table) -> list[str]:
    rows = [table.columns, *table.rows]
    widths = [max(len(row[index]) for row in rows) for index in range(len(table.columns))]

    def line(row: Sequence[str]) -> str:
        cells = (
            cell.rjust(width) if index in table.right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        return ("  " + "  ".join(cells)).rstrip()

    rule = "  " + "  ".join("-" * width for width in widths)
    return [line(table.columns), rule, *map(line, table.rows)]


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
