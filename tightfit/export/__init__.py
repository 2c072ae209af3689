"""Drop-in libraries: variants as assembly, header, example, self-test, build files and data sheet."""

from tightfit.export.library import Export, default_name, export, write_library
from tightfit.export.pages import Library
from tightfit.export.prepared import GNU, Prepared, prepare, prepare_fastest

TOOLCHAINS = (GNU,)

__all__ = [
    "GNU",
    "TOOLCHAINS",
    "Export",
    "Library",
    "Prepared",
    "default_name",
    "export",
    "prepare",
    "prepare_fastest",
    "write_library",
]
