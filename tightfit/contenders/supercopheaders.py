"""What SUPERCOP puts around an implementation: headers, macros, names of functions; and how it is called."""

import re

from tightfit.contenders.plans import Calls
from tightfit.contenders.supercoptree import API, Implementation, text_of
from tightfit.primitives import Primitive

_CALLS = {
    "crypto_hash": "crypto_hash(out, in, (unsigned long long)length)",
    "crypto_core": "crypto_core(out, in, key, NULL)",
}
_PARAMETERS = {
    "crypto_hash": "unsigned char *, const unsigned char *, unsigned long long",
    "crypto_core": "unsigned char *, const unsigned char *, const unsigned char *, const unsigned char *",
    "crypto_hashblocks": "unsigned char *, const unsigned char *, unsigned long long",
}
_STATED = ("BYTES", "OUTPUTBYTES", "INPUTBYTES", "KEYBYTES")
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
    kind, own = implementation.kind, {name: "" for name in ("crypto_hash", "crypto_core")}
    own[kind] = full_name(implementation)
    written = {f"{name}.h": _header(name, its, f'#include "{API}"\n') for name, its in own.items()}
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
    if kind == "crypto_hash":
        sizes = {"BYTES": primitive.digest_bytes}
    else:
        block = primitive.block_bytes
        sizes = {"OUTPUTBYTES": block, "INPUTBYTES": block, "KEYBYTES": primitive.key_bytes}
    checks = "".join(
        f'_Static_assert(CRYPTO_{name} == {size}, "CRYPTO_{name} is not {size}");\n'
        for name, size in sizes.items()
    )
    head = f'#include "{API}"\n{checks}'
    return Calls(_CALLS[kind], status=kind == "crypto_hash", head=head, stated=API)


def _of_blocks(implementation: Implementation) -> dict[str, str]:
    """Headers of the `crypto_hashblocks` that an implementation is made of, for both sides."""
    primitive = implementation.blocks.parent.name
    name = f"crypto_hashblocks_{primitive}"
    api = text_of(implementation.blocks / API)
    sizes = "".join(f"#define {name}_{size} {value}\n" for size, value in _SIZES.findall(api))
    prototype = f"extern int {name}({_PARAMETERS['crypto_hashblocks']});\n"
    outer = _guarded(name, sizes + _for_c(prototype))
    inner = f'#include "{name}.h"\n#define crypto_hashblocks {name}\n'
    return {f"{name}.h": outer, "crypto_hashblocks.h": _guarded("crypto_hashblocks", inner)}


def _header(name: str, function: str, sizes: str) -> str:
    """The header of a kind; a function of another name is called by that of the kind."""
    renamed = f"#define {name} {function}\n" if function else ""
    every = "".join(f"#define {name}_{size} CRYPTO_{size}\n" for size in _STATED)
    return _guarded(name, sizes + every + renamed + _for_c(f"extern int {name}({_PARAMETERS[name]});\n"))


def _for_c(text: str) -> str:
    return f"#ifndef __ASSEMBLER__\n{text}#endif\n"


def _guarded(name: str, text: str) -> str:
    return f"#ifndef {name}_H\n#define {name}_H\n{text}#endif\n"
