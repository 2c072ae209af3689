"""The RL78 parts and cores that the tests run on."""

from tightfit.harness.simulator import Simulator, regions_of
from tightfit.targets import load_target

TARGET = load_target("rl78")
PART = TARGET.part("R5F100xE")
POINTER = "ax"
CAPTURED = ("ax", "bc", "de", "hl", "sp", "psw", "es", "cs")


MEMORY = tuple(region for region in regions_of(PART) if region.start != 0xF0000)
"""The part's memory but for its extended SFRs, so that data addresses from F0000 on are unmapped."""


def rl78(core: str = PART.core.name, **options) -> Simulator:
    """A simulator with `MEMORY`, unless other regions are given."""
    return Simulator(core, **{"regions": MEMORY, **options})
