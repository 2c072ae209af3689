"""Chains of calls as NIST's Monte Carlo tests make them, short ones."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from tightfit.harness import montecarlo
from tightfit.harness.bench import CYCLE_LIMIT
from tightfit.harness.build import Builder
from tightfit.harness.chain import ChainMachine
from tightfit.primitives import load_primitive
from tightfit.targets import load_target


def short(primitive="aes-128", function="encrypt", calls=20, groups=3):
    """A test with few calls, and its groups."""
    (test,) = montecarlo.tests_of(load_primitive(primitive), [function])
    test = replace(test, calls=calls, groups=groups)
    return test, list(test.answers())


@contextmanager
def machine_of_rl78() -> Iterator[tuple[Builder, ChainMachine]]:
    target = load_target("rl78")
    builder = Builder(target, target.part())
    yield builder, ChainMachine(target, target.part(), CYCLE_LIMIT)
    builder.close()
