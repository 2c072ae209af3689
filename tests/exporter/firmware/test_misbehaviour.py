"""The checks notice routines that each do one thing wrong."""

import pytest

from tests.answers import targets

from .boards import FAULTS, boards, faults, ours
from .images import image
from .misbehaviour import broken


@pytest.fixture(params=targets("aes-128"))
def right(request, exporter, frame):
    """Target, a winner with one entry, objects."""
    known = exporter(request.param, "aes-128")
    one = next(winner for winner in known if list(winner.entries) == ["encrypt"])
    return request.param, one, frame(request.param)


@pytest.mark.parametrize("fault", FAULTS)
def test_one_fault_is_found_by_its_name(right, fault, tmp_path):
    target, winner, objects = right
    wrong = broken(target, winner, fault, tmp_path)
    program = image(target, ["-O0"], [wrong], objects, tmp_path)
    for board, run in boards(target, [wrong]).items():
        ending = run(target, program)
        assert ending.code == 1 and not ending.trouble, (board, ending)
        assert not ending.verdicts or faults(ending, [wrong]) == [f"{wrong}: {fault}"], board


def test_what_calls_is_no_fault(right, tmp_path):
    target, winner, objects = right
    same = broken(target, winner, "", tmp_path)
    program = image(target, ["-O0"], [same], objects, tmp_path)
    assert all(not run(target, program).code for run in boards(target, [same]).values())


def test_compiled_code_relies_on_saved_registers(right, tmp_path):
    target, winner, objects = right
    program = image(target, ["-O2"], [broken(target, winner, "ruin", tmp_path)], objects, tmp_path)
    assert ours(target, program).code != 0
