"""Families of templates: what holds for the templates is tested with one primitive of each."""

from tightfit.generator import spaces
from tightfit.primitives import load_primitive


def heads() -> list[tuple[str, str]]:
    """(target, primitive): on every target the first primitive of each family."""
    first = {(target, load_primitive(name).templates): (target, name) for target, name in reversed(spaces())}
    return sorted(first.values())
