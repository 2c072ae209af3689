"""What paths hold to measure: implementations in folders as SUPERCOP has them, a description, or files."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tightfit.contenders import candidates, description, supercop, supercoptree
from tightfit.contenders.called import Sources, measure_calls
from tightfit.contenders.compiler import CPLUSPLUS
from tightfit.contenders.linking import ASSEMBLY, check_source, is_preprocessed
from tightfit.contenders.measure import measure_c, offered, question
from tightfit.contenders.plans import Calls, check_kind, computed
from tightfit.errors import UsageError
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Contender
from tightfit.targets.progress import Progress, silent

LEVELS = (("-Os",), ("-O2",), ("-O3",))
"""What C is compiled with if nothing else is said."""
SUFFIXES = (".c", *CPLUSPLUS, *ASSEMBLY)
_DESCRIBED = ("primitive", "name", "headers", "calls", "interface")
Note = Callable[[str], None]
Measuring = Callable[[], Contender]


@dataclass(frozen=True)
class Asked:
    """What is asked about paths.

    Attributes
    ----------
    primitive : what files compute; of a folder, the only one that is measured.
    operation : the only one that is measured; None means all that the files offer.
    name : the `NAME` of functions `NAME_ENTRY`, needed where files have several.
    flags : sets of flags for the C compiler; each makes a routine of its own. None means `LEVELS`.
    headers : headers of the files' own, which declare what is called or the parameter block.
    calls : how the files are called; None: through one pointer.
    interface : one of `candidates.INTERFACES`, which says how the files are called; None: `calls` does.
    """

    target: str
    part: str
    primitive: str | None = None
    operation: str | None = None
    name: str | None = None
    flags: Sequence[tuple[str, ...]] = ()
    headers: tuple[str, ...] = ()
    calls: Calls | None = None
    interface: str | None = None


def measure_paths(
    paths: Sequence[Path], asked: Asked, note: Note = lambda line: None, progress: Progress = silent
) -> Iterator[Contender]:
    """Measure all that paths hold, one routine after the other: a folder, a description, or files of one.

    Parameters
    ----------
    note : is told in a line what is left out, and why.

    Raises
    ------
    UsageError
        There is nothing to measure, or the question does not go with the paths.
    WorkError
        A tool is missing.
    """
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder")
    first, is_folder = paths[0], paths[0].is_dir()
    measurings = _measurings(paths, asked, note)
    leaves_out, measured = is_folder and len(measurings) > 1, 0
    what = f"measure {first.name}"
    for done, measuring in enumerate(measurings):
        progress(what, done, len(measurings))
        try:
            contender = measuring()
        except UsageError as error:
            if not leaves_out:
                raise
            note(f"left out: {error}")
            continue
        yield contender
        measured += 1
    progress(what, len(measurings), len(measurings))
    if not measured:
        raise UsageError(f"{first}: none of its implementations can be measured")


def _measurings(paths: Sequence[Path], asked: Asked, note: Note) -> list[Measuring]:
    alone = [path for path in paths if path.is_dir() or path.suffix in description.SUFFIXES]
    if not alone:
        return _of_files(paths, asked, note)
    if len(paths) > 1:
        raise UsageError(f"{alone[0]}: expected it alone, or files of one routine")
    return (_of_folder if alone[0].is_dir() else _of_description)(alone[0], asked, note)


def _of_folder(path: Path, asked: Asked, note: Note) -> list[Measuring]:
    """Every implementation of a primitive of ours in a tree of SUPERCOP."""
    if asked.operation or asked.name:
        raise UsageError(
            "--operation and --name go with a single file; the names of a folder say what it holds"
        )
    if asked.calls or asked.headers or asked.interface:
        raise UsageError(
            "--call, --interface and --header go with files; SUPERCOP says how a folder's are called"
        )
    wanted = [each for each in supercoptree.find(path) if _is_wanted(each, asked.primitive)]
    foreign = {f"{each.kind}/{each.primitive}" for each in wanted if each.subject is None}
    ours = [each for each in wanted if each.subject is not None]
    if not ours:
        raise UsageError(f"{path}: {_nothing(foreign, asked.primitive)}")
    if foreign:
        note(f"left out, no primitive of tightfit: {', '.join(sorted(foreign))}")
    return [
        partial(supercop.measure, implementation, asked.target, asked.part, flags=flags)
        for implementation in ours
        for flags in _sets(implementation.sources, asked, note)
    ]


def _is_wanted(implementation: supercoptree.Implementation, primitive: str | None) -> bool:
    if primitive is None:
        return True
    subject = implementation.subject
    return subject is not None and subject[0] == load_primitive(primitive).id


def _nothing(foreign: set[str], primitive: str | None) -> str:
    if primitive is not None:
        return f"no implementation of {primitive}"
    known = (f"{kind}/{name}" for kind, names in supercoptree.names().items() for name in names)
    return f"{', '.join(sorted(foreign))} is no primitive of tightfit; it knows {', '.join(known)}"


def _of_description(path: Path, asked: Asked, note: Note) -> list[Measuring]:
    """The routine that a file describes; what the question says beside it is what the file leaves open."""
    described = description.read(path)
    both = [name for name in _DESCRIBED if getattr(asked, name)]
    if both:
        raise UsageError(f"{path}: says what is measured; expected no --{both[0].rstrip('s')} beside it")
    for source in described.sources:
        if not source.is_file():
            raise UsageError(f"{path}: sources: {source.name}: no such file")
    more = {name: getattr(described, name) for name in _DESCRIBED}
    asked = replace(asked, **more, operation=asked.operation or described.operation)
    return _of_files(described.sources, asked, note)


def _of_files(paths: Sequence[Path], asked: Asked, note: Note) -> list[Measuring]:
    """The files of one routine, for each operation that they offer."""
    if asked.primitive is None:
        raise UsageError(f"{paths[0]}: what does it compute? say --primitive")
    for path in paths:
        if path.suffix not in SUFFIXES:
            raise UsageError(f"{path}: expected a file that ends in {_or(SUFFIXES)}, or a folder")
        check_source(path)
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError(f"{paths[0]}: expected each file once")
    sets, title = _sets(paths, asked, note), _title(paths)
    if asked.calls and asked.interface:
        raise UsageError("--interface says how files are called; expected no --call beside it")
    if asked.calls or asked.interface:
        return _called(paths, asked, sets, title)
    subject = (paths, asked.target, asked.part, asked.primitive)
    operations = (
        [asked.operation] if asked.operation else offered(*subject, flags=sets[0], routine=asked.name)
    )
    more = {"name": title, "routine": asked.name, "headers": asked.headers}
    return [
        partial(measure_c, *subject, operation, flags=flags, **more)
        for flags in sets
        for operation in operations
    ]


def _called(
    paths: Sequence[Path], asked: Asked, sets: Sequence[tuple[str, ...]], title: str
) -> list[Measuring]:
    """The files as calls use them, for each operation that these compute."""
    if asked.name:
        raise UsageError("--name goes with one pointer; --call names the functions")
    primitive = load_primitive(asked.primitive)
    if not asked.interface:
        check_kind(primitive)
    if asked.operation:
        operations = [asked.operation]
    else:
        operations = list(primitive.operations) if asked.interface else computed(primitive, asked.calls)
    by_operation = {operation: _calls(primitive, operation, asked) for operation in operations}
    return [
        partial(measure_described, paths, replace(asked, calls=calls), operation, flags, title)
        for flags in sets
        for operation, calls in by_operation.items()
    ]


def _calls(primitive: Primitive, operation: str, asked: Asked) -> Calls:
    return candidates.calls_of(primitive, operation, asked.headers) if asked.interface else asked.calls


def measure_described(
    paths: Sequence[Path],
    asked: Asked,
    operation: str,
    flags: tuple[str, ...],
    title: str,
    gate: str = "full",
) -> Contender:
    """Measure files as the calls of a question use them."""
    what = question(asked.target, asked.part, asked.primitive, operation, title, flags, gate)
    return measure_calls(what, Sources(tuple(paths)), asked.calls, asked.interface)


def _sets(paths: Sequence[Path], asked: Asked, note: Note) -> Sequence[tuple[str, ...]]:
    """The sets of flags: of assembly, which has no level, those that its preprocessor heeds."""
    if any(path.suffix not in ASSEMBLY for path in paths):
        return asked.flags or LEVELS
    heeded = any(map(is_preprocessed, paths))
    sets = [tuple(flag for flag in flags if heeded and not flag.startswith("-O")) for flags in asked.flags]
    if any(flags != left for flags, left in zip(asked.flags, sets, strict=True)):
        note(f"left out, assembly is not compiled: {_left_out(asked.flags, sets)}")
    return list(dict.fromkeys(sets)) or [()]


def _left_out(given: Sequence[tuple[str, ...]], kept: Sequence[tuple[str, ...]]) -> str:
    return " ".join(
        flag for flags, left in zip(given, kept, strict=True) for flag in flags if flag not in left
    )


def _title(paths: Sequence[Path]) -> str:
    """The last two parts of the first path, and the names of the other files."""
    return " ".join(["/".join(paths[0].resolve().parts[-2:]), *(path.name for path in paths[1:])])


def _or(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
