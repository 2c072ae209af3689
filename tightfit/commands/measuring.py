"""`measure`: somebody else's routine by the same rules."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from tightfit.commands.options import chain, json_option, part_option, target_option
from tightfit.commands.output import emit, note
from tightfit.contenders import supercop
from tightfit.contenders.compiler import LEVELS
from tightfit.contenders.measure import ASSEMBLY, measure_c, offered
from tightfit.errors import UsageError
from tightfit.harness.store import Store
from tightfit.jsonform import to_json
from tightfit.primitives import load_primitive
from tightfit.records import Contender
from tightfit.reports import contenders
from tightfit.reports.contenders import Rivalry
from tightfit.reports.document import Document, write
from tightfit.reports.known import Current
from tightfit.targets import Target, load_target
from tightfit.targets.progress import shown

_FLAGS = (("-Os",), ("-O2",), ("-O3",))
Flags = Sequence[tuple[str, ...]]
Job = Callable[[], Contender]


@dataclass(frozen=True)
class Asked:
    """What the options say beside the path."""

    target: Target
    part: str | None
    primitive: str | None
    operation: str | None
    name: str | None
    flags: Flags


@click.command()
@click.argument("path", type=Path)
@chain(target_option, part_option)
@click.option("--primitive", metavar="PRIMITIVE", help="What a single file computes.")
@click.option("--operation", metavar="OPERATION", help="Only this one; otherwise all that the file has.")
@click.option("--name", metavar="NAME", help="Which routine NAME_ENTRY of a file that has several.")
@click.option(
    "--level", "levels", type=click.Choice(LEVELS), multiple=True, help="Optimisation of C; repeatable."
)
@click.option("--cc", "flags", metavar="FLAGS", multiple=True, help="Flags for C instead; repeatable.")
@json_option
def measure(path, target, part, primitive, operation, name, levels, flags, as_json) -> None:
    """Somebody else's routine, tested and counted by the same rules.

    PATH is a file of C or assembly with the one-pointer interface, or a folder in the layout of SUPERCOP
    and XBX. C is compiled with -Os, -O2 and -O3 if nothing else is said. Exit status 1 if anything was
    rejected.
    """
    sets = (*((level,) for level in levels), *map(_words, flags)) or _FLAGS
    place = load_target(target)
    asked = Asked(place, place.part(part).name, primitive, operation, name, sets)
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    jobs = _folder(path, asked) if path.is_dir() else _file(path, asked)
    with Store.open() as store:
        found = list(_measured(path, jobs, store))
        if not found:
            raise UsageError(f"{path}: none of its implementations can be measured")
        rivals, rejected = answer(store, found)
    emit(form(rivals, rejected), text(rivals, rejected), as_json)
    if rejected:
        raise click.exceptions.Exit(1)


def _words(flags: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(flags))
    except ValueError as error:
        raise UsageError(f"--cc: {error}: {flags}") from None


def _measured(path: Path, jobs: Sequence[Job], store: Store) -> Iterator[Contender]:
    """What every job finds, kept at once; of a folder with many, what cannot be measured is left out."""
    what, many = f"measure {path.name}", path.is_dir() and len(jobs) > 1
    with shown() as progress:
        for number, job in enumerate(jobs):
            progress(what, number, len(jobs))
            try:
                found = job()
            except UsageError as error:
                if not many:
                    raise
                note(f"left out: {error}")
                continue
            store.add_contender(found)
            yield found
        progress(what, len(jobs), len(jobs))


def _folder(path: Path, asked: Asked) -> list[Job]:
    """Every implementation of a tree of SUPERCOP that is of a primitive of ours, with every set of flags."""
    if asked.operation or asked.name:
        raise UsageError(
            "--operation and --name are for a single file; a folder says by its names what it is"
        )
    known = [one for one in supercop.find(path) if _is_wanted(one, asked.primitive)]
    foreign = {f"{one.kind}/{one.primitive}" for one in known if one.subject is None}
    ours = [one for one in known if one.subject is not None]
    if not ours:
        raise UsageError(f"{path}: {_nothing(foreign, asked.primitive)}")
    if foreign:
        note(f"left out, no primitive of tightfit: {', '.join(sorted(foreign))}")
    return [
        partial(supercop.measure, one, asked.target.id, asked.part, flags=flags)
        for one in ours
        for flags in (asked.flags if any(file.suffix == ".c" for file in one.sources) else ((),))
    ]


def _is_wanted(one: supercop.Implementation, primitive: str | None) -> bool:
    if primitive is None:
        return True
    return one.subject is not None and one.subject[0] == load_primitive(primitive).id


def _nothing(foreign: set[str], primitive: str | None) -> str:
    if primitive is not None:
        return f"no implementation of {primitive}"
    known = (f"{kind}/{name}" for kind, rest in supercop.names().items() for name in rest)
    return f"{', '.join(sorted(foreign))} is no primitive of tightfit; it knows {', '.join(known)}"


def _file(path: Path, asked: Asked) -> list[Job]:
    """A file with the one-pointer interface, with every set of flags, for each operation that it offers."""
    if asked.primitive is None:
        raise UsageError(f"{path}: what does it compute? say --primitive")
    if path.suffix not in (".c", *ASSEMBLY):
        raise UsageError(f"{path}: expected a file that ends in .c, .s or .S, or a folder")
    sets = ((),) if path.suffix in ASSEMBLY else asked.flags
    of, name = (path, asked.target.id, asked.part, asked.primitive), "/".join(path.resolve().parts[-2:])
    if asked.operation:
        operations = [asked.operation]
    else:
        operations = offered(*of, flags=sets[0], routine=asked.name)
    return [
        partial(measure_c, *of, operation, name=name, flags=flags, routine=asked.name)
        for flags in sets
        for operation in operations
    ]


def _subjects(found: Sequence[Contender]) -> list[tuple[str, str, str, str]]:
    """(target, part, primitive, operation) of what was measured, each once."""
    return list(dict.fromkeys((one.target, one.part, one.primitive, one.operation) for one in found))


def answer(store: Store, found: Sequence[Contender]) -> tuple[list[Rivalry], list[Contender]]:
    """Those that have a cost, each with ours within its ROM and RAM, and the rejected ones."""
    view, ids = Current(store), {one.id for one in found}
    every = (one for of in _subjects(found) for one in contenders.rivalries(view.known(*of)))
    rivals = [one for one in every if one.contender.id in ids]
    return rivals, [one for one in found if one.rejected is not None]


def form(rivals: Sequence[Rivalry], rejected: Sequence[Contender]) -> dict:
    """The object that `measure --json` prints."""
    return {
        "contenders": [
            {**contenders.rivalry_form(one), "curve": to_json(one.contender.curve)} for one in rivals
        ],
        "rejected": list(map(contenders.rejected_form, rejected)),
    }


def text(rivals: Sequence[Rivalry], rejected: Sequence[Contender]) -> str:
    """What `measure` prints: a table an operation, and why the others were rejected."""
    tables = []
    for of in _subjects([one.contender for one in rivals]):
        target, part, primitive, operation = of
        rows = [one for one in rivals if _subjects([one.contender]) == [of]]
        tables.append(contenders.table(rows, f"{primitive} {operation}, {target} {part}"))
    notes = [*map(contenders.rejection, rejected), *dict.fromkeys(map(_timing, rivals))]
    return write(Document("measured", tuple(tables), tuple(filter(None, notes))), "text")


def _timing(one: Rivalry) -> str:
    """What there is to say of the clocks of its core."""
    core = load_target(one.contender.target).part(one.contender.part).core
    return "" if core.timing_tested else f"the timing of core {core.name} is not verified"
