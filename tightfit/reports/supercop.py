"""The portfolio's winners and contenders in SUPERCOP's line format, for programs that read its databases.

A line begins with version, machine, ABI, date, operation and primitive; then come a word for what is told and
its values. Operations and primitives are named in SUPERCOP's way, without punctuation.
"""

import re
from collections.abc import Iterator, Sequence

from tightfit import __version__
from tightfit.curve import curve
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Contender, Cost, Curve, Measurement, Variant
from tightfit.reports.portfolio import Portfolio

_NO_DATE = "-"
"""A measurement on a simulator is the same on every day."""


def lines(portfolios: Sequence[Portfolio]) -> str:
    """All lines of the winners, each variant once, and of the contenders, each with what compiled it."""
    seen = {m.variant.id: m for one in portfolios for m in one.winners}
    told = [line for one in seen.values() for line in _of(one, one.variant, one.variant.template, curve(one))]
    for rival in (each.contender for one in portfolios for each in one.rivalries):
        told += _of(rival, rival, rival.name, rival.curve)
    return "".join(f"{line}\n" for line in told)


def _of(
    one: Measurement | Contender, who: Variant | Contender, name: str, messages: Curve | None
) -> Iterator[str]:
    """The lines of one routine: `who` says what and where it is, `name` what it is made of."""
    primitive = load_primitive(who.primitive)
    for operation, word, figures in _told(primitive, one.cost, messages):
        prefix = f"{__version__} {who.part} {who.target} {_NO_DATE} {operation} {word}"
        yield f"{prefix} implementation {operation}/{word}/{who.id} {name}"
        if isinstance(one, Contender):
            yield f"{prefix} compiler {'_'.join((one.compiler, *one.flags.split()))} {one.version}"
        for what, size in _sizes(primitive, one.cost):
            yield f"{prefix} {what} {size}"
        for length, cycles in figures:
            yield f"{prefix} cycles {length} {round(cycles)}"


def _told(
    primitive: Primitive, cost: Cost, found: Curve | None
) -> Iterator[tuple[str, str, list[tuple[int, int | float]]]]:
    """(operation, primitive, cycles by bytes): whole messages of a hash, one block an entry of a cipher."""
    word = re.sub(r"[^a-z0-9]", "", primitive.id)
    if primitive.kind == "hash":
        yield "crypto_hash", word, list(zip(found.lengths, found.cycles, strict=True))
        return
    for entry, timing in cost.by_entry.items():
        if entry != "setup":
            yield "crypto_core", word + entry.replace("_", ""), [(primitive.block_bytes, timing.cycles)]


def _sizes(primitive: Primitive, cost: Cost) -> Iterator[tuple[str, int]]:
    yield "outputbytes", primitive.digest_bytes or primitive.block_bytes
    if primitive.key_bytes:
        yield "keybytes", primitive.key_bytes
    yield "rombytes", cost.rom
    yield "rambytes", cost.ram
