"""What an edit of the templates makes `fill` measure: nothing for words, else what has another text."""

import shutil
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tightfit.contenders.baselines import Baselined
from tightfit.filling import stages
from tightfit.filling.jobs import jobs
from tightfit.filling.progress import Silent, SilentJob
from tightfit.generator import declaration, load_space, render
from tightfit.harness import store as stores
from tightfit.harness.provenance import target_facts
from tightfit.harness.store import Store
from tightfit.paths import PACKAGE
from tightfit.records import Variant
from tightfit.targets import load_target

TARGET, PRIMITIVE, OPERATION = "avr", "speck64-128", "encrypt-next"
FOLDER = f"templates/{TARGET}/{PRIMITIVE}"


class Recorder(Silent, SilentJob):
    """Keeps the ids of the candidates that the search gate measured."""

    def __init__(self) -> None:
        self.measured: list[str] = []

    @contextmanager
    def job(self, name: str, cells: int):
        yield self

    def result(self, measurement) -> None:
        self.measured.append(measurement.variant.id)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the templates, which the package reads instead of its own."""
    shutil.copytree(PACKAGE / "templates", tmp_path / "templates")
    monkeypatch.setattr(declaration, "PACKAGE", tmp_path)
    monkeypatch.setattr(stores, "portfolio_dir", lambda: tmp_path / "none")
    monkeypatch.setattr(stages, "renew", lambda *_: Baselined())
    load_space.cache_clear()
    yield tmp_path
    load_space.cache_clear()


@pytest.fixture
def fill(tmp_path, package):
    """Fills the cells of one operation; gives the ids of what was measured for them."""

    def run() -> list[str]:
        load_space.cache_clear()
        (job,) = (job for job in jobs([PRIMITIVE], TARGET, "ATmega1284P", [OPERATION]))
        progress = Recorder()
        with Store.open(tmp_path / "store.sqlite") as store:
            stages.fill_job(job, store, progress, workers=1)
        return progress.measured

    return run


def texts() -> dict[str, str]:
    """The text of every variant of the space."""
    load_space.cache_clear()
    variants = [
        Variant(TARGET, "ATmega1284P", PRIMITIVE, OPERATION, spec.name, knobs)
        for spec in load_space(TARGET, PRIMITIVE).of(OPERATION)
        for knobs in spec.variants(OPERATION)
    ]
    return {variant.id: render(variant).sha256 for variant in variants}


def edit(file, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_only_what_moved_is_measured(package, fill):
    folder = package / FOLDER
    before = texts()
    assert sorted(fill()) == sorted(before)

    edit(folder / "kept" / "template.yaml", "round keys kept by setup", "setup keeps the round keys")
    edit(folder / "shared.s.j2", "The round of Speck64/128", "A round of Speck64/128")
    edit(folder / "tiny" / "main.s.j2", "; k\n", "; the word k of the key\n")
    (folder / "kept" / "notes.yaml").write_text("registers: {r1: other}\nfragments: {any: other}\n")
    (folder / "kept" / "floor.md").write_text("another floor")
    assert fill() == []

    edit(folder / "shared.s.j2", "        mul     r{{ r[y]", "        nop\n        mul     r{{ r[y]")
    after = texts()
    moved = {variant for variant in before if after[variant] != before[variant]}
    assert 0 < len(moved) < len(before)
    assert set(fill()) == moved
    assert fill() == []


def test_a_new_knob_of_one_value_measures_nothing(package, fill):
    before = fill()
    edit(package / FOLDER / "kept" / "template.yaml", "knobs:\n", "knobs:\n  form: {values: [plain]}\n")
    assert len(before) == len(texts())
    assert fill() == []


def test_another_part_and_words_of_the_target_change_no_fact():
    target = load_target(TARGET)
    part = target.part()
    others = {name: other for name, other in target.parts.items() if name != "ATmega328P"}
    said = replace(target, name="AVR", notes=("a note",), waits={}, parts=others)
    renamed = replace(part, about="words", core=replace(part.core, about="words", facts={}))
    assert target_facts(said, renamed) == target_facts(target, part)
    assert target_facts(target, target.part("ATtiny85")) != target_facts(target, part)


def test_templates_that_change_meanwhile_answer_nothing(package, fill, monkeypatch):
    search = stages.search

    def meddle(*arguments):
        cells = search(*arguments)
        edit(package / FOLDER / "shared.s.j2", "        lsl ", "        nop\n        lsl ")
        return cells

    monkeypatch.setattr(stages, "search", meddle)
    with pytest.raises(stages.WorkError, match="the templates changed while they were in use; start again"):
        fill()
