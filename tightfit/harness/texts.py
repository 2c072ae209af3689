"""What is current: a measurement is, while its variant renders to the text that was measured.

This is the one definition; the store asks it and remembers the answers for as long as the sources of a
template are what they were.
"""

from tightfit.errors import TightfitError
from tightfit.generator.sources import sources_of
from tightfit.records import Variant

__all__ = ["sources_of", "text_now"]


def text_now(variant: Variant) -> str | None:
    """The text of a variant as its template renders it now; None where it renders to none."""
    from tightfit.generator import render

    try:
        return render(variant).sha256
    except (TightfitError, OSError):
        return None
