"""One variant: knobs, cost by fragment, listing; beside a second one where that is chosen."""

from bokeh.models import (
    Column,
    ColumnDataSource,
    FactorRange,
    HoverTool,
    Model,
    NumeralTickFormatter,
    Row,
    TextInput,
)
from bokeh.plotting import figure
from bokeh.transform import dodge

from tightfit.explorer.palette import ACCENT, SECOND
from tightfit.explorer.views import View, beside, prose

BARS_HIGH = 290
"""Height of the figures of fragments; with many of them the figures grow, and scroll."""


def variant() -> View:
    """What it is on the left; where its bytes and cycles are, and its listing, on the right."""
    which = TextInput(title="Variant (id)", width=150)
    other = TextInput(title="Compare with (id)", width=150)
    facts = prose(
        "region", "Knobs and cost", sizing_mode="stretch_both", css_classes=["scroll"], min_height=260
    )
    listing = prose("region", "Listing", sizing_mode="stretch_both", css_classes=["scroll"], min_height=260)
    fragments = FactorRange(factors=[])
    source = ColumnDataSource({name: [] for name in ("name", "rom", "rom_other", "cycles", "cycles_other")})
    bars = [
        _bars(kind, unit, fragments, source) for kind, unit in (("rom", "ROM, bytes"), ("cycles", "cycles"))
    ]
    models: dict[str, Model] = {
        "which": which,
        "other": other,
        "facts": facts,
        "listing": listing,
        "fragments": source,
        "fragment_names": fragments,
        "fragment_rom": bars[0],
        "fragment_cycles": bars[1],
    }
    both = Row(
        *bars,
        sizing_mode="stretch_width",
        styles={"max-height": f"{BARS_HIGH}px", "overflow": "hidden auto", "flex": "none"},
    )
    left = Column(
        Row(which, other), facts, sizing_mode="stretch_both", styles={"flex": "1 1 300px", "min-width": "0"}
    )
    right = Column(both, listing, sizing_mode="stretch_both", styles={"flex": "2 1 500px", "min-width": "0"})
    return View(beside(left, right), models)


def _bars(kind: str, unit: str, fragments: FactorRange, source: ColumnDataSource) -> figure:
    """Bars by fragment, the second variant's below the first's."""
    made = figure(
        y_range=fragments,
        sizing_mode="stretch_width",
        min_width=200,
        height=BARS_HIGH,
        x_axis_label=unit,
        x_axis_location="above",
        toolbar_location=None,
        tools="",
        html_attributes={"role": "img", "aria-label": f"{unit} by fragment"},
    )
    for column, offset, colour in ((kind, 0.2, ACCENT), (f"{kind}_other", -0.2, SECOND)):
        place = dodge("name", offset, range=fragments)
        made.hbar(y=place, right=column, height=0.36, source=source, color=colour)
    tip = [("fragment", "@name"), (unit, f"@{kind}{{0,0}}"), ("second variant", f"@{kind}_other{{0,0}}")]
    made.add_tools(HoverTool(tooltips=tip))
    made.x_range.start = 0
    made.xaxis.formatter = NumeralTickFormatter(format="0,0")
    made.xaxis.ticker.desired_num_ticks = 4
    made.ygrid.grid_line_color = None
    return made
