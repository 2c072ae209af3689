"""Libraries for the other toolchains of RL78: read back and called by C; and their own compilers."""

import subprocess

import pytest

from tests.coverings import covering
from tightfit.exporter import GNU, export, prepare, toolchains
from tightfit.exporter.dialects import dialects
from tightfit.exporter.interfaces import load_interface
from tightfit.targets.toolchain import other_compiler

from .boards import check_runs
from .compilers import assemble, link
from .winners import forms

TARGET = "rl78"
COMPILERS = {
    "ccrl": ("ccrl", "-cpu=S2", "-c", "-Osize", "-lang=c99"),
    "llvm": ("clang", "--target=rl78", "-mcpu=s2", "-c", "-Os", "-std=c11", "-Wall", "-Wextra", "-Werror"),
}


def cases():
    """Each form with each toolchain: every text is read back elsewhere."""
    others = [toolchain for toolchain in toolchains(TARGET) if toolchain != GNU]
    return covering((of, toolchain) for of in forms(TARGET) for toolchain in others)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("of, toolchain", cases())
def test_the_text_runs_behind_a_shim(chosen, frame, of, toolchain, tmp_path):
    known = chosen(TARGET, of)
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
    sources += frame(TARGET).start
    for example in sorted(folder.glob("examples/*.c")):
        image = link(TARGET, ["-Os", f"-I{folder / 'src'}"], [example, *sources], tmp_path / "image.elf")
        check_runs(TARGET, image, [winner])
    _own_compiler(toolchain, sorted(folder.rglob("*.c")), folder)


def _own_compiler(toolchain, sources, folder) -> None:
    """The compiler that the text is for, where it is on PATH: it takes the C of the library."""
    program, *options = COMPILERS.get(toolchain, ("",))
    path = other_compiler(TARGET, program) if program else None
    for source in sources if path else ():
        output = source.with_suffix(".o")
        done = subprocess.run([path, *options, "-I", folder / "src", "-o", output, source], check=False)
        assert done.returncode == 0 and output.is_file(), source.name
