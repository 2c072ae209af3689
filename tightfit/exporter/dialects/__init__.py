"""The assembler dialects beside GNU's: one source, other assemblers' text, and the text read back."""

from .dialect import Dialect, dialects

__all__ = ["Dialect", "dialects"]
