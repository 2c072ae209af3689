"""Data as scripts that a browser loads from a disk, where it may not read files otherwise."""

import gzip
import json
from base64 import b64encode
from typing import Any

_LEVEL = 6


def packed(text: str) -> str:
    """A text in gzip and base64."""
    return b64encode(gzip.compress(text.encode(), _LEVEL, mtime=0)).decode()


def script(name: str, page: Any) -> str:
    """The script that puts a page on the shelf of that name."""
    return shelve(name, json.dumps(page, separators=(",", ":")))


def shelve(name: str, text: str) -> str:
    """The script that puts a text on the shelf of that name."""
    return f"tightfit.shelve({json.dumps(name)}, {json.dumps(packed(text))})\n"
