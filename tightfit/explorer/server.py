"""The explorer as a Bokeh server: each question of the browser is answered by a Python callback."""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from bokeh.application import Application
from bokeh.application.handlers import FunctionHandler
from bokeh.document import Document
from bokeh.models import TextInput
from bokeh.server.server import Server

from tightfit.errors import TightfitError, WorkError
from tightfit.explorer import data
from tightfit.explorer.app import build
from tightfit.explorer.pages import Page, Pages, subjects_of

ADDRESS = "127.0.0.1"
WATCH_MILLISECONDS = 3000


def serve(port: int, started: Callable[[str, str | None], None]) -> None:
    """Serve on this machine until interrupted; `started` is told the address, and what to run if it is empty.

    Raises
    ------
    WorkError
        The store cannot be read, or the port is in use.
    """
    pages = Pages()
    catalogue = pages.catalogue()
    server = make(pages, port)
    with suppress(KeyboardInterrupt):
        started(f"http://{ADDRESS}:{server.port}/", None if catalogue["places"] else catalogue["nothing"])
        server.io_loop.add_callback(_prepare, pages, catalogue)
        server.io_loop.start()


def _prepare(pages: Pages, catalogue: Page) -> None:
    """What most first pages ask for, read while the browser starts."""
    with suppress(TightfitError):  # the browser that asks is told
        for subject in subjects_of(catalogue)[:1]:
            pages.answer("subject", subject.key)


def make(pages: Pages, port: int) -> Server:
    """The server, ready to run; port 0 is any free one."""
    application = Application(FunctionHandler(partial(_open, pages)))
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
    document.add_periodic_callback(_Watch(reply).look, WATCH_MILLISECONDS)


class _Watch:
    """Tells the browser, once for each change, that the store was written to."""

    def __init__(self, reply: TextInput):
        self._reply, self._seen, self._told = reply, data.stamp(), 0

    def look(self) -> None:
        """Compare what the store was with what it is."""
        now = data.stamp()
        if now != self._seen:
            self._seen, self._told = now, self._told + 1
            self._reply.value = json.dumps({"changed": self._told})


def _answer(pages: Pages, question: str, reply: TextInput) -> None:
    asked = json.loads(question)
    try:
        answer = {"page": pages.answer(asked["what"], asked["key"])}
    except TightfitError as error:
        answer = {"error": str(error)}
    reply.value = json.dumps({"number": asked["number"], **answer})
