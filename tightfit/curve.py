"""Message-length curves: cycles of whole messages; those of block ciphers are in ECB."""

from collections.abc import Iterator

from tightfit.primitives import Primitive, load_primitive
from tightfit.primitives.kinds import CHAINED, RANKED_TEXT
from tightfit.records import Contender, Cost, Curve, Measurement

LENGTHS = (0, 1, 8, 16, 40, 64, 512, 576, 1024, 1500, 1536, 2048)
"""Lengths in bytes of the messages of a curve."""
WITH_DATA = RANKED_TEXT
"""Bytes of associated data of the second curve of authenticated encryption."""
Cycles = int | float


def curve(measurement: Measurement) -> Curve | None:
    """The message-length curve of a measured variant, None for a rejected one.

    Notes
    -----
    The curve of other kinds was measured with the variant. A block cipher takes ceil(n / block) blocks: the
    first with a fresh key, the others with `encrypt_next` where the variant has it, else as the first. Of a
    variant that only decrypts it is decryption. CBC takes as many blocks after its set-up.
    """
    if measurement.cost is None or measurement.curve is not None:
        return measurement.curve
    return of_blocks(load_primitive(measurement.variant.primitive), measurement.cost)


def of_blocks(primitive: Primitive, cost: Cost) -> Curve:
    """The message-length curve of a block cipher, from the figures of a block."""
    block = primitive.block_bytes
    _, following = _blocks(_means(cost))
    points = tuple(_of_cipher(primitive, _means(cost), length) for length in LENGTHS)
    return Curve(LENGTHS, points, following // block if following % block == 0 else following / block)


def calls(primitive: Primitive, length: int, data: int = 0) -> int:
    """Calls of the routine that a message takes, `data` bytes of associated data included."""
    block = primitive.block_bytes
    if primitive.kind in ("block-cipher", "stream-cipher"):
        return -(-length // block) + (primitive.kind == "stream-cipher")
    if primitive.kind == "aead":
        return (data // block + 1 if data else 0) + length // block + 1
    return primitive.split(length)[0] + 1


def message_cycles(measured: Measurement | Contender, primitive: Primitive, length: int) -> Cycles | None:
    """Cycles of a message of any length, as its curve has them; None where that is not known.

    Notes
    -----
    Of a hash or MAC whose curve lacks the length, the last call is that of the length that is nearest in the
    bytes of its last block; where the padding needs a second block, a middle one is added. It is then an
    estimate: `is_measured` tells.
    """
    cost = measured.cost
    if cost is None:
        return None
    means = _means(cost)
    if primitive.kind == "block-cipher":
        return _of_cipher(primitive, means, length)
    points = dict(zip(measured.curve.lengths, measured.curve.cycles, strict=True)) if measured.curve else {}
    if length in points:
        return points[length]
    if primitive.kind == "stream-cipher":
        return _of_stream(primitive, means, points, length)
    if not {"first", "middle", "last"} <= means.keys():
        return None
    return _of_hash(primitive, means, points, length)


def is_measured(primitive: Primitive, length: int) -> bool:
    """Whether cycles of messages of that length follow from measured calls; else they are an estimate."""
    full, rest = primitive.split(length)
    whole = full > 0 and rest % primitive.block_bytes == 0
    return primitive.form in ("block-cipher", CHAINED) or length in LENGTHS or whole


def _of_cipher(primitive: Primitive, cycles: dict[str, Cycles], length: int) -> Cycles:
    """ECB: the first block under a fresh key, then following ones."""
    blocks = -(-length // primitive.block_bytes)
    first, following = _blocks(cycles)
    return first + (blocks - 1) * following if blocks else 0


def _of_stream(
    primitive: Primitive, means: dict[str, Cycles], points: dict[int, Cycles], length: int
) -> Cycles:
    """Set-up, full blocks, and a last one as that which is nearest in its bytes."""
    block = primitive.block_bytes
    following = next(cycles for name, cycles in means.items() if name.endswith("next"))
    full, rest = divmod(length, block)
    lasts = {n % block: cycles - means["setup"] - n // block * following for n, cycles in points.items()}
    nearest = min((n for n in lasts if n), key=lambda n: (abs(n - rest), n), default=0)
    last = lasts.get(nearest, following) if rest else 0
    return means["setup"] + full * following + last


def _of_hash(
    primitive: Primitive, means: dict[str, Cycles], points: dict[int, Cycles], length: int
) -> Cycles | None:
    full, rest = primitive.split(length)
    before = means["first"] + (full - 1) * means["middle"] if full else 0
    calls = dict(_last_calls(primitive, means, points, alone=not full))
    if full and rest % primitive.block_bytes == 0:
        return before + means["last"]
    if not calls:
        return None
    nearest = min(calls, key=lambda known: (abs(known - rest), known))
    more = _padding_blocks(primitive, rest) - _padding_blocks(primitive, nearest)
    return before + calls[nearest] + more * means["middle"]


def _last_calls(
    primitive: Primitive, means: dict[str, Cycles], points: dict[int, Cycles], alone: bool
) -> Iterator[tuple[int, Cycles]]:
    """(bytes in the last block, cycles of the last call), of messages of one block or of several."""
    if not alone:
        yield primitive.split(2 * primitive.block_bytes)[1], means["last"]
    for length, cycles in points.items():
        full, rest = primitive.split(length)
        if alone and not full:
            yield rest, cycles
        elif full and rest % primitive.block_bytes and not alone:
            yield rest, cycles - means["first"] - (full - 1) * means["middle"]


def _padding_blocks(primitive: Primitive, rest: int) -> int:
    """1 where the padding does not end in the block that has the last bytes, as a length is part of it."""
    if primitive.full_last or primitive.padding_apart:
        return int(primitive.padding_apart and rest > 0)
    length_bytes = primitive.block_bytes // 8 if primitive.message_bits else 0
    return int(rest + 1 + length_bytes > primitive.block_bytes)


def _blocks(cycles: dict[str, Cycles]) -> tuple[Cycles, Cycles]:
    """Cycles of a block under a fresh key, and of a following block; decrypted where nothing encrypts."""
    way = next(way for way in ("encrypt", "decrypt") if {way, f"{way}_next"} & cycles.keys())
    following = cycles.get(f"{way}_next", cycles.get(way))
    return cycles.get(way, cycles.get("setup", 0) + following), following


def _means(cost: Cost) -> dict[str, Cycles]:
    return {entry: timing.cycles for entry, timing in cost.by_entry.items()}
