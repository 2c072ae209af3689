"""Area against throughput, as the XBX study shows them: one figure a target, one range for all."""

from bokeh.models import ColumnDataSource, HoverTool, LogTicker, Model, TapTool
from bokeh.plotting import figure

from tightfit.explorer.views import View, beside, plot, prose, stack

_TIP = [
    ("", "@subject"),
    ("variant", "@id"),
    ("area", "@area{0,0} B (ROM @rom{0,0}, RAM @ram{0,0})"),
    ("bytes per 1000 cycles", "@y{0.000}"),
]


def area(targets: list[str]) -> View:
    """A figure for each target, its fronts as steps and their variants as dots."""
    models: dict[str, Model] = {}
    figures: list[figure] = []
    for target in targets:
        ranges = {name: getattr(figures[0], name) for name in ("x_range", "y_range")} if figures else {}
        label = f"Area against throughput on {target}: fronts of the primitives"
        made = plot(
            label,
            "area = 4 x RAM + ROM, bytes",
            "" if figures else "bytes per 1000 cycles",
            title=target,
            min_height=300,
            tools="",
            **ranges,
        )
        made.title.text_font_size = "11px"
        made.xaxis.ticker = LogTicker(base=4, mantissas=[1], num_minor_ticks=0)  # there is little room
        lines = ColumnDataSource({name: [] for name in ("xs", "ys", "color", "dash", "width")})
        points = ColumnDataSource(
            {name: [] for name in ("area", "y", "id", "subject", "rom", "ram", "color")}
        )
        made.multi_line("xs", "ys", source=lines, line_color="color", line_dash="dash", line_width="width")
        dots = made.scatter("area", "y", source=points, size=6, color="color")
        dots.nonselection_glyph = None
        tap, hover = TapTool(renderers=[dots]), HoverTool(renderers=[dots], tooltips=_TIP)
        made.add_tools("pan", "box_zoom", "wheel_zoom", "reset", "save", tap, hover)
        models |= {
            f"area_lines_{target}": lines,
            f"area_points_{target}": points,
            f"area_title_{target}": made.title,
        }
        figures.append(made)
        made.toolbar_location = "below"  # beside the title there is little room
    key = prose("region", "Colours of the primitives", sizing_mode="stretch_width")
    return View(stack(key, beside(*figures)), {**models, "area_key": key})
