"""What tests cost: a usual run names the dearest, and those that take long without saying why.

CPU time is that of the test's process and of the children that it waited for, fixtures included. A test that
must take more than `LIMIT` says why: `@pytest.mark.dear("an image of every kind is linked")`.
"""

import os
from pathlib import Path

import pytest

LIMIT = 2.0
"""Seconds of CPU time that a test may take without a reason."""
SHOWN = 10
_KEY = "cpu"


def spent() -> float:
    """Seconds of CPU time of this process and of its children that ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def add_options(parser):
    """`--costs`."""
    parser.addoption("--costs", metavar="FILE", help="write there the CPU time of each test, in seconds")


class Dearest:
    """Adds to each report what its test cost, and says at the end of a run which tests were dearest."""

    def __init__(self, config) -> None:
        self._file = config.option.costs
        self._costs: dict[str, float] = {}
        self._silent: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        """Note where the test begins; the report of its teardown has the cost."""
        item.stash[_BEGUN] = spent()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        """Put the cost into the last report of a test."""
        report = yield
        if report.when == "teardown":
            reason = item.get_closest_marker("dear") or item.get_closest_marker("long")
            report.user_properties.append((_KEY, (spent() - item.stash[_BEGUN], reason is not None)))
        return report

    def pytest_runtest_logreport(self, report):
        """Take the cost from a report, which may come from a worker."""
        for cost, excused in (told for key, told in report.user_properties if key == _KEY):
            self._costs[report.nodeid] = cost
            if cost > LIMIT and not excused:
                self._silent[report.nodeid] = cost

    def pytest_terminal_summary(self, terminalreporter):
        """The dearest tests, and those that do not say why they take long."""
        if not self._costs:
            return
        ranked = sorted(self._costs.items(), key=lambda each: -each[1])
        if self._file:
            Path(self._file).write_text("".join(f"{cost:8.2f}  {name}\n" for name, cost in ranked))
        write = terminalreporter.write_line
        total = sum(self._costs.values())
        write(f"CPU time of {len(self._costs)} tests: {total / 60:.1f} min; the dearest:")
        for name, cost in ranked[:SHOWN]:
            write(f"  {cost:6.1f} s  {name}")
        if self._silent:
            write(f"{len(self._silent)} tests took more than {LIMIT:.0f} s and do not say why (mark `dear`):")
            for name, cost in sorted(self._silent.items(), key=lambda each: -each[1]):
                write(f"  {cost:6.1f} s  {name}")


_BEGUN = pytest.StashKey[float]()
