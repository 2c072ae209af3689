"""What an exported library says about a kind of primitive: its entries, fields and known answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tightfit.primitives import Primitive
from tightfit.primitives.kinds import CHAINED
from tightfit.records import Measurement

_SHOWN_VECTORS = 4
_SHOWN_BYTES = 160


@dataclass(frozen=True)
class KindWords:
    """Words for header and data sheet.

    Attributes
    ----------
    entries : what each entry does.
    fields : what the fields of the parameter block hold; any other is a work area.
    scalars : fields of one byte, which are not arrays in C.
    constants : names and values that the header defines.
    figures : the meaning of figures that are not named after an entry.
    """

    entries: Mapping[str, str]
    fields: Mapping[str, str]
    vectors: list
    scalars: frozenset[str] = frozenset()
    constants: Mapping[str, int] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)


def kind_words(primitive: Primitive, measurement: Measurement) -> KindWords:
    """The words of a primitive's kind, for one variant."""
    words = {
        "block-cipher": _block_cipher,
        "hash": _hash,
        "mac": _mac,
        "stream-cipher": _stream_cipher,
        CHAINED: _chained_blocks,
        "aead": _aead,
    }
    return words[primitive.form](primitive, measurement)


def _block_cipher(primitive: Primitive, measurement: Measurement) -> KindWords:
    key = "destroyed by the call" if measurement.destroys_key else "intact on return"
    following = "{} a following `text` in place under the same key; leave the work area alone."
    return KindWords(
        entries={
            "encrypt": "Encrypts `text` in place under `key`, key schedule included.",
            "decrypt": "Decrypts `text` in place under `key`, key schedule included.",
            "setup": "Expands `key` into the work area, for the entries that end in `_next`.",
            "encrypt_next": following.format("Encrypts"),
            "decrypt_next": following.format("Decrypts"),
        },
        fields={"text": "in and out: replaced in place", "key": f"in: {key}"},
        vectors=[vector for vector in primitive.vectors() if vector.iterations == 1][:_SHOWN_VECTORS],
        constants={"BLOCK_BYTES": primitive.block_bytes, "KEY_BYTES": primitive.key_bytes},
        figures={way: f"setup and {way}_next together" for way in ("encrypt", "decrypt")},
    )


def _hash(primitive: Primitive, _: Measurement) -> KindWords:
    ends = "The last block is never a full one: it is empty where the message ends with a full block."
    if primitive.full_last:
        ends = (
            "The last block is full where the message ends with a full one, and empty only without a message."
        )
    short = [vector for vector in primitive.vectors() if len(vector.message) <= _SHOWN_BYTES]
    return KindWords(
        entries={"hash": f"Takes in the next block of a message. {ends} The routine does the padding."},
        fields={
            "state": f"kept between calls; after the last block its first {primitive.digest_bytes} bytes are "
            "the digest",
            "message": "in: the next block; undefined on return",
            "flags": "in: first block, last block; undefined on return",
            "length": "in: bytes in the last block, ignored for the others; undefined on return",
        },
        vectors=[
            *short[:2],
            *sorted(short[2:], key=lambda vector: -len(vector.message))[: _SHOWN_VECTORS - 2],
        ],
        scalars=frozenset(("flags", "length")),
        constants={
            "FIRST": 1,
            "LAST": 2,
            "BLOCK_BYTES": primitive.block_bytes,
            "DIGEST_BYTES": primitive.digest_bytes,
        },
        figures={
            "first": "a full block that begins a message",
            "middle": "a full block in the middle",
            "last": "the last block, "
            + ("a full one" if primitive.full_last else "empty because the message ends with a full one"),
        },
    )


def _mac(primitive: Primitive, measurement: Measurement) -> KindWords:
    hashed = _hash(primitive, measurement)
    fields = {name: words for name, words in hashed.fields.items() if name != "state"}
    sizes = {"KEY_BYTES": primitive.key_bytes, "TAG_BYTES": primitive.tag_bytes}
    constants = {name: value for name, value in hashed.constants.items() if name != "DIGEST_BYTES"}
    return replace(
        hashed,
        entries={"mac": hashed.entries["hash"]},
        fields={"key": "in: intact on return", **fields, "tag": "out: the tag, after the last block"},
        constants={**constants, **sizes},
    )


def _stream_cipher(primitive: Primitive, _: Measurement) -> KindWords:
    block = primitive.block_bytes
    early = sorted(primitive.vectors(), key=lambda vector: (vector.keystream_offset, len(vector.keystream)))
    shown = [v for v in early if v.keystream_offset % block == 0 and len(v.keystream) <= _SHOWN_BYTES]
    return KindWords(
        entries={
            "setup": "Begins a keystream, under `key` and `iv`.",
            "next": "Adds a block of keystream to `text`, which encrypts or decrypts it, and goes on.",
        },
        fields={
            "key": "in: intact on return; leave it there for `next`",
            "iv": "in: intact on return; leave it there for `next`",
            "text": "in and out: replaced in place; behind `length` bytes undefined on return",
            "length": f"in: bytes of the text, fewer than {block} in the last call only",
        },
        vectors=shown[:_SHOWN_VECTORS],
        scalars=frozenset(("length",)),
        constants={"BLOCK_BYTES": block, "KEY_BYTES": primitive.key_bytes, "IV_BYTES": primitive.iv_bytes},
    )


def _chained_blocks(primitive: Primitive, _: Measurement) -> KindWords:
    sizes = {"KEY_BYTES": primitive.key_bytes, "IV_BYTES": primitive.iv_bytes}
    short = sorted(primitive.vectors(), key=lambda vector: len(vector.plaintext))
    return KindWords(
        entries={
            "setup": "Begins a message, under `key` and `iv`.",
            "encrypt_next": "Encrypts the next block of a message, `text`, in place, and goes on.",
            "decrypt_next": "Decrypts the next block of a message, `text`, in place, and goes on.",
        },
        fields={
            "key": "in: intact on return; leave it there until the message ends",
            "iv": "in: intact on return; leave it there until the message ends",
            "text": "in and out: a whole block, replaced in place",
        },
        vectors=[vector for vector in short if len(vector.plaintext) <= _SHOWN_BYTES][:_SHOWN_VECTORS],
        constants={"BLOCK_BYTES": primitive.block_bytes, **sizes},
    )


def _aead(primitive: Primitive, measurement: Measurement) -> KindWords:
    block = primitive.block_bytes
    calls = (
        f"First associated data, if any: blocks of {block} bytes and one that is not full; then the text in "
        "the same way. {}"
    )
    short = [v for v in primitive.vectors() if len(v.ad) + len(v.plaintext) <= _SHOWN_BYTES]
    ways = [way for way in ("seal", "open") if way in measurement.cost.by_entry]
    figures = {
        "": "a message of 16 bytes with 16 of associated data, all its calls",
        "_first": "the first call of that message",
        "_data": "its last call with associated data, or a full block of them",
        "_turn": "the first full block of text after associated data",
        "_text": "a full block of text after another",
        "_last": "the last call of that message",
    }
    sizes = {name: "in: of the whole message, the low byte first" for name in ("data_size", "text_size")}
    return KindWords(
        entries={
            "seal": "Takes in the next block of a message and encrypts it in place. "
            + calls.format("The last call writes the tag."),
            "open": "Takes in the next block of a message and decrypts it in place. "
            + calls.format(
                "The last call leaves 0 in `flags` if the tag is right; until then nothing may be used."
            ),
        },
        fields={
            "key": "in: intact on return; leave it there until the message ends",
            "nonce": "in: intact on return; leave it there until the message ends",
            "data": "in and out: the next block, text replaced in place",
            "flags": "in: first call, last call, associated data; out: 0 after the last call of `open` if "
            "the tag is right",
            "length": "in: bytes in the block, at every call",
            "tag": "out: after the last call of `seal`; in: at the last call of `open`",
            **(sizes if primitive.totals else {}),
        },
        vectors=sorted(short, key=lambda v: -len(v.ad) - len(v.plaintext))[: _SHOWN_VECTORS - 1],
        scalars=frozenset(("flags", "length")),
        constants={
            "FIRST": 1,
            "LAST": 2,
            "DATA": 4,
            "BLOCK_BYTES": block,
            "KEY_BYTES": primitive.key_bytes,
            "NONCE_BYTES": primitive.nonce_bytes,
            "TAG_BYTES": primitive.tag_bytes,
        },
        figures={f"{way}{name}": words for way in ways for name, words in figures.items()},
    )
