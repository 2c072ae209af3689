"""Compiled templates: kept between runs, made anew where they cannot be kept or were damaged."""

import pytest

from tightfit.generator import load_space, render, rendering
from tightfit.records import Variant


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path))
    rendering._environment.cache_clear()
    yield tmp_path / "templates"
    rendering._environment.cache_clear()


def text() -> str:
    rendering._environment.cache_clear()
    spec = load_space("avr", "speck64-128").templates["tiny"]
    variant = Variant("avr", "ATmega1284P", "speck64-128", "encrypt", "tiny", next(spec.variants("encrypt")))
    return render(variant).source


def test_what_was_kept_or_damaged_gives_the_same_text(cache_folder):
    first = text()
    kept = [file for file in cache_folder.rglob("*") if file.is_file()]
    assert kept and text() == first
    for file in kept:
        file.write_bytes(b"no bytecode")
    assert text() == first


def test_a_cache_that_cannot_be_written(cache_folder):
    cache_folder.write_text("no folder")
    assert text()
