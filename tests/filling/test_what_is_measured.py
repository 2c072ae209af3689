"""What an edit makes `fill` measure: nothing for words, else what has another text or another context.

Templates are edited in a copy; of the simulator the behaviour is said to be another one, as
`tests/simulator/test_behaviour.py` shows which edits make it so.
"""

import shutil
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests import sampling
from tightfit.contenders.baselines import Baselined
from tightfit.filling import stages
from tightfit.filling.jobs import jobs
from tightfit.filling.progress import Silent, SilentJob
from tightfit.generator import folders, load_space, render
from tightfit.generator.sources import sources_of_template
from tightfit.harness import provenance
from tightfit.harness.crew import Alone
from tightfit.harness.provenance import target_facts
from tightfit.harness.simulator import behaviour as behaviours
from tightfit.harness.simulator.behaviour import Behaviour, behaviour
from tightfit.harness.store import Store
from tightfit.paths import PACKAGE
from tightfit.records import Cost, Variant
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
    monkeypatch.setattr(folders, "PACKAGE", tmp_path)
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(tmp_path / "none"))
    monkeypatch.setattr(stages, "renew", lambda *_, **__: Baselined())
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
            stages.fill_job(job, store, Alone(), progress)
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


@pytest.fixture
def usual_run(monkeypatch):
    """Of what is tested in full: in an exhaustive run everything is."""
    monkeypatch.setitem(sampling._run, "exhaustive", False)
    sampling._as_measured.cache_clear()
    yield
    sampling._as_measured.cache_clear()


def edit(file, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.mark.dear("variants are measured")
def test_only_what_moved_is_measured(package, fill):
    folder = package / FOLDER
    before = texts()
    assert sorted(fill()) == sorted(before)

    edit(folder / "kept" / "template.yaml", "all round keys in the block", "the block with all round keys")
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


@pytest.mark.dear("variants are measured")
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


@pytest.mark.dear("variants are measured")
def test_templates_that_change_meanwhile_answer_nothing(package, fill, monkeypatch):
    search = stages.search

    def meddle(*arguments):
        cells = search(*arguments)
        edit(package / FOLDER / "shared.s.j2", "        lsl ", "        nop\n        lsl ")
        return cells

    monkeypatch.setattr(stages, "search", meddle)
    with pytest.raises(stages.WorkError, match="the templates changed while they were in use; start again"):
        fill()


XTEA = "xtea"
"""Nearly all variants of its spaces are in the portfolio."""


@pytest.fixture
def fill_shipped(tmp_path, monkeypatch):
    """Fills a primitive that ships on all targets; gives what was measured and followed, by target."""
    monkeypatch.setattr(stages, "renew", lambda *_, **__: Baselined())

    def run(primitive: str) -> dict[str, tuple[int, int]]:
        work: dict[str, tuple[int, int]] = {}
        for job in jobs([primitive]):
            with Store.open(tmp_path / "store.sqlite") as store:
                filled = stages.fill_job(job, store, Alone())
            measured, followed = work.get(job.target.id, (0, 0))
            work[job.target.id] = measured + filled.measured, followed + filled.followed
        return work

    return run


@pytest.fixture
def moved(monkeypatch):
    """Says that the cores of a target run, or taint, in another way."""

    def move(target: str, **other: str) -> None:
        own = {part.core.name for part in load_target(target).parts.values()}

        def told(core: str) -> Behaviour:
            return replace(behaviour(core), **other) if core in own else behaviour(core)

        monkeypatch.setattr(behaviours, "behaviour", told)
        forget()

    def forget() -> None:
        provenance.provenance.cache_clear()
        provenance.facts_without_tools.cache_clear()

    yield move
    forget()


@pytest.mark.long(seconds=25)
def test_a_core_that_runs_otherwise_has_its_figures_measured_and_no_other(fill_shipped, moved):
    assert set(fill_shipped(XTEA).values()) == {(0, 0)}
    moved("msp430", run="another")
    work = fill_shipped(XTEA)
    assert work["msp430"][0] > 0 and work["msp430"][1] == 0
    assert {target for target, done in work.items() if done != (0, 0)} == {"msp430"}


@pytest.mark.dear("variants are measured")
def test_a_core_whose_taint_is_another_has_its_secrets_followed_and_no_cycles_counted(
    fill_shipped, moved, tmp_path
):
    def costs() -> dict[str, Cost]:
        with Store.open(tmp_path / "store.sqlite") as store:
            return {one.variant.id: one.cost for one in store.measurements("msp430", primitive=XTEA)}

    fill_shipped(XTEA)
    before = costs()
    moved("msp430", taint="another")
    work = fill_shipped(XTEA)
    after = costs()
    assert work["msp430"][0] == len(after.keys() - before.keys()) and work["msp430"][1] > 0
    assert {target for target, done in work.items() if done != (0, 0)} == {"msp430"}
    assert {variant: after[variant] for variant in before} == before


@pytest.mark.dear("variants are measured")
def test_a_macro_that_is_only_tidied_leaves_every_answer(
    package, fill_shipped, usual_run, monkeypatch, tmp_path
):
    monkeypatch.delenv("TIGHTFIT_PORTFOLIO", raising=False)
    library = package / "templates" / TARGET / "lib"
    sources = {spec.name: sources_of_template(spec) for spec in load_space(TARGET, XTEA).templates.values()}
    for file in library.glob("*.j2"):
        file.write_text(file.read_text().replace("{%- endmacro %}", "{%- set tidied = 1 %}{%- endmacro %}"))
    load_space.cache_clear()
    specs = load_space(TARGET, XTEA).templates.values()
    assert any(sources_of_template(spec) != sources[spec.name] for spec in specs)
    assert all(sampling.as_measured(spec) for spec in specs)
    assert set(fill_shipped(XTEA).values()) == {(0, 0)}


def test_a_template_whose_text_moved_is_tested_in_full_and_no_other(package, usual_run):
    folder = package / f"templates/{TARGET}/{XTEA}"
    edit(folder / "tiny" / "main.s.j2", "ret\n", "nop\n        ret\n")
    load_space.cache_clear()
    specs = load_space(TARGET, XTEA).templates
    assert [name for name, spec in specs.items() if not sampling.as_measured(spec)] == ["tiny"]
