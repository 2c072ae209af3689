"""What the FSE 2013 study drew: every category of its portfolio, and whole messages within one budget.

Matsui and Murakami, "Minimalism of Software Implementation": slides 17, 18, 20 and 21 show the cycles of
messages by their length for all ciphers and hashes within one budget of ROM, the others the portfolio.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tightfit.budgets import format_size
from tightfit.curve import message_cycles
from tightfit.primitives import Primitive, PublishedCell
from tightfit.records import Measurement
from tightfit.reports import pictures, words
from tightfit.reports.answer import Answer
from tightfit.reports.document import Table
from tightfit.reports.portfolio import SYMBOLS, Portfolio

SOURCE = "fse2013"
COLUMNS = ("ROM-min", "512B", "1KB", "2KB", "Fast")
LENGTHS = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
ROMS = ("512B", "1KB", "2KB")
NO_FIGURE = "fits"
RULES = (
    "Print: Matsui and Murakami, FSE 2013, slides 17 to 31: cycles a block, of a pair encrypt / decrypt; "
    f"{NO_FIGURE}: the slides draw it without a number; - and x are theirs.",
    "A following block is decrypted like the first, as far as the slides do not print it by itself.",
)


@dataclass(frozen=True)
class Group:
    """What shares a picture: a name, a kind and an operation, and for hashes the bits of the digest."""

    name: str
    kind: str
    operation: str
    ram: str
    digest_bits: int = 0

    def holds(self, portfolio: Portfolio) -> bool:
        """Whether an operation of a primitive belongs in the picture."""
        primitive = portfolio.primitive
        found = (primitive.kind, portfolio.operation, 8 * primitive.digest_bytes)
        return found == (self.kind, self.operation, self.digest_bits)


GROUPS = (
    Group("block ciphers, encryption", "block-cipher", "encrypt", "128B"),
    Group("block ciphers, both directions", "block-cipher", "encrypt+decrypt", "128B"),
    Group("hashes of 256 bits", "hash", "hash", "512B", 256),
    Group("hashes of 512 bits", "hash", "hash", "512B", 512),
    Group("stream ciphers", "stream-cipher", "encrypt", "256B"),
    Group("message authentication codes", "mac", "mac", "512B"),
    Group("authenticated encryption", "aead", "seal", "512B"),
)


def categories(portfolios: Iterable[Portfolio]) -> list[Table]:
    """A table for each operation of the study, ours beside print in every category of ROM and RAM."""
    return [
        _categories(portfolio, cells)
        for portfolio in portfolios
        if (cells := [cell for cell in _printed(portfolio) if cell.source_id == SOURCE])
    ]


def _printed(portfolio: Portfolio) -> list[PublishedCell]:
    cells = portfolio.primitive.published(portfolio.target)
    return [cell for cell in cells if cell.operation == portfolio.operation]


def _categories(portfolio: Portfolio, cells: Sequence[PublishedCell]) -> Table:
    answers = {answer.question.budget.name: answer for answer in portfolio.answers}
    rams = sorted({cell.ram for cell in cells if cell.ram}, reverse=True)
    rows = []
    for ram in rams:
        printed = {cell.budget: cell for cell in cells if cell.ram == ram}
        own = [answers.get(f"{rom}/{format_size(ram)}") for rom in COLUMNS]
        rows.append((f"{ram} B", "print", *(_print(printed.get(rom)) for rom in COLUMNS)))
        rows.append((f"{ram} B", "ours", *map(_ours, own)))
    caption = f"{portfolio.primitive.name}, {portfolio.operation}, on {portfolio.part}"
    return Table(caption, ("RAM", "whose", *COLUMNS), tuple(rows), frozenset(range(2, 7)))


def _print(cell: PublishedCell | None) -> str:
    if cell is None:
        return ""
    if cell.status in SYMBOLS:
        return SYMBOLS[cell.status]
    figures = " / ".join(map(words.cycles, cell.by_entry.values())) or NO_FIGURE
    return f"{figures} ({cell.rom:,} B)" if cell.budget in ("ROM-min", "Fast") and cell.rom else figures


def _ours(answer: Answer | None) -> str:
    if answer is None:
        return ""
    if answer.measurement is None:
        return SYMBOLS.get(answer.status, "?")
    cost = answer.measurement.cost
    size = "" if answer.question.budget.rom else f" ({cost.rom:,}{words.padding(cost.padding.rom)} B)"
    return words.by_entry(cost) + size


def lengths(portfolios: Sequence[Portfolio]) -> list[Markup]:
    """Pictures of one part, for each group and ROM: cycles a byte by length, a line for each primitive."""
    drawn = (_lengths(portfolios, group, rom) for group in GROUPS for rom in ROMS)
    return list(filter(None, drawn))


def _lengths(portfolios: Sequence[Portfolio], group: Group, rom: str) -> Markup:
    own = filter(group.holds, portfolios)
    lines = [line for portfolio in own for line in _lines(portfolio, f"{rom}/{group.ram}")]
    title = f"{group.name}: cycles a byte within {rom} of ROM and {group.ram} of RAM"
    return pictures.lines(title, "bytes of the message", "cycles a byte", lines)


def _lines(portfolio: Portfolio, budget: str) -> Iterator[pictures.Line]:
    """The line of the fastest within a budget, of a pair one for each direction."""
    for answer in portfolio.answers:
        if answer.question.budget.name != budget or answer.measurement is None:
            continue
        yield from _directions(portfolio.primitive, answer.measurement)


def _directions(primitive: Primitive, measurement: Measurement) -> Iterator[pictures.Line]:
    name = primitive.name
    if "decrypt" in measurement.cost.by_entry:
        decrypt = measurement.cost.by_entry["decrypt"].cycles
        blocks = {length: -(-length // primitive.block_bytes) for length in LENGTHS}
        points = tuple((length, count * decrypt / length) for length, count in blocks.items())
        yield pictures.Line(f"{name} D", points)
        name = f"{name} E"
    known = ((length, message_cycles(measurement, primitive, length)) for length in LENGTHS)
    points = tuple((length, cycles / length) for length, cycles in known if cycles is not None)
    yield pictures.Line(name, points)
