"""The winners of the portfolio, exported: a folder and an object for each variant."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path

from tests import answers
from tests.sampling import exhaustive, some
from tightfit.exporter import Prepared, export, prepare
from tightfit.exporter.figures import read_figures
from tightfit.generator import load_space
from tightfit.harness.elf import Section, read_elf
from tightfit.primitives import Primitive, load_primitive
from tightfit.primitives.kinds import CHAINED
from tightfit.records import Cost, Measurement

from .compilers import assemble

FILES = answers.BY_NAME
OPERATIONS = {
    "block-cipher": ("encrypt", "encrypt+decrypt", "encrypt-next", "decrypt-next"),
    "hash": ("hash",),
    "mac": ("mac",),
    "stream-cipher": ("encrypt", "encrypt-next"),
    CHAINED: ("encrypt", "decrypt", "encrypt-next", "decrypt-next"),
    "aead": ("seal", "open", "seal+open"),
}
"""The operations of each form, so that no file is read to know what will be tested."""
ALIKE = 2
"""Winners of a primitive in a usual run that C calls in the same way, so that one stands behind another."""


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


def forms(target: str) -> list[str]:
    """The forms of the primitives of a target, or in an exhaustive run the primitives that have answers."""
    of = [primitive for where, primitive in FILES if where == target]
    if exhaustive():
        return [primitive for primitive in of if answers.winners(FILES[target, primitive])]
    return list(dict.fromkeys(map(form, of)))


def form(of: str) -> str:
    """The form of a primitive; a form is its own."""
    return of if of in OPERATIONS else load_primitive(of).form


def primitives(target: str, of: str, case: Hashable) -> list[str]:
    """The primitives of a form, by the hash of a case and of their answers; or the one that is meant."""
    if of not in OPERATIONS:
        return [of]
    named = [primitive for where, primitive in FILES if where == target and form(primitive) == of]
    return sorted(
        named, key=lambda primitive: sha256(repr((case, _digest(target, primitive))).encode()).digest()
    )


@cache
def _digest(target: str, primitive: str) -> str:
    return sha256(FILES[target, primitive].read_bytes()).hexdigest()


def winners(target: str, primitive: str, folder: Path) -> list[Winner]:
    """Answers of the portfolio, some of each way to be called, exported with the GNU interface and assembled.

    Where GNU calls in another way than is counted, also those that answer only then. The gate has called
    every winner, and the C round those that are called alike is the same.
    """
    file, figures = FILES[target, primitive], read_figures(target, primitive)
    known = {key: figure.measurement for key, figure in figures.items()}
    wanted = {*answers.winners(file), *known}
    known |= {each.variant.id: each for each in answers.measurements_of(file, wanted)}
    alike = defaultdict(list)
    for numbered in enumerate(known.values()):
        alike[way(numbered[1])].append(numbered)
    chosen = (some(group, ALIKE, lambda numbered: numbered[1].source_sha256) for group in alike.values())
    return [exported_winner(each, f"w{n}", folder / f"w{n}") for group in chosen for n, each in group]


def way(measurement: Measurement) -> tuple:
    """How C calls a routine: its operation, its entries, and whether the key is left."""
    variant = measurement.variant
    spec = load_space(variant.target, variant.primitive, part=variant.part).spec(variant)
    entries = spec.entries(variant.knobs, variant.operation)
    return variant.operation, tuple(entries), measurement.destroys_key


def exported_winner(measurement: Measurement, name: str, folder: Path) -> Winner:
    """A variant, exported and assembled."""
    prepared = prepare(measurement, name)
    export(prepared, folder, command="tightfit export ...")
    (source,) = (file for suffix in ("s", "S") for file in folder.rglob(f"{name}.{suffix}"))
    return Winner(prepared, folder, assemble(measurement.variant.target, source, folder / f"{name}.o"))
