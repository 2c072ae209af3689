"""Published figures beside ours, where a source leaves some figures out."""

import pytest

from tightfit.curve import message_cycles
from tightfit.harness.store import Store
from tightfit.primitives import load_primitive
from tightfit.reports.answer import Known
from tightfit.reports.known import Current
from tightfit.reports.portfolio import document, gather
from tightfit.targets import load_target


@pytest.fixture
def page():
    def gathered(target: str, operation: str):
        known = Known((), ())
        part = load_target(target).default_part
        return gather(load_primitive("aes-128"), target, part, operation, known, [])

    return gathered


def _row(page, theirs: str) -> tuple[str, ...]:
    (beside,) = [table for table in document([page], "t").tables if "beside" in table.caption]
    return next(row for row in beside.rows if row[2] == theirs)


def test_a_figure_of_unknown_rom_stands_beside_any_rom(page):
    portfolio = page("avr", "encrypt-next")
    assert _row(portfolio, "1,951")[1] == "Fast/any"
    assert "Fast/any" in {reply.question.budget.name for reply in portfolio.answers}


def test_an_entry_that_is_not_ranked_is_named(page):
    assert _row(page("avr", "encrypt-next"), "2,111 / setup 748")[1] == "758B/any"
    assert _row(page("msp430", "encrypt+decrypt"), "decrypt_next 5,958")[1] == "2380B/any"


def test_a_figure_without_the_ranked_entries_is_never_beaten(page):
    (comparison,) = page("msp430", "encrypt+decrypt").comparisons
    assert comparison.published.to_beat == {} and comparison.beaten is None


def test_a_page_with_nothing_on_it(page):
    assert page("rl78", "encrypt-next").is_empty
    assert not page("avr", "encrypt-next").is_empty


def test_a_figure_of_a_message_stands_beside_ours_of_that_message():
    part, ascon = load_target("avr").default_part, load_primitive("ascon-aead128")
    with Store.open(read_only=True) as store:
        known = Current(store).known("avr", part, ascon.id, "seal")
    comparisons = gather(ascon, "avr", part, "seal", known, []).comparisons
    assert [comparison.beaten for comparison in comparisons] == [True, True]
    row = _row(gather(ascon, "avr", part, "seal", known, []), "25,183")
    ours = message_cycles(comparisons[0].answer.measurement, ascon, 16)
    assert row[3] == f"{ours:,} (16 B)" and f"{ours / 25183:.2f}" in row
