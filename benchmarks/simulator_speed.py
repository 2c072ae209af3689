"""Instructions per second of our simulator and of another one, on the same image.

    python benchmarks/simulator_speed.py [--target rl78|avr|msp430|armv6m|rv32e] [--rounds N]
                                         [--repeat R] [--against FOLDER]

The programs in benchmarks/speed do what a cipher does. Ours runs them with every check on; the first figure
is for the way the harness runs batches, the profiled one for the run that it profiles once for each
candidate. Processor time is measured, so that a busy machine disturbs it little.

With --against the other simulator is another state of ours, the folder `simulator` of another checkout:

    git worktree add /tmp/before main
    python benchmarks/simulator_speed.py --target avr --repeat 20 --against /tmp/before/simulator

The two take turns in one process, so that disturbances hit both, and must count the same cycles.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.simulator.avr_simavr import Simavr  # noqa: E402
from tightfit.errors import TightfitError, WorkError  # noqa: E402
from tightfit.harness.simulator import Run, Simulator, simulator_of  # noqa: E402
from tightfit.harness.simulator.firmware import load_image  # noqa: E402
from tightfit.targets import load_target, toolchain  # noqa: E402


@dataclass(frozen=True)
class Contest:
    """Addresses of a program's sections, and the other simulator: `prepare` gives the run that is timed."""

    sections: Mapping[str, int]
    other: str
    prepare: Callable[[str, Path], Callable[[], object]]


def gnu(target: str, elf: Path) -> Callable[[], object]:
    """A run of the GNU simulator, its start included."""
    command = [toolchain.tool(target, "run"), elf]
    return lambda: subprocess.run(command, check=False, capture_output=True)


def simavr(target: str, elf: Path) -> Callable[[], object]:
    """A run of simavr's own loop, in this process; the program ends by going to sleep."""
    part = load_target(target).part()
    simulator = simulator_of(part)
    load_image(simulator, elf, load_target(target).elf_machine)
    (flash,) = part.regions("flash")
    code = simulator.read(flash.start, flash.end - flash.start)

    def run() -> None:
        other = Simavr(part.name.lower())
        other.load(0, code)
        other.run()

    return run


def unicorn(target: str, elf: Path) -> Callable[[], object]:
    """A run of Unicorn up to the label `done`, in this process."""
    import unicorn
    from unicorn import arm_const

    part = load_target(target).part()
    simulator = simulator_of(part)
    entry, names = load_image(simulator, elf, load_target(target).elf_machine)
    (done,) = (address for address, name in names.items() if name == "done")
    if target == "armv6m":
        machine = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
        machine.ctl_set_cpu_model(arm_const.UC_CPU_ARM_CORTEX_M0)
        entry |= 1
    else:
        machine = unicorn.Uc(unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV32)
    for region in (*part.regions("flash"), *part.regions("ram")):
        machine.mem_map(region.start, region.size + -region.size % 4096)
    (flash,) = part.regions("flash")
    machine.mem_write(flash.start, simulator.read(flash.start, flash.size))
    return lambda: machine.emu_start(entry, done)


CONTESTS = {
    "rl78": Contest({".table": 0x2000, ".text": 0x3000}, "GNU simulator", gnu),
    "avr": Contest({".text": 0}, "simavr", simavr),
    "msp430": Contest({".text": 0x4000}, "GNU simulator", gnu),
    "armv6m": Contest({".text": 0x08000000}, "Unicorn", unicorn),
    "rv32e": Contest({".text": 0x100}, "Unicorn", unicorn),
}


def build(target: str, rounds: int, folder: Path) -> Path:
    """The target's program as an executable."""
    part = load_target(target).part()
    obj, script, elf = (folder / f"speed.{kind}" for kind in ("o", "ld", "elf"))
    places = (f"{name} {start} : {{ *({name}) }}" for name, start in CONTESTS[target].sections.items())
    script.write_text(f"ENTRY(_start) SECTIONS {{ {' '.join(places)} }}")
    source = Path(__file__).parent / "speed" / f"{target}.s"
    _run(target, "as", *part.assemble, "--defsym", f"ROUNDS={rounds}", "-o", obj, source)
    _run(target, "ld", *part.link, "-n", "-T", script, "-o", elf, obj)
    return elf


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", choices=CONTESTS, default="rl78")
    parser.add_argument("--rounds", type=int, default=65535, help="rounds of the program, 1 to 65535")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each; the best counts")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="C sources of another state of ours")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        elf = build(options.target, options.rounds, Path(folder))
        if options.against:
            _against_sources(options.target, elf, options.against, options.repeat)
        else:
            _against_simulator(options.target, elf, options.repeat)
    return 0


def _against_simulator(target: str, elf: Path, repeat: int) -> None:
    contest = CONTESTS[target]
    run = _ours(target, elf)
    count = run(False).instructions
    ours, other = _best([lambda: run(False), contest.prepare(target, elf)], repeat)
    (profiled,) = _best([lambda: run(True)], 1)
    print(f"{target}: {count} instructions a run, the best of {repeat}")
    print(f"tightfit            {count / ours / 1e6:8.1f} million a second")
    print(f"tightfit, profiled  {count / profiled / 1e6:8.1f}")
    print(f"{contest.other:18s}  {count / other / 1e6:8.1f}")
    print(f"tightfit / other    {other / ours:8.1f}")


def _against_sources(target: str, elf: Path, source: Path, repeat: int) -> None:
    ours, other = _ours(target, elf), _ours(target, elf, source)
    count = ours(False).instructions
    print(f"{target}: {count} instructions a run, the best of {repeat}, million a second")
    print("                ours    other  ours / other")
    for name, profile in (("plain", False), ("profiled", True)):
        if ours(profile) != other(profile):
            raise WorkError(f"{source} counts otherwise: {other(profile)}, ours {ours(profile)}")
        runs = [partial(run, profile) for run in (ours, other)]
        best = _best(runs, repeat)
        speeds = [count / taken / 1e6 for taken in best]
        print(f"{name:10s} {speeds[0]:9.1f}{speeds[1]:9.1f}{speeds[0] / speeds[1]:14.3f}")


def _ours(target: str, elf: Path, source: Path | None = None) -> Callable[[bool], Run]:
    """Runs the image up to its label `done`, profiled or not."""
    simulator: Simulator = simulator_of(load_target(target).part(), source=source)
    simulator.reset()
    entry, names = load_image(simulator, elf, load_target(target).elf_machine)
    (done,) = (address for address, name in names.items() if name == "done")

    def run(profile: bool) -> Run:
        way = simulator.run_profiled if profile else simulator.run
        result = way(entry, done, cycle_limit=10**12)
        result = result.run if profile else result
        assert result.ok, result.message
        return result

    return run


def _best(runs: Sequence[Callable[[], object]], times: int) -> list[float]:
    """The least seconds of each run; the runs take turns."""
    taken = [[] for _ in runs]
    for _ in range(times):
        for run, seconds in zip(runs, taken, strict=True):
            begin = _processor_time()
            run()
            seconds.append(_processor_time() - begin)
    return [min(seconds) for seconds in taken]


def _processor_time() -> float:
    """Processor seconds of this process and of the processes that it waited for."""
    waited_for = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + waited_for.ru_utime + waited_for.ru_stime


def _run(target: str, tool: str, *words: object) -> None:
    command = [str(word) for word in (toolchain.tool(target, tool), *words)]
    subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TightfitError as error:
        sys.exit(f"{error}")
