"""A small space of variants, and a way for tests to write spaces of their own."""

import pytest

from tightfit.generator import Space, load_space

from .toyspace import DATA


@pytest.fixture
def toy() -> Space:
    """The space of tests/generator/data."""
    return load_space("rl78", "toy", DATA)


@pytest.fixture
def declare(tmp_path):
    """Write a template and its template.yaml, then load the space."""

    def write(yaml: str, source: str = "", name: str = "one") -> Space:
        folder = tmp_path / "rl78" / "toy" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "template.yaml").write_text(yaml)
        (folder / "main.s.j2").write_text(source)
        load_space.cache_clear()
        return load_space("rl78", "toy", tmp_path)

    return write
