"""Packages that import one of their modules when a name of it is used."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def names_of(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose names are in modules of its own.

    Parameters
    ----------
    package : its `__name__`.
    homes : the module of each name, without the package.
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return get
