"""What SUPERCOP puts around an implementation: headers, macros, names of functions; and how it is called."""

import re

from tightfit.contenders.plans import Calls
from tightfit.contenders.supercoptree import API, Implementation, text_of
from tightfit.primitives import Primitive

_OUT, _IN, _LENGTH = "unsigned char *", "const unsigned char *", "unsigned long long"
_MADE = f"{_LENGTH} *"
_MAC = {"": (_OUT, _IN, _LENGTH, _IN), "_verify": (_IN, _IN, _LENGTH, _IN)}
_FUNCTIONS = {
    "crypto_hash": {"": (_OUT, _IN, _LENGTH)},
    "crypto_core": {"": (_OUT, _IN, _IN, _IN)},
    "crypto_stream": {"": (_OUT, _LENGTH, _IN, _IN), "_xor": (_OUT, _IN, _LENGTH, _IN, _IN)},
    "crypto_aead": {
        "_encrypt": (_OUT, _MADE, _IN, _LENGTH, _IN, _LENGTH, _IN, _IN, _IN),
        "_decrypt": (_OUT, _MADE, _OUT, _IN, _LENGTH, _IN, _LENGTH, _IN, _IN),
    },
    "crypto_auth": _MAC,
    "crypto_onetimeauth": _MAC,
}
"""Parameters of the functions of a kind, by what follows the name of the kind."""
_BLOCKS = (_OUT, _IN, _LENGTH)
_SAID = "(unsigned long long)length"
_TAGGED = {"call": f"{{kind}}(out, in, {_SAID}, key)", "beside": f"{{kind}}_verify(tag, in, {_SAID}, key)"}
_TEXT = f"in, {_SAID}, data, (unsigned long long)data_length"
_CALLS = {
    "crypto_hash": {"call": f"crypto_hash(out, in, {_SAID})"},
    "crypto_core": {"call": "crypto_core(out, in, key, NULL)"},
    "crypto_stream": {
        "call": f"crypto_stream_xor(out, in, {_SAID}, iv, key)",
        "beside": f"crypto_stream(out, {_SAID}, iv, key)",
    },
    "crypto_aead": {
        "call": f"crypto_aead_encrypt(out, made, {_TEXT}, NULL, nonce, key)",
        "decrypt": f"crypto_aead_decrypt(out, made, NULL, {_TEXT}, nonce, key)",
    },
    "crypto_auth": _TAGGED,
    "crypto_onetimeauth": _TAGGED,
}
"""How the functions of a kind are called; those beside are tested and do not count."""
_MACS = {"BYTES": "tag_bytes", "KEYBYTES": "key_bytes"}
_BYTES = {
    "crypto_hash": {"BYTES": "digest_bytes"},
    "crypto_core": {"OUTPUTBYTES": "block_bytes", "INPUTBYTES": "block_bytes", "KEYBYTES": "key_bytes"},
    "crypto_stream": {"KEYBYTES": "key_bytes", "NONCEBYTES": "iv_bytes"},
    "crypto_aead": {"KEYBYTES": "key_bytes", "NPUBBYTES": "nonce_bytes", "ABYTES": "tag_bytes"},
    "crypto_auth": _MACS,
    "crypto_onetimeauth": _MACS,
}
"""Sizes that `api.h` states, and what they are here."""
_VERIFY = (16, 32)
_COMPARE = """static inline int crypto_verify_{size}(const unsigned char *x, const unsigned char *y)
{{
    unsigned n, differ = 0;
    for (n = 0; n < {size}; n++)
        differ |= x[n] ^ y[n];
    return (int)(1 & (differ - 1) >> 8) - 1;
}}
"""
"""0 where the bytes are equal, else -1, in the same time."""
_STATED = tuple(
    dict.fromkeys(("NSECBYTES", "NOOVERLAP", *(size for sizes in _BYTES.values() for size in sizes)))
)
_SIZES = re.compile(r"^\s*#\s*define\s+CRYPTO_(\w*BYTES)\s+(.+?)\s*$", re.M)


def full_name(implementation: Implementation) -> str:
    """The name that SUPERCOP gives the function: `crypto_hash_sha256_ref`."""
    parts = (implementation.kind, implementation.primitive, implementation.name)
    return "_".join(re.sub(r"\W", "_", part) for part in parts)


def names_of_spaces(implementation: Implementation) -> tuple[str, ...]:
    """The macros that put the other names of an implementation apart from those of others."""
    name = full_name(implementation)
    shared = f"{implementation.kind}_{implementation.primitive}_shared"
    spaces = {"CRYPTO_NAMESPACE": name, "_CRYPTO_NAMESPACE": f"_{name}"}
    spaces |= {"CRYPTO_SHARED_NAMESPACE": shared, "_CRYPTO_SHARED_NAMESPACE": f"_{shared}"}
    return tuple(f"-D{macro}(x)={space}_##x" for macro, space in spaces.items())


def headers(implementation: Implementation) -> dict[str, str]:
    """The headers on the include path, which assembly may include as well."""
    own = dict.fromkeys(_FUNCTIONS, "") | {implementation.kind: full_name(implementation)}
    written = {f"{name}.h": _header(name, its, f'#include "{API}"\n') for name, its in own.items()}
    written["crypto_declassify.h"] = _guarded(
        "crypto_declassify", "#define crypto_declassify(x, n) ((void)0)\n"
    )
    for size in _VERIFY:
        compare = f"#define crypto_verify_{size}_BYTES {size}\n{_for_c(_COMPARE.format(size=size))}"
        written[f"crypto_verify_{size}.h"] = _guarded(f"crypto_verify_{size}", compare)
    for bits in (8, 16, 32, 64):
        for sort in ("int", "uint"):
            typedef = f"#include <stdint.h>\ntypedef {sort}{bits}_t crypto_{sort}{bits};\n"
            written[f"crypto_{sort}{bits}.h"] = _guarded(f"crypto_{sort}{bits}", _for_c(typedef))
    if implementation.blocks:
        written |= _of_blocks(implementation)
    return written


def calls_of(implementation: Implementation, primitive: Primitive) -> Calls:
    """How an implementation is called, after a look at the sizes that its `api.h` states."""
    kind = implementation.kind
    sizes = {name: getattr(primitive, size) for name, size in _BYTES[kind].items()}
    sizes |= {"NSECBYTES": 0} if kind == "crypto_aead" else {}
    checks = "".join(
        f'_Static_assert(CRYPTO_{name} == {size}, "CRYPTO_{name} is not {size}");\n'
        for name, size in sizes.items()
    )
    head = f'#include "{API}"\n{checks}'
    calls = {name: text.format(kind=kind) for name, text in _CALLS[kind].items()}
    return Calls(**calls, status=kind != "crypto_core", head=head, stated=API)


def aliases(implementation: Implementation) -> dict[str, tuple[str, ...]]:
    """The whole names of the functions, by those that begin with the kind."""
    kind, name = implementation.kind, full_name(implementation)
    return {f"{kind}{end}": (f"{name}{end}",) for end in _FUNCTIONS[kind]}


def _of_blocks(implementation: Implementation) -> dict[str, str]:
    """Headers of the `crypto_hashblocks` that an implementation is made of, for both sides."""
    primitive = implementation.blocks.parent.name
    name = f"crypto_hashblocks_{primitive}"
    api = text_of(implementation.blocks / API)
    sizes = "".join(f"#define {name}_{size} {value}\n" for size, value in _SIZES.findall(api))
    prototype = f"extern int {name}({', '.join(_BLOCKS)});\n"
    outer = _guarded(name, sizes + _for_c(prototype))
    inner = f'#include "{name}.h"\n#define crypto_hashblocks {name}\n'
    return {f"{name}.h": outer, "crypto_hashblocks.h": _guarded("crypto_hashblocks", inner)}


def _header(kind: str, name: str, sizes: str) -> str:
    """The header of a kind; functions of another name are called by that of the kind."""
    functions = _FUNCTIONS[kind]
    renamed = "".join(f"#define {kind}{end} {name}{end}\n" for end in functions if name)
    every = "".join(f"#define {kind}_{size} CRYPTO_{size}\n" for size in _STATED)
    declared = "".join(f"extern int {kind}{end}({', '.join(types)});\n" for end, types in functions.items())
    return _guarded(kind, sizes + every + renamed + _for_c(declared))


def _for_c(text: str) -> str:
    return f"#ifndef __ASSEMBLER__\n{text}#endif\n"


def _guarded(name: str, text: str) -> str:
    return f"#ifndef {name}_H\n#define {name}_H\n{text}#endif\n"
