"""The functions for whole messages of a kind of primitive: what they are for, and what is measured of them.

The functions are C in `files/KIND/messages.h.j2` and `messages.c.j2`; a kind without these has none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tightfit.exporter.bundle import FILES
from tightfit.primitives import Primitive
from tightfit.primitives.kinds import CHAINED


@dataclass(frozen=True)
class Call:
    """A call whose cost is told: C that runs before it, and the call; the cycles of `less` are taken off.

    `what` says what it is called with. In C, `@` stands for the library's name and an underscore; `ctx`,
    `data`, `out` and `key` are a context, two blocks to read, room for two blocks, and a key.
    """

    what: str
    call: str
    before: str = ""
    less: str = ""

    @property
    def function(self) -> str:
        """What it calls, without the library's name."""
        return re.search(r"@(\w+)", self.call)[1]


def has_messages(form: str) -> bool:
    """Whether a form of primitive has functions for whole messages."""
    return (FILES / form / "messages.c.j2").is_file()


def calls(primitive: Primitive, entries: Sequence[str]) -> list[Call]:
    """What is measured of the functions for a routine with these entries."""
    of_kind = {
        "hash": _hash,
        "block-cipher": _block_cipher,
        "mac": _mac,
        "stream-cipher": _stream_cipher,
        CHAINED: _chained_blocks,
        "aead": _aead,
    }
    return [*of_kind[primitive.form](primitive, entries), *_EVERY]


_EVERY = (Call("16 bytes", "(void)@differ(data, out, 16U);"), Call("", "@wipe(&ctx);"))


def words(primitive: Primitive, entries: Sequence[str]) -> str:
    """What the functions do."""
    if primitive.kind == "hash":
        return "a message in pieces of any size (`init`, `update`, `final`), or in one call (`message`)"
    if primitive.kind == "mac":
        return "the tag of a message in pieces (`init`, `update`, `final`), or in one call (`message`)"
    if primitive.form == CHAINED:
        return f"whole blocks in pieces of any number of them, or in one call, to {_ways(entries)[0]}"
    if primitive.kind == "stream-cipher":
        return "a message in pieces of any size (`init`, `crypt`), or in one call (`message`)"
    if primitive.kind == "aead":
        return f"a message in pieces of any size, or in one call, to {' and '.join(entries)}"
    ways = "encrypt and decrypt" if len(_ways(entries)) > 1 else f"{_ways(entries)[0]}"
    ctr = "CTR in pieces of any size, " if "encrypt" in _ways(entries) else ""
    return f"{ctr}CBC in pieces of whole blocks ({ways}), and each in one call"


def _ways(entries: Sequence[str]) -> list[str]:
    """The directions that a cipher's routine has."""
    return [way for way in ("encrypt", "decrypt") if any(entry.startswith(way) for entry in entries)]


def _hash(primitive: Primitive, _: Sequence[str]) -> Iterator[Call]:
    block = primitive.block_bytes
    init, update = "@init(&ctx);", "@update(&ctx, data, {}U);"
    yield Call("", init)
    yield Call("a byte", update.format(1), init)
    yield Call("a block", update.format(block), init)
    yield _more(update, init, block)
    yield Call("", "@final(&ctx, out);", init)
    yield Call("a block", f"@message(data, {block}U, out);")


def _mac(primitive: Primitive, _: Sequence[str]) -> Iterator[Call]:
    block = primitive.block_bytes
    init, update = "@init(&ctx, key);", "@update(&ctx, data, {}U);"
    yield Call("", init)
    yield Call("a byte", update.format(1), init)
    yield Call("a block", update.format(block), init)
    yield _more(update, init, block)
    yield Call("", "@final(&ctx, out);", init)
    yield Call("a block", f"@message(key, data, {block}U, out);")


def _stream_cipher(primitive: Primitive, _: Sequence[str]) -> Iterator[Call]:
    block = primitive.block_bytes
    init, crypt = "@init(&ctx, key, data);", "@crypt(&ctx, data, out, {}U);"
    yield Call("", init)
    yield Call("a byte", crypt.format(1), init)
    yield Call("a block", crypt.format(block), init)
    yield _more(crypt, init, block)
    yield Call("a block", f"@message(key, data, data, out, {block}U);")


def _chained_blocks(primitive: Primitive, entries: Sequence[str]) -> Iterator[Call]:
    yield from _chained("@", entries)


def _chained(prefix: str, entries: Sequence[str]) -> Iterator[Call]:
    """Calls of whole blocks in CBC mode, by functions whose names begin so."""
    init = f"{prefix}init(&ctx, key, data);"
    yield Call("", init)
    for way in _ways(entries):
        crypt = f"{prefix}{way}(&ctx, data, out, {{}}U);"
        yield Call("a block", crypt.format(1), init)
        yield _more(crypt, init, 1)
        yield Call("a block", f"{prefix}{way}_message(key, data, data, out, 1U);")


def _aead(primitive: Primitive, entries: Sequence[str]) -> Iterator[Call]:
    block, totals = primitive.block_bytes, ", 16U, 16U" if primitive.totals else ""
    init = f"@init(&ctx, key, data{totals});"
    yield Call("", init)
    for way in entries:
        data, text = f"@{way}_data(&ctx, data, {{}}U);", f"(void)@{way}_text(&ctx, data, {{}}U, out);"
        yield Call("a block", data.format(block), init)
        yield Call("a byte", text.format(1), init)
        yield Call("a block", text.format(block), init)
        yield _more(text, init, block)
        if way == "seal":
            yield Call("", "(void)@seal_final(&ctx, out, out);", init)
        yield Call(
            "16 and 16 bytes",
            f"(void)@{way}_message(key, data, data, 16U, data, 16U, out, out);".replace(
                "(void)@seal_message", "@seal_message"
            ),
        )


def _block_cipher(primitive: Primitive, entries: Sequence[str]) -> Iterator[Call]:
    block = primitive.block_bytes
    if "encrypt" in _ways(entries):
        init, crypt = "@ctr_init(&ctx, key, data);", "@ctr_crypt(&ctx, data, out, {}U);"
        yield Call("", init)
        yield Call("a byte", crypt.format(1), init)
        yield Call("a block", crypt.format(block), init)
        yield _more(crypt, init, block)
        yield Call("a block", f"@ctr_message(key, data, data, out, {block}U);")
    yield from _chained("@cbc_", entries)


def _more(call: str, before: str, block: int) -> Call:
    """What another block in the same call takes."""
    return Call("a block more", call.format(2 * block), before, less=call.format(block))
