"""The document: filters on the left, views in tabs, and the script that fills them."""

from collections.abc import Mapping
from typing import Any

from bokeh.document import Document
from bokeh.models import Column, Model, Row, TabPanel, Tabs

from tightfit.explorer.script import starter
from tightfit.explorer.views.filters import filters
from tightfit.explorer.views.tradeoff import tradeoff

TITLE = "tightfit explorer"


def build(document: Document, wire: Mapping[str, Any]) -> None:
    """Put the explorer into a document; `wire` is where its pages come from."""
    left = filters()
    views = {"Trade-off": tradeoff()}
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
