"""Tests leave the user's own store alone; toolchains and the simulator are the user's, built once."""

import pytest


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("TIGHTFIT_STORE", str(tmp_path / "store.sqlite"))
