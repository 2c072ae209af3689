"""The five finalists of AES side by side: references in C, all written here, measured with one compiler.

Rijndael is AES-128; the others have a folder each, with a definition, known answers and `reference.c`, and
are no primitives of the portfolio. To random inputs that C answers on this machine: what shows that it is
right are the known answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace

from tightfit.contenders.baselines import definitions
from tightfit.contenders.measure import Question, examine_files
from tightfit.harness.onhost import NAME, fast
from tightfit.harness.routine import Rejected
from tightfit.primitives import Operation, Primitive, load_folder, load_primitive
from tightfit.records import Cost
from tightfit.targets import load_target
from tightfit.targets.progress import Progress, silent
from tightfit.yamlfile import load_yaml, named

_OPERATION = "encrypt"
_ENTRIES = ("setup", "encrypt_next")
_FOLDER = Path(__file__).parent
FINALISTS: dict[str, dict[str, str]] = load_yaml(_FOLDER / "finalists.yaml", named(named({"type": "string"})))
"""Their names, each with the `primitive` of the portfolio that it is, or its `folder` here."""


class Finalist(Primitive):
    """A cipher whose oracle is its reference in C, on this machine."""

    def check_sources(self) -> None:
        """There is no Python to check."""

    @cached_property
    def oracle(self) -> SimpleNamespace:
        """The reference in C: `encrypt(key, block)`."""
        return SimpleNamespace(encrypt=fast(self, "encrypt"))


@dataclass(frozen=True)
class Row:
    """A finalist as one set of flags compiles it: its cost, or why it was rejected."""

    name: str
    target: str
    part: str
    flags: tuple[str, ...]
    cost: Cost | None
    rejected: str | None = None


def load(name: str) -> Primitive:
    """A finalist, with a set-up and the block after it as its one operation."""
    place = FINALISTS[name]
    if "primitive" in place:
        known = load_primitive(place["primitive"])
        return replace(known, operations={_OPERATION: Operation(_ENTRIES, _ENTRIES)})
    defined = load_folder(_FOLDER / place["folder"])
    return Finalist(**{field.name: getattr(defined, field.name) for field in fields(defined)})


def measure(
    target: str,
    part: str | None,
    sets: Sequence[tuple[str, ...]],
    progress: Progress = silent,
    gate: str = "full",
    names: Sequence[str] = tuple(FINALISTS),
) -> list[Row]:
    """Measure the finalists, compiled with each set of flags.

    Raises
    ------
    WorkError
        A tool is missing.
    """
    asked = [(name, flags) for name in names for flags in sets]
    rows = []
    for done, (name, flags) in enumerate(asked):
        progress("finalists of AES", done, len(asked))
        rows.append(_measured(name, target, part, flags, gate))
    progress("finalists of AES", len(asked), len(asked))
    return rows


def _measured(name: str, target: str, part: str | None, flags: tuple[str, ...], gate: str) -> Row:
    place, primitive = load_target(target), load(name)
    asked = Question(
        target=place,
        part=place.part(part),
        primitive=primitive,
        operation=_OPERATION,
        origin="",
        name=name,
        flags=flags,
        gate=gate,
        defines=tuple(definitions(primitive, _OPERATION)),
    )
    row = Row(name, place.id, asked.part.name, flags, None)
    try:
        source = primitive.folder / NAME
        return replace(row, cost=examine_files(asked, [source], primitive.id.replace("-", "")).cost)
    except Rejected as reason:
        return replace(row, rejected=str(reason))
