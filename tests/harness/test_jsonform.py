"""Records turn into JSON and back without loss."""

import json
from dataclasses import replace

import pytest

from tightfit.errors import WorkError
from tightfit.jsonform import from_json, to_json
from tightfit.records import Cell, Measurement, Timing

from .samples import PROOF, cell, measurement


@pytest.mark.parametrize("rejected", [None, "clobbers HL"])
def test_measurement_round_trip(rejected):
    original = measurement(rejected=rejected)
    text = json.dumps(to_json(original))
    assert from_json(Measurement, json.loads(text)) == original
    assert "cycles" not in json.loads(text)["provenance"]


def test_cell_round_trip():
    original = replace(
        cell(below={"encrypt": 3855}),
        certificate=replace(PROOF, space="12345678901234567890", measured=7, exact=6, bound=100.5),
    )
    assert from_json(Cell, json.loads(json.dumps(to_json(original)))) == original


def test_derived_figures_are_not_stored():
    assert set(to_json(Timing(2, 10, 5, 5, True))) == {
        "inputs", "total", "minimum", "maximum", "constant_path"
    }  # fmt: skip
    assert to_json(Timing(2, 10, 5, 5, True, 4))["waits_apart"] == 4


NO_TIMINGS = [{}, {"inputs": "two"}, [], None, {**to_json(Timing(2, 10, 5, 5, True)), "total": 1.5}]


@pytest.mark.parametrize("data", NO_TIMINGS)
def test_what_is_no_record(data):
    with pytest.raises(WorkError, match="expected the JSON of a Timing"):
        from_json(Timing, data)
