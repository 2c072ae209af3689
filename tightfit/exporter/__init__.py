"""Drop-in libraries: variants as assembly, header, example, self-test, build files and data sheet."""

from tightfit.lazily import names_of

HOMES = {
    "prepare_answer": "chosen",
    "ExportTogether": "library",
    "Library": "bundle",
    "Export": "library",
    "default_name": "names",
    "export": "library",
    "write_library": "library",
    "GNU": "prepared",
    "Prepared": "prepared",
    "prepare": "prepared",
    "prepare_fastest": "prepared",
    "with_wins": "prepared",
    "prepare_together": "several",
    "check_toolchain": "texts",
    "toolchains": "texts",
}
__all__ = list(HOMES)
__getattr__ = names_of(__name__, HOMES)
