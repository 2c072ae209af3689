"""The listing of a variant with the cycles that each line takes, measured on the simulator."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from tightfit.errors import WorkError
from tightfit.generator import render
from tightfit.harness import linelabels
from tightfit.harness.batch import Profiled
from tightfit.harness.bench import CYCLE_LIMIT, routine_of
from tightfit.harness.build import Builder, Image
from tightfit.harness.caller import places
from tightfit.harness.elf import Elf
from tightfit.harness.kinds import kind_of
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Rejected, Routine
from tightfit.harness.taint import Secrets, secrets_of
from tightfit.primitives import load_primitive
from tightfit.records import Variant
from tightfit.targets import load_target

_SECRET = "secret"


@dataclass(frozen=True)
class Line:
    """A line of source: bytes that it puts into the image, and by entry (executions, cycles) of one call.

    `secret` says what it does that depends on a secret: `leak`, `balanced`, `look-up` or `flash look-up`,
    "" for nothing.
    """

    text: str
    bytes: int
    spent: Mapping[str, tuple[int, int]]
    secret: str = ""


@dataclass(frozen=True)
class Listing:
    """Source lines of a variant, and the entries that were called, each once with the first random input."""

    entries: tuple[str, ...]
    lines: tuple[Line, ...]


def listing(variant: Variant, secrets: bool = True) -> Listing:
    """Render, assemble, link and run a variant, and spread its cycles over its source lines.

    Without `secrets` no line says what it does that depends on one, which takes half the time.

    Raises
    ------
    WorkError
        A tool is missing, or the variant does not run.
    """
    rendered = render(variant, markers=False)
    source = rendered.source.splitlines()
    routine = replace(routine_of(variant, rendered), source=linelabels.with_labels(source))
    builder, machine = _tools(variant.target, variant.part)
    try:
        image = builder.build(routine)
        profiles = _profiles(machine, variant.primitive, routine, image)
        kind = kind_of(load_primitive(variant.primitive))
        marks = secrets_of(machine, image, routine, kind) if secrets else Secrets((), (), ())
    except Rejected as reason:
        raise WorkError(f"variant {variant.id} does not run: {reason}") from None
    return Listing(tuple(profiles), tuple(_lines(source, image.elf, profiles, marks)))


def text(listed: Listing) -> str:
    """The listing: bytes, then cycles by entry, then what depends on a secret, then the line."""
    columns = ("bytes", *listed.entries, *([_SECRET] if _has_secrets(listed) else []))
    widths = [max(len(column), 6) for column in columns]
    head = "  ".join(column.rjust(width) for column, width in zip(columns, widths, strict=True))
    return "\n".join([head, *(_row(line, listed.entries, widths) for line in listed.lines)])


def _has_secrets(listed: Listing) -> bool:
    return any(line.secret for line in listed.lines)


def listing_form(listed: Listing) -> list[dict]:
    """The lines as plain JSON."""
    return [
        {
            "text": line.text,
            "bytes": line.bytes,
            "cycles": {entry: cycles for entry, (_, cycles) in line.spent.items()},
            "secret": line.secret,
            "executions": {entry: executions for entry, (executions, _) in line.spent.items()},
        }
        for line in listed.lines
    ]


def _row(line: Line, entries: Sequence[str], widths: Sequence[int]) -> str:
    cycles = [line.spent.get(entry, (0, 0))[1] for entry in entries]
    cells = [str(figure) if figure else "" for figure in (line.bytes, *cycles, line.secret)]
    figures = "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=False))
    return f"{figures}  {line.text}".rstrip()


@lru_cache(maxsize=16)
def _tools(target: str, part: str) -> tuple[Builder, Machine]:
    """Builder and simulator for a part, kept, since many listings follow one another."""
    place = load_target(target)
    on = place.part(part)
    return Builder(place, on), Machine(place, on, CYCLE_LIMIT)


def _profiles(machine: Machine, primitive: str, routine: Routine, image: Image) -> dict[str, Profiled]:
    """A profiled call for every figure, each on the block that the call before it left."""
    machine.load(image)
    machine.start(places(image, routine.layout.size)[0], machine.callers.callers[0])
    left: list[np.ndarray] = []
    profiles = {}
    for turn in kind_of(load_primitive(primitive)).random(routine, 1):
        before = None if turn.after is None else left[turn.after]
        block = turn.blocks(routine, before, np.zeros((1, routine.layout.size), np.uint8))
        written = turn.written(routine)
        left.append(machine.call(turn.entry, block, written).blocks)
        profiles[turn.figure] = machine.profile(turn.entry, block[0], written)
    return profiles


def _lines(
    source: Sequence[str], elf: Elf, profiles: Mapping[str, Profiled], secrets: Secrets
) -> Iterator[Line]:
    places = sorted((address, size, number) for number, address, size, _ in linelabels.places(elf) if size)
    sizes = {number: size for _, size, number in places}
    begins = [address for address, _, _ in places]
    spent: dict[int, dict[str, tuple[int, int]]] = {}
    for entry, profile in profiles.items():
        for address, (executions, cycles) in profile.by_address().items():
            at = bisect_right(begins, address) - 1
            if at < 0 or address >= begins[at] + places[at][1]:
                continue  # the caller's call
            mine = spent.setdefault(places[at][2], {})
            before = mine.get(entry, (0, 0))
            mine[entry] = max(before[0], executions), before[1] + cycles
    met = {
        "look-up": secrets.lookups,
        "flash look-up": secrets.flash_lookups,
        "balanced": secrets.balanced,
        "leak": secrets.leaks,
    }
    secret = {
        places[at][2]: word
        for word, spots in met.items()
        for spot in spots
        if (at := bisect_right(begins, spot.address) - 1) >= 0
    }
    for number, line in enumerate(source):
        yield Line(line, sizes.get(number, 0), spent.get(number, {}), secret.get(number, ""))
