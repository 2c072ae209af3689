"""Listings of many variants: each is rendered, assembled and run, on all cores of this machine."""

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from tightfit.errors import WorkError
from tightfit.explorer.variantpage import listing_page
from tightfit.records import Variant

FEW = 24
"""So many are done before other processes have started."""


def listing_pages(variants: Iterable[Variant]) -> dict[str, dict[str, Any]]:
    """The listing page of every variant by its id; WorkError if a process is killed meanwhile."""
    by_id = {variant.id: variant for variant in variants}
    groups, workers = _groups(by_id.values()), os.cpu_count() or 1
    if len(by_id) <= FEW or workers == 1:
        pages = [page for group in groups for page in _pages(group)]
    else:
        pages = _shared(groups, min(workers, len(groups)))
    pages_by_id = {page["id"]: page for page in pages}
    return {variant_id: pages_by_id[variant_id] for variant_id in by_id}


def _shared(groups: Sequence[Sequence[Variant]], workers: int) -> list[dict[str, Any]]:
    try:
        with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
            return [page for pages in pool.map(_pages, groups) for page in pages]
    except BrokenProcessPool:
        raise WorkError("a process that made listings ended (killed, or out of memory)") from None


def _groups(variants: Iterable[Variant]) -> list[list[Variant]]:
    """Variants that share their templates, the largest group first."""
    groups: dict[tuple[str, str], list[Variant]] = {}
    for variant in variants:
        groups.setdefault((variant.target, variant.primitive), []).append(variant)
    return sorted(groups.values(), key=len, reverse=True)


def _pages(variants: Sequence[Variant]) -> list[dict[str, Any]]:
    return [listing_page(variant) for variant in variants]
