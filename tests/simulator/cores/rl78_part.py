"""The RL78 part that the tests run on, and its tools."""

from typing import Any

from tightfit.harness.simulator import Simulator, regions_of
from tightfit.targets import load_target

from .tools import Tools

TARGET = load_target("rl78")
PART = TARGET.part("R5F100xE")
MEMORY = tuple(region for region in regions_of(PART) if region.start != 0xF0000)
"""The part's memory but for its extended SFRs, so that data addresses from F0000 on are unmapped."""
TOOLS = Tools("rl78", ("-mg14",), start=0x1000)
CORE = "rl78-s3"


def simulator(**options: Any) -> Simulator:
    """A fresh S3 core with `MEMORY`."""
    return Simulator(CORE, regions=MEMORY, **options)
