"""The instruction-set simulator: a part, its runs and what they cost; firmware images as a whole."""

from tightfit.harness.simulator.firmware import ImageRun, SymbolCost, run_elf
from tightfit.harness.simulator.library import build_library, source_hash
from tightfit.harness.simulator.machine import Simulator
from tightfit.harness.simulator.results import R5F100XE, Batch, Form, Node, Profile, Region, Run

__all__ = [
    "R5F100XE",
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
    "run_elf",
    "source_hash",
]
