"""The portfolio: a grid of budgets, each cell with what is known of it."""

from tightfit.explorer.views import View, prose, stack


def portfolio() -> View:
    """The grid and, below, the chosen cell."""
    grid = prose("region", "Portfolio", sizing_mode="stretch_width", css_classes=["wide"])
    cell = prose("region", "The chosen cell", sizing_mode="stretch_both", css_classes=["scroll"])
    return View(stack(grid, cell), {"grid": grid, "cell": cell})
