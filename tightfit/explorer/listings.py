"""Sources or listings of many variants, each rendered, or assembled and run, on all cores of this machine."""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import Any

from tightfit.errors import WorkError
from tightfit.explorer.variantpage import listing_page
from tightfit.records import Variant
from tightfit.targets.progress import Progress, silent

FEW = 24
"""So many are done before other processes have started."""
_AT_ONCE = 40


def listing_pages(
    variants: Iterable[Variant], measured: bool = True, progress: Progress = silent
) -> dict[str, dict[str, Any]]:
    """The listing page of every variant by its id; WorkError if a process is killed meanwhile."""
    by_id = {variant.id: variant for variant in variants}
    groups, workers = _groups(by_id.values()), os.cpu_count() or 1
    make = partial(_pages, measured=measured)
    if len(by_id) <= FEW or workers == 1:
        done = map(make, groups)
    else:
        done = _shared(make, groups, min(workers, len(groups)))
    pages_by_id: dict[str, dict[str, Any]] = {}
    for pages in done:
        pages_by_id |= {page["id"]: page for page in pages}
        progress("listings" if measured else "sources", len(pages_by_id), len(by_id))
    return {variant_id: pages_by_id[variant_id] for variant_id in by_id}


def _shared(make: partial, groups: Sequence[Sequence[Variant]], workers: int) -> Iterator[list]:
    try:
        with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
            yield from pool.map(make, groups)
    except BrokenProcessPool:
        raise WorkError("a process that made listings ended (killed, or out of memory)") from None


def _groups(variants: Iterable[Variant]) -> list[list[Variant]]:
    """Variants that share their templates, so many at once, the largest group first."""
    families: dict[tuple[str, str], list[Variant]] = {}
    for variant in variants:
        families.setdefault((variant.target, variant.primitive), []).append(variant)
    groups = []
    for family in families.values():
        rest = iter(family)
        groups += iter(lambda rest=rest: list(islice(rest, _AT_ONCE)), [])
    return sorted(groups, key=len, reverse=True)


def _pages(variants: Sequence[Variant], measured: bool) -> list[dict[str, Any]]:
    return [listing_page(variant, measured) for variant in variants]
