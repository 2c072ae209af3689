"""The C baselines: each primitive's reference in portable C, as every level of optimisation compiles it."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path

from tightfit.contenders.compiler import LEVELS, Compiler, compiler
from tightfit.contenders.measure import Question, facts, follow_files, measure_files, sources_hash
from tightfit.errors import UsageError, WorkError
from tightfit.harness.provenance import same_cost
from tightfit.harness.store import Store
from tightfit.primitives import FOLDER, Primitive, load_primitive
from tightfit.records import BASELINE, Contender
from tightfit.targets import Part, Target, load_target

NAME = "reference.c"


@dataclass(frozen=True)
class Source:
    """A reference in C: its file, and the first part of the names of its functions and of its block."""

    file: Path
    name: str


@dataclass(frozen=True)
class Baselined:
    """The baselines of an operation, and how many of them were measured anew.

    Of `followed` only the secrets were followed anew. `missing` says why there is no compiler; the store then
    keeps the baselines that it has.
    """

    contenders: tuple[Contender, ...] = ()
    measured: int = 0
    followed: int = 0
    missing: str | None = None


def source_of(primitive: Primitive) -> Source | None:
    """The reference in C, which a family shares; None where a primitive has none."""
    file = FOLDER / primitive.templates / NAME
    if not file.is_file():
        return None
    return Source(file, re.sub(r"[^a-z0-9]", "", primitive.templates))


def definitions(primitive: Primitive, operation: str) -> list[str]:
    """Compiler options that name the entries wanted, and what tells apart the primitives of a family."""
    constants = [f"-D{name.upper()}={value}" for name, value in primitive.constants.items()]
    return [*constants, *(f"-D{entry.upper()}" for entry in primitive.operation(operation).entries)]


Each = Callable[[Callable[..., Contender], Sequence[tuple]], Iterable[Contender]]
"""Calls a function with each of some arguments, as `Crew.each` does."""


def renew(
    target: Target,
    part: Part,
    primitive: Primitive,
    operation: str,
    store: Store,
    say: Callable[[str], None] = lambda level: None,
    gate: str = "full",
    each: Each = starmap,
) -> Baselined:
    """Measure what the compiler makes of the reference, and keep it; what has not changed is left alone.

    Parameters
    ----------
    say : called with each level that is measured.
    gate : `full`, or `search` for a first look.
    each : who measures; this process by default.
    """
    source = source_of(primitive)
    if source is None:
        return Baselined()
    try:
        cc = compiler(target, part)
    except (WorkError, UsageError) as missing:
        return Baselined(missing=str(missing))
    of = {"target": target.id, "part": part.name, "primitive": primitive.id, "operation": operation}
    kept = store.contenders(**of, origin=BASELINE, rejected=True)
    baselines: dict[str, Contender] = {}
    wanted: dict[str, Contender | None] = {}
    for level in LEVELS:
        asked = _question(target, part, primitive, operation, level, gate)
        baseline = _costed(kept, asked, cc, source.file)
        if baseline and baseline.provenance["context"] == facts(asked, cc)["context"]:
            baselines[level] = baseline
        else:
            wanted[level] = baseline
            say(level)
    calls = [(*of.values(), level, gate, baseline) for level, baseline in wanted.items()]
    for level, baseline in zip(wanted, each(measured, calls), strict=True):
        store.add_contender(baseline)
        baselines[level] = baseline
    followed = sum(baseline is not None for baseline in wanted.values())
    return Baselined(tuple(baselines[level] for level in LEVELS), len(wanted) - followed, followed)


def measured(
    target: str,
    part: str,
    primitive: str,
    operation: str,
    level: str,
    gate: str = "full",
    known: Contender | None = None,
) -> Contender:
    """A baseline; with its secrets alone followed anew where its cost is known."""
    place, definition = load_target(target), load_primitive(primitive)
    asked = _question(place, place.part(part), definition, operation, level, gate)
    source = source_of(definition)
    if known is None:
        return measure_files(asked, [source.file], source.name)
    return follow_files(asked, [source.file], source.name, known)


def _question(
    target: Target, part: Part, primitive: Primitive, operation: str, level: str, gate: str
) -> Question:
    defines = tuple(definitions(primitive, operation))
    return Question(target, part, primitive, operation, BASELINE, NAME, (level,), gate, defines)


def _costed(kept: Iterable[Contender], asked: Question, cc: Compiler, source: Path) -> Contender | None:
    """The baseline that is kept, if nothing that its cost rests on has changed."""
    flags = " ".join((*cc.options, *asked.flags))
    wanted, now = (cc.name, cc.version, flags, sources_hash([source])), facts(asked, cc)
    for baseline in kept:
        made = (baseline.compiler, baseline.version, baseline.flags, baseline.source_sha256)
        if made == wanted and same_cost(baseline.provenance, now):
            return baseline
    return None
