"""What is looked at: target, primitive, operation, message length, conditions, and the two budgets."""

from bokeh.models import CheckboxGroup, Column, Row, Select, Slider, TextInput

from tightfit.explorer.views import View, prose

WIDTH = 262
ROM_BITS, RAM_BITS = (6, 17), (4, 14)
"""Sliders end at 2 to these powers; at the upper end a bound is free."""

BESIDE = {"published": "Published figures", "C baseline": "C alone", "external": "External routines"}
"""What may stand beside the variants, by the names that the address knows."""


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
        "only": CheckboxGroup(labels=[], active=[], width=WIDTH),
        "beside": CheckboxGroup(labels=list(BESIDE.values()), active=list(range(len(BESIDE))), width=WIDTH),
        "winner": prose("status", "The fastest that fits", width=WIDTH),
        "notice": prose("alert", "Notices", width=WIDTH),
    }
    shown = [
        *selects.values(),
        *(Row(bounds[name], bounds[f"{name}_bytes"]) for name in ("rom", "ram")),
        models["only"],
        models["beside"],
        models["notice"],
        models["winner"],
    ]
    side = Column(*shown, width=WIDTH + 22, sizing_mode="stretch_height", spacing=2, css_classes=["side"])
    side.styles = {"overflow": "hidden auto", "flex": "none"}
    return View(side, models)


def _bound(name: str, title: str, bits: tuple[int, int]) -> dict[str, Slider | TextInput]:
    low, high = bits
    slider = Slider(
        title=f"{title} at most",
        name=name,
        start=low,
        end=high,
        value=high,
        step=1,
        show_value=False,
        tooltips=False,
        width=150,
    )
    field = TextInput(title=f"{title}, bytes", placeholder="any", width=88, value="")
    return {name: slider, f"{name}_bytes": field}
