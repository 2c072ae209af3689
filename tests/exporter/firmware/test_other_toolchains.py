"""Libraries for the other toolchains of RL78: read back and called by C; and their own compilers."""

import subprocess
from itertools import cycle, product

import pytest

from tests.sampling import exhaustive
from tightfit.exporter import GNU, export, prepare, toolchains
from tightfit.exporter.dialects import dialects
from tightfit.exporter.interfaces import load_interface
from tightfit.targets.toolchain import other_compiler

from .boards import boards
from .compilers import assemble, link
from .conftest import FILLED
from .test_programs import programs

TARGET = "rl78"
COMPILERS = {
    "ccrl": ("ccrl", "-cpu=S2", "-c", "-Osize", "-lang=c99"),
    "llvm": ("clang", "--target=rl78", "-mcpu=s2", "-c", "-Os", "-std=c11", "-Wall", "-Wextra", "-Werror"),
}


def cases():
    """Primitives with toolchains by turns, as every text is read back elsewhere; or every pair of them."""
    others = [toolchain for toolchain in toolchains(TARGET) if toolchain != GNU]
    primitives = [primitive for target, primitive in FILLED if target == TARGET]
    if exhaustive():
        return list(product(primitives, others))
    return list(zip(primitives, cycle(others), strict=False))


@pytest.mark.parametrize("primitive, toolchain", cases())
def test_the_text_runs_behind_a_shim(exporter, primitive, toolchain, tmp_path):
    known, supports = exporter(TARGET, primitive)
    if not known:
        return  # nothing fits the listed budgets
    winner, dialect = known[0], dialects(TARGET)[toolchain]
    prepared = prepare(winner.measurement, winner.name, toolchain)
    folder = tmp_path / "library"
    export(prepared, folder, command="tightfit export ...")
    text = dialect.back((folder / "src" / f"{winner.name}{dialect.extension}").read_text())
    source = tmp_path / "behind.s"
    shim = load_interface(TARGET).source
    source.write_text(shim(text, winner.name, winner.entries, winner.measurement.reentrant))
    sources = [*sorted(folder.glob("src/*.c")), assemble(TARGET, source, tmp_path / "behind.o")]
    sources += [support for support in supports if support.stem != "supervised"]
    for example in programs(folder):
        image = link(TARGET, ["-Os", f"-I{folder / 'src'}"], [example, *sources], tmp_path / "image.elf")
        for board, run in boards(TARGET, [winner]).items():
            assert run(TARGET, image).code == 0, (example.name, board)
    _own_compiler(toolchain, sorted(folder.rglob("*.c")), folder)


def _own_compiler(toolchain, sources, folder) -> None:
    """The compiler that the text is for, where it is on PATH: it takes the C of the library."""
    program, *options = COMPILERS.get(toolchain, ("",))
    path = other_compiler(TARGET, program) if program else None
    for source in sources if path else ():
        output = source.with_suffix(".o")
        done = subprocess.run([path, *options, "-I", folder / "src", "-o", output, source], check=False)
        assert done.returncode == 0 and output.is_file(), source.name
