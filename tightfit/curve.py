"""Message-length curves: cycles of whole messages, of hashes and of block ciphers in ECB."""

from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Cost, Curve, Measurement

LENGTHS = (0, 1, 8, 16, 40, 64, 512, 576, 1024, 1500, 1536, 2048)
"""Lengths in bytes of the messages of a curve."""


def curve(measurement: Measurement) -> Curve | None:
    """The message-length curve of a measured variant, None for a rejected one.

    Notes
    -----
    The curve of a hash was measured with the variant. A block cipher takes ceil(n / block) blocks: the
    first with a fresh key, the others with `encrypt_next` where the variant has it, else as the first.
    """
    if measurement.cost is None or measurement.curve is not None:
        return measurement.curve
    return of_blocks(load_primitive(measurement.variant.primitive), measurement.cost)


def of_blocks(primitive: Primitive, cost: Cost) -> Curve:
    """The message-length curve of a block cipher, from the figures of a block."""
    block = primitive.block_bytes
    first, following = _blocks(cost)
    counts = (-(-length // block) for length in LENGTHS)
    points = tuple(first + (count - 1) * following if count else 0 for count in counts)
    return Curve(LENGTHS, points, following // block if following % block == 0 else following / block)


def _blocks(cost: Cost) -> tuple[int | float, int | float]:
    """Cycles of a block under a fresh key, and of a following block."""
    cycles = {entry: timing.cycles for entry, timing in cost.by_entry.items()}
    following = cycles.get("encrypt_next", cycles.get("encrypt"))
    first = cycles.get("encrypt", cycles.get("setup", 0) + following)
    return first, following
