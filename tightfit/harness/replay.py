"""Repeats stored measurements and tells what moved."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tightfit.harness import portfolio
from tightfit.harness.bench import Bench, Candidate
from tightfit.harness.crew import here
from tightfit.harness.provenance import of_variant
from tightfit.jsonform import to_json
from tightfit.records import Measurement, Variant
from tightfit.targets.progress import Progress, silent

_RECORDED_ONLY = ("context", "gate")
_RESULT = ("cost", "rejected", "source_sha256", "reentrant", "attribution", "curve")


@dataclass(frozen=True)
class Replay:
    """A measurement then and now.

    `moved` lists what differs in the result as (what, then, now); `changed` what differs in the provenance.
    """

    then: Measurement
    now: Measurement
    moved: tuple[tuple[str, object, object], ...]
    changed: tuple[tuple[str, str | None, str | None], ...]

    @property
    def same(self) -> bool:
        """Whether every figure came out as before."""
        return not self.moved


def replay(then: Measurement, bench: Bench | None = None) -> Replay:
    """Measure the variant of `then` again, through the same gate.

    Raises
    ------
    WorkError
        A tool is missing.
    UsageError
        The variant is no longer part of its space.
    """
    variant, gate = then.variant, then.provenance["gate"]
    if bench is None:
        with Bench(variant.target, variant.part, variant.primitive) as bench:
            now = bench.measure(variant, gate)
    else:
        now = bench.measure(variant, gate)
    return compare(then, now)


def replay_file(file: Path, workers: int | None = None, progress: Progress = silent) -> list[Replay]:
    """Repeat every measurement of a portfolio file, in the order of the file.

    Parameters
    ----------
    workers : number of measuring processes; all cores when None.

    Raises
    ------
    WorkError
        The file is no portfolio, a tool is missing, or a worker died.
    """
    measurements = portfolio.read(file)[0]
    what = f"replay of {file.stem} on {file.parent.name}"
    then = {measurement.variant.id: measurement for measurement in measurements}
    replays: dict[str, Replay] = {}
    for now in _measured_again(measurements, workers):
        replays[now.variant.id] = compare(then[now.variant.id], now)
        progress(what, len(replays), len(then))
    return [replays[variant] for variant in then]


def _measured_again(measurements: Sequence[Measurement], workers: int | None) -> Iterator[Measurement]:
    """The same variants through the same gates, as they finish."""
    groups: dict[str, list[Variant]] = defaultdict(list)
    for measurement in measurements:
        groups[measurement.provenance["gate"]].append(measurement.variant)
    with closing(here(workers)) as crew:
        for gate, variants in groups.items():
            yield from crew.measure(map(Candidate, variants), gate)


def compare(then: Measurement, now: Measurement) -> Replay:
    """What differs between two measurements of one variant, made through the same gate."""
    facts = of_variant(then.variant, then.provenance["gate"])
    return Replay(then, now, tuple(_moved(then, now)), tuple(_changed(then, facts)))


def _moved(then: Measurement, now: Measurement):
    old, new = _leaves(_result(then)), _leaves(_result(now))
    for key in [*old, *(key for key in new if key not in old)]:
        if old.get(key) != new.get(key):
            yield key, old.get(key), new.get(key)


def _changed(then: Measurement, now: dict[str, str]):
    before = then.provenance
    for key in [*before, *(key for key in now if key not in before)]:
        if key not in _RECORDED_ONLY and before.get(key) != now.get(key):
            yield key, before.get(key), now.get(key)


def _result(measurement: Measurement) -> dict[str, object]:
    record = to_json(measurement)
    return {key: record[key] for key in _RESULT}


def _leaves(value: object, path: str = "") -> dict[str, object]:
    """Every plain value with the path to it, such as `cost.by_entry.encrypt.total`."""
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    else:
        return {path: value}
    leaves: dict[str, object] = {}
    for key, item in items:
        leaves |= _leaves(item, f"{path}.{key}" if path else str(key))
    return leaves
