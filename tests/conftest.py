"""Tests leave the user's own store alone; toolchains and the simulator are the user's, built once."""

import signal

import pytest

# What a shell starts in the background ignores Ctrl-C, and so would the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("TIGHTFIT_STORE", str(tmp_path / "store.sqlite"))
