"""Tables of a page as HTML: there are hundreds of thousands of cells, so no template makes them."""

from collections.abc import Callable

from markupsafe import Markup, escape

from tightfit.reports.document import Table


def table(content: Table, cell: Callable[[int, int, str], str]) -> Markup:
    """A table that scrolls by itself; `cell` makes the HTML of a cell from row, column and text."""
    caption, right = escape(content.caption), content.right
    marks = [' class="n"' if column in right else "" for column in range(len(content.columns))]
    heads = "".join(
        f'<th scope="col"{mark}>{escape(name)}</th>\n'
        for name, mark in zip(content.columns, marks, strict=True)
    )
    rows = "".join(
        f"<tr>{''.join(_cells(at, row, marks, cell))}</tr>\n" for at, row in enumerate(content.rows)
    )
    return Markup(
        f'<div class="table" role="region" aria-label="{caption}" tabindex="0">\n<table>\n'
        f"<caption>{caption}</caption>\n<thead><tr>\n{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n"
        "</table>\n</div>\n"
    )


def _cells(
    at: int, row: tuple[str, ...], marks: list[str], cell: Callable[[int, int, str], str]
) -> list[str]:
    return [f"<td{marks[column]}>{cell(at, column, text)}</td>" for column, text in enumerate(row)]
