"""The portfolio's winners and contenders in SUPERCOP's line format, for programs that read its databases.

A line begins with version, machine, ABI, date, operation and primitive; then come the name of a figure and
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
"""A measurement on a simulator is the same every day."""


def lines(portfolios: Sequence[Portfolio]) -> str:
    """All lines of the winners, each variant once, and of the contenders, each with its compiler."""
    winners = {winner.variant.id: winner for portfolio in portfolios for winner in portfolio.winners}
    written = [
        line
        for winner in winners.values()
        for line in _of(winner, winner.variant, winner.variant.template, curve(winner))
    ]
    for rival in (rivalry.contender for portfolio in portfolios for rivalry in portfolio.rivalries):
        written += _of(rival, rival, rival.name, rival.curve)
    return "".join(f"{line}\n" for line in written)


def _of(
    routine: Measurement | Contender, subject: Variant | Contender, name: str, messages: Curve | None
) -> Iterator[str]:
    """The lines of one routine: `subject` says what and where it is, `name` what it is made of."""
    primitive = load_primitive(subject.primitive)
    for operation, word, figures in _told(primitive, routine.cost, messages):
        prefix = f"{__version__} {subject.part} {subject.target} {_NO_DATE} {operation} {word}"
        yield f"{prefix} implementation {operation}/{word}/{subject.id} {name}"
        if isinstance(routine, Contender):
            compiler = "_".join((routine.compiler, *routine.flags.split()))
            yield f"{prefix} compiler {compiler} {routine.version}"
        for what, size in _sizes(primitive, routine.cost):
            yield f"{prefix} {what} {size}"
        for length, cycles in figures:
            yield f"{prefix} cycles {length} {round(cycles)}"


def _told(
    primitive: Primitive, cost: Cost, messages: Curve | None
) -> Iterator[tuple[str, str, list[tuple[int, int | float]]]]:
    """(operation, primitive, cycles by bytes): messages for a hash, a block for each entry of a cipher."""
    word = re.sub(r"[^a-z0-9]", "", primitive.id)
    if primitive.kind == "hash":
        yield "crypto_hash", word, list(zip(messages.lengths, messages.cycles, strict=True))
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
