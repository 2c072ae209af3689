"""Pages of the standards that primitives name, for packages that must say where to read on."""

from pathlib import Path

from tightfit.primitives import Primitive
from tightfit.yamlfile import load_yaml, named

ANY = "https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines"
"""The page for a standard that is not listed."""


def page_of(primitive: Primitive) -> str:
    """The page of a primitive's standard."""
    pages = load_yaml(Path(__file__).with_name("standards.yaml"), named({"type": "string"}))
    return next((page for name, page in pages.items() if primitive.standard.startswith(name)), ANY)
