"""The instruction-set simulator: a part, its runs and what they cost; firmware images as a whole."""

from tightfit.lazily import names_of

HOMES = {
    "Behaviour": "behaviour",
    "behaviours": "behaviour",
    "ImageRun": "firmware",
    "SymbolCost": "firmware",
    "run_elf": "firmware",
    "build_library": "library",
    "library_hash": "sources",
    "Simulator": "machine",
    "cores": "machine",
    "regions_of": "part",
    "simulator_of": "part",
    "Batch": "results",
    "Form": "results",
    "Node": "results",
    "Profile": "results",
    "Region": "results",
    "Handler": "results",
    "Run": "results",
    "FLASH_LOOKUP": "taint",
    "LOOKUPS": "taint",
    "Seen": "taint",
    "Taint": "taint",
    "TaintedRun": "taint",
    "Watched": "results",
}
__all__ = list(HOMES)
__getattr__ = names_of(__name__, HOMES)
