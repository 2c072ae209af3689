"""The references in C on this machine, with sanitizers: known answers, and random ones of the oracle."""

import random
import subprocess

import pytest

from tightfit.contenders.baselines import definitions, source_of
from tightfit.harness.kinds.aead import calls_of
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.primitives.kinds import SIZES

HERE = __file__.rpartition("/")[0]
PRIMITIVES = [primitive for primitive in map(load_primitive, primitive_ids()) if source_of(primitive)]
EVERY = [pytest.param(primitive, id=primitive.id) for primitive in PRIMITIVES]
CIPHERS = [case for case in EVERY if case.values[0].kind == "block-cipher"]
HASHES = [case for case in EVERY if case.values[0].kind == "hash"]
MACS = [case for case in EVERY if case.values[0].kind == "mac"]
STREAMS = [case for case in EVERY if case.values[0].form == "stream-cipher"]
AEADS = [case for case in EVERY if case.values[0].kind == "aead"]
FIRST_FIELD = {"block-cipher": "text", "hash": "message", "mac": "key", "stream-cipher": "key", "aead": "key"}
CHECKS = "-std=c11 -O1 -pedantic -Wall -Wextra -Wconversion -Werror -fno-sanitize-recover=all".split()
CHECKS += ["-fsanitize=address,undefined"]


@pytest.fixture(scope="module")
def caller(tmp_path_factory):
    """A function that calls entries of an operation one after the other and gives the block after each."""

    def build(primitive, operation, field, given):
        program = tmp_path_factory.mktemp("c") / "caller"
        entries = primitive.operation(operation).entries
        name = source_of(primitive).name
        words = {
            "REFERENCE": f'"{source_of(primitive).file}"',
            "BLOCK_TYPE": f"{name}_block",
            "ENTRIES": ", ".join(f"{name}_{entry}" for entry in entries),
            "FIELD": field,
            "GIVEN": given,
        }
        options = [f"-D{word}={value}" for word, value in words.items()]
        options += [*definitions(primitive, operation), "-o", program, f"{HERE}/call_reference.c"]
        subprocess.run(["cc", *CHECKS, *options], check=True)

        def call(*calls):
            asked = b"".join(bytes([entries.index(entry)]) + block for entry, block in calls)
            done = subprocess.run([program], input=asked, capture_output=True)
            assert done.returncode == 0, done.stderr.decode()
            size = len(done.stdout) // len(calls)
            return [done.stdout[n * size : (n + 1) * size] for n in range(len(calls))]

        return call

    return build


def _pairs(primitive):
    """(key, plaintext, ciphertext): of known answers, and of random inputs."""
    for vector in primitive.vectors():
        if vector.iterations == 1:
            yield vector.key, vector.plaintext, vector.ciphertext
    source = random.Random(primitive.seed)
    for _ in range(50):
        key, text = source.randbytes(primitive.key_bytes), source.randbytes(primitive.block_bytes)
        yield key, text, primitive.oracle.encrypt(key, text)


@pytest.mark.parametrize("primitive", CIPHERS)
def test_ciphers_answer_right_and_keep_the_key(primitive, caller):
    pairs = list(_pairs(primitive))
    both = "encrypt+decrypt" in primitive.operations
    operation = "encrypt+decrypt" if both else "encrypt"
    call = caller(primitive, operation, "text", primitive.block_bytes + primitive.key_bytes)
    for entry, given, expected in (("encrypt", 1, 2), ("decrypt", 2, 1))[: 1 + both]:
        blocks = call(*((entry, pair[given] + pair[0]) for pair in pairs))
        for pair, block in zip(pairs, blocks, strict=True):
            assert block == pair[expected] + pair[0]


@pytest.mark.parametrize(
    ("primitive", "way"),
    [
        pytest.param(*case.values, way, id=f"{case.id}-{way}")
        for case in CIPHERS
        for way in ("encrypt", "decrypt")
        if f"{way}-next" in case.values[0].operations
    ],
)
def test_round_keys_that_are_kept_serve_every_block_that_follows(primitive, way, caller):
    call = caller(primitive, f"{way}-next", "text", primitive.block_bytes + primitive.key_bytes)
    answer = getattr(primitive.oracle, way)
    for key, text, _ in list(_pairs(primitive))[:20]:
        other = text[::-1]
        _, first, second = call(
            ("setup", text + key), (f"{way}_next", text + key), (f"{way}_next", other + key)
        )
        assert first[: len(text)] == answer(key, text)
        assert second[: len(text)] == answer(key, other)


@pytest.mark.parametrize("primitive", HASHES)
def test_hashes_of_every_length_of_a_last_block_and_of_long_messages(primitive, caller):
    block, size = primitive.block_bytes, primitive.digest_bytes
    call = caller(primitive, "hash", "message", block + 2)
    source = random.Random(primitive.seed)
    messages = [(vector.message, vector.digest) for vector in primitive.vectors()]
    for length in (*range(2 * block + 2), 9000):
        message = source.randbytes(length)
        messages.append((message, primitive.oracle.digest(message)))
    calls, ends = [], []
    for message, _ in messages:
        full, rest = primitive.split(len(message))
        padded = message + source.randbytes(block - rest)
        for n in range(full + 1):
            flags = (n == 0) | (n == full) << 1
            text = padded[n * block : (n + 1) * block]
            calls.append(("hash", text + bytes([flags, rest if n == full else 255])))
        ends.append(len(calls) - 1)
    blocks = call(*calls)
    for (_, digest), end in zip(messages, ends, strict=True):
        assert blocks[end][:size] == digest


@pytest.mark.parametrize("primitive", MACS)
def test_macs_of_every_length_of_a_last_block_and_of_a_long_message(primitive, caller):
    block, source = primitive.block_bytes, random.Random(primitive.seed)
    call = caller(primitive, "mac", "key", primitive.key_bytes + block + 2)
    asked = [(vector.key, vector.message, vector.tag) for vector in primitive.vectors()]
    for length in (*range(2 * block + 2), 3000):
        key, message = source.randbytes(primitive.key_bytes), source.randbytes(length)
        asked.append((key, message, primitive.oracle.tag(key, message)))
    for key, message, tag in asked:
        full, rest = primitive.split(len(message))
        padded = message + source.randbytes(block - rest)
        calls = []
        for n in range(full + 1):
            flags = (n == 0) | (n == full) << 1
            text = padded[n * block : (n + 1) * block]
            calls.append(("mac", key + text + bytes([flags, rest if n == full else block])))
        at = primitive.key_bytes + block + 2
        assert call(*calls)[-1][at : at + primitive.tag_bytes] == tag


@pytest.mark.parametrize("primitive", STREAMS)
def test_streams_of_known_answers_and_of_a_last_block_of_every_length(primitive, caller):
    block, source = primitive.block_bytes, random.Random(primitive.seed)
    call = caller(primitive, "encrypt", "key", primitive.key_bytes + primitive.iv_bytes + block + 1)
    asked = [
        (vector.key, vector.iv, vector.keystream_offset + len(vector.keystream))
        for vector in primitive.vectors()
    ]
    pairs = (
        (source.randbytes(primitive.key_bytes), source.randbytes(primitive.iv_bytes)) for _ in range(block)
    )
    asked += [(*pair, 2 * block + rest) for rest, pair in enumerate(pairs)]
    for key, iv, length in asked:
        text = source.randbytes(-(-length // block) * block)
        starts = range(0, len(text), block)
        nexts = [
            ("next", key + iv + text[at : at + block] + bytes([min(block, length - at)])) for at in starts
        ]
        blocks = call(("setup", key + iv + bytes(block + 1)), *nexts)[1:]
        assert all(found.startswith(key + iv) for found in blocks)
        at = len(key + iv)
        found = b"".join(found[at : at + block] for found in blocks)[:length]
        stream = primitive.oracle.keystream(key, iv, 0, length)
        assert found == bytes(a ^ b for a, b in zip(text, stream, strict=False))


@pytest.mark.dear("messages of many lengths")
@pytest.mark.parametrize("primitive", AEADS)
def test_messages_are_sealed_and_opened_and_forged_ones_are_not(primitive, caller):
    block, source = primitive.block_bytes, random.Random(primitive.seed)
    head, tag_bytes = primitive.key_bytes + primitive.nonce_bytes, primitive.tag_bytes
    call = caller(primitive, "seal+open", "key", head + block + 2 + tag_bytes)
    for n in range(block + 3):
        sizes = (primitive.key_bytes, primitive.nonce_bytes, (5 * n) % (2 * block), n)
        key, nonce, data, text = map(source.randbytes, sizes)
        sealed = primitive.oracle.seal(key, nonce, data, text)
        ciphertext, tag = sealed[:n], sealed[n:]
        forged = bytes([tag[0] ^ 1]) + tag[1:]
        calls = calls_of(block, len(data), n)
        for entry, given, expected, its_tag in (
            ("seal", text, ciphertext, bytes(tag_bytes)),
            ("open", ciphertext, text, tag),
            ("open", ciphertext, text, forged),
        ):
            asked = []
            for one in calls:
                part = (data if one.data else given)[one.start : one.start + one.size]
                ends = bytes([one.flags, one.size]) + its_tag
                asked.append((entry, key + nonce + part.ljust(block, b"?") + ends))
            blocks = call(*asked)
            pairs = zip(calls, blocks, strict=True)
            found = b"".join(b[head : head + one.size] for one, b in pairs if not one.data)
            assert found == expected
            last = blocks[-1][head + block :]
            if entry == "seal":
                assert last[2 : 2 + tag_bytes] == tag
            else:
                assert (last[0] == 0) == (its_tag == tag)


@pytest.mark.parametrize("primitive", EVERY)
def test_every_operation_has_its_entries(primitive, caller):
    for name, operation in primitive.operations.items():
        given = bytes(primitive.block_bytes + sum(getattr(primitive, size) for size in SIZES) + 2)
        if primitive.kind in ("block-cipher", "hash"):
            given = bytes(primitive.block_bytes + (primitive.key_bytes or 2))
        calls = ((entry, given) for entry in operation.entries)
        assert len(caller(primitive, name, FIRST_FIELD[primitive.kind], len(given))(*calls))
