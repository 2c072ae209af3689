"""The explorer as one HTML file that needs neither server nor network."""

import gzip
import json
from base64 import b64encode
from pathlib import Path

from bokeh.document import Document
from bokeh.embed import file_html
from bokeh.resources import INLINE

from tightfit.errors import WorkError
from tightfit.explorer.app import TITLE, build
from tightfit.explorer.pages import NOTHING, Page, Pages
from tightfit.textfile import replace_text


def write(file: Path) -> Path:
    """Write the file; WorkError where nothing is known or it cannot be written."""
    shelf = gather(Pages())
    document = Document()
    packed = gzip.compress(json.dumps(shelf).encode(), mtime=0)
    build(document, {"shelf": b64encode(packed).decode()})
    replace_text(file, file_html(document, INLINE, TITLE))
    return file


def gather(pages: Pages) -> dict[str, dict[str, Page]]:
    """Every page that the browser may ask for, by question and key."""
    catalogue = pages.catalogue()
    if not catalogue["places"]:
        raise WorkError(NOTHING)
    keys = [
        "/".join((place["target"], place["part"], primitive, operation))
        for place in catalogue["places"]
        for primitive, operations in place["primitives"].items()
        for operation in operations
    ]
    shelf = {"catalogue": {"": catalogue}, "areas": {"": pages.areas()}}
    for what in ("subject", "lengths"):
        shelf[what] = {key: pages.answer(what, key) for key in keys}
    for what, choose in (("variant", _kept), ("listing", _winners)):
        names = dict.fromkeys(name for page in shelf["subject"].values() for name in choose(page))
        shelf[what] = {name: pages.answer(what, name) for name in names}
    return shelf


def _kept(subject: Page) -> list[str]:
    """The variants that are on a front or win a cell."""
    columns = subject["columns"]
    fronts = zip(columns["id"], columns["front"], columns["front_constant"], strict=True)
    return [*(name for name, *on in fronts if any(on)), *_winners(subject)]


def _winners(subject: Page) -> list[str]:
    """The variants that answer a budget."""
    won = [
        cell["variant"] for one in subject["cells"].values() for cell in one["portfolio"]["cells"].values()
    ]
    return list(filter(None, won))
