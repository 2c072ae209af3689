"""Exported winners, called by C, on every simulator: each form on each target at each level there is."""

from itertools import cycle

import pytest

from tests.sampling import exhaustive
from tightfit.targets import target_ids

from .boards import check_runs
from .compilers import levels
from .images import batches, image
from .winners import forms

CASES = [(target, of, level) for target in target_ids() for of in forms(target) for level in levels(target)]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("target, of, level", CASES)
def test_every_winner_keeps_the_convention(chosen, frame, target, of, level, tmp_path):
    """In an exhaustive run the first batch at every level, the others by turns."""
    turns = cycle(levels(target))
    for number, batch in enumerate(batches(chosen(target, of))):
        if exhaustive() and number and next(turns) != level:
            continue
        check_runs(target, image(target, levels(target)[level], batch, frame(target), tmp_path), batch)
