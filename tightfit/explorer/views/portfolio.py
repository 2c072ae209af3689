"""The portfolio: a grid of budgets, each cell with what is known of it."""

from bokeh.models import Column

from tightfit.explorer.views import View, prose

_WIDE = 1060


def portfolio() -> View:
    """The grid and, below, the chosen cell."""
    grid = prose("region", "Portfolio", width=_WIDE)
    cell = prose("region", "The chosen cell", width=_WIDE, height=400, css_classes=["scroll"])
    return View(Column(grid, cell), {"grid": grid, "cell": cell})
