"""Instructions a second of our simulator and of the GNU one, on the same image, side by side.

    python benchmarks/simulator_speed.py [--rounds N] [--repeat R]

The program does what a cipher does: table look-ups in flash, xors and doublings of a 16-byte state, a
subroutine, loops. Ours runs it with every check on; the first figure is what the harness uses for batches,
the profiled one what it uses once a candidate. Processor time, so that a busy machine disturbs it little.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tightfit.errors import TightfitError
from tightfit.harness.simulator import simulator_of
from tightfit.harness.simulator.firmware import NO_STOP, load_image
from tightfit.targets import load_target, toolchain

PROGRAM = """
        .global _start
_start: movw sp, #0xfe20
        movw hl, #0xf000
        mov a, #18
.fill:  mov [hl], a
        incw hl
        dec a
        bnz $.fill
        movw de, #{rounds}
.round: movw hl, #0xf000
        mov c, #16
.byte:  mov a, [hl]
        mov b, a
        mov a, 0x2000[b]
        xor a, [hl+1]
        call !!.double
        xor a, b
        mov [hl], a
        incw hl
        dec c
        bnz $.byte
        movw ax, [hl]
        xchw ax, bc
        push bc
        pop bc
        decw de
        movw ax, de
        or a, x
        cmp0 a
        bnz $.round
        halt
.double:
        shl a, 1
        sknc
        xor a, #0x1b
        ret
"""
START, TABLE = 0x3000, 0x2000


def build(rounds: int, folder: Path) -> Path:
    """The program as an executable, its table at 02000 where both simulators mirror it."""
    source, obj, elf = (folder / f"speed.{kind}" for kind in ("s", "o", "elf"))
    table = ",".join(str((167 * n + 99) % 256) for n in range(256))
    source.write_text(f'.section .table, "a"\n.byte {table}\n.text\n{PROGRAM.format(rounds=rounds)}')
    _run([toolchain.tool("rl78", "as"), "-mg13", "-o", obj, source])
    _run(
        [
            toolchain.tool("rl78", "ld"),
            f"-Ttext={START:#x}",
            f"--section-start=.table={TABLE:#x}",
            "-e_start",
            "-o",
            elf,
            obj,
        ]
    )
    return elf


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=65535, help="rounds of the program, 1 to 65535")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each; the best counts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        elf = build(options.rounds, Path(folder))
        run = _ours(elf)
        count = run(False)
        ours = _best(lambda: run(False), options.repeat)
        profiled = _best(lambda: run(True), 1)
        gnu = _best(lambda: _run([toolchain.tool("rl78", "run"), elf], check=False), options.repeat)
    print(f"{count} instructions a run, the best of {options.repeat}")
    print(f"tightfit            {count / ours / 1e6:8.1f} million a second")
    print(f"tightfit, profiled  {count / profiled / 1e6:8.1f}")
    print(f"GNU simulator       {count / gnu / 1e6:8.1f}")
    print(f"tightfit / GNU      {gnu / ours:8.1f}")
    return 0


def _ours(elf: Path) -> Callable[[bool], int]:
    """Runs the image, profiled or not; how many instructions it was."""
    simulator = simulator_of(load_target("rl78").part())
    simulator.reset()
    entry, _ = load_image(simulator, elf, "EM_RL78")

    def run(profile: bool) -> int:
        way = simulator.run_profiled if profile else simulator.run
        result = way(entry, NO_STOP, cycle_limit=10**12)
        result = result.run if profile else result
        assert result.status == "HALT reached", result.message
        return result.instructions

    return run


def _best(work: Callable[[], object], times: int) -> float:
    taken = []
    for _ in range(times):
        begin = _processor_time()
        work()
        taken.append(_processor_time() - begin)
    return min(taken)


def _processor_time() -> float:
    """Seconds of this process and of those it waited for."""
    return sum(os.times()[:4])


def _run(command: list, *, check: bool = True) -> None:
    subprocess.run([str(part) for part in command], check=check, capture_output=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TightfitError as error:
        sys.exit(f"{error}")
