"""What `target.yaml` and `toolchain.yaml` must look like."""

from tightfit.yamlfile import mapping, named

WORD = {"type": "string"}
WORDS = {"type": "array", "items": WORD}
SIZE = {"type": "integer", "minimum": 0}

REGION = mapping(
    {
        "name": WORD,
        "kind": {"enum": ["flash", "mirror", "data-flash", "ram", "sfr"]},
        "start": SIZE,
        "size": {"type": "integer", "minimum": 1},
    },
    {"shows": SIZE},
)

TARGET = mapping(
    {
        "name": WORD,
        "default_part": WORD,
        "elf_machine": WORD,
        "registers": WORDS,
        "waits": named(WORD),
        "cores": named(
            mapping({"about": WORD, "timing": {"enum": ["tested", "not verified"]}, "assemble": WORDS})
        ),
        "parts": named(
            mapping(
                {
                    "core": WORD,
                    "about": WORD,
                    "rom": SIZE,
                    "ram": SIZE,
                    "memory": {"type": "array", "items": REGION, "minItems": 1},
                }
            )
        ),
        "abi": mapping(
            {
                "pointer": WORD,
                "preserved": WORDS,
                "symbol_prefix": WORD,
                "return_address": SIZE,
                "call": WORD,
                "call_cycles": SIZE,
            },
            {
                "register_bank": SIZE,
                "scratch_banks": {"type": "object", "additionalProperties": SIZE},
            },
        ),
        "link": WORDS,
    }
)

SOURCE = mapping(
    {
        "version": WORD,
        "version_in": WORD,
        "package": WORD,
        "tarball": WORD,
        "needs": named(WORD),
        "configure": WORDS,
        "make": WORDS,
        "steps": {"type": "integer", "minimum": 1},
        "install": named(WORD),
    }
)

PACKAGE = mapping({"package": WORD, "install": named(WORD)})

TOOLCHAIN = mapping(
    {
        "tools": named(WORD),
        "sources": {"type": "object", "additionalProperties": SOURCE},
        "packages": {"type": "object", "additionalProperties": PACKAGE},
    }
)
