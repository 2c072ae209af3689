"""The AVR parts that the tests run on."""

from dataclasses import dataclass
from functools import cache, cached_property

from tightfit.harness.simulator import Form, Region, Simulator, regions_of
from tightfit.targets import load_target

TARGET = load_target("avr")
PARTS = ("ATtiny45", "ATtiny85", "ATmega328P", "ATmega1284P")
DATA = 0x800000
LPM_REACH = 0x10000
SREG, SPL, SPH, RAMPZ = 0x3F, 0x3D, 0x3E, 0x3B
"""I/O addresses."""


@dataclass(frozen=True)
class AvrPart:
    """What the tests must know of a part; addresses within the data space."""

    name: str

    @property
    def mcu(self) -> str:
        """Its name for the assembler and for simavr."""
        return self.name.lower()

    @property
    def emulation(self) -> str:
        """What the linker calls its family."""
        return {"ATmega328P": "avr5", "ATmega1284P": "avr51"}.get(self.name, "avr25")

    @property
    def core(self) -> str:
        return TARGET.part(self.name).core.name

    @cached_property
    def flash(self) -> int:
        (region,) = TARGET.part(self.name).regions("flash")
        return region.end

    @cached_property
    def ram(self) -> range:
        (region,) = TARGET.part(self.name).regions("ram")
        return range(region.start - DATA, region.end - DATA)

    @property
    def spare(self) -> tuple[int, int, int]:
        """I/O addresses of bytes without a purpose: GPIOR0, which SBI reaches, GPIOR1 and GPIOR2."""
        return (0x11, 0x12, 0x13) if self.name.startswith("ATtiny") else (0x1E, 0x2A, 0x2B)

    @property
    def regions(self) -> tuple[Region, ...]:
        return regions_of(TARGET.part(self.name))

    def simulator(self, **options) -> Simulator:
        return Simulator(self.core, **{"regions": self.regions, **options})

    def forms(self) -> tuple[Form, ...]:
        """The forms that the part has."""
        return _forms(self)


@cache
def _forms(part: AvrPart) -> tuple[Form, ...]:
    levels = ["AVRe", "AVRe+", "AVRe+ with ELPM"]
    has = 0 if part.core == "avre" else 1 if part.flash <= LPM_REACH else 2
    return tuple(form for form in part.simulator().forms() if levels.index(form.core) <= has)


SMALLEST, TINY, MEGA, LARGE = EVERY = tuple(AvrPart(name) for name in PARTS)
