"""The explorer as a Bokeh server: each question of the browser is answered by a Python callback."""

import json
from collections.abc import Callable
from functools import partial

from bokeh.application import Application
from bokeh.application.handlers import FunctionHandler
from bokeh.document import Document
from bokeh.models import TextInput
from bokeh.server.server import Server

from tightfit.errors import TightfitError, WorkError
from tightfit.explorer.app import build
from tightfit.explorer.pages import Pages

ADDRESS = "127.0.0.1"


def serve(port: int, started: Callable[[str], None]) -> None:
    """Serve on this machine until interrupted; `started` is told the address of the page.

    Raises
    ------
    WorkError
        The port is in use, or cannot be had.
    """
    server = make(port)
    started(f"http://{ADDRESS}:{server.port}/")
    server.run_until_shutdown()


def make(port: int) -> Server:
    """The server, ready to run; port 0 is any free one."""
    application = Application(FunctionHandler(partial(_open, Pages())))
    try:
        server = Server({"/": application}, port=port, address=ADDRESS)
    except OSError as error:
        raise WorkError(
            f"port {port} cannot be had: {error.strerror}; name another with --port, or 0 for any free one"
        ) from None
    server.start()
    return server


def _open(pages: Pages, document: Document) -> None:
    """A page in a browser: what it asks comes in one model, what is answered goes out in another."""
    ask, reply = TextInput(), TextInput()
    ask.on_change("value", lambda _name, _old, new: _answer(pages, new, reply))
    build(document, {"ask": ask, "reply": reply})


def _answer(pages: Pages, question: str, reply: TextInput) -> None:
    asked = json.loads(question)
    try:
        answer = {"page": pages.answer(asked["what"], asked["key"])}
    except TightfitError as error:
        answer = {"error": str(error)}
    reply.value = json.dumps({"number": asked["number"], **answer})
