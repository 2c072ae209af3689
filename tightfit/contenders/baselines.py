"""The C baselines: each primitive's reference in portable C, as every level of optimisation compiles it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tightfit.contenders.compiler import LEVELS, Compiler, compiler
from tightfit.contenders.measure import Question, facts, follow_files, measure_files, sources_hash
from tightfit.errors import UsageError, WorkError
from tightfit.harness.provenance import same_cost
from tightfit.harness.store import Store
from tightfit.primitives import FOLDER, Primitive
from tightfit.records import BASELINE, Contender
from tightfit.targets import Part, Target

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


def renew(
    target: Target,
    part: Part,
    primitive: Primitive,
    operation: str,
    store: Store,
    say: Callable[[str], None] = lambda level: None,
    gate: str = "full",
) -> Baselined:
    """Measure what the compiler makes of the reference, and keep it; what has not changed is left alone.

    Parameters
    ----------
    say : called with each level before it is measured.
    gate : `full`, or `search` for a first look.
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
    defines = tuple(definitions(primitive, operation))
    baselines, fresh, followed = [], 0, 0
    for level in LEVELS:
        asked = Question(target, part, primitive, operation, BASELINE, NAME, (level,), gate, defines)
        baseline, context = _costed(kept, asked, cc, source.file), facts(asked, cc)["context"]
        if baseline is None:
            say(level)
            baseline = measure_files(asked, [source.file], source.name)
            store.add_contender(baseline)
            fresh += 1
        elif baseline.provenance["context"] != context:
            say(level)
            baseline = follow_files(asked, [source.file], source.name, baseline)
            store.add_contender(baseline)
            followed += 1
        baselines.append(baseline)
    return Baselined(tuple(baselines), fresh, followed)


def _costed(kept: Iterable[Contender], asked: Question, cc: Compiler, source: Path) -> Contender | None:
    """The baseline that is kept, if nothing that its cost rests on has changed."""
    flags = " ".join((*cc.options, *asked.flags))
    wanted, now = (cc.name, cc.version, flags, sources_hash([source])), facts(asked, cc)
    for baseline in kept:
        made = (baseline.compiler, baseline.version, baseline.flags, baseline.source_sha256)
        if made == wanted and same_cost(baseline.provenance, now):
            return baseline
    return None
