"""The identity of a core is what it does: `simulator/behaviour.yaml`, and what moves its digests."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.sampling import turn
from tightfit.errors import UsageError
from tightfit.harness.simulator import behaviour as behaviours
from tightfit.harness.simulator import cores, library, library_hash
from tightfit.paths import simulator_source


def copy_of_sources(folder: Path) -> Path:
    return shutil.copytree(simulator_source(), folder / "simulator", ignore=shutil.ignore_patterns("tests"))


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file.name}: {old}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def swap(file: Path, first: str, second: str) -> None:
    """Exchange two functions, each named by its first line."""
    text = file.read_text(encoding="utf-8")
    one, two = (re.search(rf"^{re.escape(head)}.*?^}}\n", text, re.M | re.S)[0] for head in (first, second))
    assert text.count(one) == text.count(two) == 1
    file.write_text(text.replace(one, "\0").replace(two, one).replace("\0", two), encoding="utf-8")


def rename(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert re.search(rf"\b{old}\b", text) and not re.search(rf"\b{new}\b", text)
    file.write_text(re.sub(rf"\b{old}\b", new, text), encoding="utf-8")


def spelled_otherwise(folder: Path) -> None:
    """Comments, names of locals, the order of functions, and a core that nothing uses."""
    for name in ("sim.c", "taint.c", "avr_run.c", "rl78.c", "msp430_run.h"):
        with (folder / name).open("a") as file:
            file.write("/* more words */\n")
    rename(folder / "sim.c", "wanted", "room")
    rename(folder / "taint.c", "bigger", "larger")
    rename(folder / "avr_run.c", "back_", "comes_back_")
    swap(folder / "sim.c", "int sim_poison(", "int sim_guard(")
    swap(folder / "taint.c", "static uint8_t value_of(", "static uint8_t mask_of(")
    swap(folder / "avr.c", "static int executable(", "static int undefined(")
    (folder / "z80.c").write_text('#include "sim.h"\nconst Core sim_core_z80 = { .name = "z80" };\n')


def test_the_file_is_of_the_sources():
    assert set(behaviours.behaviours()) == set(cores())
    assert (simulator_source() / behaviours.FILE).read_text().find(library_hash()) > 0, (
        "run python -m tightfit.harness.simulator.behaviour, and look at what it changes"
    )


@pytest.mark.dear("the transcripts of a third of the cores")
def test_the_file_says_what_the_sources_do():
    written = behaviours.behaviours()
    taken = turn(written, 3) or list(written)[:1]
    assert behaviours.computed(cores=taken) == {name: written[name] for name in taken}


@pytest.mark.long(seconds=40)
def test_spelling_moves_no_digest_and_each_change_moves_its_own(tmp_path):
    """One clock of MUL, which only AVRe+ has; one word of the taint of BIS on the MSP430."""
    before, folder = behaviours.behaviours(), copy_of_sources(tmp_path)
    spelled_otherwise(folder)
    edit(folder / "avr_forms.def", "0x9C00, D5_R5,   MUL,     2,", "0x9C00, D5_R5,   MUL,     3,")
    edit(folder / "taint_msp430.c", "case BIS: return bits_or(d, s);", "case BIS: return bits_and(d, s);")
    assert library_hash(folder) != library_hash()
    after = behaviours.computed(folder, {"avre+", "avre", "msp430", "rl78-s2"})
    moved = {
        (name, which)
        for name in after
        for which in ("run", "taint")
        if getattr(after[name], which) != getattr(before[name], which)
    }
    assert moved == {("avre+", "run"), ("msp430", "taint")}


@pytest.fixture
def other_sources(tmp_path, monkeypatch):
    """Sources that the file is not of, with a library and transcripts that cost nothing."""
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path / "cache"))
    folder = copy_of_sources(tmp_path)
    with (folder / "sim.c").open("a") as file:
        file.write("int more;\n")
    made = []
    known = dict(behaviours.behaviours())
    monkeypatch.setattr(library, "build_library", lambda source: tmp_path / "library" / "lib.so")
    monkeypatch.setattr(behaviours, "computed", lambda source: made.append(source) or dict(known))
    behaviours._of_state.cache_clear()
    yield folder, made, known
    behaviours._of_state.cache_clear()


def test_digests_of_other_sources_are_computed_once_and_kept(other_sources, tmp_path):
    folder, made, known = other_sources
    assert behaviours.behaviour("avre", folder) == known["avre"] and len(made) == 1
    behaviours._of_state.cache_clear()
    assert behaviours.behaviours(folder) == known and len(made) == 1
    for damaged in ("", "[]", json.dumps({"avre": {}})):
        (tmp_path / "library" / behaviours.KEPT).write_text(damaged)
        behaviours._of_state.cache_clear()
        assert behaviours.behaviours(folder) == known
    assert len(made) == 4


def test_the_file_is_written_and_read_again(other_sources, monkeypatch):
    folder, made, known = other_sources
    known["z80"] = replace(known["avre"], taint=None)
    behaviours.write(folder)
    assert behaviours.behaviours(folder) == known and len(made) == 1
    assert max(map(len, (folder / behaviours.FILE).read_text().splitlines())) < 120


def test_a_core_that_there_is_not():
    with pytest.raises(UsageError, match="no core 'z80' with a transcript: expected one of rl78-s2"):
        behaviours.behaviour("z80")


def test_what_the_library_answers_where_there_is_no_transcript():
    ffi, lib = library.load()
    digest = ffi.new("uint8_t[32]")
    assert lib.sim_behaviour(b"z80", 0, digest) == lib.sim_behaviour(b"avre", 7, digest) == -1
