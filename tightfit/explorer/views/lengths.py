"""Message length: cycles a byte against the length of the message, of the winners of the budgets."""

from bokeh.models import CheckboxGroup, Column, ColumnDataSource, HoverTool, Row

from tightfit.explorer.views import View, plot, prose

_TIP = [("", "@label"), ("message", "$x{0,0} bytes"), ("cycles a byte", "$y{0,0.0}")]


def lengths() -> View:
    """The figure, the cells to choose beside it, the figures as a table below."""
    label = "Cycles a byte against message length; the table below lists the cycles"
    made = plot(label, "message, bytes", "cycles a byte", width=650, height=430, tools="")
    lines = ColumnDataSource({name: [] for name in ("xs", "ys", "color", "label", "dash")})
    shown = made.multi_line("xs", "ys", source=lines, line_color="color", line_dash="dash", line_width=2.5)
    made.add_tools(
        "pan", "box_zoom", "wheel_zoom", "reset", "save", HoverTool(renderers=[shown], tooltips=_TIP)
    )
    cells = CheckboxGroup(labels=[], active=[], width=400, height=440, styles={"overflow": "auto"})
    table = prose(
        "region", "Cycles by message length", width=1060, height=230, css_classes=["scroll", "dense"]
    )
    models = {"length_lines": lines, "length_cells": cells, "length_table": table}
    return View(Column(Row(made, cells), table), models)
