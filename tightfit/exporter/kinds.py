"""What an exported library says about a kind of primitive: its entries, fields and known answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tightfit.primitives import Primitive
from tightfit.primitives.vectors import HashVector, Vector
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
    vectors: list[Vector] | list[HashVector]
    scalars: frozenset[str] = frozenset()
    constants: Mapping[str, int] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)


def kind_words(primitive: Primitive, measurement: Measurement) -> KindWords:
    """The words of a primitive's kind, for one variant."""
    return {"block-cipher": _block_cipher, "hash": _hash}[primitive.kind](primitive, measurement)


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
