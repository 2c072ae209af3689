"""All primitives within one budget: a bar for each, and by message length a line; several together."""

from bokeh.models import ColumnDataSource, HoverTool

from tightfit.explorer.views import View, beside, plot, prose, stack

_TIP = """<div style="max-width: 240px; white-space: normal">@label<br>
message: $x{0,0} bytes<br>cycles a byte: $y{0,0.0}</div>"""


def primitives() -> View:
    """The bars over the lines, and beside them what is needed together."""
    bars = prose("region", "All primitives within the budgets", sizing_mode="stretch_both", min_height=200)
    needs = prose("region", "Several together", sizing_mode="stretch_both", min_height=200)
    bars.css_classes = needs.css_classes = ["scroll", "dense"]
    label = "Cycles a byte of all primitives of this kind by message length"
    made = plot(label, "message, bytes", "cycles a byte", min_height=240, tools="", name="kind")
    lines = ColumnDataSource({name: [] for name in ("xs", "ys", "color", "dash", "label")})
    style = {"line_color": "color", "line_dash": "dash", "line_width": 2.5, "legend_field": "label"}
    shown = made.multi_line("xs", "ys", source=lines, **style)
    made.add_layout(made.legend[0], "right")
    made.add_tools(
        "pan", "box_zoom", "wheel_zoom", "reset", "save", HoverTool(renderers=[shown], tooltips=_TIP)
    )
    left = stack(bars, made, flex="2 1 480px")
    needs.styles = {"flex": "1 1 320px"}
    return View(beside(left, needs), {"bars": bars, "together": needs, "kind_lines": lines})
