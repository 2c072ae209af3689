"""The winners of the portfolio, exported: a folder and an object for each variant."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.sampling import some
from tightfit.exporter import Prepared, export, prepare
from tightfit.exporter.figures import read_figures
from tightfit.harness.elf import Section, read_elf
from tightfit.harness.portfolio import files, read
from tightfit.paths import portfolio_dir
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Cost, Measurement

from .compilers import assemble

ALIKE = 3
"""Winners of an operation in a usual run."""


@dataclass(frozen=True)
class Winner:
    """An exported variant, its claims, and its object; `extra_stack` is claimed in addition."""

    prepared: Prepared
    folder: Path
    object: Path
    extra_stack: int = 0

    @property
    def name(self) -> str:
        return self.prepared.name

    @property
    def measurement(self) -> Measurement:
        return self.prepared.measurement

    @property
    def primitive(self) -> Primitive:
        return load_primitive(self.measurement.variant.primitive)

    @property
    def cost(self) -> Cost:
        """Its cost with the interface used here."""
        return self.prepared.cost

    @property
    def destroys_key(self) -> bool:
        return self.measurement.destroys_key

    @property
    def block(self) -> int:
        """Bytes of its parameter block."""
        return self.prepared.rendered.block.size

    @property
    def stack(self) -> int:
        """Bytes of stack that it claims."""
        return self.cost.ram_parts.stack + self.extra_stack

    @property
    def entries(self) -> Sequence[str]:
        return self.prepared.rendered.entries

    @property
    def checked(self) -> list[str]:
        """The entries that have an answer of their own."""
        return [entry for entry in self.entries if entry != "setup"]

    def before(self, entry: str) -> str | None:
        """What must run before an entry under the same key."""
        if not entry.endswith("_next"):
            return None
        return "setup" if "setup" in self.entries else entry.removesuffix("_next")

    @cached_property
    def include(self) -> Path:
        """The folder of its header."""
        (header,) = self.folder.rglob(f"{self.name}.h")
        return header.parent

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The sections of its object that are not empty."""
        return read_elf(self.object.read_bytes()).sections

    def __str__(self) -> str:
        variant = self.measurement.variant
        return f"{variant.primitive} {variant.operation} {variant.id}"


def winners(target: str, primitive: str, folder: Path) -> list[Winner]:
    """The variants that are answers in the portfolio, exported with the GNU interface and assembled.

    Where GNU calls in another way than is counted, also those that answer only then.
    """
    figures = read_figures(target, primitive)
    known = {key: figure.measurement for key, figure in figures.items()}
    known |= {measurement.variant.id: measurement for measurement in _measured(target, primitive, figures)}
    return [
        exported_winner(measurement, f"w{n}", folder / f"w{n}") for n, measurement in _chosen(known.values())
    ]


def _chosen(measurements: Iterable[Measurement]) -> list[tuple[int, Measurement]]:
    """Some of each operation, numbered: the gate has called every winner, and their C is alike."""
    alike = defaultdict(list)
    for n, measurement in enumerate(measurements):
        alike[measurement.variant.operation, measurement.destroys_key].append((n, measurement))
    few = (some(group, ALIKE, lambda numbered: numbered[1].source_sha256) for group in alike.values())
    return [numbered for group in few for numbered in group]


def _measured(target: str, primitive: str, besides: Container[str]) -> Iterator[Measurement]:
    (file,) = (path for path in files(portfolio_dir()) if path.parts[-2:] == (target, f"{primitive}.json"))
    measurements, cells = read(file)
    winning = {cell.variant_id for cell in cells}
    return (
        measurement
        for measurement in measurements
        if measurement.variant.id in winning or measurement.variant.id in besides
    )


def exported_winner(measurement: Measurement, name: str, folder: Path) -> Winner:
    """A variant, exported and assembled."""
    prepared = prepare(measurement, name)
    export(prepared, folder, command="tightfit export ...")
    (source,) = (file for suffix in ("s", "S") for file in folder.rglob(f"{name}.{suffix}"))
    return Winner(prepared, folder, assemble(measurement.variant.target, source, folder / f"{name}.o"))
