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
        "kind": {"enum": ["block-cipher"]},
        "standard": WORD,
        "block_bytes": BYTES,
        "key_bytes": BYTES,
        "seed": {"type": "integer", "minimum": 0},
        "operations": named(mapping({"entries": WORDS, "ranked": WORDS})),
    }
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
    {"cycles": named(BYTES), "following": named(BYTES), "note": WORD},
)

PUBLISHED = mapping(
    {"sources": named(mapping({"cite": WORD, "counted": WORD})), "cells": {"type": "array", "items": _CELL}}
)

VECTORS = {
    "type": "object",
    "required": ["primitive", "vectors"],
    "properties": {
        "primitive": WORD,
        "vectors": {
            "type": "array",
            "minItems": 1,
            "items": mapping(
                {"key": HEX, "plaintext": HEX, "ciphertext": HEX},
                {"iterations": {"type": "integer", "minimum": 1}, "origin": WORD},
            ),
        },
    },
}
