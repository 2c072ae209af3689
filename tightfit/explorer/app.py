"""The document: filters on the left, views in tabs, and the script that fills them."""

from collections.abc import Mapping
from typing import Any

from bokeh.document import Document
from bokeh.models import Column, Model, Row, TabPanel, Tabs

from tightfit.explorer.script import starter
from tightfit.explorer.views import View
from tightfit.explorer.views.area import area
from tightfit.explorer.views.filters import filters
from tightfit.explorer.views.lengths import lengths
from tightfit.explorer.views.portfolio import portfolio
from tightfit.explorer.views.tradeoff import tradeoff
from tightfit.explorer.views.variant import variant
from tightfit.targets import target_ids

TITLE = "tightfit explorer"


def build(document: Document, wire: Mapping[str, Any]) -> None:
    """Put the explorer into a document; `wire` is where its pages come from."""
    left, views = filters(), _views()
    tabs = Tabs(tabs=[TabPanel(child=view.layout, title=name) for name, view in views.items()])
    models: dict[str, Model] = {"tabs": tabs, **left.models}
    for view in views.values():
        models |= view.models
    for model in models.values():
        model.syncable = False  # the browser draws; a server need not know what
    script = starter(models, wire)
    # what hangs on a root is known to both sides of a server's session
    document.add_root(Row(left.layout, Column(tabs), tags=[script]))
    document.js_on_event("document_ready", script)
    document.title = TITLE


def _views() -> dict[str, View]:
    """The tabs, in the order in which `js/state.js` names them."""
    return {
        "Trade-off": tradeoff(),
        "Area and throughput": area(target_ids()),
        "Message length": lengths(),
        "Portfolio": portfolio(),
        "Variant": variant(),
    }
