"""Repeats a stored measurement and says what moved."""

from dataclasses import dataclass

from tightfit.harness.bench import Bench
from tightfit.harness.provenance import of_variant
from tightfit.jsonform import to_json
from tightfit.records import Measurement

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
        The variant is no longer of its space.
    """
    variant, gate = then.variant, then.provenance["gate"]
    if bench is None:
        with Bench(variant.target, variant.part, variant.primitive) as bench:
            now = bench.measure(variant, gate)
    else:
        now = bench.measure(variant, gate)
    return compare(then, now)


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
    """Every plain value with the way to it, as `cost.by_entry.encrypt.total`."""
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    else:
        return {path: value}
    found: dict[str, object] = {}
    for key, item in items:
        found |= _leaves(item, f"{path}.{key}" if path else str(key))
    return found
