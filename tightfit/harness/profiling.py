"""Cycles by call path over the timing inputs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from tightfit.harness import attribution
from tightfit.harness.attribution import FragmentMap
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Rejected
from tightfit.harness.script import Done
from tightfit.records import Attribution


def profile(
    machine: Machine,
    timed: Mapping[str, Done],
    fragments: FragmentMap,
    parts: Mapping[str, Sequence[str]],
) -> Attribution:
    """Where the cycles of the timing inputs go, by figure; `parts` are the calls of figures with several.

    One input stands for all where every input takes the same path, or where every input takes the same cycles
    and the first and the last have the same shares. Otherwise all are profiled. Either way the shares of an
    entry add up to its cycles.

    Raises
    ------
    Rejected
        A call takes other cycles than before with the same input.
    """
    count = min(len(done.blocks) for done in timed.values())
    shares = _shares(machine, timed, fragments, [0])
    inputs = 1
    if not _same(timed, "paths"):
        last = _shares(machine, timed, fragments, [count - 1])
        if not _same(timed, "cycles") or shares != last:
            shares += last + _shares(machine, timed, fragments, range(1, count - 1))
            inputs = count
    total = shares + attribution.combined(shares, parts)
    return Attribution(inputs, fragments.rom, attribution.shares(total))


def _same(timed: Mapping[str, Done], what: str) -> bool:
    return all(np.ptp(getattr(done.outcome, what)) == 0 for done in timed.values())


def _shares(
    machine: Machine, timed: Mapping[str, Done], fragments: FragmentMap, inputs: Iterable[int]
) -> Counter:
    shares: Counter = Counter()
    for n in inputs:
        for figure, done in timed.items():
            profiled = machine.profile(done.turn.entry, done.blocks[n], done.written)
            if profiled.run.cycles != done.outcome.cycles[n]:
                raise Rejected(f"{figure}: cycles change from call to call with the same input")
            shares.update(attribution.time_shares(figure, profiled.nodes, profiled.cells, fragments))
    return shares
