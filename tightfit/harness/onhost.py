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
from tightfit.primitives.kinds import CHAINED

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
_MAC = """
void tf_mac(const uint8_t *key, const uint8_t *message, unsigned full, unsigned rest, uint8_t *tag)
{{
    memset(&held, 0, sizeof held);
    memcpy(held.key, key, sizeof held.key);
    for (unsigned n = 0; n <= full; n++, message += sizeof held.message) {{
        held.flags = (uint8_t)((n == 0) | (n == full) << 1);
        held.length = (uint8_t)rest;
        memcpy(held.message, message, n == full ? rest : sizeof held.message);
        {name}_mac(&held);
    }}
    memcpy(tag, held.tag, sizeof held.tag);
}}
"""
_STREAM = """
void tf_stream(const uint8_t *key, const uint8_t *iv, unsigned blocks, uint8_t *stream)
{{
    memset(&held, 0, sizeof held);
    memcpy(held.key, key, sizeof held.key);
    memcpy(held.iv, iv, sizeof held.iv);
    {name}_setup(&held);
    for (unsigned n = 0; n < blocks; n++, stream += sizeof held.text) {{
        memset(held.text, 0, sizeof held.text);
        held.length = sizeof held.text;
        {name}_next(&held);
        memcpy(stream, held.text, sizeof held.text);
    }}
}}
"""
_SEAL = """
static void part(const uint8_t *from, unsigned size, uint8_t *to, unsigned of_data, unsigned first)
{{
    for (unsigned at = 0, rest; at <= size; at += sizeof held.data, first = 0) {{
        rest = size - at < sizeof held.data ? size - at : sizeof held.data;
        memcpy(held.data, from + at, rest);
        held.flags = (uint8_t)(of_data ? first | 4 : first | (rest < sizeof held.data) << 1);
        held.length = (uint8_t)rest;
        {name}_seal(&held);
        if (!of_data)
            memcpy(to + at, held.data, rest);
    }}
}}

void tf_seal(const uint8_t *key, const uint8_t *nonce, const uint8_t *data, unsigned data_size,
             const uint8_t *text, unsigned text_size, uint8_t *sealed)
{{
    memset(&held, 0, sizeof held);
    memcpy(held.key, key, sizeof held.key);
    memcpy(held.nonce, nonce, sizeof held.nonce);
    if (data_size)
        part(data, data_size, NULL, 1, 1);
    part(text, text_size, sealed, 0, !data_size);
    memcpy(sealed + text_size, held.tag, sizeof held.tag);
}}
"""
_SHIMS = {"hash": _HASH, "mac": _MAC, "keystream": _STREAM, "seal": _SEAL}
_ENTRIES = {"digest": "hash", "tag": "mac"}
_DECLARED = """
void tf_encrypt(const uint8_t *key, uint8_t *text);
void tf_decrypt(const uint8_t *key, uint8_t *text);
void tf_hash(const uint8_t *message, unsigned full, unsigned rest, uint8_t *digest);
void tf_mac(const uint8_t *key, const uint8_t *message, unsigned full, unsigned rest, uint8_t *tag);
void tf_stream(const uint8_t *key, const uint8_t *iv, unsigned blocks, uint8_t *stream);
void tf_seal(const uint8_t *key, const uint8_t *nonce, const uint8_t *data, unsigned data_size,
             const uint8_t *text, unsigned text_size, uint8_t *sealed);
"""


@cache
def fast(primitive: Primitive, function: str) -> Callable[..., bytes]:
    """A function of reference and oracle: in C if there is any, else Python.

    The C is the reference that the compilers of the targets are measured with. Where a primitive has none, or
    this machine has no compiler, the oracle answers, which is slower.
    """
    entry = _ENTRIES.get(function, function)
    library = _library(primitive, entry)
    if library is None:
        return getattr(primitive.oracle, function)
    return _CALLS.get(entry, _crypt)(primitive, entry, *library)


def _hash(primitive: Primitive, _entry: str, ffi, loaded) -> Callable[[bytes], bytes]:
    out = ffi.new("uint8_t[]", primitive.digest_bytes)

    def digest(message: bytes) -> bytes:
        loaded.tf_hash(message, *primitive.split(len(message)), out)
        return bytes(ffi.buffer(out))

    return digest


def _mac(primitive: Primitive, _entry: str, ffi, loaded) -> Callable[[bytes, bytes], bytes]:
    out = ffi.new("uint8_t[]", primitive.tag_bytes)

    def tag(key: bytes, message: bytes) -> bytes:
        loaded.tf_mac(key, message, *primitive.split(len(message)), out)
        return bytes(ffi.buffer(out))

    return tag


def _stream(primitive: Primitive, _entry: str, ffi, loaded) -> Callable[[bytes, bytes, int, int], bytes]:
    block = primitive.block_bytes

    def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
        blocks = -(-(start + length) // block)
        out = ffi.new("uint8_t[]", blocks * block)
        loaded.tf_stream(key, iv, blocks, out)
        return bytes(ffi.buffer(out))[start : start + length]

    return keystream


def _seal(primitive: Primitive, _entry: str, ffi, loaded) -> Callable[[bytes, bytes, bytes, bytes], bytes]:
    def seal(key: bytes, nonce: bytes, data: bytes, text: bytes) -> bytes:
        out = ffi.new("uint8_t[]", len(text) + primitive.tag_bytes)
        loaded.tf_seal(key, nonce, data, len(data), text, len(text), out)
        return bytes(ffi.buffer(out))

    return seal


def _crypt(primitive: Primitive, entry: str, ffi, loaded) -> Callable[[bytes, bytes], bytes]:
    text = ffi.new("uint8_t[]", primitive.block_bytes)
    view = ffi.buffer(text)
    name = f"tf_{entry}"

    def crypt(key: bytes, block: bytes) -> bytes:
        view[:] = block
        getattr(loaded, name)(key, text)  # the library is unloaded when nothing names it
        return view[:]

    return crypt


_CALLS = {"hash": _hash, "mac": _mac, "keystream": _stream, "seal": _seal}


def _library(primitive: Primitive, entry: str):
    """The interface and the compiled library; None where there is no C of it, or no compiler."""
    import cffi

    compiler = shutil.which(os.environ.get("CC", "cc"))
    file = primitive.folder.parent / primitive.templates / NAME
    if compiler is None or not file.is_file() or primitive.totals or primitive.form == CHAINED:
        return None
    name = re.sub(r"[^a-z0-9]", "", primitive.templates)
    entries = _entries(primitive, entry)
    calls = " ".join(f"{name}_{each}(&held);" for each in entries)
    one = _SHIMS.get(entry, _CIPHER).format(name=name, entry=entry, calls=calls, size=primitive.digest_bytes)
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


def _entries(primitive: Primitive, entry: str) -> tuple[str, ...]:
    """The entries of the C that make up a function."""
    if entry == "keystream":
        return "setup", "next"
    direct = any(entry in operation.entries for operation in primitive.operations.values())
    return (entry,) if direct else ("setup", f"{entry}_next")
