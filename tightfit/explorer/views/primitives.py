"""All primitives within one budget: a bar for each, by kind; and several of them together."""

from tightfit.explorer.views import View, beside, prose


def primitives() -> View:
    """The bars, and beside them what is needed together."""
    bars = prose("region", "All primitives within the budgets", sizing_mode="stretch_both", min_height=300)
    needs = prose("region", "Several together", sizing_mode="stretch_both", min_height=200)
    bars.css_classes = needs.css_classes = ["scroll", "dense"]
    bars.styles, needs.styles = {"flex": "2 1 480px"}, {"flex": "1 1 320px"}
    return View(beside(bars, needs), {"bars": bars, "together": needs})
