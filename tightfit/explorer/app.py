"""The document: filters on the left, views in tabs, and the script that fills them."""

from collections.abc import Mapping
from typing import Any

from bokeh.document import Document
from bokeh.models import Column, InlineStyleSheet, Model, Row, Spacer, TabPanel, Tabs

from tightfit.explorer.script import starter
from tightfit.explorer.views import View
from tightfit.explorer.views.area import area
from tightfit.explorer.views.best import best
from tightfit.explorer.views.filters import filters
from tightfit.explorer.views.lengths import lengths
from tightfit.explorer.views.portfolio import portfolio
from tightfit.explorer.views.primitives import primitives
from tightfit.explorer.views.tradeoff import tradeoff
from tightfit.explorer.views.variant import variant
from tightfit.targets import target_ids

TITLE = "tightfit explorer"


def build(document: Document, wire: Mapping[str, Any]) -> None:
    """Put the explorer into a document; `wire` is where its pages come from."""
    left, views = filters(), _views()
    # a layout is put into its tab when it is first looked at: to make all of them takes most of a second
    rooms = [Column(Spacer(), sizing_mode="stretch_both", styles={"overflow": "hidden"}) for _ in views]
    panels = [TabPanel(child=room, title=name) for name, room in zip(views, rooms, strict=True)]
    narrower = "@media (max-width: 900px) { .bk-tab { padding: 4px 2px; font-size: 11px; } }"
    narrow = InlineStyleSheet(css=f".bk-tab {{ padding: 4px 7px; }} {narrower}")  # beside the filters
    styles = {"min-width": "0", "overflow": "hidden"}
    tabs = Tabs(tabs=panels, sizing_mode="stretch_both", styles=styles, stylesheets=[narrow])
    models: dict[str, Model] = {"tabs": tabs, **left.models}
    for view in views.values():
        models |= view.models
    for model in (*models.values(), *rooms):
        model.syncable = False  # the browser draws; a server need not know what
    script = starter(models, [view.layout for view in views.values()], wire)
    # what hangs on a root is known to both sides of a server's session
    page = Row(left.layout, tabs, tags=[script], sizing_mode="stretch_both", stylesheets=[_dark()])
    document.add_root(page)
    document.js_on_event("document_ready", script)
    document.title = TITLE


def _dark() -> InlineStyleSheet:
    """Light on dark where the reader's system is; figures and widgets are turned over together, hues stay."""
    dark = "@media (prefers-color-scheme: dark) { :host { filter: invert(0.9) hue-rotate(180deg); } }"
    return InlineStyleSheet(css=f":host {{ background: white; overflow: hidden; }} {dark}")


def _views() -> dict[str, View]:
    """The tabs, in the order in which `js/state.js` names them."""
    return {
        "What fits": best(),
        "Trade-off": tradeoff(),
        "Primitives": primitives(),
        "Area and throughput": area(target_ids()),
        "Message length": lengths(),
        "Portfolio": portfolio(),
        "Variant": variant(),
    }
