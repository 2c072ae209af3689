"""Trade-off: every known variant, ROM against cycles, RAM as colour."""

from bokeh.models import (
    ColorBar,
    Column,
    ColumnDataSource,
    HoverTool,
    LogColorMapper,
    LogTicker,
    Range1d,
    TapTool,
)

from tightfit.explorer.palette import ACCENT, INK, SHADES
from tightfit.explorer.views import View, beside, plot, prose

_TIP = [
    ("variant", "@id"),
    ("template", "@template"),
    ("ROM", "@rom{0,0} B"),
    ("RAM", "@ram{0,0} B"),
    ("cycles", "@y{0,0.[0]}"),
]
_RIVAL = [
    ("", "@origin: @name"),
    ("made by", "@made"),
    ("flags", "@flags"),
    ("ROM", "@rom{0,0} B"),
    ("RAM", "@ram{0,0} B"),
    ("cycles", "@y{0,0.[0]}"),
]
_THEIRS = [("published", "@source"), ("ROM", "@rom{0,0} B"), ("cycles", "@y{0,0}"), ("counted", "@counted")]


def tradeoff() -> View:
    """The figure and, beside it, the front within the budgets as a table."""
    label = "Every known variant: bytes of ROM against cycles; the table beside it lists the front"
    made = plot(
        label,
        "ROM, bytes",
        "cycles",
        min_height=380,
        x_range=Range1d(128, 4096),
        y_range=Range1d(1024, 65536),
        tools="",
        name="tradeoff",
    )
    names = ("id", "rom", "y", "ram", "template", "alpha", "size")
    points = ColumnDataSource({name: [] for name in names})
    stairs = ColumnDataSource({"rom": [], "y": []})
    best = ColumnDataSource({"rom": [], "y": []})
    theirs = ColumnDataSource({"rom": [], "y": [], "source": [], "counted": []})
    told = ("origin", "name", "made", "flags", "rom", "ram", "y", "alpha", "marker", "color")
    rivals = ColumnDataSource({name: [] for name in told})
    colours = LogColorMapper(palette=SHADES, low=32, high=512)
    dots = made.scatter(
        "rom",
        "y",
        source=points,
        size="size",
        alpha="alpha",
        line_color=None,
        fill_color={"field": "ram", "transform": colours},
    )
    dots.nonselection_glyph = None
    made.step("rom", "y", source=stairs, mode="after", line_color=INK, line_width=1.5)
    crosses = made.scatter("rom", "y", source=theirs, marker="x", size=10, line_color=ACCENT, line_width=2)
    others = made.scatter(
        "rom",
        "y",
        source=rivals,
        marker="marker",
        size=14,
        alpha="alpha",
        fill_color="color",
        line_color="white",
    )
    made.scatter("rom", "y", source=best, size=20, fill_color=None, line_color=ACCENT, line_width=3)
    bound = ColumnDataSource({"rom": []})
    made.vspan("rom", source=bound, line_color=ACCENT, line_dash="dashed", line_width=2)
    bar = ColorBar(
        color_mapper=colours, ticker=LogTicker(base=2, mantissas=[1]), title="RAM, bytes", width=12
    )
    made.add_layout(bar, "right")
    made.add_tools(
        "pan",
        "wheel_zoom",
        "box_zoom",
        "reset",
        "save",
        TapTool(renderers=[dots]),
        HoverTool(renderers=[dots], tooltips=_TIP, point_policy="snap_to_data"),
        HoverTool(renderers=[crosses], tooltips=_THEIRS),
        HoverTool(renderers=[others], tooltips=_RIVAL),
    )
    counts = prose("status", "What fits", sizing_mode="stretch_width", height=88)  # as high with three lines
    table = prose(
        "region",
        "The front within the budgets",
        sizing_mode="stretch_both",
        min_height=260,
        css_classes=["scroll"],
    )
    models = {
        "points": points,
        "stairs": stairs,
        "best": best,
        "theirs": theirs,
        "rivals": rivals,
        "bound": bound,
        "colours": colours,
        "tradeoff_y": made.yaxis[0],
        "tradeoff_xs": made.x_range,
        "tradeoff_ys": made.y_range,
        "counts": counts,
        "front": table,
    }
    shown = Column(counts, made, sizing_mode="stretch_both", styles={"flex": "2.4 1 500px", "min-width": "0"})
    table.styles = {"flex": "1 1 330px", "max-width": "640px"}
    return View(beside(shown, table), models)
