"""The extras of the package: what they bring, and the line that says which one gets what is missing."""

from importlib.util import find_spec

EXTRAS = {
    "search": ("ortools", "numpy", "cffi", "elftools", "filelock", "cryptography", "Crypto", "rich"),
    "explore": ("bokeh",),
    "cluster": ("distributed",),
}
"""The modules that each extra brings, by its name in `pyproject.toml`."""


def missing(extra: str) -> str | None:
    """The line about the first module of an extra that is not there; None where all are."""
    absent = next((name for name in EXTRAS[extra] if find_spec(name) is None), None)
    return absent and _line(absent, extra)


def line_about(module: str | None) -> str | None:
    """The line about a module that is not there; None where no extra brings it."""
    top = (module or "").partition(".")[0]
    extra = next((extra for extra, modules in EXTRAS.items() if top in modules), None)
    return extra and _line(top, extra)


def _line(module: str, extra: str) -> str:
    return f"{module} is missing; `pip install 'tightfit[{extra}]'` gets what this needs"
