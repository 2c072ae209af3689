"""What the targets say, and what is said about a wrong one."""

import pytest

import tightfit.targets
from tightfit.errors import UsageError
from tightfit.targets import load_target, target_ids
from tightfit.targets.recipes import load_toolchain


@pytest.mark.parametrize("target_id", target_ids())
def test_every_part_has_the_memory_it_claims(target_id):
    target = load_target(target_id)
    for part in target.parts.values():
        assert sum(region.size for region in part.regions("flash")) == part.rom
        assert sum(region.size for region in part.regions("ram")) == part.ram
        for mirror in part.regions("mirror"):
            (flash,) = part.regions("flash")
            assert flash.start <= mirror.shows
            assert mirror.shows + mirror.size <= flash.end


@pytest.mark.parametrize("target_id", target_ids())
def test_every_tool_has_a_recipe(target_id):
    toolchain = load_toolchain(target_id)
    assert {"as", "ld", "objdump", "nm", "size", "run"} <= toolchain.tools.keys()
    for file in toolchain.tools.values():
        assert toolchain.recipe_of(file) is not None


def test_rl78_facts():
    target = load_target("rl78")
    part = target.part()
    assert part.name == target.default_part == "R5F100xE"
    assert part.core.name == "rl78-s2"
    (mirror,) = part.regions("mirror")
    assert (mirror.start, mirror.end, mirror.shows) == (0xF2000, 0xFEF00, 0x2000)
    (ram,) = part.regions("ram")
    assert (ram.start, ram.end) == (0xFEF00, 0xFFF00)
    assert target.abi.symbol("tf_encrypt") == "_tf_encrypt"


def test_cores_without_a_source_say_so():
    cores = load_target("rl78").cores
    assert cores["rl78-s2"].timing_tested
    assert not cores["rl78-s1"].timing_tested
    parts = load_target("rl78").parts.values()
    assert all(part.core.timing_tested for part in parts)


@pytest.mark.parametrize(
    "ask, answer",
    [
        (lambda: load_target("rl87"), "no target 'rl87'; the nearest: rl78"),
        (lambda: load_target("z80"), "no target 'z80'; there are: avr, msp430, rl78"),
        (lambda: load_target("rl78").part("r5f100"), "the nearest: R5F100xE"),
    ],
)
def test_unknown_names(ask, answer):
    with pytest.raises(UsageError, match=answer):
        ask()


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    """A folder of targets with a copy of rl78's facts, changed by the test."""
    text = (load_target("rl78").folder / "target.yaml").read_text()
    load_target.cache_clear()
    monkeypatch.setattr(tightfit.targets, "FOLDER", tmp_path)

    def load(old: str, new: str):
        assert old in text
        (tmp_path / "toy").mkdir()
        (tmp_path / "toy" / "target.yaml").write_text(text.replace(old, new, 1))
        return load_target("toy")

    yield load
    load_target.cache_clear()


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        ("default_part: R5F100xE", "default_part: R5F100xF", "default_part: expected one of R5F100xE, R5F1"),
        ("core: rl78-s2", "core: rl78-s4", "R5F100xE: core: expected one of rl78-s2, .* found 'rl78-s4'"),
        ("size: 0xcf00", "size: 0xcf01", "memory: mirror overlaps RAM"),
        ("kind: mirror", "kind: miror", r"target.yaml:\d+: expected one of flash, mirror"),
        ("  pointer: ax\n", "", "expected a key 'pointer'"),
        ("return_address: 4", "return_address: four", "expected an integer for 'return_address'"),
    ],
)
def test_malformed_facts_are_named(made_up, old, new, complaint):
    with pytest.raises(UsageError, match=complaint):
        made_up(old, new)
