"""What an answer claims: never more than is known."""

from dataclasses import replace

import pytest

from tests.cli.fixture_portfolio import PART, PRIMITIVE, TARGET, cells, fill, measurements, proof
from tightfit.budgets import budget, load_budgets
from tightfit.harness import current, store
from tightfit.records import Budget, Cell, Front, Padding, Stretch
from tightfit.reports.answer import Known, Question, answer, contains
from tightfit.reports.known import Current


def ask(known, rom, ram, below=None):
    question = Question(TARGET, PART, PRIMITIVE, "encrypt", budget(rom, ram, below))
    return answer(question, known, load_budgets())


@pytest.fixture
def measured():
    return measurements("encrypt")


def cell(budget, certificate, winner=None, status="fits"):
    return Cell(TARGET, PART, PRIMITIVE, "encrypt", budget, status, winner, None, certificate)


def test_nothing_known_is_unexplored():
    reply = ask(Known((), ()), "1KB", "64B")
    assert (reply.status, reply.measurement, reply.certificate) == ("unexplored", None, None)


def test_a_certificate_covers_a_smaller_budget_that_its_winner_fits(measured):
    wide = cell(budget("1KB", "128B"), proof("optimal", 10, 5, bound=3000), measured[2].variant.id)
    known = Known(tuple(measured), (wide,))
    assert ask(known, 950, 100).certificate.proved
    assert not ask(known, 899, 100).certificate.proved
    assert not ask(known, "2KB", 100).certificate.proved


def test_best_found_is_not_proof_for_another_budget(measured):
    wide = cell(budget("1KB", "128B"), proof("best found", 10, 5, bound=100), measured[2].variant.id)
    known = Known(tuple(measured), (wide,))
    assert ask(known, "1KB", "128B").certificate.kind == "best found"
    assert ask(known, 950, 100).certificate.kind == "none"


def test_what_is_not_proved_says_how_many_the_search_measured(measured):
    wide = cell(budget("1KB", "128B"), proof("optimal", 100, 50, bound=3000), measured[2].variant.id)
    for known, count in ((tuple(measured), 50), (tuple(measured) * 11, 55)):
        certificate = ask(Known(known, (wide,)), "2KB", None).certificate
        assert (certificate.kind, certificate.measured) == ("none", count)


def test_a_better_variant_than_the_winner_takes_the_proof_away(measured):
    slow = cell(budget("1KB", "512B"), proof("optimal", 10, 5, bound=3000), measured[2].variant.id)
    reply = ask(Known(tuple(measured), (slow,)), "1KB", "512B")
    assert (reply.measurement.cost.cycles, reply.certificate.proved) == (2000, False)


def test_impossible_needs_a_certificate(measured):
    none = cell(budget("512B", "32B"), proof("infeasible", 10, 5), status="impossible")
    known = Known(tuple(measured), (none,))
    assert ask(known, 400, 20).status == "impossible"
    assert ask(known, "1KB", 20).status == "unexplored"


def test_less_than_the_space_reaches_is_impossible_whatever_the_other_bound(measured):
    reach = proof("infeasible", 10, 5, least_rom=150, least_ram=50)
    known = Known(tuple(measured), (cell(budget("ROM-min", "16B"), reach, status="impossible"),))
    for rom, ram in ((149, None), (149, "512B"), ("2KB", 49), (None, 49)):
        reply = ask(known, rom, ram)
        assert (reply.status, reply.certificate) == ("impossible", reach)
    assert ask(known, 150, "512B").status == ask(known, "2KB", 50).status == "unexplored"


def test_less_than_the_least_rom_is_impossible_within_its_ram(measured):
    small = min(measured, key=lambda measurement: measurement.cost.rom)
    best = proof("optimal", 10, 5, bound=small.cost.rom)
    known = Known(tuple(measured), (cell(budget("ROM-min", "128B"), best, small.variant.id),))
    reply = ask(known, small.cost.rom - 1, 128)
    assert (reply.status, reply.certificate.kind) == ("impossible", "infeasible")
    assert reply.certificate.proved and reply.certificate.bound is None
    assert ask(known, small.cost.rom - 1, 129).status == "unexplored"
    assert ask(known, small.cost.rom, 128).status != "impossible"
    doubted = proof("best found", 10, 5, bound=small.cost.rom - 9)
    unsure = Known(tuple(measured), (cell(budget("ROM-min", "128B"), doubted, small.variant.id),))
    assert ask(unsure, small.cost.rom - 1, 128).status == "unexplored"


def proved(reply):
    return reply.certificate is not None and reply.certificate.proved


def front(certificate, measured, only=(), stretches=()):
    ids = tuple(measurement.variant.id for measurement in measured)
    return Front(TARGET, PART, PRIMITIVE, "encrypt", only, ids, tuple(stretches), certificate)


@pytest.mark.parametrize("kind, space", [("optimal", 5), ("optimal under additivity", 9)])
def test_a_front_answers_every_budget(measured, kind, space):
    whole = front(proof(kind, space, 5), measured)
    known = Known(tuple(measured), (), fronts=(whole,))
    reply = ask(known, 250, 100)
    assert reply.certificate.proved and reply.certificate.kind == kind
    assert reply.certificate.bound == reply.measurement.cost.cycles
    nothing = ask(known, 100, 100)
    assert (nothing.status, nothing.certificate.kind) == ("impossible", kind.replace("optimal", "infeasible"))
    assert ask(known, "ROM-min", 100).certificate.proved
    assert not proved(ask(known, 500, 128, {"encrypt": 5001}))


def test_a_stretch_that_was_left_open_is_not_proved_and_says_the_bound(measured):
    best = min((m for m in measured if m.cost.rom <= 950), key=lambda m: m.cost.cycles)
    stretches = [Stretch(900, 950, 128, best.cost.cycles - 30), Stretch(0, 90, None, None)]
    known = Known(tuple(measured), (), fronts=(front(proof("best found", 9, 5), measured, (), stretches),))
    inside, beside, below = ask(known, 950, 100), ask(known, 951, 100), ask(known, 90, 64)
    assert (inside.certificate.kind, inside.certificate.proved) == ("best found", False)
    assert inside.certificate.bound == best.cost.cycles - 30
    assert beside.certificate.proved
    assert below.status == "unexplored" and not proved(below)
    assert ask(known, 99, 64).status == "impossible"
    wider = cell(budget("1KB", "128B"), proof("optimal", 9, 5, bound=best.cost.cycles - 9), best.variant.id)
    assert ask(replace(known, cells=(wider,)), 950, 100).certificate.bound == best.cost.cycles - 9


def test_the_least_rom_is_proved_where_nothing_below_it_is_open(measured):
    least = min(measured, key=lambda m: m.cost.rom).cost.rom
    for stretch, proved in (
        (Stretch(0, least - 1, None, None), False),
        (Stretch(0, least - 2, None, 1), True),
    ):
        known = Known(
            tuple(measured), (), fronts=(front(proof("best found", 9, 5), measured, (), [stretch]),)
        )
        assert ask(known, "ROM-min", None).certificate.proved == proved


def test_a_front_under_a_condition_answers_under_it_alone(measured):
    known = Known(tuple(measured), (), fronts=(front(proof("optimal", 5, 5), measured, ("no-banks",)),))
    assert not proved(ask(known, 250, 100))
    assert ask(replace(known, only=("no-banks",)), 250, 100).certificate.proved


def test_constant_path_is_proved_only_where_nothing_else_is_better(measured):
    known = Known(
        tuple(measured), (), only=("constant-path",), fronts=(front(proof("optimal", 5, 5), measured),)
    )
    assert ask(known, 500, 128).measurement.cost.cycles == 9000
    assert not proved(ask(known, 500, 128))
    assert ask(known, 1000, 128).certificate.proved


def test_what_a_front_does_not_hold_is_not_impossible_while_something_else_fits(measured):
    varies = min((m for m in measured if not m.cost.constant_path), key=lambda m: m.cost.cycles)
    whole = front(proof("optimal", 5, 5), [varies])
    known = Known((varies,), (), only=("constant-path",), fronts=(whole,))
    assert ask(known, varies.cost.rom, varies.cost.ram).status == "unexplored"
    assert ask(known, varies.cost.rom - 1, varies.cost.ram).status == "impossible"


def test_at_any_address_the_worst_padding_must_fit(measured):
    padded = [
        replace(m, cost=replace(m.cost, padding=Padding(255, 0))) if m is measured[2] else m for m in measured
    ]
    aligned = padded[2].cost
    known = Known(tuple(padded), ())
    anywhere = replace(known, only=("any-address",))
    assert ask(known, aligned.rom, aligned.ram).measurement.cost == aligned
    assert ask(anywhere, aligned.rom + 254, aligned.ram).measurement.cost != aligned
    assert ask(anywhere, aligned.rom + 255, aligned.ram).measurement.cost == aligned
    roomy = replace(anywhere, memory=Budget("part", aligned.rom + 100, 1024))
    assert ask(roomy, None, None).measurement.cost != aligned


def test_a_condition_is_proved_by_its_own_cell_or_by_one_whose_winner_meets_it(measured):
    banked = [
        replace(m, cost=replace(m.cost, ram_parts=replace(m.cost.ram_parts, banks=8))) for m in measured[2:]
    ]
    plain = cell(budget("1KB", "128B"), proof("optimal", 9, 5, bound=3000), measured[2].variant.id)
    fastest_left = min(measured[:2], key=lambda m: m.cost.cycles)
    own_budget = budget("1KB", "128B", only=["no-banks"])
    own = cell(own_budget, proof("optimal", 9, 5, bound=1), fastest_left.variant.id)
    known = Known((*measured[:2], *banked), (plain,), only=("no-banks",))
    assert ask(known, 1024, 128).measurement == fastest_left
    assert not ask(known, 1024, 128).certificate.proved
    assert ask(replace(known, cells=(plain, own)), 1024, 128).certificate.proved
    assert ask(replace(known, measurements=tuple(measured)), 1024, 128).certificate.proved
    assert ask(replace(known, only=(), cells=(own,)), 1024, 128).satiated_by is None


def test_a_variant_that_destroys_the_key_is_ranked_only_by_request(measured):
    fast = replace(measured[3], destroys_key=True)
    known = Known((*measured[:3], fast), ())
    assert ask(known, "2KB", "128B").measurement.cost.cycles == 3000
    named = Known((*measured[:3], fast), (), destroys_key=True)
    assert ask(named, "2KB", "128B").measurement.cost.cycles == 2500


def test_rejected_candidates_answer_nothing(measured):
    known = Known((replace(measured[0], cost=None, rejected="wrong answer"),), ())
    assert ask(known, "1KB", "128B").status == "unexplored"


def test_a_pair_to_beat_bounds_every_entry(measured):
    known = Known(tuple(measured), tuple(cells("encrypt", measured)))
    assert ask(known, "1KB", "128B", {"encrypt": 3001}).measurement.cost.cycles == 3000
    assert ask(known, "1KB", "128B", {"encrypt": 3000}).measurement is None


@pytest.mark.parametrize(
    "outer, inner, holds",
    [
        (("1KB", "64B"), ("512B", "64B"), True),
        (("512B", "64B"), ("1KB", "64B"), False),
        (("Fast", "64B"), ("1KB", "64B"), True),
        (("1KB", "64B"), ("Fast", "64B"), False),
        (("1KB", None), ("1KB", 64), True),
    ],
)
def test_one_budget_contains_another(outer, inner, holds):
    assert contains(budget(*outer), budget(*inner)) is holds


def test_both_bounds_together_are_named(measured):
    small = replace(measured[0], cost=replace(measured[0].cost, rom=500))
    known = Known((small, measured[3]), ())
    reply = ask(known, 600, small.cost.ram)
    if reply.limited_by == ("both",):
        assert reply.offers[0].bound == "both"
    else:
        assert measured[3].cost.ram <= small.cost.ram


def test_a_part_of_the_class_is_answered_within_its_own_memory(measured):
    wide = cell(budget(None, None), proof("optimal", 10, 5, bound=2000), measured[4].variant.id)
    roomy = Known(tuple(measured), (wide,), memory=Budget("roomy", 4096, 1024))
    reply = ask(roomy, None, None)
    assert (reply.measurement.cost.cycles, reply.certificate.proved) == (2000, True)
    tight = Known(tuple(measured), (wide,), memory=Budget("tight", 1024, 128))
    reply = ask(tight, None, None)
    assert (reply.measurement.cost.cycles, reply.certificate.proved) == (3000, False)
    assert {offer.measurement.cost.cycles for offer in reply.offers} == set()
    assert (
        ask(Known(tuple(measured), (wide,), memory=Budget("tiny", 100, 64)), None, None).measurement is None
    )


def test_cells_of_a_space_that_changed_are_left_out(tmp_path, monkeypatch):
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(tmp_path / "none"))
    question = (TARGET, PART, PRIMITIVE, "encrypt")
    with store.Store.open(tmp_path / "store.sqlite") as opened:
        fill(opened)
        assert all(each.certificate.proved for each in Current(opened).known(*question).cells)
        monkeypatch.setattr(current, "space_digest", lambda *_: "another")
        known = Current(opened).known(*question)
        assert (known.cells, len(known.measurements)) == ((), 5)
        one = answer(Question(*question, budget("1KB", "128B")), known, load_budgets())
        assert (one.status, one.certificate) == ("fits", None)
