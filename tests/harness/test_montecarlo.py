"""NIST's Monte Carlo tests: the chains themselves, and routines on the simulator that go through them."""

import hashlib
from dataclasses import replace
from itertools import islice

import pytest

from tightfit.errors import UsageError, WorkError
from tightfit.harness import montecarlo
from tightfit.harness.onhost import fast
from tightfit.harness.routine import Rejected
from tightfit.primitives import load_primitive, primitive_ids

from .chains import machine_of_rl78, short
from .routines import routine

SHAVS_SEED = "6d1e72ad03ddeb5de891e572e2396f8da015d899ef0e79503152d6010a3fe691"
SHAVS_FIRST = "e93c330ae5447738c8aa85d71a6c80f2a58381d05872d26bdd39f1fcd4f2b788"
PUBLISHED = {
    "encrypt": ("c34c052cc0da8d73451afe5f03be297f", "0ac15a9afbb24d54ad99e987208272e2"),
    "decrypt": ("44416ac2d1f53c583303917e6be9ebe0", "e3fd51123b48a2e2ab1db29894202222"),
}
"""Answers of groups 0 and 1 in the files of Rijndael's submission to AES."""


@pytest.fixture(scope="module")
def run():
    """Runs a group of a test on a routine of RL78."""
    with machine_of_rl78() as (builder, machine):
        yield lambda routine, *of: montecarlo.run(machine, builder.build(routine), routine, *of)


@pytest.mark.parametrize("function", PUBLISHED)
def test_the_chain_is_that_of_the_submissions_to_aes(function):
    (test,) = montecarlo.tests_of(load_primitive("aes-128"), [function])
    found = tuple(test.expected_of(group).hex() for group in islice(test.answers(), 2))
    assert (test.calls, test.groups, found) == (10_000, 400, PUBLISHED[function])


def test_the_chain_is_that_of_shavs():
    (test,) = montecarlo.tests_of(load_primitive("sha-256"))
    test = replace(test, start=(bytes.fromhex(SHAVS_SEED),))
    assert (test.calls, test.groups) == (1_000, 100)
    assert test.expected_of(next(test.answers())).hex() == SHAVS_FIRST


@pytest.mark.parametrize(
    "primitive, digest, kept",
    [
        ("sha3-256", hashlib.sha3_256, 32),  # a digest is the next message
        ("blake2s-256", hashlib.blake2s, 128),  # as the contest for SHA-3 has it
    ],
)
def test_the_chain_of_other_hashes(primitive, digest, kept):
    _, groups = short(primitive, "digest")
    message = bytes(kept)
    for group in groups:
        assert group.tape == message
        for _ in range(20):
            message = (digest(message).digest() + message)[:kept]
        assert group.answer == message


def test_a_key_longer_than_a_block_takes_in_two_answers():
    test, groups = short("speck64-128")
    encrypt = test.primitive.oracle.encrypt
    key, text, answers = bytes(16), bytes(8), []
    for group in groups:
        assert (group.key, group.tape[-8:]) == (key, text)
        for _ in range(20):
            text = encrypt(key, text)
            answers.append(text)
        key = bytes(a ^ b for a, b in zip(key, answers[-2] + answers[-1], strict=True))


def of(*kinds):
    """Primitives of those kinds, without those whose calls are others."""
    return [primitive.id for primitive in map(load_primitive, primitive_ids()) if primitive.form in kinds]


@pytest.mark.parametrize("primitive", of("block-cipher", "hash", "mac", "stream-cipher", "aead"))
def test_the_reference_in_c_answers_as_the_oracle_does(primitive):
    primitive = load_primitive(primitive)
    for function in primitive.functions:
        for given in inputs(primitive):
            assert fast(primitive, function)(*given) == getattr(primitive.oracle, function)(*given)


def inputs(primitive):
    """Inputs of the functions of a kind, of several lengths where they may have any."""
    key, block = (bytes(range(size)) for size in (primitive.key_bytes, primitive.block_bytes))
    lengths = (0, 1, len(block), 96, 128, 200)
    if primitive.kind == "block-cipher":
        return [(key, block)]
    if primitive.kind == "stream-cipher":
        return [(key, block[: primitive.iv_bytes], start, 100) for start in lengths]
    if primitive.kind == "aead":
        nonce = block[: primitive.nonce_bytes]
        return [(key, nonce, bytes(one), bytes(other)) for one in lengths for other in lengths]
    return [(key, bytes(length)) if key else (bytes(length),) for length in lengths]


def test_what_has_no_rule_has_no_chain(monkeypatch):
    monkeypatch.delitem(montecarlo._RULES, "mac")
    with pytest.raises(UsageError, match="poly1305: no Monte Carlo chain; expected one of block-cipher, "):
        montecarlo.tests_of(load_primitive("poly1305"))


def test_without_a_compiler_the_oracle_answers(monkeypatch):
    monkeypatch.setenv("CC", "/nowhere/cc")
    fast.cache_clear()
    try:
        primitive = load_primitive("aes-128")
        assert fast(primitive, "encrypt") == primitive.oracle.encrypt
    finally:
        fast.cache_clear()


def test_a_reference_that_is_wrong_is_no_verdict_on_a_routine(monkeypatch):
    monkeypatch.setattr(montecarlo, "fast", lambda *_: lambda key, text: text)
    with pytest.raises(WorkError, match=r"encrypt, group 0: reference\.c says 0000.*, oracle\.py 66e9"):
        short()


def test_a_routine_that_is_right_passes_every_group(run):
    test, groups = short()
    assert {run(routine(), test, group) for group in groups} == {run(routine(), test, groups[0])}


def test_the_cycles_are_those_of_the_calls(run):
    test, (group, *_) = short()
    least, most = run(routine(), test, group)
    slower = routine("        cmp0 a\n        bz $1f\n        nop\n1:")
    assert least == most
    assert run(slower, test, group)[1] > most


def test_a_call_that_is_wrong_once_in_a_while_is_found(run):
    wrong = routine(
        after="        movw hl, ax\n        mov a, [hl]\n        cmp a, #0x5a\n"
        "        bnz $1f\n        inc a\n        mov [hl], a\n1:"
    )
    test, groups = short(calls=1_000)
    with pytest.raises(Rejected, match=r"wrong answer: encrypt, group \d of 1000 calls: expected .*, found"):
        for group in groups:
            run(wrong, test, group)


def test_a_file_has_the_last_word(run):
    test, (group, *_) = short()
    with pytest.raises(Rejected, match="expected " + 32 * "0"):
        run(routine(), replace(test, expected=(bytes(16),)), group)


def test_a_call_that_never_returns_is_named(run):
    test, (group, *_) = short()
    with pytest.raises(Rejected, match=r"encrypt: branch to itself at .*, in call 1 of a chain"):
        run(routine("1:      br $1b"), test, group)


def test_a_key_that_is_changed_is_found(run):
    test, (group, *_) = short()
    spoiled = "        movw hl, ax\n        inc [hl+16]\n"
    with pytest.raises(Rejected, match="key not intact: encrypt"):
        run(routine(after=spoiled), test, group)
    run(routine(after=spoiled, destroys_key=True), test, group)
