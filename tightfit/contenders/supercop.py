"""Implementations in the folders of SUPERCOP and XBX, measured."""

from collections.abc import Sequence

from tightfit.contenders.called import Sources, measure_calls
from tightfit.contenders.measure import EXTERNAL, Question
from tightfit.contenders.supercopheaders import aliases, calls_of, headers, names_of_spaces
from tightfit.contenders.supercoptree import API, Implementation, names, sources_in
from tightfit.errors import UsageError
from tightfit.primitives import load_primitive
from tightfit.records import Contender
from tightfit.targets import load_target

SUPERCOP = "supercop"


def measure(
    implementation: Implementation,
    target: str,
    part: str | None,
    *,
    flags: Sequence[str] = ("-Os",),
    gate: str = "full",
) -> Contender:
    """Measure an implementation, compiled with some flags.

    Raises
    ------
    UsageError
        It computes no primitive of ours, has no sources, is for other processors, or the part has too little
        RAM.
    WorkError
        A tool is missing.
    """
    if implementation.subject is None:
        known = ", ".join(f"{kind}/{name}" for kind, rest in names().items() for name in rest)
        theirs = f"{implementation.kind}/{implementation.primitive}"
        raise UsageError(f"{theirs}: no primitive of tightfit; it knows {known}")
    if not sources_in(implementation.folder):
        raise UsageError(f"{implementation.folder}: expected C or assembly beside {API}, found none")
    place = load_target(target)
    if not implementation.runs_on(place.id):
        raise UsageError(f"{implementation.title}: its file `architectures` does not name {place.id}")
    primitive, operation = implementation.subject
    asked = Question(
        target=place,
        part=place.part(part),
        primitive=load_primitive(primitive),
        operation=operation,
        origin=EXTERNAL,
        name=implementation.title,
        flags=tuple(flags),
        gate=gate,
        defines=names_of_spaces(implementation),
    )
    sources = Sources(
        files=tuple(implementation.sources),
        include=(implementation.folder, implementation.tree),
        headers=headers(implementation),
        aliases=aliases(implementation),
        checksum=implementation.checksum,
    )
    return measure_calls(asked, sources, calls_of(implementation, asked.primitive), SUPERCOP)
