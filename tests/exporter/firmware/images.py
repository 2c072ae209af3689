"""Firmware that calls exported routines: C that is rendered for a batch of them, compiled and linked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import jinja2

from tightfit.primitives import Primitive
from tightfit.primitives.kinds import CHAINED
from tightfit.primitives.vectors import ChainedVector

from .boards import runs_on_gnu
from .compilers import HERE, RUNTIME, assemble, bare, compile_c, link
from .winners import Winner

ROM, STATIC = 20_000, 1_000
"""The most bytes of ROM and static RAM for the routines of an image; a single routine may take more."""
WATCHED_BYTES = 5
"""Bytes in the last block of the message that is hashed under supervision."""
KNOWN = 4
ODD_CODE = ("rl78",)
"""Targets whose instructions may begin at odd addresses; on MSP430 every code section has an even size."""


def batches(winners: Sequence[Winner]) -> Iterator[list[Winner]]:
    """Winners in batches that fit an image; those that some simulator runs wrongly have their own batches."""
    batch: list[Winner] = []
    for winner in sorted(winners, key=runs_on_gnu):
        if batch and not _fits([*batch, winner]):
            yield batch
            batch = []
        batch.append(winner)
    if batch:
        yield batch


def _fits(batch: Sequence[Winner]) -> bool:
    rom = sum(winner.cost.rom for winner in batch)
    static = sum(winner.cost.ram_parts.static for winner in batch)
    alike = len({runs_on_gnu(winner) for winner in batch}) == 1
    return rom <= ROM and static <= STATIC and alike


def checks(batch: Sequence[Winner]) -> str:
    """C that calls each entry of each routine, unwatched and watched, and reports which have faults."""
    primitive = batch[0].primitive
    values = {
        "winners": batch,
        "primitive": primitive,
        "block_bytes": max(winner.block + 1 for winner in batch),
    }
    values |= _ANSWERS[primitive.form](primitive)
    return environment().get_template(f"{primitive.form}.c.j2").render(**values)


def _of_cipher(primitive: Primitive) -> dict:
    known = [vector for vector in primitive.vectors() if vector.iterations == 1][:KNOWN]
    return {"answers": [(vector.key, vector.plaintext, vector.ciphertext) for vector in known]}


def _of_hash(primitive: Primitive) -> dict:
    return _of_messages(primitive, primitive.oracle.digest)


def _of_mac(primitive: Primitive) -> dict:
    key = message(primitive.key_bytes)
    return {"key": key, **_of_messages(primitive, partial(primitive.oracle.tag, key))}


def _of_messages(primitive: Primitive, answer: Callable[[bytes], bytes]) -> dict:
    lengths = _lengths(primitive)
    return {
        "answers": [(text, answer(text)) for text in map(message, lengths)],
        "longest": max(lengths),
        "watched": len(lengths) - 1,
        "watched_bytes": WATCHED_BYTES,
    }


def _of_stream_cipher(primitive: Primitive) -> dict:
    length = 2 * primitive.block_bytes + WATCHED_BYTES
    pairs = [
        (message(primitive.key_bytes + n)[n:], message(primitive.iv_bytes + n)[n:]) for n in range(KNOWN)
    ]
    return {"answers": [(*pair, primitive.oracle.keystream(*pair, 0, length)) for pair in pairs]}


def _of_chained_blocks(primitive: Primitive) -> dict:
    sizes = (primitive.key_bytes, primitive.iv_bytes, 3 * primitive.block_bytes)
    answers = []
    for n in range(KNOWN):
        key, iv, text = (message(size + n)[n:] for size in sizes)
        answers.append(ChainedVector(key, iv, text, primitive.oracle.encrypt(key, iv, text)))
    return {"answers": answers}


def _of_aead(primitive: Primitive) -> dict:
    sizes = (primitive.key_bytes, primitive.nonce_bytes, primitive.block_bytes + WATCHED_BYTES)
    key, nonce, ad = map(message, sizes)
    text = message(2 * primitive.block_bytes + WATCHED_BYTES)
    sealed = primitive.oracle.seal(key, nonce, ad, text)
    values = {"key": key, "nonce": nonce, "ad": ad, "plaintext": text}
    return {**values, "ciphertext": sealed[: len(text)], "tag": sealed[len(text) :]}


_ANSWERS = {
    "block-cipher": _of_cipher,
    "hash": _of_hash,
    "mac": _of_mac,
    "stream-cipher": _of_stream_cipher,
    CHAINED: _of_chained_blocks,
    "aead": _of_aead,
}


def _lengths(primitive: Primitive) -> list[int]:
    """Empty messages, whole blocks, and lengths around a block; the watched message comes last."""
    block = primitive.block_bytes
    return [0, 1, max(block - 9, 2), block - 1, block, 2 * block + 1, block + WATCHED_BYTES]


def message(length: int) -> bytes:
    """The message of that length that the C writes."""
    return bytes((7 * i + (i >> 8) + 1) & 0xFF for i in range(length))


@dataclass(frozen=True)
class Frame:
    """Objects that programs of a target are linked with.

    `start` has start-up, end and string.h; `watched` calls routines under supervision besides. Where
    `misplaced` stands, every section goes on at an odd address, and what follows must align itself.
    """

    start: Sequence[Path]
    watched: Sequence[Path]
    misplaced: Sequence[Path]


def frame_of(target: str, folder: Path) -> Frame:
    """The objects of a target, made in a folder."""
    sources = sorted((HERE / target).glob("*.s"))
    made = {source.stem: assemble(target, source, folder / f"{source.stem}.o") for source in sources}
    if bare(target):
        made["string"] = compile_c(target, ["-Os"], RUNTIME / "string.c", folder / "string.o")
    start = [made[name] for name in made if name != "supervised"]
    return Frame(start, [*made.values()], _misplaced(target, folder))


def _misplaced(target: str, folder: Path) -> list[Path]:
    objects = []
    for name, filler in {"even": ".balign 2\n.skip 2", "odd": ".skip 1"}.items() if bare(target) else ():
        sections = {".rodata": "a", ".data": "aw"} | ({".text": "ax"} if target in ODD_CODE else {})
        lines = [f'.section {section}, "{flags}"\n{filler}' for section, flags in sections.items()]
        source = folder / f"{name}.s"
        source.write_text("\n".join([*lines, f".section .bss\n{filler}\n"]))
        objects.append(assemble(target, source, source.with_suffix(".o")))
    return objects


def includes(batch: Sequence[Winner]) -> list[str]:
    """Options that name the folders of the headers."""
    return [f"-I{place}" for place in (HERE / "c", *dict.fromkeys(winner.include for winner in batch))]


def image(target: str, options: Sequence[str], batch: Sequence[Winner], frame: Frame, folder: Path) -> Path:
    """The program of a batch, at one level."""
    source = folder / "checks.c"
    source.write_text(checks(batch))
    objects = [made for winner in batch for made in (*frame.misplaced, winner.object)]
    options = ["-Wl,--no-gc-sections", *options, *includes(batch)]
    return link(target, options, [*objects, *frame.watched, source], folder / "image.elf")


@cache
def environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "c"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    environment.filters["bytes"] = lambda data: ", ".join(f"0x{byte:02x}" for byte in data)
    return environment
