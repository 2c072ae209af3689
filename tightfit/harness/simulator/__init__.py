"""The instruction-set simulator: a part, its runs and what they cost; firmware images as a whole."""

from tightfit.harness.simulator.firmware import ImageRun, SymbolCost, run_elf
from tightfit.harness.simulator.library import build_library, source_hash
from tightfit.harness.simulator.machine import Simulator, cores
from tightfit.harness.simulator.part import regions_of, simulator_of
from tightfit.harness.simulator.results import Batch, Form, Node, Profile, Region, Run

__all__ = [
    "Batch",
    "Form",
    "ImageRun",
    "Node",
    "Profile",
    "Region",
    "Run",
    "Simulator",
    "SymbolCost",
    "build_library",
    "cores",
    "regions_of",
    "run_elf",
    "simulator_of",
    "source_hash",
]
