"""The calls of SUPERCOP, each through an adapter: what is compiled, asked and counted."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from tightfit.contenders.adapter import Adapter, Overhead, packed
from tightfit.contenders.messages import EMPTY, ENTRY, ONE, TWO, Messages
from tightfit.curve import LENGTHS
from tightfit.errors import UsageError
from tightfit.harness.bench import CYCLE_LIMIT
from tightfit.harness.gate import Findings
from tightfit.harness.kinds import Kind, kind_of
from tightfit.primitives import Primitive
from tightfit.records import Timing
from tightfit.targets import Part

_STACK_ROOM = 1024
"""Bytes of RAM left free beside the longest message; half of the RAM where that is less."""
_HASH = """#include "crypto_hash.h"
_Static_assert(CRYPTO_BYTES == {digest}, "CRYPTO_BYTES is not {digest}");
typedef struct {{
    unsigned char out[{digest}], length[2], message[{longest}], status[2];
}} tf_block;
void tf_hash(tf_block *block)
{{
    unsigned length = block->length[0] | (unsigned)block->length[1] << 8;
    int status = crypto_hash(block->out, block->message, length);
    block->status[0] = (unsigned char)status;
    block->status[1] = (unsigned char)((unsigned)status >> 8);
}}
"""
_CORE = """#include "crypto_core.h"
_Static_assert(CRYPTO_OUTPUTBYTES == {block}, "CRYPTO_OUTPUTBYTES is not {block}");
_Static_assert(CRYPTO_INPUTBYTES == {block}, "CRYPTO_INPUTBYTES is not {block}");
_Static_assert(CRYPTO_KEYBYTES == {key}, "CRYPTO_KEYBYTES is not {key}");
typedef struct {{
    unsigned char text[{block}], key[{key}], in[{block}];
}} tf_block;
void tf_encrypt(tf_block *block)
{{
    unsigned char n;
    for (n = 0; n < {block}; n++)
        block->in[n] = block->text[n];
    crypto_core(block->text, block->in, block->key, 0);
}}
"""
_HASH_HEADER = """#ifndef crypto_hash_H
#define crypto_hash_H
#include "api.h"
#define crypto_hash_BYTES CRYPTO_BYTES
int crypto_hash(unsigned char *, const unsigned char *, unsigned long long);
#endif
"""
_CORE_HEADER = """#ifndef crypto_core_H
#define crypto_core_H
#include "api.h"
#define crypto_core_OUTPUTBYTES CRYPTO_OUTPUTBYTES
#define crypto_core_INPUTBYTES CRYPTO_INPUTBYTES
#define crypto_core_KEYBYTES CRYPTO_KEYBYTES
int crypto_core(unsigned char *, const unsigned char *, const unsigned char *, const unsigned char *);
#endif
"""
_INTEGER = "#include <stdint.h>\ntypedef {kind}{bits}_t crypto_{kind}{bits};\n"
HEADERS: Mapping[str, str] = {
    "crypto_hash.h": _HASH_HEADER,
    "crypto_core.h": _CORE_HEADER,
    **{
        f"crypto_{kind}{bits}.h": _INTEGER.format(kind=kind, bits=bits)
        for kind in ("int", "uint")
        for bits in (8, 16, 32, 64)
    },
}
"""What SUPERCOP puts on the include path."""


class Calls(Protocol):
    """How a kind of operation of SUPERCOP is called and counted.

    `limit` are the cycles after which a call counts as one that never returns, `block_bytes` the RAM that
    stands for a parameter block.
    """

    adapter: Adapter
    limit: int
    block_bytes: int
    ranked: tuple[str, ...]

    def kind(self, added: Overhead) -> Kind:
        """What the gate asks."""

    def by_entry(self, findings: Findings, added: Overhead) -> dict[str, Timing]:
        """The figures, without the adapter."""


class HashCalls:
    """`crypto_hash`: the whole message in one call.

    `middle` is what a message of two blocks takes beyond one of its first block; `last` is the empty message,
    and so what is done once; `first` is what a message of one block takes beyond the empty one. The digest
    counts as RAM, the message is the caller's.
    """

    limit = 16 * CYCLE_LIMIT
    ranked = ()

    def __init__(self, primitive: Primitive, part: Part):
        self.primitive = primitive
        self.block_bytes = digest = primitive.digest_bytes
        self.longest = _longest(primitive, part)
        block = packed((("out", digest), ("length", 2), ("message", self.longest), ("status", 2)))
        text = _HASH.format(digest=digest, longest=self.longest)
        self.adapter = Adapter(ENTRY, "crypto_hash", block, text)

    def kind(self, added: Overhead) -> Kind:
        """Whole messages."""
        return Messages(self.primitive, self.longest, added.cycles)

    def by_entry(self, findings: Findings, added: Overhead) -> dict[str, Timing]:
        """First, middle and last as differences of whole messages."""
        timings = findings.timings
        return {
            "middle": timings.difference(TWO, ONE),
            "first": timings.difference(ONE, EMPTY),
            "last": without(findings.by_entry[EMPTY], added),
        }


class CoreCalls:
    """`crypto_core` of a block cipher: out, in, key and a constant that is none; its figure is `encrypt`."""

    limit = CYCLE_LIMIT
    ranked = ("encrypt",)

    def __init__(self, primitive: Primitive, part: Part):
        self.primitive = primitive
        block, key = primitive.block_bytes, primitive.key_bytes
        self.block_bytes = 2 * block + key
        fields = packed((("text", block), ("key", key), ("in", block)))
        self.adapter = Adapter("encrypt", "crypto_core", fields, _CORE.format(block=block, key=key))

    def kind(self, added: Overhead) -> Kind:
        """Blocks with a fresh key."""
        return kind_of(self.primitive)

    def by_entry(self, findings: Findings, added: Overhead) -> dict[str, Timing]:
        """The one figure."""
        return {name: without(timing, added) for name, timing in findings.by_entry.items()}


CALLS = {"crypto_hash": HashCalls, "crypto_core": CoreCalls}


def without(timing: Timing, added: Overhead) -> Timing:
    """A timing with the adapter taken off every call."""
    return replace(
        timing,
        total=timing.total - added.cycles * timing.inputs,
        minimum=timing.minimum - added.cycles,
        maximum=timing.maximum - added.cycles,
        hazard=timing.hazard - added.hazard * timing.inputs,
    )


def _longest(primitive: Primitive, part: Part) -> int:
    """Bytes of the longest message: of the curve, as far as the part has room for it."""
    room = part.ram - min(_STACK_ROOM, part.ram // 2)
    lengths = [length for length in (2 * primitive.block_bytes, *LENGTHS) if length <= room]
    if 2 * primitive.block_bytes > room:
        raise UsageError(
            f"{part.name} has {part.ram} bytes of RAM: too few for a message of two blocks of "
            f"{primitive.name}; name another with --part"
        )
    return max(lengths)
