"""Families of templates: what holds for the templates is tested with one primitive of each."""

from tightfit.generator import spaces
from tightfit.primitives import load_primitive


def heads() -> list[tuple[str, str]]:
    """(target, primitive): on every target the first primitive of each family."""
    first = {(target, load_primitive(name).templates): (target, name) for target, name in reversed(spaces())}
    return sorted(first.values())


DIFFERING = {
    "aes-128": "tables, on RL78 register banks",
    "present-80": "a key that is longer than the block, of an odd number of words",
    "sha-256": "a count of the message in the block",
    "sha3-256": "no count, a state that fills static RAM, a family's constants",
}
