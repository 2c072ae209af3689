"""Answers of oracles that are kept in the cache."""

from dataclasses import replace

import numpy as np
import pytest

from tightfit.harness import answered
from tightfit.paths import cache_dir
from tightfit.primitives import load_primitive

SPECK = load_primitive("speck64-128")
KEYS, TEXTS = (
    np.arange(20 * size, dtype=np.uint8).reshape(20, size) for size in (SPECK.key_bytes, SPECK.block_bytes)
)


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """The texts that the oracle is asked for, with an empty cache."""
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path))
    texts, oracle = [], SPECK.oracle.encrypt
    monkeypatch.setitem(
        vars(SPECK.oracle), "encrypt", lambda key, text: texts.append(text) or oracle(key, text)
    )
    return texts


def answers(texts=TEXTS):
    return [row.tobytes() for row in answered.answers(SPECK, "encrypt", KEYS, texts)]


def right():
    pairs = zip(KEYS, TEXTS, strict=True)
    return [SPECK.reference.encrypt(key.tobytes(), text.tobytes()) for key, text in pairs]


def test_a_question_is_asked_once(asked):
    for _ in range(2):
        assert answers() == right()
    assert len(asked) == 20
    answers(TEXTS[::-1])
    assert len(asked) == 40


def test_every_answer_is_the_next_text(asked):
    key, text = KEYS[0].tobytes(), TEXTS[0].tobytes()
    for _ in range(2):
        rows = answered.iterated(SPECK, "encrypt", key, text, 30)
        assert rows.shape == (30, 8)
        for row in rows:
            text = SPECK.reference.encrypt(key, text)
            assert row.tobytes() == text
        text = TEXTS[0].tobytes()
    assert len(asked) == 30


@pytest.mark.parametrize("damage", [b"", b"\xff", b"12 34\n"])
def test_what_is_damaged_is_asked_again(asked, damage):
    answers()
    (file,) = (cache_dir() / "answers" / SPECK.id).iterdir()
    whole = file.read_bytes()
    for text in (damage, whole[:-40] + b"0" * 40):
        file.write_bytes(text)
        assert answers() == right()
        assert file.read_bytes() == whole
    assert len(asked) == 60


def test_another_oracle_is_asked(asked, tmp_path):
    answers()
    other = tmp_path / "speck64-128"
    other.mkdir()
    (other / "oracle.py").write_text("def encrypt(key, block):\n    return bytes(8)\n")
    others = answered.answers(replace(SPECK, folder=other), "encrypt", KEYS, TEXTS)
    assert not others.any()


def test_a_cache_that_cannot_be_written(asked, tmp_path):
    (tmp_path / "answers").write_text("in the way")
    assert answers() == right()
