"""What callers must see to is said wherever a routine is shown: register banks, cores, padding."""

from dataclasses import replace
from random import Random

import pytest

from tests.cli.fixture_portfolio import PART, PRIMITIVE, TARGET, measurements
from tightfit.budgets import budget, load_budgets
from tightfit.explorer import variantpage
from tightfit.generator import load_space
from tightfit.harness.bench import Bench
from tightfit.primitives import load_primitive
from tightfit.records import Measurement, Padding, Secrecy, Variant
from tightfit.reports import cautions, words
from tightfit.reports import front as fronts
from tightfit.reports import portfolio as portfolios
from tightfit.reports.answer import Known, Question, answer
from tightfit.reports.answertext import text
from tightfit.reports.document import FORMATS, write
from tightfit.reports.site import Shelf, site
from tightfit.reports.variant import variant_text

from .test_contenders import EXTERNAL, SMALL

PADDED = "510 +255"


def cautious(measurement: Measurement, banks: int = 24) -> Measurement:
    """The measurement of a routine with register banks and an aligned table."""
    cost = measurement.cost
    parts = replace(cost.ram_parts, static=cost.ram_parts.static + banks, banks=banks)
    cost = replace(cost, rom=510, ram_parts=parts, alignment=256, padding=Padding(rom=255))
    return replace(measurement, cost=cost, reentrant=False)


@pytest.fixture
def measurement():
    return cautious(measurements("encrypt")[0])


@pytest.fixture
def known(measurement):
    rivals = tuple(
        replace(rival, cost=replace(rival.cost, ram_parts=replace(rival.cost.ram_parts, banks=16)))
        for rival in (SMALL, EXTERNAL)
    )
    return Known((measurement,), (), contenders=rivals)


@pytest.mark.parametrize("flash, leaks, mark", [(1, 0, "P"), (0, 0, "T"), (1, 1, "")])
def test_look_ups_in_flash_are_a_caution_where_nothing_else_tells(flash, leaks, mark):
    measured = measurements("encrypt")[0]
    measured = replace(measured, cost=replace(measured.cost, secrecy=Secrecy(leaks, 0, 1, flash)))
    known = Known((measured,), ())
    shown = text(answer(Question(TARGET, PART, PRIMITIVE, "encrypt", budget(None, None)), known, []))
    said = f"look-ups   in flash, at secret addresses: {cautions.PREFETCH}; `--constant-time` asks for one"
    assert (said in shown) == (mark == "P")
    assert ("constant time with prefetch off and no wait states (secret look-ups)" in shown) == (mark == "P")
    assert [letter for letter in words.mark_letters(measured) if letter in "PT"] == list(mark)


def page(known):
    return portfolios.gather(load_primitive(PRIMITIVE), TARGET, PART, "encrypt", known, load_budgets())


def test_an_answer_warns(known):
    shown = text(answer(Question(TARGET, PART, PRIMITIVE, "encrypt", budget(None, None)), known, []))
    assert f"banks      1 to 3: {cautions.HANDLERS}; `--no-banks` asks for one without" in shown
    assert "510 B, up to 255 B more where the linker pads to 256" in shown
    assert "gcc 12.2.0 -Os; uses register banks" in shown


def test_a_variant_warns(measurement):
    shown = variant_text(measurement, [])
    assert f"banks: 1 to 3: {cautions.HANDLERS}" in shown
    assert "alignment 256, up to 255 B more where the linker pads to 256" in shown
    cost = variantpage.page(measurement, [])["cost"]
    assert cost["banks"] == f"1 to 3: {cautions.HANDLERS}"
    assert cost["ROM"] == "510 B, up to 255 B more where the linker pads to 256"


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "csv"])
def test_tables_show_padding_and_say_what_it_is(known, form):
    point = known.measurements[0]
    for document in (portfolios.document([page(known)], "title"), fronts.document([point], [], "title")):
        shown = write(document, form)
        assert PADDED in shown and words.PADDING in shown


def test_spreadsheets_have_the_columns(known):
    (table,) = portfolios.flat([page(known)]).tables
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    ours = next(row for row in rows if row["rom"] == "510")
    picked = [ours[name] for name in ("banks", "alignment", "rom_padding", "ram_padding")]
    assert (picked, ours["registers_as_memory"]) == (["24", "256", "255", "0"], "false")


def test_pages_warn(known, measurement):
    html = "".join(site([Shelf(page(known), (measurement,))]).values())
    assert f"Register banks 1 to 3: {cautions.HANDLERS}." in html
    assert f"Register banks 2 of 1 to 3: {cautions.HANDLERS}." in html
    assert PADDED in html


def test_cores_without_registers_in_memory(measurement):
    plain = measurements("encrypt")[0]
    flagged = replace(plain, variant=replace(plain.variant, target="avr"), registers_as_memory=True)
    line = cautions.cautions(flagged)["cores"]
    assert "AVRxt" in line and "XMEGA" in line
    assert cautions.cautions(plain) == {}


@pytest.mark.dear("a variant of every template is measured")
def test_which_banks_is_what_the_gate_saw():
    """Of sampled routines: the banks in the text are as many as those that the simulator saw."""
    space, chance = load_space("rl78", "aes-128"), Random(2)
    counts = set()
    with Bench("rl78", None, "aes-128") as bench:
        for spec in [spec for spec in space.templates.values() if "encrypt" in spec.operations] * 3:
            knobs = spec.sample("encrypt", chance)
            measured = bench.measure(Variant("rl78", PART, "aes-128", "encrypt", spec.name, knobs))
            if measured.cost:
                banks = measured.cost.ram_parts.banks
                counts.add(banks)
                assert " of " not in cautions.bank_words(measured), measured.variant.knobs
    assert len(counts) > 1


def test_banks_of_a_template_that_is_gone(measurement):
    gone = replace(measurement, variant=replace(measurement.variant, template="gone"))
    assert cautions.bank_words(gone) == "1 to 3"
    two = cautious(measurements("encrypt")[0], 16)
    assert cautions.bank_words(replace(two, variant=gone.variant)) == "2 of 1 to 3"
