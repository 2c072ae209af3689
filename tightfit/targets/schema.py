"""What `target.yaml`, `toolchain.yaml` and `recipes.yaml` must look like."""

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
        "registers": named({"type": "integer", "minimum": 1}),
        "waits": {"type": "object", "additionalProperties": WORD},
        "cores": named(
            mapping(
                {
                    "about": WORD,
                    "timing": {"enum": ["tested", "not verified"]},
                    "assemble": WORDS,
                    "call": WORD,
                    "call_cycles": SIZE,
                }
            )
        ),
        "parts": named(
            mapping(
                {
                    "core": WORD,
                    "about": WORD,
                    "rom": SIZE,
                    "ram": SIZE,
                    "memory": {"type": "array", "items": REGION, "minItems": 1},
                },
                {"assemble": WORDS, "link": WORDS},
            )
        ),
        "abi": mapping(
            {
                "pointer": WORD,
                "preserved": WORDS,
                "symbol_prefix": WORD,
                "return_address": SIZE,
            },
            {
                "stack_gap": SIZE,
                "register_bank": SIZE,
                "scratch_banks": {"type": "object", "additionalProperties": SIZE},
            },
        ),
        "link": WORDS,
    },
    {"harvard": {"type": "boolean"}, "notes": WORDS},
)

RECIPE = mapping(
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

RECIPES = {"type": "object", "additionalProperties": RECIPE}

SOURCE = mapping({"machine": WORD}, {"tests_only": {"type": "boolean"}})

PACKAGE = mapping(
    {"packages": {**WORDS, "minItems": 1}},
    {"install": named(WORD), "files": WORDS, "tests_only": {"type": "boolean"}},
)

TOOLCHAIN = mapping(
    {
        "tools": named(WORD),
        "sources": {"type": "object", "additionalProperties": SOURCE},
        "packages": {"type": "object", "additionalProperties": PACKAGE},
    }
)
