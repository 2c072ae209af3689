"""What rejected variants have in common: a value, or two together, that seems broken.

A doubt keeps the search from proposing thousands of such variants. It proves nothing: a variant that only a
doubt keeps out stays open.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from tightfit.records import Knobs

from .pieces import Path

ENOUGH = 12


def doubts(accepted: Iterable[Knobs], rejected: Iterable[Knobs]) -> list[Path]:
    """Values of one knob, or of two, with at least `ENOUGH` variants rejected and none accepted."""
    passed = set()
    for knobs in accepted:
        passed.update(_paths(knobs))
    failed = Counter(path for knobs in rejected for path in _paths(knobs))
    doubtful = [path for path, count in failed.items() if count >= ENOUGH and path not in passed]
    single = {path for path in doubtful if len(path) == 1}
    return sorted(path for path in doubtful if len(path) == 1 or not single & {(item,) for item in path})


def _paths(knobs: Knobs) -> Iterator[Path]:
    items = sorted(knobs.items())
    yield from ((item,) for item in items)
    yield from combinations(items, 2)
