"""The five finalists of AES: their references in C on this machine, and as a target's compiler makes them."""

import pytest

from tightfit.contenders import finalists
from tightfit.contenders.finalists import FINALISTS, load, measure
from tightfit.harness.onhost import fast
from tightfit.primitives import primitive_ids

from .guests import TARGETS


@pytest.mark.parametrize("name", FINALISTS)
def test_every_known_answer_is_given(name):
    primitive = load(name)
    encrypt = fast(primitive, "encrypt")
    for vector in primitive.vectors():
        text = vector.plaintext
        for _ in range(vector.iterations):
            text = encrypt(vector.key, text)
        assert text == vector.ciphertext


def test_they_are_no_primitives_of_the_portfolio():
    assert not {"serpent", "twofish", "rc6", "mars"} & set(primitive_ids())


@pytest.mark.in_turn(3)
@pytest.mark.dear("five references in C through the gate")
@pytest.mark.parametrize("target", TARGETS)
def test_every_finalist_passes_on_every_target(target):
    rows = measure(target, None, [("-Os",)], gate="search")
    assert [(row.name, row.rejected) for row in rows] == [(name, None) for name in FINALISTS]
    block = {row.name: row.cost.by_entry["encrypt_next"].cycles for row in rows}
    assert min(block, key=block.get) == "Rijndael" and max(block, key=block.get) == "Serpent"


def test_a_finalist_that_is_wrong_is_rejected(monkeypatch):
    monkeypatch.setattr(finalists, "definitions", lambda *_: ["-DROUNDS=30"])
    (row,) = measure("avr", None, [("-Os",)], gate="search", names=["RC6"])
    assert row.cost is None and "error" in row.rejected
