"""The portfolio's winners in SUPERCOP's line format, for programs that read its databases.

A line begins with version, machine, ABI, date, operation and primitive; then come a word for what is told and
its values. Operations and primitives are named in SUPERCOP's way, without punctuation.
"""

import re
from collections.abc import Iterator, Sequence

from tightfit import __version__
from tightfit.curve import curve
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Measurement
from tightfit.reports.portfolio import Portfolio

_NO_DATE = "-"
"""A measurement on a simulator is the same on every day."""


def lines(portfolios: Sequence[Portfolio]) -> str:
    """All lines of the winners, each variant once."""
    seen = {m.variant.id: m for one in portfolios for m in one.winners}
    return "".join(f"{line}\n" for one in seen.values() for line in _of(one))


def _of(one: Measurement) -> Iterator[str]:
    variant, primitive = one.variant, load_primitive(one.variant.primitive)
    for operation, name, figures in _told(primitive, one):
        prefix = f"{__version__} {variant.part} {variant.target} {_NO_DATE} {operation} {name}"
        yield f"{prefix} implementation {operation}/{name}/{variant.id} {variant.template}"
        for what, size in _sizes(primitive, one):
            yield f"{prefix} {what} {size}"
        for length, cycles in figures:
            yield f"{prefix} cycles {length} {round(cycles)}"


def _told(primitive: Primitive, one: Measurement) -> Iterator[tuple[str, str, list[tuple[int, int | float]]]]:
    """(operation, primitive, cycles by bytes): whole messages of a hash, one block an entry of a cipher."""
    word = re.sub(r"[^a-z0-9]", "", primitive.id)
    if primitive.kind == "hash":
        found = curve(one)
        yield "crypto_hash", word, list(zip(found.lengths, found.cycles, strict=True))
        return
    for entry, timing in one.cost.by_entry.items():
        if entry != "setup":
            yield "crypto_core", word + entry.replace("_", ""), [(primitive.block_bytes, timing.cycles)]


def _sizes(primitive: Primitive, one: Measurement) -> Iterator[tuple[str, int]]:
    yield "outputbytes", primitive.digest_bytes or primitive.block_bytes
    if primitive.key_bytes:
        yield "keybytes", primitive.key_bytes
    yield "rombytes", one.cost.rom
    yield "rambytes", one.cost.ram
