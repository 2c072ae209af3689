"""The cores that the simulator's tests run on: a table for each, in a file for each target."""

from collections.abc import Mapping
from typing import Any

import pytest

from . import armv6m, avr, msp430, rl78, rv32e
from .core import Calls, Case, Core, Rule, Snippet

CORES = (
    rl78.CORE,
    avr.CORE,
    avr.XT,
    msp430.CORE,
    msp430.CPUX,
    msp430.CPUX2,
    armv6m.CORE,
    rv32e.IMC,
    rv32e.CORE,
)
"""Those whose tables are whole."""
MACHINES = (*CORES, *rl78.OTHERS, *avr.OTHERS, *armv6m.OTHERS, *rv32e.OTHERS)
"""With further cores and parts of the targets, whose tables have some rows."""

OTHERS = [other for machine in MACHINES for other in machine.others]
"""Independent simulators of them."""

every_core = pytest.mark.parametrize("core", CORES, ids=repr)


def rows(name: str) -> Any:
    """One test for each row of that table of each machine; a row that is no tuple is one argument."""
    cases = []
    for machine in MACHINES:
        table = getattr(machine, name)
        if isinstance(table, Mapping):  # by status
            table = [row for status, found in table.items() for row in of_status(status, found)]
        for row in table:
            values = row if isinstance(row, tuple) else (row,)
            cases.append(pytest.param(machine, *values, id=f"{machine.name}: {label(values[0])}"))
    return cases


def of_status(status: str, found: Any) -> list[tuple]:
    """Source and status, and what else the table has of a source."""
    if isinstance(found, Mapping):
        return [(source, status, value) for source, value in found.items()]
    return [(source, status) for source in found]


def label(value: object) -> str:
    """A short name of a row."""
    text = getattr(value, "what", None) or getattr(value, "source", None) or str(value)
    return text if len(text) < 60 else f"{text[:56]} ..."


__all__ = ["CORES", "MACHINES", "Calls", "Case", "Core", "Rule", "Snippet", "every_core", "rows"]
