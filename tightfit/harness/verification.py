"""Checks winners against known answers, through the full gate, and in NIST's Monte Carlo tests."""

import os
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tightfit.errors import UsageError
from tightfit.generator import render
from tightfit.harness import montecarlo
from tightfit.harness.bench import CYCLE_LIMIT, routine_of
from tightfit.harness.build import Builder, Image
from tightfit.harness.chain import ChainMachine
from tightfit.harness.gate import Gate
from tightfit.harness.groups import Group, Test
from tightfit.harness.kinds import kind_of
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Rejected, Routine
from tightfit.primitives import Primitive
from tightfit.primitives.vectors import HashVector, Vector
from tightfit.records import Measurement, Variant
from tightfit.targets import Part, Target
from tightfit.targets.progress import Progress, silent

_WHAT = "winners through the full gate"
_CHAINS = "groups of calls on their own answers"


@dataclass
class Chain:
    """What a variant did in a Monte Carlo test: answers that it made right, and the cycles of one."""

    test: Test
    answers: int = 0
    least: int | None = None
    most: int | None = None

    def take(self, least: int, most: int) -> None:
        """A group that was right."""
        self.answers += self.test.calls
        self.least = least if self.least is None else min(self.least, least)
        self.most = most if self.most is None else max(self.most, most)


@dataclass
class Verification:
    """A variant that was checked again; `reason` is why it fails, None where it passes.

    `chains` are the Monte Carlo tests that it was sent through.
    """

    measurement: Measurement
    reason: str | None
    chains: tuple[Chain, ...] = ()


def verify(
    measurements: Sequence[Measurement],
    target: Target,
    part: Part,
    primitive: Primitive,
    vectors: Sequence[Vector | HashVector],
    progress: Progress = silent,
) -> list[Verification]:
    """Send each variant through the full gate.

    Parameters
    ----------
    vectors : more known answers to check; the primitive's own are always checked.

    Raises
    ------
    WorkError
        A tool is missing.
    """
    kind = kind_of(primitive)
    kind.add(vectors)
    builder, gate = Builder(target, part), Gate(Machine(target, part, CYCLE_LIMIT), kind)
    results = []
    try:
        for done, measurement in enumerate(measurements):
            progress(_WHAT, done, len(measurements))
            reason = _reason(measurement.variant, primitive, builder, gate)
            results.append(Verification(measurement, reason))
            progress(_WHAT, done + 1, len(measurements))
    finally:
        builder.close()
    return results


def _reason(variant: Variant, primitive: Primitive, builder: Builder, gate: Gate) -> str | None:
    ranked = primitive.operation(variant.operation).ranked
    try:
        routine = routine_of(variant, render(variant))
        gate.check(routine, builder.build(routine), ranked, full=True)
    except (Rejected, UsageError) as reason:
        return str(reason)
    return None


def monte_carlo(
    measurements: Sequence[Measurement],
    target: Target,
    part: Part,
    tests: Sequence[Test],
    groups: range | None = None,
    workers: int | None = None,
    progress: Progress = silent,
) -> list[Verification]:
    """Send each variant through the Monte Carlo tests of the functions that it has.

    Parameters
    ----------
    groups : the numbers of those wanted; all if None.
    workers : threads, all cores if None; the simulator runs outside of Python's lock.

    Raises
    ------
    WorkError
        A tool is missing, or reference and oracle disagree.
    """
    runs = _Runs(target, part, measurements, tests)
    pool = ThreadPoolExecutor(workers or os.cpu_count())
    try:
        return runs.all(groups, pool, progress)
    finally:
        runs.stop.set()
        pool.shutdown(cancel_futures=True)


def together(gated: Sequence[Verification], chained: Sequence[Verification]) -> list[Verification]:
    """The results of both checks as one for each variant; where there was no gate, those of the chains."""
    for gate, chain in zip(gated, chained, strict=bool(gated)):
        chain.reason = gate.reason or chain.reason
    return list(chained)


@dataclass(frozen=True)
class _Ready:
    """A variant that is built, with the chains that it takes part in."""

    result: Verification
    routine: Routine
    image: Image

    def chain(self, test: Test) -> Chain | None:
        return next((chain for chain in self.result.chains if chain.test is test), None)


class _Runs:
    """The groups of Monte Carlo tests, each on the simulator of the thread that takes it."""

    def __init__(
        self, target: Target, part: Part, measurements: Sequence[Measurement], tests: Sequence[Test]
    ):
        self.target, self.part, self.tests = target, part, tests
        self.results: list[Verification] = []
        self.ready: list[_Ready] = []
        self._own, self._lock = threading.local(), threading.Lock()
        self._failed: dict[int, int] = {}
        self.stop = threading.Event()
        builder = Builder(target, part)
        try:
            for measurement in measurements:
                self._build(measurement, builder)
        finally:
            builder.close()

    def all(self, groups: range | None, pool: ThreadPoolExecutor, progress: Progress) -> list[Verification]:
        """Every group of every test for every variant that has the function."""
        total = sum(
            len(_wanted(test, groups)) for test in self.tests for each in self.ready if each.chain(test)
        )
        done, futures = 0, []

        def take(order: int, *given) -> None:
            nonlocal done
            self._run(order, *given)
            with self._lock:
                done += 1
                progress(_CHAINS, done, total)

        progress(_CHAINS, 0, total)
        for test in self.tests:
            takers = [each for each in self.ready if each.chain(test)]
            for group in _until(test, groups) if takers else ():
                futures += [pool.submit(take, len(futures), each, test, group) for each in takers]
        for future in futures:
            future.result()
        return self.results

    def _build(self, measurement: Measurement, builder: Builder) -> None:
        result = Verification(measurement, None)
        self.results.append(result)
        try:
            routine = routine_of(measurement.variant, render(measurement.variant))
            image = builder.build(routine)
        except (Rejected, UsageError) as reason:
            result.reason = str(reason)
            return
        functions = montecarlo.functions_of(routine)
        result.chains = tuple(Chain(test) for test in self.tests if test.function in functions)
        self.ready.append(_Ready(result, routine, image))

    def _run(self, order: int, each: _Ready, test: Test, group: Group) -> None:
        """Run a group; of groups that fail the first by `order` is told, whichever ends first."""
        if self._failed.get(id(each), order) < order:
            return
        if not hasattr(self._own, "machine"):
            self._own.machine = ChainMachine(self.target, self.part, CYCLE_LIMIT)
        try:
            cycles = montecarlo.run(self._own.machine, each.image, each.routine, test, group, self.stop)
        except Rejected as reason:
            with self._lock:
                if order <= self._failed.get(id(each), order):
                    self._failed[id(each)], each.result.reason = order, str(reason)
            return
        with self._lock:
            each.chain(test).take(*cycles)


def _wanted(test: Test, groups: range | None) -> range:
    """Numbers of the groups that are asked for and that the test has."""
    every = range(test.groups)
    return every if groups is None else range(groups.start, min(groups.stop, test.groups))


def _until(test: Test, groups: range | None) -> Iterable[Group]:
    """The groups that are asked for; those behind the last of them are not computed."""
    wanted = _wanted(test, groups)
    for group in test.answers() if wanted else ():
        if group.number in wanted:
            yield group
        if group.number + 1 >= wanted.stop:
            return
