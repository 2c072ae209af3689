"""Sizes and budgets."""

import pytest

from tightfit import budgets
from tightfit.errors import UsageError


@pytest.mark.parametrize(
    "text, size",
    [
        ("1KB", 1024),
        ("486", 486),
        ("2 KB", 2048),
        ("0x200", 512),
        ("512B", 512),
        ("64 b", 64),
        ("1k", 1024),
        (970, 970),
    ],
)
def test_a_size(text, size):
    assert budgets.parse_size(text) == size


@pytest.mark.parametrize("text", ["", "big", "-1", "0", "0B", "1.5KB", "1MB", "0xZZ", "1 2", "KB", "٣"])
def test_no_size(text):
    with pytest.raises(UsageError, match="is no size: write bytes or KB"):
        budgets.parse_size(text)


def test_the_budgets_of_the_package():
    listed = {budget.name: budget for budget in budgets.load_budgets()}
    assert len(listed) == 20
    assert (listed["1KB/64B"].rom, listed["1KB/64B"].ram, listed["1KB/64B"].objective) == (1024, 64, "cycles")
    assert (listed["ROM-min/128B"].rom, listed["ROM-min/128B"].objective) == (None, "rom")
    assert (listed["Fast/512B"].rom, listed["Fast/512B"].objective) == (None, "cycles")


def test_a_pair_to_beat_is_in_the_name():
    pair = budgets.budget("1KB", "128B", {"encrypt": 7339, "decrypt": 10636})
    assert pair.name == "1KB/128B<7339/10636"
    assert pair.below == {"encrypt": 7339, "decrypt": 10636}


def test_ram_may_be_free():
    assert budgets.budget(192, None).name == "192B/any"


@pytest.mark.parametrize(
    "text, line, found",
    [
        ("rom: [1KB]\nram: [64B, lots]\n", 2, "'lots'"),
        ("rom:\n- 1KB\n- 1.5KB\nram: [64B]\n", 3, "'1.5KB'"),
        ("rom: [1KB]\nram: [64B]\nalso:\n- {rom: 1KB, ram: 64B}\n- {rom: huge, ram: 64B}\n", 5, "'huge'"),
        ("rom: [1KB]\nram: [[]]\n", 2, "a list"),
    ],
)
def test_a_malformed_budgets_file(tmp_path, text, line, found):
    path = tmp_path / "budgets.yaml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        budgets.load_budgets(path)
    assert str(caught.value).startswith(f"{path}:{line}: expected ")
    assert str(caught.value).endswith(f"found {found}")
