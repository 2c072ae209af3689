"""Results and flags against plain arithmetic, and corners where other simulators are known to differ."""

import random

import pytest

from .cores import rows


@pytest.mark.parametrize("core, rule", rows("rules"))
def test_results_and_flags(core, rule):
    s = core.snippet(rule.source)
    for state in rule.states(random.Random(rule.source)):
        s.set(state)
        assert s.run().ok
        expected = rule.result(state)
        assert s.get(expected) == expected, state


@pytest.mark.parametrize("core, case", rows("corners"))
def test_corners(core, case):
    core.check(case)
