"""The exhaustive run: in shards, resumed where it was stopped; and what of it a usual run takes.

A test that is only for the exhaustive run has the mark `long`, with the seconds of CPU time that it takes. A
usual run takes one of them and what fits beside it into `SHARE`, others with each commit, so that nothing
rots unseen. Of the cases of a test with the mark `in_turn(n)` it takes about one in `n`, others with each
commit.
"""

import hashlib
import re
import subprocess
from pathlib import Path

import pytest

from tests import sampling

SHARE = 60.0
"""Seconds of CPU time that a usual run gives to tests of the exhaustive one."""
_SECONDS = 5.0
"""What a `long` test takes that does not say."""


def add_options(parser):
    """`--exhaustive` and `--shard`."""
    parser.addoption("--exhaustive", action="store_true", help="test all that a usual run has a sample of")
    parser.addoption("--shard", metavar="K/N", help="of an exhaustive run: the K-th of N parts")
    parser.addoption(
        "--from-the-start", action="store_true", help="of an exhaustive run: what passed as well"
    )


class LongRun:
    """Chooses the tests of a run, and keeps what passed of an exhaustive one."""

    def __init__(self, config):
        self.shard = _shard(config.option.shard, config.option.exhaustive)
        self.begun = 0
        self._failed: set[str] = set()
        self.done: frozenset[str] = frozenset()
        self._file: Path | None = None
        if hasattr(config, "workerinput"):
            self.done = frozenset(config.workerinput["done"])
        elif sampling.exhaustive():
            self._file = config.cache.mkdir("exhaustive") / f"{_state()}.txt"
            if self._file.is_file() and not config.option.from_the_start:
                self.done = frozenset(self._file.read_text(encoding="utf-8").splitlines())

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        """Every worker leaves out the same tests."""
        node.workerinput["done"] = sorted(self.done)

    def pytest_report_header(self):
        """What an exhaustive run has done before."""
        if sampling.exhaustive():
            part = f", shard {self.shard[0]} of {self.shard[1]}" if self.shard else ""
            return f"exhaustive{part}: {len(self.done)} tests passed before in this state of the source"
        return None

    def pytest_collection_modifyitems(self, config, items):
        """Leave out what is not of this run."""
        chosen = [item for item in items if self._wanted(item)] if sampling.exhaustive() else _usual(items)
        if len(chosen) < len(items):
            kept = set(chosen)
            config.hook.pytest_deselected(items=[item for item in items if item not in kept])
            items[:] = chosen

    def _wanted(self, item) -> bool:
        mine = self.shard is None or sampling.hash_of(item.nodeid) % self.shard[1] == self.shard[0] - 1
        return mine and item.nodeid not in self.done

    def pytest_runtest_logreport(self, report):
        """Keep what passed, so that the next exhaustive run leaves it out."""
        if self._file is None:
            return
        if report.failed:
            self._failed.add(report.nodeid)
        if report.when == "teardown" and report.nodeid not in self._failed:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(f"{report.nodeid}\n")


def _usual(items) -> list:
    """All tests that are not long and have their turn; of the long ones the first, and what fits beside it.

    They come first, so that no worker still has one when the others are done.
    """
    long = [item for item in items if item.get_closest_marker("long")]
    others = [item for item in items if not item.get_closest_marker("long") and _has_its_turn(item)]
    taken, left = set(), SHARE
    for item in sorted(long, key=lambda item: sampling.hash_of(sampling.commit() + item.nodeid)):
        seconds = item.get_closest_marker("long").kwargs.get("seconds", _SECONDS)
        if seconds <= left or not taken:
            taken.add(item)
            left -= seconds
    return [*(item for item in long if item in taken), *others]


def _has_its_turn(item) -> bool:
    mark = item.get_closest_marker("in_turn")
    return mark is None or sampling.is_its_turn(item.nodeid, *mark.args)


def _shard(text: str | None, exhaustive: bool) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not exhaustive or not found or not 1 <= int(found[1]) <= int(found[2]):
        raise pytest.UsageError(f"--shard {text}: expected K/N with K from 1 to N, beside --exhaustive")
    return int(found[1]), int(found[2])


def _state() -> str:
    """A hash of the commit and of what was changed since."""
    changed = subprocess.run(
        ["git", "diff", "HEAD"], cwd=Path(__file__).parent, capture_output=True, check=False
    ).stdout
    return hashlib.sha256(sampling.commit().encode() + changed).hexdigest()[:16]
