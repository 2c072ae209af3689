"""The linker script: what goes where, and that nothing gets in by another way."""

import subprocess

import pytest

from tightfit.targets import load_target
from tightfit.targets.toolchain import tool

SOURCE = """
        .section .text
        .global _tf_encrypt
_tf_encrypt:
        mov     a, !table
        movw    ax, #%lo16(scratch)
        ret
        .section .rodata
table:  .byte   1, 2, 3
        .data
kept:   .byte   9, 8
        .bss
scratch: .space 5
        .section .stub, "ax"
        call    !!_tf_encrypt
"""


def link(folder, source):
    target = load_target("rl78")
    (folder / "routine.s").write_text(source)
    assemble = [tool("rl78", "as"), *target.part().assemble, "routine.s", "-o", "routine.o"]
    subprocess.run(assemble, cwd=folder, check=True)
    command = [tool("rl78", "ld"), *target.link_options(target.part()), "routine.o", "-o", "routine.elf"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def symbols(folder):
    listing = subprocess.check_output([tool("rl78", "nm"), "routine.elf"], cwd=folder, text=True)
    return {name: int(value, 16) for value, _, name in map(str.split, listing.splitlines())}


def test_every_section_has_its_place(tmp_path):
    done = link(tmp_path, SOURCE)
    assert done.returncode == 0, done.stderr
    at = symbols(tmp_path)
    assert at["__tf_stub"] == 0xD8
    assert (at["__tf_text_start"], at["__tf_text_end"]) == (0x2000, 0x2007)
    assert (at["__tf_rodata_start"], at["__tf_rodata_end"], at["table"]) == (0x9000, 0x9003, 0x9000)
    assert (at["__tf_data_start"], at["__tf_data_end"], at["__tf_data_load"]) == (0xFEF00, 0xFEF02, 0xF000)
    assert (at["__tf_bss_start"], at["__tf_bss_end"]) == (0xFF000, 0xFF005)
    assert (at["__tf_ram_free"], at["__tf_ram_end"]) == (0xFF006, 0xFFEE0)


def test_the_mirror_shows_constants_and_text():
    (mirror,) = load_target("rl78").part().regions("mirror")
    text = load_target("rl78").link_script.read_text()
    for place in ("TEXT", "RODATA"):
        line = next(line for line in text.splitlines() if line.split()[:1] == [place])
        start, length = (int(word.strip(" ,"), 16) for word in line.replace("LENGTH", "").split("=")[1:])
        assert mirror.shows <= start
        assert start + length <= mirror.shows + mirror.size


@pytest.mark.parametrize("section", [".hidden", ".vectors", ".frodata"])
def test_bytes_in_other_sections_do_not_link(tmp_path, section):
    done = link(tmp_path, f'        .section {section}, "a"\n        .byte 1\n')
    assert done.returncode != 0
    assert section in done.stderr


def test_a_routine_that_is_too_long_does_not_link(tmp_path):
    done = link(tmp_path, "        .section .text\n        .space 0x7001\n")
    assert done.returncode != 0
    assert "will not fit in region `TEXT'" in done.stderr
