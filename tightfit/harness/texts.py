"""What is current: a measurement is current while its variant renders to the text that was measured.

This is the one definition. The store asks here, and remembers the answers while the sources of a template
stay the same.
"""

from tightfit.errors import TightfitError
from tightfit.generator.sources import sources_of
from tightfit.records import Variant

__all__ = ["sources_of", "text_now"]


def text_now(variant: Variant) -> str | None:
    """The text of a variant as its template renders it now; None where it does not render."""
    from tightfit.generator import render

    try:
        return render(variant).sha256
    except (TightfitError, OSError):
        return None
