"""What a path holds to measure: implementations in folders as SUPERCOP has them, or one file."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tightfit.contenders import supercop
from tightfit.contenders.linking import ASSEMBLY
from tightfit.contenders.measure import measure_c, offered
from tightfit.errors import UsageError
from tightfit.primitives import load_primitive
from tightfit.records import Contender
from tightfit.targets.progress import Progress, silent

FLAGS = (("-Os",), ("-O2",), ("-O3",))
"""What C is compiled with if nothing else is said."""
Note = Callable[[str], None]
Measuring = Callable[[], Contender]


@dataclass(frozen=True)
class Asked:
    """What is asked about a path.

    Attributes
    ----------
    primitive : what a file computes; of a folder, the only one that is measured.
    operation : the only one that is measured; None means all that a file offers.
    name : the `NAME` of a file's functions `NAME_ENTRY`, needed where it has several.
    flags : sets of flags for the C compiler; each makes a routine of its own.
    """

    target: str
    part: str
    primitive: str | None = None
    operation: str | None = None
    name: str | None = None
    flags: Sequence[tuple[str, ...]] = FLAGS


def measure_path(
    path: Path, asked: Asked, note: Note = lambda line: None, progress: Progress = silent
) -> Iterator[Contender]:
    """Measure all that a path holds, one routine after the other.

    Parameters
    ----------
    note : is told in a line what of a folder is left out, and why.

    Raises
    ------
    UsageError
        There is nothing to measure, or the question does not go with the path.
    WorkError
        A tool is missing.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    measurings = _of_folder(path, asked, note) if path.is_dir() else _of_file(path, asked)
    leaves_out, measured = path.is_dir() and len(measurings) > 1, 0
    what = f"measure {path.name}"
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
        raise UsageError(f"{path}: none of its implementations can be measured")


def _of_folder(path: Path, asked: Asked, note: Note) -> list[Measuring]:
    """Every implementation of a primitive of ours in a tree of SUPERCOP."""
    if asked.operation or asked.name:
        raise UsageError(
            "--operation and --name go with a single file; the names of a folder say what it holds"
        )
    wanted = [each for each in supercop.find(path) if _is_wanted(each, asked.primitive)]
    foreign = {f"{each.kind}/{each.primitive}" for each in wanted if each.subject is None}
    ours = [each for each in wanted if each.subject is not None]
    if not ours:
        raise UsageError(f"{path}: {_nothing(foreign, asked.primitive)}")
    if foreign:
        note(f"left out, no primitive of tightfit: {', '.join(sorted(foreign))}")
    return [
        partial(supercop.measure, implementation, asked.target, asked.part, flags=flags)
        for implementation in ours
        for flags in (asked.flags if any(file.suffix == ".c" for file in implementation.sources) else ((),))
    ]


def _is_wanted(implementation: supercop.Implementation, primitive: str | None) -> bool:
    if primitive is None:
        return True
    subject = implementation.subject
    return subject is not None and subject[0] == load_primitive(primitive).id


def _nothing(foreign: set[str], primitive: str | None) -> str:
    if primitive is not None:
        return f"no implementation of {primitive}"
    known = (f"{kind}/{name}" for kind, names in supercop.names().items() for name in names)
    return f"{', '.join(sorted(foreign))} is no primitive of tightfit; it knows {', '.join(known)}"


def _of_file(path: Path, asked: Asked) -> list[Measuring]:
    """A file with the one-pointer interface, for each operation that it offers."""
    if asked.primitive is None:
        raise UsageError(f"{path}: what does it compute? say --primitive")
    if path.suffix not in (".c", *ASSEMBLY):
        raise UsageError(f"{path}: expected a file that ends in .c, .s or .S, or a folder")
    sets = ((),) if path.suffix in ASSEMBLY else asked.flags
    subject = (path, asked.target, asked.part, asked.primitive)
    if asked.operation:
        operations = [asked.operation]
    else:
        operations = offered(*subject, flags=sets[0], routine=asked.name)
    name = "/".join(path.resolve().parts[-2:])
    return [
        partial(measure_c, *subject, operation, name=name, flags=flags, routine=asked.name)
        for flags in sets
        for operation in operations
    ]
