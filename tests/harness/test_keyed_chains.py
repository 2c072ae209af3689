"""Chains of MACs, stream ciphers and authenticated encryption: by the page, and on the simulator."""

from dataclasses import replace
from random import Random

import pytest

from tightfit.generator import load_space, render
from tightfit.harness import aeadchain, montecarlo
from tightfit.harness.bench import routine_of
from tightfit.harness.onhost import fast
from tightfit.harness.routine import Rejected
from tightfit.primitives import load_primitive
from tightfit.records import Variant

from . import chains

SIMULATED = [
    ("poly1305", "mac", "tag"),
    ("trivium", "encrypt", "keystream"),
    ("chacha20", "encrypt", "keystream"),
    ("aes-128-cbc", "encrypt", "encrypt"),
    ("aes-128-cbc", "decrypt", "decrypt"),
    ("ascon-aead128", "seal+open", "seal"),
    ("ascon-aead128", "seal+open", "open"),
]


def xor(one, other):
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def short(primitive, function):
    return chains.short(primitive, function, calls=6, groups=4)


CBC = {
    "encrypt": (
        ("8809e7dd3a959ee5d8dbb13f501f2274", "e5c0bb535d7d54572ad06d170a0e58ae"),
        "1fd4ee65603e6130cfc2a82ab3d56c24",
        "7bed7671c8913aa1330f193761523e67",
    ),
    "decrypt": (
        ("287b07c78f8e3e1be7c41b3d96c04e6e", "41b461f9464fd515d25413b4241002b8"),
        "7c54923b0490a9d4de4ec1ce6790aa4d",
        "4769317b0562c45949c18b3855f8bf4a",
    ),
}
"""CBCMCT128.rsp of NIST's AES vectors: key, initial value and text of group 0, the answer of group 99."""


@pytest.mark.parametrize("function", CBC)
def test_the_chain_of_cbc_is_that_of_aesavs(function):
    (key, iv), text, answer = CBC[function]
    (test,) = montecarlo.tests_of(load_primitive("aes-128-cbc"), [function])
    test = replace(test, start=(bytes.fromhex(key), bytes.fromhex(text + iv)))
    assert (test.calls, test.groups) == (1_000, 100)
    assert [test.expected_of(group).hex() for group in test.answers()][-1] == answer


def of_a_mac(of, key, tape, number):
    for _ in range(6):
        message = tape[len(tape) - 1 - number % (2 * of.block_bytes) :]
        tape = tape[of.tag_bytes :] + of.oracle.tag(key, message)
    return tape


def of_a_stream_cipher(of, key, tape, number):
    block, iv = of.block_bytes, b""
    for begins, n in [(True, 0)] * 4 + [(False, 1), (False, 2)]:
        iv = tape[-of.iv_bytes :] if begins else iv
        tape = tape[block:] + xor(tape[-block:], of.oracle.keystream(key, iv, n * block, block))
    return tape


def of_sealing(of, key, tape, number):
    most = 2 * of.block_bytes + 1
    d, t = number % most, 7 * number % most
    for _ in range(6):
        rest, nonce = tape[: -of.nonce_bytes], tape[-of.nonce_bytes :]
        rest, data = rest[: len(rest) - d], rest[len(rest) - d :]
        sealed = of.oracle.seal(key, nonce, data, rest[len(rest) - t :])
        tape = (tape + sealed)[len(sealed) :]
    return tape


CHAINS = {
    "tag": (of_a_mac, ["poly1305", "aes-128-cmac", "hmac-sha-256"]),
    "keystream": (of_a_stream_cipher, ["trivium", "chacha20", "aes-128-ctr", "salsa20-12"]),
    "seal": (of_sealing, ["ascon-aead128", "chacha20-poly1305", "aes-128-ccm", "aes-128-gcm"]),
}


def room(of):
    """Bytes of the tape of a chain."""
    if of.kind == "mac":
        return max(2 * of.block_bytes, of.key_bytes)
    if of.kind == "aead":
        return max(of.nonce_bytes + 4 * of.block_bytes, of.key_bytes)
    return max(of.block_bytes, of.key_bytes, of.iv_bytes)


@pytest.mark.parametrize("function, primitive", [(name, of) for name in CHAINS for of in CHAINS[name][1]])
def test_the_chain_is_as_the_page_has_it(function, primitive):
    test, groups = short(primitive, function)
    of, key = test.primitive, bytes(range(test.primitive.key_bytes))
    tape = bytes(room(of))
    for number, group in enumerate(groups):
        assert (group.key, group.tape) == (key, tape)
        tape = CHAINS[function][0](of, key, tape, number)
        assert group.answer == tape
        key = xor(key, tape[-len(key) :])


@pytest.fixture(scope="module")
def run():
    """Runs a group of a test on a variant of RL78."""
    images = {}

    def image_of(builder, primitive, operation):
        templates = load_space("rl78", primitive).templates.values()
        spec = next(spec for spec in templates if operation in spec.operations)
        knobs = spec.sample(operation, Random(primitive))
        variant = Variant("rl78", builder.part.name, primitive, operation, spec.name, knobs)
        routine = routine_of(variant, render(variant))
        return routine, builder.build(routine)

    with chains.machine_of_rl78() as (builder, machine):

        def run(operation, test, group):
            asked = test.primitive.id, operation
            routine, image = images[asked] = images.get(asked) or image_of(builder, *asked)
            assert test.function in montecarlo.functions_of(routine)
            return montecarlo.run(machine, image, routine, test, group)

        yield run


@pytest.mark.parametrize(("primitive", "operation", "function"), SIMULATED)
def test_a_routine_that_is_right_passes_every_group(run, primitive, operation, function):
    test, groups = short(primitive, function)
    for group in groups:
        least, most = run(operation, test, group)
        assert 0 < least <= most


@pytest.mark.parametrize(("primitive", "operation", "function"), SIMULATED[:3])
def test_a_group_under_another_key_is_wrong(run, primitive, operation, function):
    test, (_, group, *_) = short(primitive, function)
    other = replace(group, key=bytes([group.key[0] ^ 1]) + group.key[1:])
    with pytest.raises(Rejected, match=f"wrong answer: {test.name}, group 1 of 6 calls: expected"):
        run(operation, test, other)


@pytest.mark.parametrize("place", [0, 16], ids=["ciphertext", "tag"])
def test_one_wrong_message_of_a_group_is_found(run, monkeypatch, place):
    test, groups = short("ascon-aead128", "seal")
    group = replace(groups[1], number=7)  # 16 bytes of text
    seal, calls = fast(test.primitive, "seal"), []

    def wrong(*given):
        calls.append(given)
        sealed = seal(*given)
        flip = bytes(place) + b"\1" + bytes(len(sealed) - place - 1)
        return xor(sealed, flip) if len(calls) == 6 else sealed

    monkeypatch.setattr(aeadchain, "fast", lambda *_: wrong)
    assert aeadchain.lengths(test.primitive, 7) == (7, 16)
    with pytest.raises(Rejected, match=r"group 7 of 6 messages: wrong (answer|tag): seal of 16 bytes with 7"):
        run("seal+open", test, group)


def test_a_tag_that_is_right_where_it_should_be_wrong_is_noticed(run, monkeypatch):
    test, groups = short("ascon-aead128", "open")
    monkeypatch.setattr(aeadchain, "_forged", lambda messages, _number: messages)
    with pytest.raises(Rejected, match="group 1 of 6 messages: wrong answer: open of a forged message"):
        run("seal+open", test, groups[1])
