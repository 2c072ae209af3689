"""What is looked at: target, primitive, operation, message length, constant path, and the two budgets."""

from bokeh.models import CheckboxGroup, Column, NumericInput, Row, Select, Slider

from tightfit.explorer.views import View, prose

WIDTH = 262
ROM_BITS, RAM_BITS = (6, 16), (4, 13)
"""Sliders end at 2 to these powers; at the upper end a bound is free."""

BESIDE = {"published": "Published figures", "C baseline": "C alone", "external": "External routines"}
"""What may stand beside the variants, by the names that the address knows."""

_LOW = {"max-height": "220px", "overflow": "auto"}  # some variants have dozens of knobs


def filters() -> View:
    """The column on the left."""
    selects = {
        name: Select(title=title, options=[], width=WIDTH)
        for name, title in (
            ("place", "Target (part)"),
            ("primitive", "Primitive"),
            ("operation", "Operation"),
            ("length", "Cycles of"),
        )
    }
    bounds = {**_bound("rom", "ROM", ROM_BITS), **_bound("ram", "RAM", RAM_BITS)}
    models = {
        **selects,
        **bounds,
        "constant": CheckboxGroup(labels=["Constant path only (tested)"], active=[], width=WIDTH),
        "beside": CheckboxGroup(labels=list(BESIDE.values()), active=list(range(len(BESIDE))), width=WIDTH),
        "winner": prose("status", "The fastest that fits", width=WIDTH, styles=_LOW),
        "notice": prose("alert", "Notices", width=WIDTH),
    }
    rows = [Row(bounds[name], bounds[f"{name}_bytes"]) for name in ("rom", "ram")]
    shown = [
        *selects.values(),
        models["constant"],
        models["beside"],
        *rows,
        models["notice"],
        models["winner"],
    ]
    return View(Column(*shown, width=WIDTH + 10, spacing=2), models)


def _bound(name: str, title: str, bits: tuple[int, int]) -> dict[str, Slider | NumericInput]:
    low, high = bits
    slider = Slider(
        title=f"{title} at most",
        name=name,
        start=low,
        end=high,
        value=high,
        step=1 / 16,
        show_value=False,
        width=150,
    )
    field = NumericInput(title=f"{title}, bytes", mode="int", placeholder="any", width=88, value=None)
    return {name: slider, f"{name}_bytes": field}
