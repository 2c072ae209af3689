"""The Python interface; the commands are a thin layer over it.

An unknown name raises `UsageError`, which says the nearest. Sizes are bytes, or text such as `"1KB"`. What
is known is what ships, and what the user's store, or the one whose path is given as `store`, has besides.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tightfit.budgets import budget, load_budgets
from tightfit.errors import UsageError
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.records import Budget
from tightfit.reports.answer import Answer, Known, Question, answer
from tightfit.reports.filters import NO_FILTERS, Filters
from tightfit.reports.known import Current
from tightfit.reports.scope import EVERY, Wanted, scope
from tightfit.reports.subject import Subject, of_kind, places, subject
from tightfit.reports.view import view
from tightfit.targets import load_target

if TYPE_CHECKING:
    from tightfit.exporter.library import Export, ExportTogether
    from tightfit.filling.outcome import Filled
    from tightfit.filling.progress import RunProgress
    from tightfit.generator.search import SearchSettings
    from tightfit.primitives import Primitive
    from tightfit.reports.bestof import Best
    from tightfit.reports.leading import Leading
    from tightfit.reports.measured import Measured
    from tightfit.reports.portfolio import Portfolio
    from tightfit.reports.ranking import Ranked
    from tightfit.reports.together import Together
    from tightfit.reports.trial import Trial
    from tightfit.skeletons import Skeleton
    from tightfit.targets.progress import Progress

GNU = "gnu"
Size = str | int
Amount = "str | int | float | Fraction"


def ask(
    primitive: str,
    operation: str | None = None,
    *,
    target: str,
    part: str | None = None,
    rom: Size | None = None,
    ram: Size | None = None,
    only: Sequence[str] = (),
    filters: Filters = NO_FILTERS,
    store: Path | None = None,
) -> Answer:
    """The fastest variant that fits a budget, what limits it, what is proved about it.

    Parameters
    ----------
    primitive : an id; `tightfit list primitives` has them.
    operation : such as `encrypt`; may be left out where the primitive has one.
    target, part : what it runs on; the target's default part where it is None.
    rom : most ROM in bytes; `"ROM-min"` asks for the least, None leaves it free.
    ram : most RAM in bytes; None leaves it free.
    only : conditions that a variant must meet, such as `constant-path`; `tightfit.conditions` has them.
    filters : marks, a message, a deadline, an interface, as `tightfit.reports.filters.filters` makes them.
    store : path of a store; the user's own where it is None.

    Returns
    -------
    The answer. `measurement` has the variant and its cost, None where nothing known fits; `status` is `fits`,
    `satiated`, `impossible` or `unexplored`. Where the cycles of the variant are, `view().by_id` tells.

    Raises
    ------
    UsageError
        A name is unknown, or a size is none.
    WorkError
        The store cannot be opened.
    """
    asked = subject(primitive, operation, target, part)
    with _asking([asked], budget(rom, ram, only=only), filters, store) as (opened, answered):
        found = answered(asked)
        return replace(found, moved=opened.moved(found.measurement)) if found.measurement else found


def ask_all(
    *words: str,
    wanted: Wanted = EVERY,
    target: str | None = None,
    part: str | None = None,
    rom: Size | None = None,
    ram: Size | None = None,
    only: Sequence[str] = (),
    filters: Filters = NO_FILTERS,
    store: Path | None = None,
) -> list["Ranked"]:
    """The answers for every primitive, operation and target that words leave, each kind ranked by itself.

    Parameters
    ----------
    words : names of primitives or families, of a kind, an operation, a target or a part, in any spelling.
    wanted : what primitives must be like, a `tightfit.reports.scope.Wanted`.
    target, part : what it runs on; every target where neither is named.

    A primitive that is alone is asked for in all its operations, others in the one that stands for them. The
    other parameters, and the errors, are those of `ask`. On each target the fastest, in cycles a byte, come
    first.
    """
    from tightfit.reports.ranking import ranking

    bounds = budget(rom, ram, only=only)
    subjects = scope(words, wanted=wanted, target=target, part=part).subjects()
    with _asking(subjects, bounds, filters, store) as (_, answer):
        return ranking((asked.primitive, answer(asked)) for asked in subjects)


def ask_leading(
    *words: str,
    wanted: Wanted = EVERY,
    target: str | None = None,
    part: str | None = None,
    rom: Size | None = None,
    ram: Size | None = None,
    only: Sequence[str] = (),
    filters: Filters = NO_FILTERS,
    store: Path | None = None,
) -> list["Leading"]:
    """Of what `ask_all` answers the first of each kind, operation and target, and how many more fit.

    It takes a fraction of the time, as what is not among the first is not read. Parameters and errors are
    those of `ask_all`.
    """
    from tightfit.reports.leading import leading

    bounds = budget(rom, ram, only=only)
    subjects = scope(words, wanted=wanted, target=target, part=part).subjects()
    with _asking(subjects, bounds, filters, store) as (opened, answer):
        return leading(subjects, bounds, filters, opened, answer)


@contextmanager
def _asking(
    subjects: Sequence[Subject], bounds: Budget, filters: Filters, store: Path | None
) -> Iterator[tuple[Current, Callable[[Subject], Answer]]]:
    """What is known of some subjects, and the function that answers one of them."""
    from tightfit.exporter.filtered import answered

    targets, listed = {asked.target.id for asked in subjects}, load_budgets()
    _check_toolchain(filters, targets)
    with view(store, attribution=False, targets=targets) as opened:
        yield opened, lambda asked: answered(Question(*asked.names, bounds, filters), opened, listed)


def ask_together(
    needs: Sequence[str],
    *,
    target: str,
    part: str | None = None,
    rom: Size | None = None,
    ram: Size | None = None,
    weights: Mapping[str, Amount] | None = None,
    tasks: bool = False,
    only: Sequence[str] = (),
    store: Path | None = None,
) -> "Together":
    """One variant for each of several needs, such that all fit one budget and their time is least.

    Parameters
    ----------
    needs : `PRIMITIVE:OPERATION` each, or `PRIMITIVE` where it has one operation.
    weights : how many blocks of a need count in the time, by the need or by its primitive; 1 if not said.
    tasks : whether each routine has RAM of its own; otherwise work areas are not alive together.

    The others, and the errors, are those of `ask`.
    """
    from tightfit.reports.needs import answer_needs

    bounds = budget(rom, ram, only=only)
    with view(store, attribution=False, targets=[target]) as opened:
        return answer_needs(opened, needs, weights or {}, target, part, bounds, tasks)


def table(
    target: str | None = None,
    *,
    part: str | None = None,
    primitives: Sequence[str] = (),
    kind: str | None = None,
    only: Sequence[str] = (),
    store: Path | None = None,
) -> list["Portfolio"]:
    """The portfolio of a target, or of all: every cell, the published figures and the contenders beside it.

    Parameters
    ----------
    target, part : what it runs on; every target, each with its default part, where both are None.
    primitives : ids; none means all.
    kind : only primitives of this kind, such as `hash`.
    only, store : as for `ask`.

    Returns
    -------
    One portfolio for each operation on each part of which anything is known.

    Raises
    ------
    UsageError
        A name is unknown, or a part is named without a target.
    WorkError
        The store cannot be opened.
    """
    from tightfit.reports.portfolio import gather

    wanted = [
        (primitive, operation)
        for primitive in of_kind(map(load_primitive, primitives or primitive_ids()), kind)
        for operation in primitive.operations
    ]
    return _portfolios(wanted, target, part, only, store, gather)


def overview(
    target: str | None = None,
    *,
    part: str | None = None,
    primitives: Sequence[str] = (),
    kind: str | None = None,
    only: Sequence[str] = (),
    store: Path | None = None,
) -> list["Portfolio"]:
    """What `table` answers at a glance: within the most RAM, of several primitives the first operation alone.

    Only of a single primitive the published figures are compared, and nothing is said of what was never
    searched. Parameters and errors are those of `table`.
    """
    from functools import partial

    from tightfit.reports.portfolio import glance

    chosen = of_kind(map(load_primitive, primitives or primitive_ids()), kind)
    single = len(chosen) == 1
    wanted = [
        (primitive, operation)
        for primitive in chosen
        for operation in (primitive.operations if single else (primitive.first_operation,))
    ]
    seen = _portfolios(wanted, target, part, only, store, partial(glance, compared=single))
    return [portfolio for portfolio in seen if not portfolio.is_unsearched]


def _portfolios(
    wanted: "Sequence[tuple[Primitive, str]]",
    target: str | None,
    part: str | None,
    only: Sequence[str],
    store: Path | None,
    make: "Callable[..., Portfolio]",
) -> list["Portfolio"]:
    """What is known of operations of primitives on a target, or on all, without those that nothing is of."""
    every, listed, where = [], load_budgets(), places(target, part)
    with view(store, attribution=False, targets=[place.id for place, _ in where]) as opened:
        for place, its_part in where:
            for primitive, operation in wanted:
                known = opened.known(place.id, its_part.name, primitive.id, operation, only)
                every.append(make(primitive, place.id, its_part.name, operation, known, listed))
    return [portfolio for portfolio in every if not portfolio.is_empty]


def best_of(
    criterion: str,
    target: str | None = None,
    *,
    part: str | None = None,
    primitives: Sequence[str] = (),
    kind: str | None = None,
    only: Sequence[str] = (),
    store: Path | None = None,
) -> list["Best"]:
    """The best variant of each primitive on each target by a criterion, the best first.

    Parameters
    ----------
    criterion : `speed` (cycles a byte), `rom`, `ram`, `area` (ROM + 4 x RAM) or `area-time`.

    Each primitive stands for its first operation. The other parameters, and the errors, are those of `table`.
    """
    from tightfit.reports import bestof

    wanted = of_kind(map(load_primitive, primitives or primitive_ids()), kind)
    lists = []
    where = places(target, part)
    with view(store, attribution=False, targets=[place.id for place, _ in where]) as opened:
        for place, its_part in where:
            names = [(place.id, its_part.name, one.id, one.first_operation) for one in wanted]
            every = [opened.known(*each, only) for each in names]
            usable = [measurement for known in every for measurement in known.usable]
            baselines = [baseline for known in every for baseline in known.baselines]
            lists.append(bestof.best_of(criterion, place.id, its_part.name, usable, baselines))
    return lists


def fill(
    *primitives: str,
    target: str | None = None,
    part: str | None = None,
    operations: Sequence[str] = (),
    budgets: Path | None = None,
    rom: Size | None = None,
    ram: Size | None = None,
    only: Sequence[str] = (),
    portfolio: Path | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    settings: "SearchSettings | None" = None,
    anew: bool = False,
    note: Callable[[str], None] = lambda line: None,
    progress: "Callable[[int], AbstractContextManager[RunProgress]] | None" = None,
    store: Path | None = None,
) -> list["Filled"]:
    """Search and measure until every cell is answered; resumes where it was stopped. Needs the toolchain.

    What is proved, and rests on nothing that has changed since, is not searched again.

    Parameters
    ----------
    primitives : ids; none means all that have templates.
    target, part : what it runs on; every target where both are None.
    operations : only these; none means all.
    budgets : a `budgets.yaml` in the place of the package's.
    rom, ram, only : a single budget instead, with the conditions it is under, as for `ask`.
    portfolio : folder into which the portfolio's text is written as well.
    workers : number of measuring processes; all cores when None.
    cluster : `tcp://HOST:PORT` of a Dask scheduler whose workers measure instead.
    settings : what decides what is proposed, and how hard the solver tries.
    anew : search what is answered as well.
    note : is told in a line of each file of the portfolio.
    progress : makes the display of a run of so many jobs; nothing is shown when None.
    store : path of a store; the user's own where it is None.

    Returns
    -------
    What each job (an operation of a primitive on a part) came to, its cells among it.

    Raises
    ------
    UsageError
        A name is unknown, a budgets file is malformed, two are given of what excludes each other, or no
        search closes cells under a condition.
    WorkError
        A tool is missing, a worker died, or the store cannot be written.
    """
    from tightfit.filling.jobs import jobs
    from tightfit.filling.portfolio import write_portfolio
    from tightfit.filling.progress import silent
    from tightfit.filling.stages import fill_job
    from tightfit.harness.cluster import Cluster
    from tightfit.harness.crew import here
    from tightfit.harness.store import Store

    if cluster and workers:
        raise UsageError("--workers counts processes of this machine; with --cluster its workers measure")
    single = budget(rom, ram, only=only) if rom is not None or ram is not None or only else None
    if single and budgets:
        raise UsageError("--budgets names budgets in a file; expected it without --rom, --ram and conditions")
    wanted = jobs(primitives, target, part, operations, budgets, single)
    with Store.open(store) as opened, (progress or silent)(len(wanted)) as shown:
        with Cluster(cluster) if cluster else nullcontext() as far:
            with closing(far.crew() if far else here(workers)) as crew:
                outcomes = [fill_job(job, opened, crew, shown, settings, anew) for job in wanted]
        if portfolio is not None:
            for file in write_portfolio(opened, wanted, portfolio, shown.steps):
                note(f"wrote {file}")
    return outcomes


def measure(
    path: "str | Path | Sequence[str | Path]",
    *,
    target: str,
    part: str | None = None,
    primitive: str | None = None,
    operation: str | None = None,
    name: str | None = None,
    call: str | None = None,
    setup: str | None = None,
    decrypt: str | None = None,
    interface: str | None = None,
    headers: Sequence[str] = (),
    flags: Sequence[tuple[str, ...]] = (),
    note: Callable[[str], None] = lambda line: None,
    progress: "Progress | None" = None,
    store: Path | None = None,
) -> "Measured":
    """Test and count somebody else's routine as tightfit does its own, and keep it. Needs the toolchain.

    Parameters
    ----------
    path : a file of C, C++ or assembly, or several of one routine; a YAML file that describes it; or a folder
        in the layout of SUPERCOP.
    target, part : what it runs on; the target's default part where it is None.
    primitive : what files compute; of a folder, the only one that is measured.
    operation : of files, the only one that is measured.
    name : which routine `NAME_ENTRY` of files that have several.
    call, setup, decrypt : how the files are called, such as `aes_encrypt(in, out, roundkeys)`; through one
        pointer where `call` is None.
    interface : `aes-candidate`, for files with the C interface of the submissions to AES.
    headers : headers of the files' own, which declare what is called.
    flags : sets of flags for the C compiler, each makes a routine; `-Os`, `-O2` and `-O3` if none is given.
    note : is told in a line what is left out, and why.
    progress : is told how far it is.
    store : path of a store; the user's own where it is None.

    Returns
    -------
    The routines that passed, each with tightfit's best within its ROM and RAM, and the rejected ones.

    Raises
    ------
    UsageError
        A name is unknown, there is nothing to measure, or its functions are not those of the operation.
    WorkError
        A tool is missing, or the store cannot be written.
    """
    from tightfit.contenders.description import calls
    from tightfit.contenders.path import Asked, measure_paths
    from tightfit.harness.store import Store
    from tightfit.reports.measured import beside_ours
    from tightfit.targets.progress import silent

    place = load_target(target)
    asked = Asked(
        place.id,
        place.part(part).simulated,
        primitive,
        operation,
        name,
        tuple(flags),
        tuple(headers),
        calls(call, setup, decrypt, headers),
        interface,
    )
    paths = [path] if isinstance(path, str | Path) else path
    with Store.open(store) as opened:
        contenders = []
        for contender in measure_paths(list(map(Path, paths)), asked, note, progress or silent):
            opened.add_contender(contender)
            contenders.append(contender)
        return beside_ours(Current(opened), contenders)


def trial(
    template: str,
    knobs: "Mapping[str, str | int] | None" = None,
    *,
    operation: str | None = None,
    part: str | None = None,
    gate: str = "search",
) -> "Trial":
    """Render, assemble, test and count one variant of a template, and keep nothing. Needs the toolchain.

    Parameters
    ----------
    template : `TARGET/PRIMITIVE/TEMPLATE`, or the path of its folder.
    knobs : values of knobs; the others have the first values that go with them.
    operation : the first of the template where it is None.
    part : the target's default one where it is None.
    gate : `search`, or `full` for iterated answers and many more inputs.

    Returns
    -------
    The measurement; where it was rejected, with the line of source that is at fault, if that is known.

    Raises
    ------
    UsageError
        A name is unknown, a template or a file of the primitive is wrong.
    WorkError
        A tool is missing.
    """
    from tightfit.generator import render
    from tightfit.generator.naming import variant_named
    from tightfit.harness.bench import Bench
    from tightfit.reports.trial import Trial

    variant = variant_named(template, knobs or {}, operation, part)
    source = render(variant).source
    with Bench(variant.target, variant.part, variant.primitive) as bench:
        return Trial(*bench.trial(variant, gate), source)


def new_primitive(name: str, kind: str) -> "Skeleton":
    """The required files of a new primitive of a kind, as `tightfit.skeletons.new_primitive` writes them."""
    from tightfit import skeletons

    return skeletons.new_primitive(name, kind)


def new_construction(name: str, over: str, mode: str | None = None) -> "Skeleton":
    """The required files of a construction, as `tightfit.skeletons.new_construction` writes them."""
    from tightfit import skeletons

    return skeletons.new_construction(name, over, mode)


def new_template(target: str, primitive: str, name: str) -> "Skeleton":
    """The files of a new template, as `tightfit.skeletons.new_template` writes them."""
    from tightfit import skeletons

    return skeletons.new_template(target, primitive, name)


def export(
    primitive: str,
    operation: str | None = None,
    *,
    target: str,
    to: str | Path,
    part: str | None = None,
    rom: Size | None = None,
    ram: Size | None = None,
    toolchain: str = GNU,
    name: str | None = None,
    variant: str | None = None,
    only: Sequence[str] = (),
    reentrant: bool = False,
    store: Path | None = None,
) -> "Export":
    """Write the fastest variant that fits, or one of your choice, as a drop-in library.

    Parameters
    ----------
    to : a new or empty folder, or one that an earlier export wrote.
    toolchain : whose assembly and interface: `gnu`; for RL78 also `ccrl`, `llvm`, `iar`.
    name : prefix of the C names; made from the primitive's id where it is None.
    variant : the id of a variant, or its first digits; the fastest that fits where it is None.
    reentrant : only variants that write no static data and use no register bank.

    The others are those of `ask`.

    Returns
    -------
    What was written: folder, files, variant, and cost with the toolchain's interface.

    Raises
    ------
    UsageError
        A name is unknown, or the folder holds what is not ours.
    WorkError
        Nothing known fits, or the folder cannot be written.
    """
    from tightfit import exporter
    from tightfit.exporter.chosen import chosen, prepare_answer
    from tightfit.exporter.commandline import command_line
    from tightfit.exporter.filtered import reentrant_alone

    exporter.check_toolchain(target, toolchain)
    bounds = budget(rom, ram, only=only)
    asked = subject(primitive, operation, target, part)
    with view(store) as opened:
        known: Known = opened.known(*asked.names, only=only)
    if reentrant:
        known = reentrant_alone(known)
    best = answer(Question(*asked.names, bounds), known, load_budgets())
    default = exporter.default_name(primitive)
    if variant is None:
        prepared = prepare_answer(known, best, name or default, toolchain)
    else:
        prepared = exporter.prepare(chosen(known, variant), name or default, toolchain)
    options = {"--target": target, "--part": part, "--rom": rom, "--ram": ram, "--toolchain": toolchain}
    own = {"--variant": variant, "--name": None if name == default else name}
    command = command_line(
        [primitive, asked.operation],
        {**options, **own},
        [*bounds.only, *["reentrant"] * reentrant],
    )
    return exporter.export(
        exporter.with_wins(prepared, known.cells),
        Path(to),
        command=command,
        answer=best if variant is None else None,
        part=asked.part.name,
        named=name is not None,
    )


def export_together(
    needs: Sequence[str],
    *,
    target: str,
    to: str | Path,
    part: str | None = None,
    rom: Size | None = None,
    ram: Size | None = None,
    weights: Mapping[str, Amount] | None = None,
    tasks: bool = False,
    toolchain: str = GNU,
    name: str | None = None,
    only: Sequence[str] = (),
    store: Path | None = None,
) -> "ExportTogether":
    """Write the answer of `ask_together` as one library, named after what is needed if no name is given.

    Parameters are those of `ask_together` and of `export`, and so are the errors.
    """
    from tightfit import exporter
    from tightfit.exporter.commandline import command_line
    from tightfit.reports.needs import answer_needs

    exporter.check_toolchain(target, toolchain)
    bounds = budget(rom, ram, only=only)

    def asked(view) -> "Together":
        return answer_needs(view, needs, weights or {}, target, part, bounds, tasks)

    with view(store) as opened:
        whole, together, members = exporter.prepare_together(asked, opened, toolchain, name)
    weighed = [f"{need}={amount}" for need, amount in (weights or {}).items()]
    options = {"--need": needs, "--weight": weighed, "--target": target, "--part": part}
    options |= {"--rom": rom, "--ram": ram, "--toolchain": toolchain, "--name": name}
    command = command_line([], options, [*["sum-ram"] * tasks, *bounds.only])
    library = exporter.Library(whole, members, command, together=together, part=part, named=name is not None)
    return exporter.ExportTogether(library, Path(to), *exporter.write_library(library, Path(to)))


def _check_toolchain(asked: Filters, targets: Iterable[str]) -> None:
    if asked.toolchain is not None:
        from tightfit.exporter import check_toolchain

        for target in sorted(targets):
            check_toolchain(target, asked.toolchain)
