"""The C compilers of the targets, their options for firmware, and the levels that are tried."""

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from tightfit.targets import FOLDER, Part, load_target
from tightfit.targets.recipes import load_toolchain
from tightfit.targets.toolchain import tool

HERE = Path(__file__).parent
RUNTIME = FOLDER / "runtime"
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror")
LEVELS = {
    "-O0": ("-O0",),
    "-Os": ("-Os",),
    "-O2": ("-O2",),
    "-O3": ("-O3",),
    "sections": ("-Os", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"),
    "relaxed": ("-O2", "-mrelax"),
}
OWN_LEVELS = {"avr": {"whole program": ("-Os", "-flto")}}
"""The compilers of RL78 and MSP430 are built without -flto."""
NO_LEVELS = {"armv6m": ("relaxed",), "rv32e": ("relaxed",)}
ROOMY = {"armv6m": "STM32G031K8", "rv32e": "Ibex-64K-8K"}
"""Parts of the core class of the default part, where that has no room for firmware."""


def bare(target: str) -> bool:
    """Whether there is no C library: start-up, linker script and string.h are then our own."""
    return (HERE / target / "link.ld").is_file()


def levels(target: str) -> dict[str, tuple[str, ...]]:
    """Options of each level, by its name."""
    every = LEVELS | OWN_LEVELS.get(target, {})
    return {name: options for name, options in every.items() if name not in NO_LEVELS.get(target, ())}


def part_of(target: str) -> Part:
    """The part that firmware is for."""
    return load_target(target).part(ROOMY.get(target))


def assemble(target: str, source: Path, output: Path) -> Path:
    """A source in assembly as an object."""
    _run(tool(target, "as"), [*part_of(target).assemble, "-o", output, source])
    return output


def compile_c(target: str, options: Sequence[str | Path], source: Path, output: Path) -> Path:
    """A C file as an object; a warning is an error."""
    _run(tool(target, "cc"), [*_common(target), *options, "-c", "-o", output, source])
    return output


def link(target: str, options: Sequence[str | Path], sources: Iterable[Path], output: Path) -> Path:
    """C files and objects, in that order, as firmware; a warning is an error."""
    own = ["-nostartfiles", "-nodefaultlibs", "-T", HERE / target / "link.ld"] if bare(target) else []
    _run(tool(target, "cc"), [*_common(target), *options, *own, "-o", output, *sources, "-lgcc"])
    return output


def size(target: str, image: Path) -> int:
    """Bytes of ROM that `size` reports: code, constants and initial values of data."""
    report = subprocess.check_output([tool(target, "size"), image], text=True)
    text, data, *_ = report.splitlines()[1].split()
    return int(text) + int(data)


def _common(target: str) -> list[str | Path]:
    machine = load_toolchain(target).compile_options(part_of(target))
    return [*machine, *STRICT, *([f"-I{RUNTIME}"] if bare(target) else [])]


def _run(program: Path, arguments: Sequence[str | Path]) -> None:
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{program.name}: {done.stderr}"
