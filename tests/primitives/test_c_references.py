"""The references in C on this machine, with sanitizers: known answers, and random ones of the oracle."""

import random
import subprocess

import pytest

from tightfit.contenders.baselines import definitions, source_of
from tightfit.primitives import load_primitive, primitive_ids

HERE = __file__.rpartition("/")[0]
PRIMITIVES = [primitive for primitive in map(load_primitive, primitive_ids()) if source_of(primitive)]
EVERY = [pytest.param(primitive, id=primitive.id) for primitive in PRIMITIVES]
CIPHERS = [case for case in EVERY if case.values[0].kind == "block-cipher"]
HASHES = [case for case in EVERY if case.values[0].kind == "hash"]
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


@pytest.mark.parametrize("primitive", EVERY)
def test_every_operation_has_its_entries(primitive, caller):
    for name, operation in primitive.operations.items():
        field = "text" if primitive.kind == "block-cipher" else "message"
        given = bytes(primitive.block_bytes + (primitive.key_bytes or 2))
        calls = ((entry, given) for entry in operation.entries)
        assert len(caller(primitive, name, field, len(given))(*calls))
