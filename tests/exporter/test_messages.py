"""The C for whole messages, compiled for this machine round toy routines that watch how they are called."""

import ctypes
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from tightfit.exporter.pages import _render

from .libraries import ends, run

STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")
LANGUAGES = {"C99": ("gcc", "-std=c99"), "C++": ("g++", "-xc++", "-std=c++11")}
BLOCK, KEY, DIGEST = 8, 4, 4
HEADER = """#ifndef IT_H
#define IT_H
{sizes}
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {{
#endif
{declared}
#ifdef __cplusplus
}}
#endif
#endif
"""
SIZES = f"#define IT_BLOCK_BYTES {BLOCK}\n#define IT_KEY_BYTES {KEY}\n#define IT_DIGEST_BYTES {DIGEST}\n"
TOY = """#include "it_messages.h"
#ifdef __cplusplus
extern "C" {
#endif
int faults;
size_t it_size(void) { return sizeof(it_ctx); }
#ifdef __cplusplus
}
#endif
"""
HASH = """
#define IT_FIRST 1
#define IT_LAST 2
typedef struct { uint8_t state[12], flags, length, message[IT_BLOCK_BYTES]; } it_block;
void it_hash(it_block *block);
"""
TOY_HASH = """
/* state: sum of the bytes times their places, blocks so far, whether the message has ended */
void it_hash(it_block *block)
{
    const int last = block->flags & IT_LAST, first = block->flags & IT_FIRST;
    const int full = block->length == IT_BLOCK_BYTES, empty = block->length == 0;
    const int size = last ? block->length : IT_BLOCK_BYTES;
    if (first)
        for (int i = 0; i < 12; i++)
            block->state[i] = 0;
    faults += (block->flags > 3) + (block->length > IT_BLOCK_BYTES) + (block->state[11] != 0);
    if (last)
        faults += FULL_LAST ? empty && !first : full;
    for (int i = 0; i < size; i++) {
        block->state[4]++;
        block->state[0] = (uint8_t)(block->state[0] + block->state[4] * block->message[i]);
        block->state[1] = (uint8_t)(block->state[1] * 5 + block->message[i]);
    }
    block->state[2] = (uint8_t)(block->state[2] + size);
    block->state[3] = last ? 0x77 : 0;
    block->state[11] = (uint8_t)(last ? 1 : 0);
    block->flags = 0xa5;
    block->length = 0xa5;
    for (int i = 0; i < IT_BLOCK_BYTES; i++)
        block->message[i] = 0xa5;
}
"""
CIPHER = """
typedef struct { uint8_t text[IT_BLOCK_BYTES], key[IT_KEY_BYTES], work[IT_KEY_BYTES + 1]; } it_block;
void it_setup(it_block *block);
void it_encrypt(it_block *block);
void it_decrypt(it_block *block);
void it_encrypt_next(it_block *block);
void it_decrypt_next(it_block *block);
"""
TOY_CIPHER = """
static void expand(it_block *b, uint8_t way)
{
    for (int i = 0; i < IT_KEY_BYTES; i++) {
        b->work[i] = b->key[i];
        if (DESTROYS)
            b->key[i] = 0;
    }
    b->work[IT_KEY_BYTES] = way;
}
void it_setup(it_block *b) { expand(b, 3); }
void it_encrypt_next(it_block *b)
{
    uint8_t out[IT_BLOCK_BYTES];
    faults += !(b->work[IT_KEY_BYTES] & 1);
    for (int i = 0; i < IT_BLOCK_BYTES; i++)
        out[i] = (uint8_t)((b->text[(i + 1) % IT_BLOCK_BYTES] ^ b->work[i % IT_KEY_BYTES]) + 29 * i);
    for (int i = 0; i < IT_BLOCK_BYTES; i++)
        b->text[i] = out[i];
}
void it_decrypt_next(it_block *b)
{
    uint8_t out[IT_BLOCK_BYTES];
    faults += !(b->work[IT_KEY_BYTES] & 2);
    for (int i = 0; i < IT_BLOCK_BYTES; i++)
        out[(i + 1) % IT_BLOCK_BYTES] = (uint8_t)((b->text[i] - 29 * i) ^ b->work[i % IT_KEY_BYTES]);
    for (int i = 0; i < IT_BLOCK_BYTES; i++)
        b->text[i] = out[i];
}
void it_encrypt(it_block *b) { expand(b, 1); it_encrypt_next(b); }
void it_decrypt(it_block *b) { expand(b, 2); it_decrypt_next(b); }
"""
ENTRIES = {
    "each alone": ("encrypt", "decrypt"),
    "encrypt": ("encrypt",),
    "encrypt-next": ("setup", "encrypt_next"),
    "decrypt-next": ("setup", "decrypt_next"),
    "the first prepares": ("encrypt", "decrypt", "encrypt_next", "decrypt_next"),
}


class Built:
    """The functions of `it_messages.c` beside a toy."""

    def __init__(self, folder: Path, kind: str, header: str, toy: str, language: str, **facts: object):
        given = {"name": "it", "NAME": "IT", "version": "0", "command": "none", "place_type": "it_block"}
        given |= {"place": "block", "block_at": "block", "prepares": False, **facts}
        (folder / "it.h").write_text(HEADER.format(sizes=SIZES, declared=header))
        for ending in ("h", "c"):
            (folder / f"it_messages.{ending}").write_text(_render(f"{kind}/messages.{ending}", given))
        (folder / "toy.c").write_text(TOY + toy)
        compiler = LANGUAGES[language]
        objects = [folder / "toy.o", folder / "it_messages.o"]
        for made in objects:
            own = STRICT if made.stem != "toy" else ()
            run(*compiler, *own, "-O2", "-fPIC", "-c", "-o", made, made.with_suffix(".c"))
        linked = folder / "it.so"
        run(compiler[0], "-shared", "-o", linked, *objects)
        self.folder, self.compiler = folder, compiler
        self.library = ctypes.CDLL(str(linked))

    @property
    def faults(self) -> int:
        return ctypes.c_int.in_dll(self.library, "faults").value

    def context(self) -> ctypes.Array:
        """A context that holds no zeros, with as many bytes behind it that nobody may touch."""
        return ctypes.create_string_buffer(b"\xa5" * (2 * self.library.it_size()))

    def call(self, function: str, *arguments: object) -> int:
        sized = [ctypes.c_size_t(given) if isinstance(given, int) else given for given in arguments]
        return getattr(self.library, f"it_{function}")(*sized)


@pytest.fixture(params=LANGUAGES, scope="module")
def language(request):
    return request.param


@pytest.fixture(params=[0, 1], ids=["the last is not full", "the last may be full"], scope="module")
def hashing(request, language, tmp_path_factory):
    toy = TOY_HASH.replace("FULL_LAST", str(request.param))
    primitive = SimpleNamespace(full_last=request.param)
    return Built(tmp_path_factory.mktemp("hash"), "hash", HASH, toy, language, primitive=primitive)


def digest(message: bytes) -> bytes:
    """What the toy hash makes of a message."""
    places = sum((place + 1) % 256 * byte for place, byte in enumerate(message))
    turned = 0
    for byte in message:
        turned = (turned * 5 + byte) % 256
    return bytes([places % 256, turned, len(message) % 256, 0x77])


def pieces(message: bytes, chance: Random, most: int) -> list[bytes]:
    """A message in pieces of 0 to `most` bytes."""
    cut = []
    while message:
        size = chance.randint(0, most)
        cut.append(message[:size])
        message = message[size:]
    return cut


def test_a_hash_takes_pieces_of_any_size(hashing):
    chance = Random(1)
    for size in range(5 * BLOCK + 1):
        message, answers = chance.randbytes(size), set()
        for most in (1, 3, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 99):
            context, out = hashing.context(), ctypes.create_string_buffer(b"\xa5" * 8, 8)
            hashing.call("init", context)
            for piece in pieces(message, chance, most):
                hashing.call("update", context, piece, len(piece))
            hashing.call("final", context, out)
            answers.add(out.raw)
            assert context.raw[len(context) // 2 :].strip(b"\xa5\0") == b""
        whole = ctypes.create_string_buffer(b"\xa5" * 8, 8)
        hashing.call("message", message, size, whole)
        assert answers == {whole.raw} == {digest(message) + b"\xa5" * 4}, size
    assert hashing.faults == 0


def test_contexts_of_a_hash_are_apart(hashing):
    messages = [bytes(range(n, n + 3 * BLOCK + n)) for n in range(3)]
    contexts = [hashing.context() for _ in messages]
    for context in contexts:
        hashing.call("init", context)
    for place in range(len(messages[-1])):
        for context, message in zip(contexts, messages, strict=True):
            hashing.call("update", context, message[place : place + 1], len(message[place : place + 1]))
    for context, message in zip(contexts, messages, strict=True):
        out = ctypes.create_string_buffer(DIGEST)
        hashing.call("final", context, out)
        assert out.raw == digest(message)
    assert hashing.faults == 0


@pytest.fixture(params=[0, 1], ids=["key kept", "key destroyed"], scope="module")
def destroys(request):
    return request.param


@pytest.fixture(params=ENTRIES, scope="module")
def cipher(request, language, destroys, tmp_path_factory):
    entries = ENTRIES[request.param]
    built = Built(
        tmp_path_factory.mktemp("cipher"),
        "block-cipher",
        CIPHER,
        TOY_CIPHER.replace("DESTROYS", str(destroys)),
        language,
        entries=entries,
        prepares="encrypt_next" in entries and "setup" not in entries,
        measurement=SimpleNamespace(destroys_key=bool(destroys)),
    )
    built.ways = [way for way in ("encrypt", "decrypt") if any(entry.startswith(way) for entry in entries)]
    return built


def encrypted(key: bytes, text: bytes) -> bytes:
    """A block as the toy encrypts it."""
    return bytes(((text[(i + 1) % BLOCK] ^ key[i % KEY]) + 29 * i) % 256 for i in range(BLOCK))


def ctr(key: bytes, counter: bytes, text: bytes) -> bytes:
    number = int.from_bytes(counter, "big")
    stream = b"".join(
        encrypted(key, ((number + n) % 256**BLOCK).to_bytes(BLOCK, "big"))
        for n in range(len(text) // BLOCK + 1)
    )
    return bytes(a ^ b for a, b in zip(text, stream, strict=False))


def cbc(key: bytes, chain: bytes, text: bytes) -> bytes:
    out = b""
    for start in range(0, len(text), BLOCK):
        chain = encrypted(key, bytes(a ^ b for a, b in zip(text[start:][:BLOCK], chain, strict=True)))
        out += chain
    return out


def in_pieces(built, function, context, text, cut, unit, in_place):
    """A text through a function, piece by piece."""
    out = b""
    for piece in cut:
        source = ctypes.create_string_buffer(piece + b"\xa5", len(piece) + 1)
        room = source if in_place else ctypes.create_string_buffer(b"\xa5" * (len(piece) + 1), len(piece) + 1)
        built.call(function, context, source, room, len(piece) // unit)
        assert room.raw[-1:] == b"\xa5"
        out += room.raw[:-1]
    assert len(out) == len(text)
    return out


@pytest.mark.parametrize("counter", [b"\0" * BLOCK, b"\xff" * BLOCK, b"\x12" * 6 + b"\xff\xfe"])
def test_ctr_takes_pieces_of_any_size(cipher, counter):
    chance, key = Random(2), bytes(range(KEY))
    if "encrypt" not in cipher.ways:
        with pytest.raises(AttributeError):
            cipher.call("ctr_init", b"", b"", b"")
        return
    for size in range(5 * BLOCK + 1):
        text, context = chance.randbytes(size), cipher.context()
        cipher.call("ctr_init", context, key, counter)
        cut = pieces(text, chance, chance.choice((1, BLOCK, 2 * BLOCK)))
        assert in_pieces(cipher, "ctr_crypt", context, text, cut, 1, size % 2) == ctr(key, counter, text)
        whole = ctypes.create_string_buffer(size + 1)
        cipher.call("ctr_message", key, counter, text, whole, size)
        assert whole.raw == ctr(key, counter, text) + b"\0"
        assert context.raw[len(context) // 2 :].strip(b"\xa5\0") == b""
    assert cipher.faults == 0


def test_cbc_takes_pieces_of_whole_blocks(cipher):
    chance, key, iv = Random(3), bytes(range(KEY)), bytes(range(BLOCK))
    for count in range(6):
        plain = chance.randbytes(count * BLOCK)
        ends = {"encrypt": (plain, cbc(key, iv, plain)), "decrypt": (cbc(key, iv, plain), plain)}
        for way in cipher.ways:
            text, expected = ends[way]
            for in_place in (False, True):
                context = cipher.context()
                cipher.call("cbc_init", context, key, iv)
                blocks = [text[n * BLOCK : (n + 2) * BLOCK] for n in range(0, count, 2)]
                found = in_pieces(cipher, f"cbc_{way}", context, text, [b"", *blocks], BLOCK, in_place)
                assert found == expected
            whole = ctypes.create_string_buffer(count * BLOCK + 1)
            cipher.call(f"cbc_{way}_message", key, iv, text, whole, count)
            assert whole.raw == expected + b"\0"
    assert cipher.faults == 0


def test_what_differs_and_what_is_wiped(hashing):
    for place in range(4):
        other = bytes(1 if n == place else 0 for n in range(4))
        assert hashing.call("differ", bytes(4), other, 4) & 0xFF
        assert hashing.call("differ", bytes(4), other, place) & 0xFF == 0
    context = hashing.context()
    hashing.call("init", context)
    hashing.call("update", context, b"secret", 6)
    hashing.call("wipe", context)
    half = hashing.library.it_size()
    assert context.raw[:half] == bytes(half) and context.raw[half : 2 * half] == b"\xa5" * half


LEFT = """
#include <string.h>
#include "it_messages.c"
static const volatile uint8_t *where;
static __attribute__((noinline)) void leave(void)
{
    it_ctx ctx;
    where = (const volatile uint8_t *)&ctx;
    it_init(&ctx);
    it_update(&ctx, (const uint8_t *)"secret", 6);
    it_wipe(&ctx);
}
int main(void)
{
    int left = 0;
    leave();
    for (size_t i = 0; i < sizeof(it_ctx); i++)
        left += where[i] != 0;
    return left;
}
"""


@pytest.mark.parametrize("remove, expected", [("", False), ("volatile ", True)], ids=["as it is", "without"])
def test_no_compiler_leaves_out_the_wiping(hashing, tmp_path, remove, expected):
    source = (hashing.folder / "it_messages.c").read_text()
    (tmp_path / "it_messages.c").write_text(source.replace(remove, "") if remove else source)
    (tmp_path / "left.c").write_text(LEFT)
    program, sources = tmp_path / "left", (tmp_path / "left.c", hashing.folder / "toy.c")
    run(*hashing.compiler, "-O3", f"-I{hashing.folder}", "-o", program, *sources)
    assert bool(ends(program)) == expected
