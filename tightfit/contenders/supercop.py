"""Implementations in the folders of SUPERCOP and XBX: `KIND/PRIMITIVE/IMPLEMENTATION/` with an `api.h`."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tightfit.contenders.adapter import FLAGS, overhead
from tightfit.contenders.calls import CALLS, HEADERS, Calls
from tightfit.contenders.compiler import check_flags, compiler
from tightfit.contenders.convention import load_convention
from tightfit.contenders.linking import ASSEMBLY, ContenderBuilder
from tightfit.contenders.measure import EXTERNAL, Question, Result, record
from tightfit.curve import of_blocks
from tightfit.errors import UsageError
from tightfit.harness.gate import Gate
from tightfit.harness.routine import Rejected
from tightfit.primitives import load_primitive
from tightfit.records import Contender, Cost
from tightfit.targets import load_target
from tightfit.yamlfile import load_yaml, mapping, named

SUPERCOP = "supercop"
_API = "api.h"
_WORD = {"type": "string"}
_NAMES = named(named(mapping({"primitive": _WORD, "operation": _WORD})))
_SOURCES = (".c", *ASSEMBLY)


@dataclass(frozen=True)
class Implementation:
    """A folder of sources: its `kind` and `primitive` in SUPERCOP's names, `name` the path from there on."""

    folder: Path
    kind: str
    primitive: str
    name: str

    @property
    def title(self) -> str:
        """Its place in a tree of SUPERCOP."""
        return f"{self.kind}/{self.primitive}/{self.name}"

    @property
    def subject(self) -> tuple[str, str] | None:
        """(primitive, operation) that it computes here; None where no primitive of ours is meant."""
        ours = names().get(self.kind, {}).get(self.primitive)
        return ours and (ours["primitive"], ours["operation"])

    @property
    def sources(self) -> list[Path]:
        """Its C and assembly."""
        return sorted(file for file in self.folder.iterdir() if file.suffix in _SOURCES)


@cache
def names() -> dict:
    """What is meant by SUPERCOP's names, by kind and primitive."""
    return load_yaml(Path(__file__).with_name("supercop.yaml"), _NAMES)


def find(path: Path) -> list[Implementation]:
    """The implementations at and below a folder, those of other primitives too.

    Raises
    ------
    UsageError
        There is none.
    """
    candidates = [_implementation(api.parent) for api in sorted(path.resolve().rglob(_API))]
    implementations = [each for each in candidates if each is not None]
    if not implementations:
        raise UsageError(
            f"{path}: expected SUPERCOP's layout, crypto_hash/PRIMITIVE/IMPLEMENTATION/{_API}, found none"
        )
    return implementations


def _implementation(folder: Path) -> Implementation | None:
    parts = folder.parts
    kinds = [at for at, part in enumerate(parts) if part in names()]
    if not kinds or len(parts) < kinds[-1] + 3:
        return None
    kind, primitive, *rest = parts[kinds[-1] :]
    return Implementation(folder, kind, primitive, "/".join(rest))


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
        It computes no primitive of ours, has no sources, or the part has too little RAM.
    WorkError
        A tool is missing.
    """
    if implementation.subject is None:
        known = ", ".join(f"{kind}/{name}" for kind, rest in names().items() for name in rest)
        theirs = f"{implementation.kind}/{implementation.primitive}"
        raise UsageError(f"{theirs}: no primitive of tightfit; it knows {known}")
    if not implementation.sources:
        raise UsageError(f"{implementation.folder}: expected C or assembly beside {_API}, found none")
    primitive, operation = implementation.subject
    place = load_target(target)
    asked = Question(
        target=place,
        part=place.part(part),
        primitive=load_primitive(primitive),
        operation=operation,
        origin=EXTERNAL,
        name=implementation.title,
        flags=tuple(flags),
        gate=gate,
    )
    check_flags(asked.flags)
    cc = compiler(place, asked.part)
    files = [file for file in implementation.folder.iterdir() if file.is_file()]
    calls = CALLS[implementation.kind](asked.primitive, asked.part)
    builder = ContenderBuilder(place, asked.part, cc)
    try:
        return record(
            asked, builder, SUPERCOP, files, lambda: _measured(asked, builder, implementation, calls)
        )
    finally:
        builder.close()


def _measured(
    asked: Question, builder: ContenderBuilder, implementation: Implementation, calls: Calls
) -> Result:
    adapter, include = calls.adapter, (implementation.folder, builder.headers(HEADERS))
    objects = builder.objects(implementation.sources, asked.flags, include)
    try:
        made = builder.compile_text(adapter.text, "adapter", FLAGS, include)
    except Rejected as reason:
        raise Rejected(f"{_API}: {reason}") from None
    convention = load_convention(asked.target.folder)
    machine = convention.machine(asked.target, asked.part, calls.limit)
    added = overhead(builder, machine, adapter, made)
    image = builder.link(adapter.routine, (made, *objects))
    findings = Gate(machine, calls.kind(added)).check(
        adapter.routine, image, calls.ranked, asked.gate == "full"
    )
    pushed = convention.stack_arguments.get(adapter.calls, 0)
    cost = Cost(
        rom=image.rom - added.rom,
        ram_parts=findings.ram_parts(calls.block_bytes, pushed - added.stack),
        by_entry=calls.by_entry(findings, added),
        ranked=asked.ranked,
        alignment=image.alignment,
        secrecy=findings.secrecy,
        padding=image.padding,
    )
    return Result(cost, findings.curve or of_blocks(asked.primitive, cost), findings)
