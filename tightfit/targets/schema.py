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
        "pointer_bits": {"type": "integer", "minimum": 1},
        "waits": {"type": "object", "additionalProperties": WORD},
        "cores": named(
            mapping(
                {
                    "about": WORD,
                    "timing": {"enum": ["tested", "not verified"]},
                    "assemble": WORDS,
                    "call": WORD,
                    "call_cycles": SIZE,
                },
                {
                    "part": WORD,
                    "facts": {"type": "object", "additionalProperties": SIZE},
                    "shipped": {"type": "boolean"},
                    "registers_apart": {"type": "boolean"},
                },
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
        "comment": WORD,
        "code_alignment": SIZE,
        "sections": named(WORD),
        "link": WORDS,
    },
    {
        "waits_apart": mapping({"wait": WORD, "words": WORD, "why": WORD}),
        "conditions": named(
            mapping(
                {"title": WORD, "help": WORD, "without": {"enum": ["banks", "leaks"]}}, {"instead_of": WORD}
            )
        ),
        "block_alignment": SIZE,
        "head": WORDS,
        "type_mark": WORD,
        "returns": WORD,
        "harvard": {"type": "boolean"},
        "notes": WORDS,
        "registers_apart": WORD,
    },
)

STAGED = mapping({"touch": WORDS, "make": WORDS, "keep": WORDS, "aliases": named(WORD)})

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
    },
    {"headers": named(WORD), "calls": named(WORD), "variables": WORDS, "staged": STAGED},
)

RECIPES = {"type": "object", "additionalProperties": RECIPE}

STEP = {"enum": ["tools", "compilers", "tests"]}

SOURCE = mapping(
    {"machine": WORD},
    {"step": STEP, "configure": WORDS, "variables": WORDS, "steps": {"type": "integer", "minimum": 1}},
)

PACKAGE = mapping(
    {"packages": {**WORDS, "minItems": 1}},
    {"install": named(WORD), "files": WORDS, "step": STEP},
)

OTHER = mapping({"file": WORD}, {"knows": {**WORDS, "minItems": 2, "maxItems": 2}})

TOOLCHAIN = mapping(
    {
        "tools": named(WORD),
        "sources": {"type": "object", "additionalProperties": SOURCE},
        "packages": {"type": "object", "additionalProperties": PACKAGE},
        "compile": named(WORDS),
    },
    {"others": named(OTHER)},
)
