"""What the benchmarks of the search share: options that choose the space, and a pool that measures it."""

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tightfit.harness.pool import Pool, pool_here
from tightfit.harness.store import Store
from tightfit.targets import load_target


def space_options(doc: str) -> argparse.ArgumentParser:
    """A parser with options for the space and the store; its help begins with `doc`."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--target", default="rl78")
    parser.add_argument("--primitive", default="keccak-256")
    parser.add_argument("--operation", default="hash")
    parser.add_argument("--store", type=Path, help="keep the measurements in this file")
    return parser


@contextmanager
def measuring(chosen: argparse.Namespace) -> Iterator[tuple[str, Pool]]:
    """The part, and a pool that measures on it; without a named store nothing is kept."""
    part = load_target(chosen.target).default_part
    with tempfile.TemporaryDirectory() as folder:
        with (
            Store.open(chosen.store or Path(folder) / "store.sqlite") as store,
            pool_here(store) as pool,
        ):
            yield part, pool
