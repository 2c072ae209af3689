"""Variants of the toy space in tests/generator/data."""

from pathlib import Path

from tightfit.records import Variant

DATA = Path(__file__).parent / "data"


def variant(template: str = "mini", operation: str = "encrypt", **knobs: str | int) -> Variant:
    """A variant of the toy space."""
    return Variant("rl78", "R5F100LE", "toy", operation, template, knobs)
