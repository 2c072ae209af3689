"""The GNU interface of RL78: the shim, and figures measured with it."""

import re
from dataclasses import replace
from random import Random

import pytest

from tests.exporter.firmware.winners import OPERATIONS
from tests.sampling import some
from tightfit.budgets import budget
from tightfit.errors import WorkError
from tightfit.exporter import figures, prepare, prepare_fastest
from tightfit.exporter import prepared as preparing
from tightfit.exporter.interfaces import load_interface
from tightfit.exporter.interfaces.rl78 import SAVING_BYTES, gnu_source
from tightfit.exporter.prepared import predicted
from tightfit.generator import load_space, render
from tightfit.harness.bench import Bench
from tightfit.harness.gate import Gate
from tightfit.records import Variant
from tightfit.reports.answer import Known, fits
from tightfit.targets import BANK_BYTES, load_target

INTERFACE = load_interface("rl78")
PART = load_target("rl78").default_part


def variant(template, operation, seed=1):
    spec = load_space("rl78", "aes-128").templates[template]
    knobs = spec.sample(operation, Random(seed))
    return Variant("rl78", PART, "aes-128", operation, template, knobs)


@pytest.fixture(scope="module", autouse=True)
def figures_that_ship():
    """Here costs are measured."""


@pytest.fixture(scope="module")
def bench():
    with Bench("rl78", None, "aes-128") as bench:
        yield bench


@pytest.fixture
def search_gate(monkeypatch):
    """The search gate in place of the full one, which the tests of a single variant go through."""
    check = Gate.check
    monkeypatch.setattr(Gate, "check", lambda gate, *of, **_: check(gate, *of[:3]))


@pytest.mark.parametrize("operation", OPERATIONS["block-cipher"])
def test_the_library_is_measured_with_its_shim(bench, search_gate, operation):
    for template in some((spec.name for spec in load_space("rl78", "aes-128").of(operation)), 2):
        costs_what_its_shim_adds(bench, template, operation)


def costs_what_its_shim_adds(bench, template, operation):
    """What is measured with the shim is what was measured without, and what is known of the shim."""
    measured = bench.measure(variant(template, operation))
    assert measured.cost, measured.rejected
    prepared = prepare(measured, "aes128")
    plain, gnu = measured.cost, prepared.cost
    bank2 = gnu.ram_parts.static - plain.ram_parts.static  # counted as static data once the shim restores it
    estimate = predicted(measured).cost
    assert bank2 in (0, BANK_BYTES) and not (bank2 and measured.reentrant)
    assert replace(estimate, ram_parts=replace(estimate.ram_parts, static=gnu.ram_parts.static)) == gnu
    saves = 0 if measured.reentrant else SAVING_BYTES
    assert gnu.ram_parts.stack == plain.ram_parts.stack + saves + 2
    assert gnu.ram_parts.block == plain.ram_parts.block
    entries = len(prepared.rendered.entries)
    assert gnu.rom == plain.rom + entries * (2 if measured.reentrant else 30)
    for entry, timing in plain.by_entry.items():
        assert gnu.by_entry[entry].total > timing.total


def test_falling_into_the_routine_takes_one_instruction():
    linkage = "        .global _x_go\n        .type _x_go, @function\n"
    source = f"{linkage}_x_go:\n        br $_x_go\n        .size _x_go, .-_x_go\n"
    shimmed = gnu_source(source, "x", ("go",), saves_bank2=False)
    assert re.search(r"_x_go:\n +movw +ax, \[sp\+4\].*\n\.Lbody_x_go:\n +br \$\.Lbody_x_go\n", shimmed)
    assert ".size _x_go, .-_x_go" in shimmed


def test_an_entry_whose_name_begins_another_is_left_alone():
    source = "_x_encrypt:\n        ret\n_x_encrypt_next:\n        call $!_x_encrypt\n        ret\n"
    shimmed = gnu_source(source, "x", ("encrypt", "encrypt_next"), saves_bank2=False)
    assert "call $!.Lbody_x_encrypt\n" in shimmed
    assert shimmed.count("movw    ax, [sp+4]") == 2


def test_a_shim_that_does_not_save_bank_2_is_found_out(bench, monkeypatch):
    measured = next(
        measurement
        for measurement in (bench.measure(variant("flat", "encrypt", seed)) for seed in range(40))
        if measurement.cost and not measurement.reentrant and "0xffee8" in render(measurement.variant).source
    )
    monkeypatch.setattr(INTERFACE, "source", lambda *of: gnu_source(*of[:3], saves_bank2=False))
    with pytest.raises(WorkError, match="r16-r23 not preserved"):
        prepare(measured, "aes128")


def test_a_shim_that_reads_the_wrong_place_is_found_out(bench, monkeypatch):
    measured = bench.measure(variant("flat", "encrypt"))

    def wrong(source, name, entries, reentrant):
        shimmed = gnu_source(source, name, entries, saves_bank2=not reentrant)
        return shimmed.replace("[sp+4]", "[sp+6]").replace("[sp+12]", "[sp+10]")

    monkeypatch.setattr(INTERFACE, "source", wrong)
    with pytest.raises(WorkError, match="with the GNU interface"):
        prepare(measured, "aes128")


def test_the_fastest_keeps_within_the_budget_with_its_shim(bench):
    measured = [bench.measure(variant("flat", "encrypt", seed)) for seed in range(8)]
    measured = [measurement for measurement in measured if measurement.cost]
    fastest = min(measured, key=lambda measurement: measurement.cost.cycles)
    exact = budget(fastest.cost.rom, fastest.cost.ram)
    roomy = budget(fastest.cost.rom + 200, fastest.cost.ram + 60)
    for within, there in ((exact, False), (roomy, True)):
        found = prepare_fastest(Known(tuple(measured), ()), within, "aes128")
        assert found or not there
        assert found is None or fits(replace(found.measurement, cost=found.cost), within)


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A portfolio of its own, and what must be called where something of it changed."""
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(tmp_path))
    figures.read_figures.cache_clear()
    yield tmp_path, figures.read_figures.cache_clear
    figures.read_figures.cache_clear()


def test_figures_that_ship_serve_without_tools(bench, shipped, monkeypatch):
    portfolio, changed = shipped
    measured = bench.measure(variant("flat", "encrypt"))
    with_tools = prepare(measured, "aes128")
    written = [figures.Figure(measured, with_tools.cost)]
    file = figures.write_figures(portfolio, "rl78", "aes-128", written)
    before = file.stat().st_mtime_ns
    assert figures.write_figures(portfolio, "rl78", "aes-128", written).stat().st_mtime_ns == before
    monkeypatch.setattr(preparing, "missing_tool", lambda target: "rl78-elf-as is missing")
    changed()
    known, every = Known((measured,), ()), budget(None, None)
    without_tools = prepare_fastest(known, every, "aes128")
    assert without_tools.reason is None
    assert (without_tools.cost, without_tools.source) == (with_tools.cost, with_tools.source)
    for name, there in (("sources_of", True), ("text_now", False)):
        monkeypatch.setattr(figures, name, lambda _: "another")
        changed()
        assert (prepare_fastest(known, every, "aes128") is not None) == there
    assert prepare(measured, "aes128").reason == "rl78-elf-as is missing"


def test_a_malformed_figures_file(shipped):
    (shipped[0] / "rl78" / "aes-128").mkdir(parents=True)
    (shipped[0] / "rl78" / "aes-128" / "gnu.json").write_text('{"format": 99}')
    with pytest.raises(WorkError, match="figures of format 99, expected 4"):
        figures.read_figures("rl78", "aes-128")
