"""What measured variants have in common that were all rejected: a value, or two together, that seems broken.

A doubt keeps the search from proposing thousands of such variants. It proves nothing: what only doubts keep
out stays open.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from tightfit.records import Knobs

from .pieces import Path

ENOUGH = 12


def doubts(accepted: Iterable[Knobs], rejected: Iterable[Knobs]) -> list[Path]:
    """Values of one knob, or of two, of which at least `ENOUGH` variants were rejected and none accepted."""
    passed = set()
    for knobs in accepted:
        passed.update(_paths(knobs))
    failed = Counter(path for knobs in rejected for path in _paths(knobs))
    found = [path for path, count in failed.items() if count >= ENOUGH and path not in passed]
    single = {path for path in found if len(path) == 1}
    return sorted(path for path in found if len(path) == 1 or not single & {(one,) for one in path})


def _paths(knobs: Knobs) -> Iterator[Path]:
    items = sorted(knobs.items())
    yield from ((item,) for item in items)
    yield from combinations(items, 2)
