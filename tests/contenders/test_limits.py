"""Foreign sources that take what they must not, or read what is not theirs; and what belongs to a source."""

import os

import pytest

from tightfit.contenders import limits
from tightfit.contenders.measure import measure_c
from tightfit.errors import UsageError

from . import guests

TARGETS = ("avr", "msp430", "rl78")
OUTSIDE = "expected files of its own folder, of one that -I names, or of the compiler"


def measured(source, target="avr", flags=("-Os",)):
    return measure_c(source, target, None, "present-80", "encrypt", flags=flags, gate="search")


def reason(source, target="avr"):
    return measured(source, target).rejected


@pytest.mark.parametrize("target", TARGETS)
def test_a_source_without_end(tmp_path, target):
    source = guests.present(tmp_path, extra='#include "/dev/zero"')
    assert reason(source, target) == "compiler: needs more than 1024 MB of memory"


def test_an_output_without_end(tmp_path):
    source = tmp_path / "endless.s"
    source.write_text(" .global endless_encrypt\nendless_encrypt: .fill 0x6fffffff\n")
    assert reason(source) == "assembler: writes more than 64 MB"


def test_a_time_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "_WAIT", 3)
    os.mkfifo(tmp_path / "pipe.h")
    source = guests.present(tmp_path, extra='#include "pipe.h"')
    assert reason(source) == "compiler: does not end"


def test_standard_input_is_empty(tmp_path):
    source = guests.present(tmp_path, extra='#include "/dev/stdin"')
    assert OUTSIDE in reason(source)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "text",
    [
        '#include "/etc/hostname"',
        '#include "../elsewhere/x.h"',
        '#include "link.h"',
        '__asm__(".incbin \\"/etc/hostname\\"");',
        '__asm__(".include \\"/etc/hostname\\"");',
    ],
)
def test_files_that_are_not_its_own(tmp_path, target, text):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.h").write_text("")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "link.h").symlink_to(tmp_path / "elsewhere" / "x.h")
    said = reason(guests.present(tmp_path / "own", extra=text), target)
    assert OUTSIDE in said and str(tmp_path) not in said


def test_assembly_that_includes_what_is_not_its_own(tmp_path):
    source = tmp_path / "own.s"
    source.write_text(' .global own_encrypt\nown_encrypt: ret\n .include "/etc/hostname"\n')
    assert reason(source) == f"reads /etc/hostname: {OUTSIDE}"


def test_folders_that_flags_name_are_its_own_and_not_in_the_record(tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    common = tmp_path / "common"
    common.mkdir()
    (common / "extra.h").write_text("/* first */")
    source = guests.present(tmp_path / "own", extra="#include <extra.h>")
    monkeypatch.chdir(tmp_path)
    for flag in (f"-I{common}", "-Icommon", "-isystemcommon"):
        contender = measured(source, flags=("-Os", flag))
        assert contender.rejected is None and contender.flags == "-mmcu=atmega1284p -Os"
    with pytest.raises(UsageError, match="flag '-I': expected one that says how C is compiled"):
        measured(source, flags=("-I",))
    contender = measured(source, flags=(f"-include{common}/extra.h", f"-I{common}"))
    assert contender.flags == "-mmcu=atmega1284p -includeextra.h"


def test_what_is_included_belongs_to_the_source(tmp_path):
    hashes = []
    for text in ("/* first */", "/* second */"):
        (tmp_path / "extra.h").write_text(text)
        hashes.append(measured(guests.present(tmp_path, extra='#include "extra.h"')).source_sha256)
    (tmp_path / "other.h").write_text("")
    hashes.append(measured(guests.present(tmp_path, extra='#include "extra.h"')).source_sha256)
    assert hashes[0] != hashes[1] == hashes[2]


def test_the_folder_of_a_source_moves_no_figure(tmp_path):
    extra = "static const char *volatile where; __attribute__((used)) void there(void) { where = __FILE__; }"
    costs = []
    for folder in (tmp_path / "a", tmp_path / "a_longer_name"):
        folder.mkdir()
        contender = measured(guests.present(folder, before="there()", extra=extra))
        assert contender.rejected is None
        costs.append(contender.cost)
    assert costs[0] == costs[1]
