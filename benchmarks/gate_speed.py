"""What a candidate takes in a gate, by size class, and where the time goes.

    python benchmarks/gate_speed.py [--target rl78] [--primitive aes-128] [--gate full] [--count 60]
    python benchmarks/gate_speed.py --beside ../other-checkout

Processor time of one process and of its assemblers and linkers, in ms. Candidates are drawn at random, with a
fixed seed; each is measured twice before, so that templates are compiled and inputs laid out. With --beside
the sources of another checkout take turns with these, candidate by candidate, in a process of their own.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from tightfit.generator import load_space
from tightfit.harness import bench as bench_module
from tightfit.harness import build
from tightfit.harness import gate as gate_module
from tightfit.harness.bench import Bench
from tightfit.harness.machine import Machine
from tightfit.records import Measurement, Variant
from tightfit.targets import load_target

CLASSES = ((10_000, "under 10,000 cycles"), (100_000, "under 100,000"), (float("inf"), "100,000 and more"))
PARTS = ("render", "as", "ld", "elf", "calls", "secrets", "profile", "rest")


class Clock:
    """Sums the processor time of functions and of the tools they run, without the functions they call."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._inner = [0.0]

    def timed(self, part: Callable[..., str], function: Callable) -> Callable:
        """`function`, its time added to the part that `part(*arguments)` names."""

        def wrapped(*arguments, **keywords):
            begin = cpu_seconds()
            self._inner.append(0.0)
            try:
                return function(*arguments, **keywords)
            finally:
                elapsed = cpu_seconds() - begin
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
        (gate_module, "secrets_of", lambda *_: "secrets"),
        (gate_module, "profile", lambda *_: "profile"),
        *((Machine, name, lambda *_: "calls") for name in ("load", "start", "call", "converse")),
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


def measured(arguments: argparse.Namespace, clock: Clock | None = None) -> Iterator[tuple[str, float]]:
    """The size class of each candidate, and the seconds that it took."""
    part = load_target(arguments.target).default_part
    variants = candidates(arguments.target, part, arguments.primitive, arguments.count)
    with Bench(arguments.target, None, arguments.primitive) as bench:
        for variant in variants:
            bench.measure(variant, arguments.gate)
            if clock:
                clock.seconds.clear()
            begin = cpu_seconds()
            name = size_class(bench.measure(variant, arguments.gate))
            yield name, cpu_seconds() - begin


def beside(arguments: argparse.Namespace) -> Iterator[float]:
    """The seconds that the candidates take with the sources of another checkout, each when it is wanted."""
    command = [sys.executable, __file__, *sys.argv[1:], "--told"]
    environment = {**os.environ, "PYTHONPATH": str(arguments.beside.resolve())}
    other = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )
    for _ in range(arguments.count):
        other.stdin.write("\n")
        other.stdin.flush()
        line = other.stdout.readline()
        if not line:
            break
        yield json.loads(line)
    other.stdin.close()
    other.wait()


def told(arguments: argparse.Namespace) -> None:
    """Measure a candidate for each line of standard input."""
    for (_, seconds), _ in zip(measured(arguments), iter(sys.stdin.readline, ""), strict=False):
        print(json.dumps(seconds), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="rl78")
    parser.add_argument("--primitive", default="aes-128")
    parser.add_argument("--gate", choices=("search", "full"), default="search")
    parser.add_argument("--count", type=int, default=60, help="variants drawn")
    parser.add_argument("--seconds", type=float, default=60, help="time after which no further one is begun")
    parser.add_argument("--beside", type=Path, help="another checkout, whose sources take turns")
    parser.add_argument("--told", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.told:
        told(arguments)
        return
    clock, end = Clock(), time.perf_counter() + arguments.seconds
    seconds, others = defaultdict(list), defaultdict(list)
    parts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    theirs = beside(arguments) if arguments.beside else None
    with nullcontext() if theirs else instrumented(clock):
        for name, spent in measured(arguments, clock):
            seconds[name].append(spent)
            clock.seconds["rest"] = spent - sum(clock.seconds.values())
            for part, share in clock.seconds.items():
                parts[name][part] += share
            if theirs:
                others[name].append(next(theirs))
            if time.perf_counter() > end:
                break
    report(seconds, others, parts)


def report(seconds, others, parts) -> None:
    """The table."""
    columns = ("other ms", "ratio") if others else PARTS
    print(f"{'class':22}{'count':>7}{'ms each':>9}   " + "".join(f"{name:>10}" for name in columns))
    for name in [*(name for _, name in CLASSES), "rejected"]:
        if count := len(seconds[name]):
            mean = sum(seconds[name]) / count
            shown = [1000 * parts[name][part] / count for part in PARTS]
            if others:
                other = sum(others[name]) / count
                shown = [1000 * other, other / mean]
            print(f"{name:22}{count:7}{1000 * mean:9.2f}   " + "".join(f"{each:10.2f}" for each in shown))


if __name__ == "__main__":
    main()
