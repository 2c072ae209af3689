"""Whole images: loading, ending, cost by function."""

from pathlib import Path

import pytest

from tightfit.errors import UsageError
from tightfit.harness import simulator
from tightfit.harness.simulator import ImageRun

from .assembly import link
from .rl78 import PART, TARGET

PROGRAM = """
        .section .vectors, "a"
        .short _start
        .text
        .global _start
        .type _start, @function
_start: movw sp, #0xfe20
        movw hl, #0xf000
        mov a, #5
        mov [hl], a
.again: call !!_work
        mov a, [hl]
inner:  dec a
        mov [hl], a
        bnz $.again
        {end}
        .size _start, . - _start
        .type _work, @function
_work:  call !!_leaf
        nop
        ret
        .size _work, . - _work
_leaf:  ret
"""


def run_elf(path: Path, **options) -> ImageRun:
    return simulator.run_elf(path, TARGET, PART, **options)


@pytest.fixture
def image(tmp_path):
    def make(end: str = "halt") -> Path:
        return link(PROGRAM.replace("{end}", end), tmp_path, flags=("-mg13",))

    return make


@pytest.mark.parametrize(
    "end, status", [("halt", "HALT reached"), ("brk", "BRK reached"), ("br $.", "branch to itself")]
)
def test_ends(image, end, status):
    result = run_elf(image(end))
    assert result.ended and result.run.status == status
    assert result.registers["hl"] == 0xF000 and result.registers["sp"] == 0xFE20
    assert result.run.stack == 8
    assert result.symbols == ()


def test_profile_by_function(image):
    result = run_elf(image(), profile=True)
    costs = {cost.name: cost for cost in result.symbols}
    assert set(costs) == {"_start", "_work", "_leaf"}
    assert (costs["_leaf"].calls, costs["_leaf"].cycles, costs["_leaf"].total_cycles) == (5, 30, 30)
    assert (costs["_work"].calls, costs["_work"].cycles, costs["_work"].total_cycles) == (5, 50, 80)
    assert costs["_start"].total_cycles == result.run.cycles == sum(c.cycles for c in result.symbols)
    assert sum(c.executions for c in result.symbols) == result.run.instructions
    assert result.run == run_elf(image()).run


def test_cycle_limit(image):
    result = run_elf(image("br $_start"), cycle_limit=1000)
    assert not result.ended and result.run.status == "cycle limit"


def test_initialised_data_is_copied_from_flash_by_the_program(tmp_path):
    source = """
        .text
        .global _start
_start: mov a, !0xff000
        halt
"""
    result = run_elf(link(source, tmp_path))
    assert result.run.status == "read of never-written RAM"
    assert "FF000 at 01000 (_start)" in result.run.message
    assert run_elf(link(source, tmp_path), uninit="warn").run.uninit_reads == 1
    assert run_elf(link(source, tmp_path), uninit="off").run.uninit_reads == 0


def test_wrong_files(tmp_path, image):
    relocatable = image().with_name("t.o")
    other = tmp_path / "other.elf"
    data = bytearray(image().read_bytes())
    data[18:20] = (62).to_bytes(2, "little")
    other.write_bytes(data)
    for path, said in (
        (tmp_path / "none.elf", "cannot be read"),
        (Path(__file__), "not an ELF file"),
        (relocatable, "expected an ET_EXEC for EM_RL78"),
        (other, "EM_X86_64"),
    ):
        with pytest.raises(UsageError, match=said) as caught:
            run_elf(path)
        assert "\n" not in str(caught.value)


def test_segments_must_fit_the_part(tmp_path):
    with pytest.raises(UsageError, match="20000"):
        run_elf(link("nop\n", tmp_path, start=0x20000))


@pytest.mark.parametrize("cut", [16, 40, 60, 100, 200])
def test_truncated_files_are_refused_or_run(image, cut):
    path = image()
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(UsageError):
        run_elf(path)
