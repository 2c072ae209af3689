"""`ask --toolchain` and `export --toolchain` agree: the same variant and figures, or none at all."""

import pytest

from tightfit import api
from tightfit.errors import WorkError
from tightfit.reports.filters import filters

GNU = filters(toolchain="gnu")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("store") / "store.sqlite"


@pytest.fixture(autouse=True)
def no_tools(monkeypatch):
    """What ships is known with the interface, and nothing is measured."""
    monkeypatch.setattr("tightfit.exporter.prepared.missing_tool", lambda target: "nothing is here")


@pytest.mark.parametrize(
    "subject, bounds",
    [
        (("aes-128", "encrypt"), {"rom": "1KB", "ram": 64}),
        (("aes-128", "encrypt"), {"rom": 512, "ram": 64}),
        (("present-80", "encrypt+decrypt"), {"rom": "1KB", "ram": 128}),
        (("sha-256", "hash"), {"rom": "1KB", "ram": 256}),
        (("speck64-128", "encrypt-next"), {"ram": 256}),
    ],
)
def test_the_answer_is_what_is_exported(store, tmp_path, subject, bounds):
    asked = api.ask(*subject, target="rl78", **bounds, filters=GNU, store=store)
    done = api.export(*subject, target="rl78", **bounds, to=tmp_path / "out", store=store)
    assert done.measurement.variant == asked.measurement.variant
    assert done.cost == asked.measurement.cost
    assert done.cost.ram <= bounds["ram"]


def test_a_reentrant_library_is_the_reentrant_answer(store, tmp_path):
    bounds = {"target": "avr", "rom": "1KB", "ram": 64, "store": store}
    asked = api.ask("aes-128", "encrypt", **bounds, filters=filters(reentrant=True))
    done = api.export("aes-128", "encrypt", **bounds, reentrant=True, to=tmp_path / "out")
    assert done.measurement.variant == asked.measurement.variant and done.measurement.reentrant
    assert asked.measurement != api.ask("aes-128", "encrypt", **bounds).measurement
    assert "--reentrant" in (tmp_path / "out" / "README.md").read_text()


def test_what_fits_only_without_the_interface_is_refused(store, tmp_path):
    bounds = {"target": "rl78", "rom": 143, "ram": 128, "store": store}
    assert api.ask("aes-128", "encrypt", **bounds).measurement is not None
    asked = api.ask("aes-128", "encrypt", **bounds, filters=GNU)
    assert (asked.status, asked.measurement) == ("impossible", None)
    assert [one.cost.rom > 143 for one in asked.least] == [True]
    with pytest.raises(WorkError, match="nothing known fits with the interface of gnu, nothing to export"):
        api.export("aes-128", "encrypt", **bounds, to=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    plain = api.export("aes-128", "encrypt", **bounds, toolchain="ccrl", to=tmp_path / "out")
    assert plain.measurement.cost.rom == 143


def test_what_a_shim_adds_at_least_bounds_what_is_best_with_it(store):
    bounds = {"target": "rl78", "rom": "1KB", "ram": 64, "store": store}
    plain = api.ask("speck64-128", "encrypt", **{**bounds, "rom": 1022, "ram": 62}, only=["no-banks"])
    with_gnu = api.ask("speck64-128", "encrypt", **bounds, only=["no-banks"], filters=GNU)
    assert plain.certificate.proved and plain.measurement.reentrant
    assert with_gnu.measurement.variant == plain.measurement.variant
    assert with_gnu.certificate.proved
    assert with_gnu.certificate.bound == with_gnu.measurement.cost.cycles > plain.measurement.cost.cycles


def test_elsewhere_the_interface_is_the_portfolios(store):
    bounds = {"target": "avr", "rom": "1KB", "ram": 64, "store": store}
    with_gnu = api.ask("aes-128", "encrypt", **bounds, filters=GNU)
    assert with_gnu.certificate.proved
    assert with_gnu.measurement == api.ask("aes-128", "encrypt", **bounds).measurement
