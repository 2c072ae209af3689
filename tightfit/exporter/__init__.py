"""Drop-in libraries: variants as assembly, header, example, self-test, build files and data sheet."""

from tightfit.export.bundle import Library
from tightfit.export.library import Export, default_name, export, write_library
from tightfit.export.prepared import GNU, Prepared, prepare, prepare_fastest, with_wins
from tightfit.export.several import prepare_together
from tightfit.export.texts import check_toolchain, toolchains

__all__ = [
    "GNU",
    "Export",
    "Library",
    "Prepared",
    "check_toolchain",
    "default_name",
    "export",
    "prepare",
    "prepare_fastest",
    "prepare_together",
    "toolchains",
    "with_wins",
    "write_library",
]
