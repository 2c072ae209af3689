"""What `primitive.yaml`, `published.yaml` and `vectors.json` must look like."""

from tightfit.yamlfile import mapping, named

WORD = {"type": "string"}
WORDS = {"type": "array", "items": WORD, "minItems": 1}
BYTES = {"type": "integer", "minimum": 1}
BYTES_OR_NULL = {"type": ["integer", "null"], "minimum": 1}
HEX = {"type": "string", "pattern": "^([0-9a-fA-F]{2})*$", "description": "a byte string in hexadecimal"}

PRIMITIVE = mapping(
    {
        "name": WORD,
        "kind": {"enum": ["block-cipher", "hash", "stream-cipher", "mac", "aead"]},
        "standard": WORD,
        "block_bytes": BYTES,
        "seed": {"type": "integer", "minimum": 0},
        "operations": named(mapping({"entries": WORDS, "ranked": WORDS})),
    },
    {
        "key_bytes": BYTES,
        "digest_bytes": BYTES,
        "iv_bytes": BYTES,
        "nonce_bytes": BYTES,
        "tag_bytes": BYTES,
        "security": mapping({"bits": BYTES, "source": WORD}),
        "message_bits": {"type": "integer", "minimum": 1, "maximum": 64},
        "full_last": {"type": "boolean"},
        "padding_apart": {"type": "boolean"},
        "totals": {"type": "boolean"},
        "templates": WORD,
        "over": WORD,
        "parameters": {**named({"type": "integer"}), "propertyNames": {"pattern": "^[a-z][a-z0-9_]*$"}},
    },
)

_CELL = mapping(
    {
        "source": WORD,
        "target": WORD,
        "operation": WORD,
        "budget": {"type": ["string", "null"]},
        "rom": BYTES_OR_NULL,
        "ram": BYTES_OR_NULL,
        "status": {"enum": ["fits", "satiated", "impossible"]},
    },
    {"cycles": named(BYTES), "following": named(BYTES), "message": BYTES, "note": WORD},
) | {
    "not": {"properties": {"cycles": False, "rom": {"type": "null"}, "status": {"const": "fits"}}},
    "description": "a figure: cycles, or the bytes of `rom`",
}

PUBLISHED = mapping(
    {"sources": named(mapping({"cite": WORD, "counted": WORD})), "cells": {"type": "array", "items": _CELL}}
)


def _list_of(entry: dict) -> dict:
    return {"type": "array", "minItems": 1, "items": entry, "description": "at least one known answer"}


def _vectors(required: tuple[str, ...], optional: dict) -> dict:
    entry = mapping(dict.fromkeys(required, HEX), {**optional, "origin": WORD})
    return {
        "type": "object",
        "required": ["primitive", "vectors"],
        "properties": {"primitive": WORD, "vectors": _list_of(entry)},
    }


VECTORS = {
    "block-cipher": _vectors(
        ("key", "plaintext", "ciphertext"),
        {"iterations": {"type": "integer", "minimum": 1, "maximum": 100_000}},
    ),
    "hash": _vectors(("message", "digest"), {}),
    "mac": _vectors(("key", "message", "tag"), {}),
    "stream-cipher": _vectors(
        ("key", "iv", "keystream"), {"keystream_offset": {"type": "integer", "minimum": 0}}
    ),
    "chained-blocks": _vectors(("key", "iv", "plaintext", "ciphertext"), {}),
    "aead": _vectors(("key", "nonce", "ad", "plaintext", "ciphertext", "tag"), {}),
}
