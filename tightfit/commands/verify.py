"""`tightfit verify`."""

import re
from collections.abc import Sequence
from pathlib import Path

import click

from tightfit import api
from tightfit.commands.options import (
    chain,
    json_option,
    operations_option,
    part_option,
    primitive_argument,
    target_option,
)
from tightfit.commands.output import emit, note
from tightfit.errors import UsageError
from tightfit.primitives import load_primitive
from tightfit.targets import load_target
from tightfit.targets.progress import shown
from tightfit.textfile import replace_text

_GROUPS = re.compile(r"(?:(\d{1,9})-)?(\d{1,9})", re.A)


@click.command("verify")
@chain(primitive_argument, target_option, part_option)
@click.option("--vectors", type=Path, metavar="FILE", help="Known answers to check as well.")
@click.option(
    "--nist",
    type=Path,
    metavar="FILE",
    multiple=True,
    help="The same in files of NIST, eSTREAM; repeatable.",
)
@click.option(
    "--write-rsp", "response", type=Path, metavar="FILE", help="With one --nist: that file with its answers."
)
@click.option(
    "--monte-carlo", is_flag=True, help="NIST's chains: 4,000,000 encryptions, or 100,000 messages or texts."
)
@click.option(
    "--groups", metavar="N", help="Only the first N groups of a chain, or those FIRST-LAST, from 0 on."
)
@click.option("--workers", type=click.IntRange(min=1), help="Threads for chains; all cores otherwise.")
@chain(operations_option, json_option)
def command(
    primitive, target, part, vectors, nist, response, monte_carlo, groups, workers, operations, as_json
) -> None:
    """Every winner against known answers, iterated ones included, and through the full gate.

    With --monte-carlo every winner runs on its own answers on the simulator instead: a cipher 400 groups of
    10,000 blocks, a hash 100 groups of 1,000 messages; a MAC, a stream cipher and authenticated encryption
    in chains of the same spirit. Files of --nist (.req, .rsp) say
    themselves which of the two they are for. Exit status 1 if any winner fails, or if there is none.
    """
    from tightfit.harness import montecarlo, verification
    from tightfit.harness.nist import read
    from tightfit.reports import verified

    asked, place = load_primitive(primitive), load_target(target)
    its_part = place.part(part)
    for operation in operations:
        asked.operation(operation)
    wanted = _wanted(groups)
    files = [read(file, asked) for file in nist]
    _check_response(response, files)
    for file in files:
        for why, count in file.skipped.items():
            note(f"{file.path}: {count} tests skipped: {why}")
    extra = [*(asked.load_vectors(vectors) if vectors else []), *(v for file in files for v in file.vectors)]
    tests = [chain.test for file in files for chain in file.chains]
    tests += montecarlo.tests_of(asked) if monte_carlo else []
    if not tests and (groups or workers):
        raise UsageError("--groups and --workers: expected chains, of --monte-carlo or a file, found none")
    with api.view(attribution=False) as store:
        winners = [
            winner
            for operation in (operations or asked.operations)
            for winner in store.known(target, its_part.name, primitive, operation).winners
        ]
    with shown() as progress:
        results = []
        if extra or not tests:
            results = verification.verify(winners, place, its_part, asked, extra, progress)
        if tests:
            chained = verification.monte_carlo(winners, place, its_part, tests, wanted, workers, progress)
            results = verification.together(results, chained)
    emit(verified.form(asked, len(extra), results), verified.text(asked, len(extra), results), as_json)
    failed = [result for result in results if result.reason]
    if not results:
        note(f"no winner of {asked.id} to check; `tightfit fill {asked.id}` finds some")
    elif failed:
        note(f"{len(failed)} of {len(results)} winners fail, the first: {failed[0].reason}")
    if failed or not results:
        raise click.exceptions.Exit(1)
    if response:
        replace_text(response, files[0].response())
        note(f"{response}: the answers of {nist[0]}, which {len(results)} winners gave")


def _wanted(groups: str | None) -> range | None:
    """The numbers of groups that an option says: the first so many, or first to last."""
    if groups is None:
        return None
    said = _GROUPS.fullmatch(groups)
    if said and said[1] is None and int(said[2]):
        return range(int(said[2]))
    if said and said[1] is not None and int(said[1]) <= int(said[2]):
        return range(int(said[1]), int(said[2]) + 1)
    raise UsageError(f"--groups: expected a number such as 20, or numbers such as 100-199, found {groups!r}")


def _check_response(response: Path | None, files: Sequence) -> None:
    """Answers are written for one file, which lacks them."""
    if response is None:
        return
    if len(files) != 1:
        raise UsageError(f"--write-rsp: expected one --nist beside it, found {len(files)}")
    if not files[0].is_request:
        raise UsageError(f"--write-rsp: {files[0].path} has its answers already")
