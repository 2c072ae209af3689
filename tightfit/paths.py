"""Where things are: the package's data, the simulator's source, the per-user cache and store."""

import os
from pathlib import Path

import platformdirs

PACKAGE = Path(__file__).resolve().parent


def _data(name: str) -> Path:
    """Folder `name` beside the package in a checkout, inside it once installed."""
    beside = PACKAGE.parent / name
    return beside if beside.is_dir() else PACKAGE / f"_{name}"


def simulator_source() -> Path:
    """Folder of the simulator's C sources."""
    return _data("simulator")


def portfolio_is_named() -> bool:
    """Whether the user names another portfolio with `TIGHTFIT_PORTFOLIO`."""
    return bool(os.environ.get("TIGHTFIT_PORTFOLIO"))


def portfolio_dir() -> Path:
    """Folder of the measured portfolio: that which ships, or the one that `TIGHTFIT_PORTFOLIO` names."""
    return Path(os.environ.get("TIGHTFIT_PORTFOLIO") or _data("portfolio"))


def cache_dir() -> Path:
    """Per-user cache for toolchains and the simulator library; `TIGHTFIT_CACHE` overrides it."""
    return Path(os.environ.get("TIGHTFIT_CACHE") or platformdirs.user_cache_dir("tightfit"))


def store_is_named() -> bool:
    """Whether the user names the store with `TIGHTFIT_STORE`."""
    return bool(os.environ.get("TIGHTFIT_STORE"))


def config_path() -> Path:
    """The user's settings; `TIGHTFIT_CONFIG` overrides it."""
    default = Path(platformdirs.user_config_dir("tightfit")) / "tightfit.toml"
    return Path(os.environ.get("TIGHTFIT_CONFIG") or default)


def store_path() -> Path:
    """The SQLite store; `TIGHTFIT_STORE` overrides it."""
    default = Path(platformdirs.user_data_dir("tightfit")) / "store.sqlite"
    return Path(os.environ.get("TIGHTFIT_STORE") or default)
