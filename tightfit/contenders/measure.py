"""A routine that tightfit did not generate, through the full gate: its cost, or why it was rejected."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tightfit.contenders import interface
from tightfit.contenders.compiler import Compiler, check_flags, compiler, number, recorded
from tightfit.contenders.convention import load_convention
from tightfit.contenders.linking import ASSEMBLY, ContenderBuilder, is_preprocessed
from tightfit.curve import of_blocks
from tightfit.errors import UsageError
from tightfit.harness import provenance
from tightfit.harness.bench import CYCLE_LIMIT
from tightfit.harness.elf import Elf
from tightfit.harness.gate import Findings, Gate
from tightfit.harness.kinds import kind_of
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Rejected
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Contender, Cost, Curve
from tightfit.targets import Part, Target, load_target
from tightfit.targets.toolchain import tool
from tightfit.targets.toolchain import version as tool_version

ONE_POINTER = "one pointer"
EXTERNAL = "external"


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
class Result:
    """The figures of a routine that passed."""

    cost: Cost
    curve: Curve
    findings: Findings


def measure_c(
    source: Path,
    target: str,
    part: str | None,
    primitive: str,
    operation: str,
    *,
    flags: Sequence[str] = ("-Os",),
    origin: str = EXTERNAL,
    name: str | None = None,
    routine: str | None = None,
    defines: Sequence[str] = (),
    gate: str = "full",
) -> Contender:
    """Measure a file with the one-pointer interface: C by its compiler's calling convention, or assembly.

    Parameters
    ----------
    source : C (`.c`), or assembly (`.s`, `.S`) with the interface that the portfolio counts.
    part : None for the target's default one.
    flags : for the C compiler, beside those that select the core.
    name : what it is called among those of its origin; by default the name of the file.
    routine : the `NAME` of `NAME_ENTRY`, needed where the file has several.
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
    place, known = load_target(target), load_primitive(primitive)
    known.operation(operation)
    asked = Question(
        target=place,
        part=place.part(part),
        primitive=known,
        operation=operation,
        origin=origin,
        name=name or source.name,
        flags=tuple(flags),
        gate=gate,
        defines=tuple(defines),
    )
    return measure_file(asked, source, routine)


def measure_file(asked: Question, source: Path, routine: str | None) -> Contender:
    """As `measure_c`, for a question whose names were checked."""
    foreign = asked.origin == EXTERNAL
    cc, builder = _builder(source, asked.target, asked.part, asked.flags, foreign)
    try:
        return record(
            asked, builder, ONE_POINTER, [source], lambda: _one_pointer(asked, builder, source, routine)
        )
    finally:
        builder.close()


def offered(
    source: Path,
    target: str,
    part: str | None,
    primitive: str,
    *,
    flags: Sequence[str] = (),
    routine: str | None = None,
) -> list[str]:
    """The operations for which a file with the one-pointer interface has the functions.

    Where the file does not compile, the first operation of the primitive: measuring it tells why.

    Raises
    ------
    UsageError
        As `measure_c`, or it has the functions of no operation.
    """
    place, known = load_target(target), load_primitive(primitive)
    _, builder = _builder(source, place, place.part(part), tuple(flags))
    try:
        made = builder.read(builder.objects([source], flags)[0])
    except Rejected:
        return [known.first_operation]
    finally:
        builder.close()
    functions, operations = _functions(made, place.abi.symbol_prefix), []
    for name, operation in known.operations.items():
        with suppress(UsageError):
            interface.entries_of(source, operation.entries, functions, routine)
            operations.append(name)
    if not operations:
        interface.entries_of(source, known.operations[known.first_operation].entries, functions, routine)
    return operations


def _builder(
    source: Path, target: Target, part: Part, flags: tuple[str, ...], foreign: bool = True
) -> tuple[Compiler | None, ContenderBuilder]:
    """The compiler of a source, None for one that is only assembled, and what builds it."""
    check_flags(flags)
    if not source.is_file():
        raise UsageError(f"{source}: expected a file of C or assembly, found none")
    cc = compiler(target, part) if is_preprocessed(source) else None
    return cc, ContenderBuilder(target, part, cc, foreign)


def _one_pointer(asked: Question, builder: ContenderBuilder, source: Path, name: str | None) -> Result:
    objects = builder.objects([source], asked.all_flags)
    made = builder.read(objects[0])
    functions = _functions(made, asked.target.abi.symbol_prefix)
    wanted = asked.primitive.operation(asked.operation).entries
    name, entries = interface.entries_of(source, wanted, functions, name)
    convention = load_convention(asked.target.folder)
    if source.suffix in ASSEMBLY:
        absolute = {symbol.name: symbol.address for symbol in made.symbols if symbol.section is None}
        routine = interface.routine_of_assembly(absolute, asked.primitive, name, entries)
        machine, pushed = Machine(asked.target, asked.part, CYCLE_LIMIT), 0
    else:
        routine = interface.routine_of_c(
            builder, source.resolve(), asked.all_flags, asked.primitive, name, entries
        )
        machine = convention.machine(asked.target, asked.part, CYCLE_LIMIT)
        pushed = convention.stack_arguments.get(ONE_POINTER, 0)
    image = builder.link(routine, objects)
    findings = Gate(machine, kind_of(asked.primitive)).check(
        routine, image, asked.ranked, asked.gate == "full"
    )
    cost = Cost(
        rom=image.rom,
        ram_parts=findings.ram_parts(routine.layout.size, pushed),
        by_entry=findings.by_entry,
        ranked=asked.ranked,
        alignment=image.alignment,
        secrecy=findings.secrecy,
        padding=image.padding,
    )
    return Result(cost, findings.curve or of_blocks(asked.primitive, cost), findings)


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


def _functions(made: Elf, prefix: str) -> list[str]:
    """Names that C may call, without the target's prefix."""
    names = (symbol.name for symbol in made.symbols if symbol.section is not None and symbol.exported)
    return [name.removeprefix(prefix) for name in names if name.startswith(prefix)]


def sources_hash(sources: Iterable[Path]) -> str:
    """SHA-256 of files with their names."""
    files = {file.resolve() for file in sources}
    return provenance.digest_files(sorted(files, key=lambda file: (file.name, str(file))))
