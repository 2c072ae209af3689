"""A routine that tightfit did not generate, through the full gate: its cost, or why it was rejected."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightfit.contenders import interface
from tightfit.contenders.compiler import Compiler, check_flags, compiler, number, recorded
from tightfit.contenders.convention import load_convention
from tightfit.contenders.linking import ASSEMBLY, ContenderBuilder, check_source, is_preprocessed
from tightfit.curve import of_blocks
from tightfit.harness import provenance
from tightfit.harness.bench import CYCLE_LIMIT
from tightfit.harness.build import Image
from tightfit.harness.elf import Elf
from tightfit.harness.gate import Findings, Gate
from tightfit.harness.kinds import kind_of
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Rejected, Routine
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import EXTERNAL, Contender, Cost, Curve
from tightfit.targets import Part, Target, load_target
from tightfit.targets.toolchain import tool
from tightfit.targets.toolchain import version as tool_version

ONE_POINTER = "one pointer"


@dataclass(frozen=True)
class Question:
    """What is measured and where; `origin` and `name` are those of the record.

    `flags` are for the C compiler and in the record, `defines` (`-DNAME=1`) belong to what is measured.
    """

    target: Target
    part: Part
    primitive: Primitive
    operation: str
    origin: str
    name: str
    flags: tuple[str, ...]
    gate: str = "full"
    defines: tuple[str, ...] = ()

    @property
    def all_flags(self) -> tuple[str, ...]:
        """What the C compiler is told beside the core."""
        return (*self.flags, *self.defines)

    @property
    def ranked(self) -> tuple[str, ...]:
        """The entries whose cycles are summed."""
        return self.primitive.operation(self.operation).ranked


@dataclass(frozen=True)
class _Linked:
    """A routine that is ready to be called: its image, the machine, bytes of stack that arguments take."""

    routine: Routine
    image: Image
    machine: Machine
    pushed: int


@dataclass(frozen=True)
class Result:
    """The figures of a routine that passed."""

    cost: Cost
    curve: Curve
    findings: Findings


def measure_c(
    source: Path | Sequence[Path],
    target: str,
    part: str | None,
    primitive: str,
    operation: str,
    *,
    flags: Sequence[str] = ("-Os",),
    origin: str = EXTERNAL,
    name: str | None = None,
    routine: str | None = None,
    headers: Sequence[str] = (),
    defines: Sequence[str] = (),
    gate: str = "full",
) -> Contender:
    """Measure files with the one-pointer interface: C by its compiler's calling convention, or assembly.

    Parameters
    ----------
    source : C or assembly; the files of one routine, where there are several. Assembly alone has the
        interface that the portfolio counts.
    part : None for the target's default one.
    flags : for the C compiler, beside those that select the core.
    name : what it is called among those of its origin; by default the names of the files.
    routine : the `NAME` of `NAME_ENTRY`, needed where there are several.
    headers : those that declare the block, where the source of the functions does not.
    defines : `-DNAME=VALUE` that belong to what is measured, such as the constants of the primitive; no part
        of the flags of the record.
    gate : `search`, or `full`.

    Raises
    ------
    UsageError
        An unknown name, no such file, or functions that are not those of the operation.
    WorkError
        A tool is missing.
    """
    sources = (source,) if isinstance(source, Path) else tuple(source)
    title = name or " ".join(file.name for file in sources)
    asked = question(target, part, primitive, operation, title, flags, gate, origin, defines)
    return measure_files(asked, sources, routine, headers)


def question(
    target: str,
    part: str | None,
    primitive: str,
    operation: str,
    name: str,
    flags: Sequence[str],
    gate: str = "full",
    origin: str = EXTERNAL,
    defines: Sequence[str] = (),
) -> Question:
    """A question in names, which are checked."""
    place, known = load_target(target), load_primitive(primitive)
    known.operation(operation)
    return Question(
        target=place,
        part=place.part(part),
        primitive=known,
        operation=operation,
        origin=origin,
        name=name,
        flags=tuple(flags),
        gate=gate,
        defines=tuple(defines),
    )


def measure_files(
    asked: Question, sources: Sequence[Path], routine: str | None, headers: Sequence[str] = ()
) -> Contender:
    """As `measure_c`, for a question whose names were checked."""
    builder = _builder(sources, asked.target, asked.part, asked.flags, asked.origin == EXTERNAL)
    try:
        return record(
            asked,
            builder,
            ONE_POINTER,
            sources,
            lambda: _one_pointer(asked, builder, sources, routine, headers),
        )
    finally:
        builder.close()


def follow_files(asked: Question, sources: Sequence[Path], routine: str, known: Contender) -> Contender:
    """A record whose cost holds, with its secrets followed anew; `known` is of the question and the files."""
    renewed = replace(known, provenance=facts(asked, compiler(asked.target, asked.part)))
    if known.cost is None:
        return renewed
    builder = _builder(sources, asked.target, asked.part, asked.flags, asked.origin == EXTERNAL)
    try:
        linked = _linked(asked, builder, sources, routine, ())
        gate = Gate(linked.machine, kind_of(asked.primitive))
        secrecy = gate.secrets(linked.routine, linked.image).secrecy
        return replace(renewed, cost=replace(known.cost, secrecy=secrecy))
    finally:
        builder.close()


def examine_files(asked: Question, sources: Sequence[Path], routine: str) -> Result:
    """What files with the one-pointer interface cost, without a record of it.

    Raises
    ------
    Rejected
        They do not pass the gate.
    """
    builder = _builder(sources, asked.target, asked.part, asked.flags)
    try:
        return _one_pointer(asked, builder, sources, routine, ())
    finally:
        builder.close()


def offered(
    sources: Sequence[Path],
    target: str,
    part: str | None,
    primitive: str,
    *,
    flags: Sequence[str] = (),
    routine: str | None = None,
) -> list[str]:
    """The operations for which files with the one-pointer interface have the functions.

    Where a file does not compile, the first operation of the primitive: measuring it tells why.

    Raises
    ------
    UsageError
        As `measure_c`, or they have the functions of no operation, or of several routines.
    """
    place, known = load_target(target), load_primitive(primitive)
    builder = _builder(sources, place, place.part(part), tuple(flags))
    try:
        made = builder.objects(sources, flags)
        functions = [
            name for each in made for name in functions_of(builder.read(each), place.abi.symbol_prefix)
        ]
    except Rejected:
        return [known.first_operation]
    finally:
        builder.close()
    missing, operations = None, []
    for name, operation in known.operations.items():
        try:
            interface.entries_of(sources[0], operation.entries, functions, routine)
            operations.append(name)
        except interface.MissingEntry as error:
            missing = missing or error
    if not operations:
        raise missing
    return operations


def _builder(
    sources: Sequence[Path], target: Target, part: Part, flags: tuple[str, ...], foreign: bool = True
) -> ContenderBuilder:
    """What builds the sources: with the compiler, unless all of them are only assembled."""
    check_flags(flags)
    for source in sources:
        check_source(source)
    cc = compiler(target, part) if any(map(is_preprocessed, sources)) else None
    return ContenderBuilder(target, part, cc, foreign)


def _one_pointer(
    asked: Question,
    builder: ContenderBuilder,
    sources: Sequence[Path],
    name: str | None,
    headers: Sequence[str],
) -> Result:
    linked = _linked(asked, builder, sources, name, headers)
    routine, image = linked.routine, linked.image
    findings = Gate(linked.machine, kind_of(asked.primitive)).check(
        routine, image, asked.ranked, asked.gate == "full"
    )
    cost = Cost(
        rom=image.rom,
        ram_parts=findings.ram_parts(routine.layout.size, linked.pushed),
        by_entry=findings.by_entry,
        ranked=asked.ranked,
        alignment=image.alignment,
        secrecy=findings.secrecy,
        padding=image.padding,
    )
    return Result(cost, findings.curve or of_blocks(asked.primitive, cost), findings)


def _linked(
    asked: Question,
    builder: ContenderBuilder,
    sources: Sequence[Path],
    name: str | None,
    headers: Sequence[str],
) -> _Linked:
    objects = builder.objects(sources, asked.all_flags, [source.parent for source in sources])
    made = [builder.read(each) for each in objects]
    functions = [functions_of(each, asked.target.abi.symbol_prefix) for each in made]
    wanted = asked.primitive.operation(asked.operation).entries
    name, entries = interface.entries_of(sources[0], wanted, [f for each in functions for f in each], name)
    convention = load_convention(asked.target.folder)
    if all(source.suffix in ASSEMBLY for source in sources):
        absolute = {
            symbol.name: symbol.address for each in made for symbol in each.symbols if not symbol.section
        }
        alignment = asked.target.block_alignment
        routine = interface.routine_of_assembly(absolute, asked.primitive, name, entries, alignment)
        machine, pushed = Machine(asked.target, asked.part, CYCLE_LIMIT), 0
    else:
        has_entry = zip(sources, functions, strict=True)
        source = next(source for source, there in has_entry if f"{name}_{entries[0]}" in there)
        declared = headers or [str(source.resolve())]
        folders = [source.parent for source in sources]
        routine = interface.routine_of_c(
            builder, declared, (asked.all_flags, folders), asked.primitive, name, entries
        )
        machine = convention.machine(asked.target, asked.part, CYCLE_LIMIT)
        pushed = convention.argument_bytes(asked.target)
    return _Linked(routine, builder.link(routine, objects), machine, pushed)


def record(
    asked: Question,
    builder: ContenderBuilder,
    interface_name: str,
    sources: Sequence[Path],
    measure: Callable[[], Result],
) -> Contender:
    """The record of what `measure` finds; a rejected routine has the reason in the place of a cost."""
    result, reason = None, None
    try:
        result = measure()
    except Rejected as rejected:
        reason = str(rejected)
    cc = builder.cc
    options = (*cc.options, *recorded(asked.flags)) if cc else asked.part.assemble
    return Contender(
        target=asked.target.id,
        part=asked.part.name,
        primitive=asked.primitive.id,
        operation=asked.operation,
        origin=asked.origin,
        name=asked.name,
        compiler=cc.name if cc else tool(asked.target.id, "as").name,
        version=cc.version if cc else number(tool_version(asked.target.id, "as")),
        flags=" ".join(options),
        interface=interface_name,
        cost=result and result.cost,
        rejected=reason,
        source_sha256=sources_hash({*sources, *builder.reading.files}),
        provenance=facts(asked, cc),
        curve=result and result.curve,
        reentrant=bool(result and result.findings.reentrant),
        tested_bytes=result.findings.tested_bytes if result else 0,
        registers_as_memory=bool(result and result.findings.registers_as_memory),
    )


def facts(asked: Question, cc: Compiler | None) -> Mapping[str, str]:
    """What it takes to repeat the measurement, and `context`, the hash of it all."""
    question = asked.target.id, asked.part.name, asked.primitive.id, asked.operation, asked.gate
    measured = provenance.provenance(*question)
    known = {name: fact for name, fact in measured.items() if name not in provenance.RECORDED_ONLY}
    if cc:
        known["cc"] = f"{cc.name} {cc.version}"
    return {**known, "context": provenance.context_of(known)}


def functions_of(made: Elf, prefix: str) -> list[str]:
    """Names that C may call, without the target's prefix."""
    names = (symbol.name for symbol in made.symbols if symbol.section is not None and symbol.exported)
    return [name.removeprefix(prefix) for name in names if name.startswith(prefix)]


def sources_hash(sources: Iterable[Path]) -> str:
    """SHA-256 of files with their names."""
    files = {file.resolve() for file in sources}
    return provenance.digest_files(sorted(files, key=lambda file: (file.name, str(file))))
