"""A bench, stores without the portfolio that ships, and files of NIST."""

import pytest

from tightfit.errors import UsageError
from tightfit.harness import nist, store
from tightfit.harness.bench import Bench
from tightfit.harness.store import Store
from tightfit.primitives import load_primitive

from . import samples


@pytest.fixture(scope="module")
def bench():
    with Bench("rl78", None, "aes-128") as bench:
        yield bench


@pytest.fixture
def no_portfolio(tmp_path, monkeypatch):
    """The folder where stores look for a portfolio; there is none."""
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(tmp_path / "portfolio"))
    return tmp_path / "portfolio"


@pytest.fixture
def texts(no_portfolio, monkeypatch):
    """What was measured is of the text that every sample is of."""
    monkeypatch.setattr(store, "text_now", lambda _: samples.measurement().source_sha256)


@pytest.fixture
def opened(no_portfolio, tmp_path):
    """An empty store."""
    with Store.open(tmp_path / "folder" / "store.sqlite") as opened:
        yield opened


@pytest.fixture
def read(tmp_path):
    """Reads a text as a file of NIST."""

    def read(text, primitive="aes-128", name="test.rsp"):
        (tmp_path / name).write_text(text)
        return nist.read(tmp_path / name, load_primitive(primitive))

    return read


@pytest.fixture
def refused(read):
    """Why a text is refused."""

    def refused(text, primitive):
        with pytest.raises(UsageError) as raised:
            read(text, primitive)
        assert "\n" not in str(raised.value)
        return str(raised.value)

    return refused
