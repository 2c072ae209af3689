"""A part of a target as the simulator wants it."""

from pathlib import Path

from tightfit.harness.simulator.machine import Simulator
from tightfit.harness.simulator.results import Region
from tightfit.targets import Part


def regions_of(part: Part) -> tuple[Region, ...]:
    """The memory map of a part."""
    return tuple(Region(region.kind, region.start, region.end, region.shows or 0) for region in part.memory)


def simulator_of(
    part: Part, *, address_waits: bool = True, uninit: str = "error", source: Path | None = None
) -> Simulator:
    """A simulated part; the options are those of `Simulator`."""
    options = {"address_waits": address_waits, "uninit": uninit, "source": source}
    return Simulator(part.core.name, regions=regions_of(part), **options)
