"""The AVR parts that the tests run on."""

from dataclasses import dataclass, replace
from functools import cache, cached_property

from tightfit.harness.simulator import Form, Region, Simulator, regions_of
from tightfit.targets import Part, load_target
from tightfit.targets import Region as Stretch

TARGET = load_target("avr")
PARTS = ("ATtiny45", "ATtiny85", "ATmega328P", "ATmega1284P")
DATA = 0x800000
XT_REGISTERS = 0x810000
"""Where the simulator keeps the registers of AVRxt, beyond the data space."""
IO = 0x20
"""Of the classic cores, where simavr has I/O too."""
LPM_REACH = 0x10000
SREG, SPL, SPH, RAMPZ = 0x3F, 0x3D, 0x3E, 0x3B
"""I/O addresses."""


@dataclass(frozen=True)
class AvrPart:
    """What the tests must know of a part; addresses within the data space."""

    name: str

    @property
    def part(self) -> Part:
        return TARGET.part(self.name)

    @property
    def mcu(self) -> str:
        """Its name for simavr."""
        return self.name.lower()

    @property
    def emulation(self) -> str:
        """What the linker calls its family."""
        return self.part.link[-1]

    @property
    def core(self) -> str:
        return self.part.core.name

    @property
    def is_xt(self) -> bool:
        return self.core.startswith("avrxt")

    @cached_property
    def flash(self) -> int:
        (region,) = self.part.regions("flash")
        return region.end

    @cached_property
    def ram(self) -> range:
        (region,) = self.part.regions("ram")
        return range(region.start - DATA, region.end - DATA)

    def at(self, address: int) -> int:
        """Where the simulator has what a classic part has at a data address."""
        if self.is_xt and address < IO + 0x40:
            return XT_REGISTERS + address if address < IO else DATA + address - IO
        return DATA + address

    @property
    def spare(self) -> tuple[int, int, int]:
        """I/O addresses of bytes without a purpose: GPIOR0, which SBI reaches, GPIOR1 and GPIOR2."""
        return (0x11, 0x12, 0x13) if self.name.startswith("ATtiny") else (0x1E, 0x2A, 0x2B)

    @property
    def regions(self) -> tuple[Region, ...]:
        return regions_of(self.part)

    def simulator(self, **options) -> Simulator:
        return Simulator(self.core, **{"regions": self.regions, **options})

    def forms(self) -> tuple[Form, ...]:
        """The forms that the part has."""
        return _forms(self)


@dataclass(frozen=True)
class XtPart(AvrPart):
    """A made-up part: an AVRxt that has the RAM where the ATmega1284P has it, which programs are for."""

    name: str = "AVRxt"

    @cached_property
    def part(self) -> Part:
        memory = (
            Stretch("flash", "flash", 0, 0x20000),
            Stretch("I/O", "sfr", DATA, 0x40),
            Stretch("peripherals", "sfr", DATA + 0x40, 0xC0),
            Stretch("RAM", "ram", DATA + 0x100, 0x4000),
            Stretch("EEPROM", "data-flash", DATA + 0x5000, 0x200),
            Stretch("flash as data", "mirror", DATA + 0x8000, 0x4000, 0x1000),
        )
        return replace(TARGET.part("AVR128DA28"), name=self.name, memory=memory)

    @property
    def mcu(self) -> str:
        return "atmega1284p"


@cache
def _forms(part: AvrPart) -> tuple[Form, ...]:
    levels = ["AVRe", "AVRe+, AVRxt", "AVRe+, AVRxt over 8 KB", "AVRe+, AVRxt over 64 KB"]
    has = {"avre": 0, "avrxt-8k": 1}.get(part.core, 2 if part.flash <= LPM_REACH else 3)
    return tuple(form for form in part.simulator().forms() if levels.index(form.core) <= has)


SMALLEST, TINY, MEGA, LARGE = EVERY = tuple(AvrPart(name) for name in PARTS)
XT, XT_SMALL, XT_SMALLEST = XtPart(), AvrPart("ATtiny1614"), AvrPart("ATtiny814")
