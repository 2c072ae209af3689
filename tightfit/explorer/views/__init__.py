"""The views, one module each: Bokeh models that `js/` fills, and the names under which it knows them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bokeh.models import Column, Div, InlineStyleSheet, LogTicker, Model, NumeralTickFormatter, Row
from bokeh.models.ui import UIElement
from bokeh.plotting import figure

from tightfit.explorer.palette import FAINT


@dataclass(frozen=True)
class View:
    """A layout and the models in it that change, by name."""

    layout: UIElement
    models: dict[str, Model]


@cache
def style_text() -> str:
    """The style sheet of the text in all views."""
    return (Path(__file__).parents[1] / "explorer.css").read_text(encoding="utf-8")


def beside(*children: UIElement, narrow: int = 1200) -> Row:
    """Children beside one another where the window is wide enough, below one another where it is not."""
    below = f"@media (max-width: {narrow}px) {{ :host {{ flex-direction: column; overflow: hidden auto; }} }}"
    css = f":host {{ overflow: hidden; min-width: 0; min-height: 0; }} {below}"
    return Row(*children, sizing_mode="stretch_both", stylesheets=[InlineStyleSheet(css=css)])


def stack(*children: UIElement, **styles: str) -> Column:
    """Children below one another, no larger than what is left for them."""
    return Column(
        *children, sizing_mode="stretch_both", styles={"min-width": "0", "overflow": "hidden", **styles}
    )


def prose(role: str = "region", label: str = "", **more) -> Div:
    """A place for text; `role` and `label` are what a screen reader says of it."""
    attributes = {"role": role, **({"aria-label": label} if label else {})}
    style = InlineStyleSheet(css=style_text())
    return Div(text="", html_attributes=attributes, stylesheets=[style], **more)


def plot(label: str, x: str, y: str, **more) -> figure:
    """A figure with log2 axes; `label` is its description for those who do not see it."""
    made = figure(
        x_axis_type="log",
        y_axis_type="log",
        x_axis_label=x,
        y_axis_label=y,
        toolbar_location="above",
        html_attributes={"role": "img", "aria-label": label},
        sizing_mode="stretch_both",
        min_width=240,
        **more,
    )
    for axis in (*made.xaxis, *made.yaxis):
        axis.ticker = LogTicker(base=2, mantissas=[1], num_minor_ticks=0)
        axis.formatter = NumeralTickFormatter(format="0,0.[000]")
        axis.axis_label_text_font_style = "normal"
    made.grid.grid_line_color = "#e4e4e4"
    made.outline_line_color = FAINT
    made.toolbar.logo = None
    return made
