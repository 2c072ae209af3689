"""A proof in words says no more than the certificate."""

from dataclasses import replace

import pytest

from tests.cli.fixture_portfolio import proof
from tightfit.generator import load_space
from tightfit.records import Variant
from tightfit.reports import words
from tightfit.schemas import validator

SPACE = "of 1,000 variants, 50 measured"
REACH = "the space reaches 200 B ROM"
KINDS = {
    "optimal": f"proved optimal: {SPACE}",
    "optimal under additivity": f"optimal under additivity (margin 0): {SPACE}",
    "infeasible": f"proved that none fits: {SPACE}; {REACH}",
    "infeasible under additivity": f"none fits, under additivity (margin 0): {SPACE}; {REACH}",
    "best found": f"best found (bound 12): {SPACE}",
    "none": f"not proved: {SPACE}",
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_words(kind):
    assert words.proof(proof(kind, 1000, 50, bound=12, least_rom=200)) == KINDS[kind]


def test_the_effort_of_the_solver_is_said_where_there_was_any():
    certificate = replace(proof("optimal", 1000, 50), deterministic_time=0.5)
    assert words.proof(certificate) == f"proved optimal: {SPACE}, effort 0.5"


def test_the_schema_knows_the_same_kinds():
    registry = validator("ask")._resolver.lookup("common.json#/$defs/certificate").contents
    assert set(registry["properties"]["kind"]["enum"]) == set(KINDS)


def test_figures():
    assert [words.cycles(figure) for figure in (3123, 3123.25)] == ["3,123", "3,123.2"]


def test_knobs_of_a_template_that_has_others_by_now():
    spec = load_space("rl78", "aes-128").templates["flat"]
    knobs = next(spec.variants("encrypt"))
    now = Variant("rl78", "R5F100xE", "aes-128", "encrypt", "flat", knobs)
    assert words.free_knobs(now).keys() < knobs.keys()
    for then in ({"rounds": 2, **knobs}, {name: knobs[name] for name in list(knobs)[1:]}):
        assert words.free_knobs(replace(now, knobs=then)) == then
    assert words.free_knobs(replace(now, template="gone")) == dict(knobs)
