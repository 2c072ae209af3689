"""The fastest cryptographic implementation that fits a ROM and RAM budget on a microcontroller, measured.

`ask`, `table`, `fill`, `measure`, `trial` and `export` are the Python interface; docs/python.md shows them.
"""

from tightfit.lazily import names_of

__version__ = "0.1.0"
HOMES = dict.fromkeys(("ask", "table", "fill", "measure", "trial", "export"), "api")
__all__ = ["__version__", *HOMES]
__getattr__ = names_of(__name__, HOMES)
