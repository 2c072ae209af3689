"""Candidates per second through the search gate on one core, by size class, and where the time goes.

    python benchmarks/gate_speed.py [--target rl78] [--primitive aes-128] [--count 60] [--seconds 20]

Assembler and linker runs are included. One process at a time, so one core. `per s` is by the wall clock, as
are the parts; `CPU` is the processor time of this process and of the tools.
"""

import argparse
import random
import resource
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tightfit.generator import load_space
from tightfit.harness import bench as bench_module
from tightfit.harness import build
from tightfit.harness.bench import Bench
from tightfit.harness.machine import Machine
from tightfit.records import Measurement, Variant

CLASSES = ((10_000, "under 10,000 cycles"), (100_000, "under 100,000"), (float("inf"), "100,000 and more"))
PARTS = ("render", "as", "ld", "elf", "simulate", "rest")


class Clock:
    """Sums the wall-clock time of functions, without the functions that they call."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._inner = [0.0]

    def timed(self, part: Callable[..., str], function: Callable) -> Callable:
        """`function`, its time added to the part that `part(*arguments)` names."""

        def wrapped(*arguments, **keywords):
            begin = time.perf_counter()
            self._inner.append(0.0)
            try:
                return function(*arguments, **keywords)
            finally:
                elapsed = time.perf_counter() - begin
                self.seconds[part(*arguments)] += elapsed - self._inner.pop()
                self._inner[-1] += elapsed

        return wrapped


@contextmanager
def instrumented(clock: Clock) -> Iterator[None]:
    """The harness, with its parts timed."""
    places = [
        (bench_module, "render", lambda *_: "render"),
        (build.Builder, "_run", lambda _, what, *__: {"assembler": "as", "linker": "ld"}[what]),
        (build, "read_elf", lambda *_: "elf"),
        (Machine, "load", lambda *_: "simulate"),
        (Machine, "start", lambda *_: "simulate"),
        (Machine, "call", lambda *_: "simulate"),
        (Machine, "profile", lambda *_: "simulate"),
    ]
    originals = [(owner, name, getattr(owner, name)) for owner, name, _ in places]
    for owner, name, part in places:
        setattr(owner, name, clock.timed(part, getattr(owner, name)))
    try:
        yield
    finally:
        for owner, name, function in originals:
            setattr(owner, name, function)


def candidates(target: str, part: str, primitive: str, count: int) -> list[Variant]:
    """Variants drawn at random, with a fixed seed, from every operation of every template."""
    space, source = load_space(target, primitive), random.Random(1)
    chosen = {}
    questions = [(spec, op) for spec in space.templates.values() for op in spec.operations]
    for turn in range(4 * count):
        spec, operation = questions[turn % len(questions)]
        knobs = spec.sample(operation, source)
        variant = Variant(target, part, primitive, operation, spec.name, knobs)
        chosen[variant.id] = variant
    return list(chosen.values())[:count]


def size_class(measurement: Measurement) -> str:
    """The size class of the longest call that was measured."""
    if measurement.cost is None:
        return "rejected"
    cycles = max(timing.maximum for timing in measurement.cost.by_entry.values())
    return next(name for limit, name in CLASSES if cycles < limit)


def cpu_seconds() -> float:
    """Processor time of this process and its finished children."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(process.ru_utime + process.ru_stime for process in usage)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="rl78")
    parser.add_argument("--primitive", default="aes-128")
    parser.add_argument("--count", type=int, default=60, help="variants drawn")
    parser.add_argument("--seconds", type=float, default=20, help="time after which no further one is begun")
    arguments = parser.parse_args()
    clock = Clock()
    wall: dict[str, float] = defaultdict(float)
    cpu: dict[str, float] = defaultdict(float)
    parts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    counts: dict[str, int] = defaultdict(int)
    with Bench(arguments.target, None, arguments.primitive) as bench, instrumented(clock):
        variants = candidates(arguments.target, bench.part.name, arguments.primitive, arguments.count)
        for (
            variant
        ) in variants:  # from here on templates are compiled, as they are in all but a run's first second
            bench_module.render(variant)
        for first in {(v.template, v.operation): v for v in variants}.values():
            bench.measure(first)
        end = time.perf_counter() + arguments.seconds
        for variant in variants:
            clock.seconds.clear()
            begin, cpu_begin = time.perf_counter(), cpu_seconds()
            if begin > end:
                break
            name = size_class(bench.measure(variant))
            elapsed = time.perf_counter() - begin
            wall[name] += elapsed
            cpu[name] += cpu_seconds() - cpu_begin
            counts[name] += 1
            clock.seconds["rest"] = elapsed - sum(clock.seconds.values())
            for part, seconds in clock.seconds.items():
                parts[name][part] += seconds
    report(wall, cpu, counts, parts)


def report(wall, cpu, counts, parts) -> None:
    """The table."""
    print(
        f"{'class':22}{'count':>7}{'per s':>8}{'ms each':>9}{'CPU ms':>8}   "
        + "".join(f"{p:>10}" for p in PARTS)
        + "   (ms)"
    )
    for name in [*(name for _, name in CLASSES), "rejected"]:
        if count := counts[name]:
            shares = "".join(f"{1000 * parts[name][part] / count:10.2f}" for part in PARTS)
            mean = wall[name] / count
            used = cpu[name] / count
            print(f"{name:22}{count:7}{1 / mean:8.0f}{1000 * mean:9.2f}{1000 * used:8.2f}   {shares}")


if __name__ == "__main__":
    main()
