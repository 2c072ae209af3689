"""A primitive's reference in C, compiled for this machine: answers for tests that need millions of them."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tightfit.primitives import Primitive

NAME = "reference.c"
_SHIM = """
#include "{file}"
#include <string.h>
static {name}_block held;
{functions}"""
_CIPHER = """
void tf_{entry}(const uint8_t *key, uint8_t *text)
{{
    memset(&held, 0, sizeof held);
    memcpy(held.key, key, sizeof held.key);
    memcpy(held.text, text, sizeof held.text);
    {calls}
    memcpy(text, held.text, sizeof held.text);
}}
"""
_HASH = """
void tf_hash(const uint8_t *message, unsigned full, unsigned rest, uint8_t *digest)
{{
    memset(&held, 0, sizeof held);
    for (unsigned n = 0; n <= full; n++, message += sizeof held.message) {{
        held.flags = (uint8_t)((n == 0) | (n == full) << 1);
        held.length = (uint8_t)rest;
        memcpy(held.message, message, n == full ? rest : sizeof held.message);
        {name}_hash(&held);
    }}
    memcpy(digest, &held.state, {size});
}}
"""
_DECLARED = """
void tf_encrypt(const uint8_t *key, uint8_t *text);
void tf_decrypt(const uint8_t *key, uint8_t *text);
void tf_hash(const uint8_t *message, unsigned full, unsigned rest, uint8_t *digest);
"""


@cache
def fast(primitive: Primitive, function: str) -> Callable[..., bytes]:
    """`encrypt(key, block)`, `decrypt(key, block)` or `digest(message)`: in C if there is any, else Python.

    The C is the reference that the compilers of the targets are measured with. Where a primitive has none, or
    this machine has no compiler, the oracle answers, which is slower.
    """
    entry = "hash" if function == "digest" else function
    library = _library(primitive, entry)
    if library is None:
        return getattr(primitive.oracle, function)
    ffi, loaded = library
    if entry == "hash":
        out = ffi.new("uint8_t[]", primitive.digest_bytes)

        def digest(message: bytes) -> bytes:
            loaded.tf_hash(message, *primitive.split(len(message)), out)
            return bytes(ffi.buffer(out))

        return digest
    text = ffi.new("uint8_t[]", primitive.block_bytes)
    view = ffi.buffer(text)
    name = f"tf_{entry}"

    def crypt(key: bytes, block: bytes) -> bytes:
        view[:] = block
        getattr(loaded, name)(key, text)  # the library is unloaded when nothing names it
        return view[:]

    return crypt


def _library(primitive: Primitive, entry: str):
    """The interface and the compiled library; None where there is no C of it, or no compiler."""
    import cffi

    compiler = shutil.which(os.environ.get("CC", "cc"))
    file = primitive.folder.parent / primitive.templates / NAME
    if compiler is None or not file.is_file():
        return None
    name = re.sub(r"[^a-z0-9]", "", primitive.templates)
    direct = any(entry in operation.entries for operation in primitive.operations.values())
    entries = (entry,) if direct else ("setup", f"{entry}_next")
    calls = " ".join(f"{name}_{each}(&held);" for each in entries)
    shim = _HASH if entry == "hash" else _CIPHER
    one = shim.format(name=name, entry=entry, calls=calls, size=primitive.digest_bytes)
    defines = [f"-D{key.upper()}={value}" for key, value in primitive.constants.items()]
    defines += [f"-D{each.upper()}" for each in entries]
    ffi = cffi.FFI()
    ffi.cdef(_DECLARED)
    with tempfile.TemporaryDirectory(prefix="tightfit-") as folder:
        source, library = Path(folder) / "shim.c", Path(folder) / "reference.so"
        source.write_text(_SHIM.format(file=file, name=name, functions=one))
        how = [compiler, "-O2", "-fPIC", "-shared", *defines]
        done = subprocess.run([*how, "-o", library, source], capture_output=True, check=False)
        return None if done.returncode else (ffi, ffi.dlopen(str(library)))
