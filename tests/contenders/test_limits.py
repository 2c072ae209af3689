"""Foreign sources that take what they must not, or read what is not theirs; and what belongs to a source."""

import os

import pytest

from tightfit.contenders import limits
from tightfit.contenders.measure import measure_c
from tightfit.errors import UsageError

from . import guests
from .guests import TARGETS

OUTSIDE = "expected files of its own folder, of one that -I names, or of the compiler"


def measured(source, target="avr", flags=("-Os",)):
    return measure_c(source, target, None, "present-80", "encrypt", flags=flags, gate="search")


def reason(folder, extra, target="avr"):
    """Why PRESENT with further text is rejected."""
    return measured(guests.present(folder, extra=extra), target).rejected


@pytest.mark.parametrize("target", TARGETS)
def test_a_source_without_end(tmp_path, target):
    assert reason(tmp_path, '#include "/dev/zero"', target) == "compiler: needs more than 1024 MB of memory"


def test_a_time_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "_WAIT", 3)
    os.mkfifo(tmp_path / "pipe.h")
    assert reason(tmp_path, '#include "pipe.h"') == "compiler: does not end"


def test_standard_input_is_empty(tmp_path):
    assert OUTSIDE in reason(tmp_path, '#include "/dev/stdin"')


@pytest.mark.parametrize(
    "text, said",
    [
        ("own_encrypt: .fill 0x6fffffff", "assembler: writes more than 64 MB"),
        ('own_encrypt: ret\n .include "/etc/hostname"', f"reads /etc/hostname: {OUTSIDE}"),
    ],
)
def test_assembly_that_takes_or_reads_too_much(tmp_path, text, said):
    (tmp_path / "own.s").write_text(f" .global own_encrypt\n{text}\n")
    assert measured(tmp_path / "own.s").rejected == said


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
    said = reason(tmp_path / "own", text, target)
    assert OUTSIDE in said and str(tmp_path) not in said


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
    for name, text in (("extra.h", "/* first */"), ("extra.h", "/* second */"), ("other.h", "")):
        (tmp_path / name).write_text(text)
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
