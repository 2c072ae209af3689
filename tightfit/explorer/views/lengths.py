"""Message length: cycles a byte against the length of the message, of the winners of the budgets."""

from bokeh.models import ColumnDataSource, HoverTool

from tightfit.explorer.views import View, beside, plot, prose, stack

_TIP = """<div style="max-width: 240px; white-space: normal">@label<br>
message: $x{0,0} bytes<br>cycles a byte: $y{0,0.0}</div>"""


def lengths() -> View:
    """The figure, the cells to choose beside it, the figures as a table below."""
    label = "Cycles a byte against message length; the table below lists the cycles"
    made = plot(label, "message, bytes", "cycles a byte", min_height=300, tools="")
    lines = ColumnDataSource({name: [] for name in ("xs", "ys", "color", "label", "dash")})
    shown = made.multi_line("xs", "ys", source=lines, line_color="color", line_dash="dash", line_width=2.5)
    made.add_tools(
        "pan", "box_zoom", "wheel_zoom", "reset", "save", HoverTool(renderers=[shown], tooltips=_TIP)
    )
    cells = prose("group", "Lines", sizing_mode="stretch_both", css_classes=["scroll"], min_height=160)
    cells.styles = {"flex": "1 1 300px", "max-width": "560px"}
    made.styles = {"flex": "2 1 400px"}
    table = prose(
        "region",
        "Cycles by message length",
        sizing_mode="stretch_width",
        height=230,
        css_classes=["scroll", "dense"],
    )
    models = {"length_lines": lines, "length_cells": cells, "length_table": table}
    return View(stack(beside(made, cells), table), models)
