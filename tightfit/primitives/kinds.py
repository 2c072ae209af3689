"""What tells one kind of primitive from another: sizes, functions of references, figures, known answers."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Entries = Collection[str]


@dataclass(frozen=True)
class KindFacts:
    """The facts of a kind.

    Attributes
    ----------
    sizes : fields of `primitive.yaml` that every primitive of the kind has besides `block_bytes`.
    functions : what reference and oracle define, by the entries of all operations.
    answer_bytes : length of an answer, by the primitive, the function and its inputs.
    vector : the class of a known answer in `primitives.vectors`.
    vector_bytes : bytes that fields of every known answer have, by field: names of sizes.
    figures : names of the figures of an entry that has several, besides those of a whole.
    """

    sizes: tuple[str, ...]
    functions: Callable[[Entries], tuple[str, ...]]
    answer_bytes: Callable[[Any, str, Sequence[Any]], int]
    vector: str
    vector_bytes: Mapping[str, str]
    figures: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def _directions(entries: Entries) -> tuple[str, ...]:
    """`decrypt` only where an operation has it."""
    decrypts = any(entry.startswith("decrypt") for entry in entries)
    return ("encrypt", "decrypt") if decrypts else ("encrypt",)


BLOCK_FIGURES = ("first", "middle", "last")
"""Figures of an entry that is called for each block of a message."""

RANKED_TEXT = 16
"""Bytes of text, and of associated data, of the message whose cycles rank authenticated encryption."""

KINDS = {
    "block-cipher": KindFacts(
        sizes=("key_bytes",),
        functions=_directions,
        answer_bytes=lambda primitive, name, inputs: primitive.block_bytes,
        vector="Vector",
        vector_bytes={"key": "key_bytes", "plaintext": "block_bytes", "ciphertext": "block_bytes"},
    ),
    "hash": KindFacts(
        sizes=("digest_bytes",),
        functions=lambda entries: ("digest",),
        answer_bytes=lambda primitive, name, inputs: primitive.digest_bytes,
        vector="HashVector",
        vector_bytes={"digest": "digest_bytes"},
        figures={"hash": BLOCK_FIGURES},
    ),
    "mac": KindFacts(
        sizes=("key_bytes", "tag_bytes"),
        functions=lambda entries: ("tag",),
        answer_bytes=lambda primitive, name, inputs: primitive.tag_bytes,
        vector="MacVector",
        vector_bytes={"key": "key_bytes", "tag": "tag_bytes"},
        figures={"mac": BLOCK_FIGURES},
    ),
    "stream-cipher": KindFacts(
        sizes=("key_bytes", "iv_bytes"),
        functions=lambda entries: ("keystream",),
        answer_bytes=lambda primitive, name, inputs: inputs[3],
        vector="StreamVector",
        vector_bytes={"key": "key_bytes", "iv": "iv_bytes"},
    ),
    "aead": KindFacts(
        sizes=("key_bytes", "nonce_bytes", "tag_bytes"),
        functions=lambda entries: ("seal",),
        answer_bytes=lambda primitive, name, inputs: len(inputs[3]) + primitive.tag_bytes,
        vector="AeadVector",
        vector_bytes={"key": "key_bytes", "nonce": "nonce_bytes", "tag": "tag_bytes"},
    ),
}
CHAINED = "chained-blocks"
"""The form of a stream cipher of whole blocks, whose entries have a direction: CBC."""
FORMS = {
    **KINDS,
    CHAINED: KindFacts(
        sizes=KINDS["stream-cipher"].sizes,
        functions=_directions,
        answer_bytes=lambda primitive, name, inputs: len(inputs[2]),
        vector="ChainedVector",
        vector_bytes={"key": "key_bytes", "iv": "iv_bytes"},
    ),
}
"""The kinds, and what has other functions and answers than its kind."""


def form_of(kind: str, entries: Entries) -> str:
    """What code goes by: the kind, but of a stream cipher whose entries have a direction `CHAINED`."""
    directed = any(entry.startswith(("encrypt", "decrypt")) for entry in entries)
    return CHAINED if kind == "stream-cipher" and directed else kind


SIZES = tuple(dict.fromkeys(size for facts in KINDS.values() for size in facts.sizes))
"""The sizes of all kinds."""
