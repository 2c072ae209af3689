"""Whole images: loading, ending, cost by function."""

import re
from pathlib import Path

import pytest

from tightfit.errors import UsageError
from tightfit.harness import simulator
from tightfit.harness.simulator import ImageRun

from .cores import CORES, Core, every_core, rl78
from .cores.core import lines


def link(core: Core, folder: Path, end: str) -> Path:
    return core.tools.link(lines(core.firmware.source.replace("{end}", end)), folder)


def run_elf(core: Core, path: Path, **options) -> ImageRun:
    return simulator.run_elf(path, core.target, core.part, **options)


@pytest.mark.parametrize(
    "core, end, status",
    [pytest.param(core, *row, id=f"{core}, {row[1]}") for core in CORES for row in core.firmware.ends],
)
def test_ends(core, end, status, tmp_path):
    result = run_elf(core, link(core, tmp_path, end))
    assert result.ended and result.run.status == status
    assert {name: result.registers[name] for name in core.firmware.left} == core.firmware.left
    assert result.run.stack == core.firmware.stack
    assert result.symbols == ()


@every_core
def test_profile_by_function(core, tmp_path):
    firmware = core.firmware
    image = link(core, tmp_path, firmware.ends[0][0])
    result = run_elf(core, image, profile=True)
    costs = {cost.name: (cost.calls, cost.cycles, cost.total_cycles) for cost in result.symbols}
    total = result.run.cycles
    assert costs == {**firmware.costs, "_start": (costs["_start"][0], firmware.start, total)}
    assert total == sum(cost.cycles for cost in result.symbols)
    assert sum(cost.executions for cost in result.symbols) == result.run.instructions
    assert result.run == run_elf(core, image).run


@every_core
def test_cycle_limit(core, tmp_path):
    result = run_elf(core, link(core, tmp_path, core.firmware.again), cycle_limit=1000)
    assert not result.ended and result.run.status == "cycle limit"


@every_core
def test_initialised_data_is_copied_from_flash_by_the_program(core, tmp_path):
    *pointer, read = core.load.format(0).split(";")
    code = "\n".join([*pointer, f"bad: {read}", core.firmware.ends[0][0]])
    source = f".text\n.global _start\n_start: nop\n{code}\n"
    image = core.tools.link(f".equ data, {core.symbol:#x}\n{source}", tmp_path)
    result = run_elf(core, image)
    assert result.run.status == "read of never-written RAM"
    assert re.search(f"{core.data:05X} at [0-9A-F]{{5,}} \\(bad\\)", result.run.message)
    assert run_elf(core, image, uninit="warn").run.uninit_reads == 1
    assert run_elf(core, image, uninit="off").run.uninit_reads == 0


@every_core
def test_wrong_files(core, tmp_path):
    image = link(core, tmp_path, core.firmware.ends[0][0])
    other = tmp_path / "other.elf"
    data = bytearray(image.read_bytes())
    data[18:20] = (62).to_bytes(2, "little")
    other.write_bytes(data)
    foreign = next(each for each in CORES if each.target is not core.target)
    machine = core.firmware.machine
    for at, path, said in (
        (core, tmp_path / "none.elf", "cannot be read"),
        (core, Path(__file__), "not an ELF file"),
        (core, image.with_name("t.o"), f"expected an ET_EXEC for {machine}"),
        (core, other, "EM_X86_64"),
        (foreign, image, machine),
    ):
        with pytest.raises(UsageError, match=said) as caught:
            run_elf(at, path)
        assert "\n" not in str(caught.value)


def test_segments_must_fit_the_part(tmp_path):
    with pytest.raises(UsageError, match="20000"):
        run_elf(rl78.CORE, rl78.TOOLS.link("nop\n", tmp_path, start=0x20000))


@pytest.mark.parametrize("cut", [16, 40, 60, 100, 200])
def test_truncated_files_are_refused(cut, tmp_path):
    path = link(rl78.CORE, tmp_path, "halt")
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(UsageError):
        run_elf(rl78.CORE, path)
