"""C baselines: what the compiler makes of the references, measured by the same rules as variants."""

import shutil
from itertools import product

import pytest

from tests.shipped import PRIMITIVES, TARGETS
from tightfit.contenders import baselines
from tightfit.contenders.baselines import renew, source_of
from tightfit.contenders.compiler import LEVELS
from tightfit.contenders.measure import sources_hash
from tightfit.errors import WorkError
from tightfit.harness import shipped
from tightfit.harness.store import Store
from tightfit.paths import portfolio_dir
from tightfit.primitives import FOLDER, load_primitive
from tightfit.records import BASELINE
from tightfit.targets import load_target, target_ids
from tightfit.targets.toolchain import load_toolchain

WRONG_CODE = {
    *product(["msp430"], ["sha-224", "sha-256"], ["-O2"]),
    *product(["rl78"], ["blake-256", "blake2s-256"], ["-O1", "-O2", "-O3", "-Os"]),
}
"""Where GCC 12.2.0 makes wrong code: wrong on GNU's simulator too, right with -fno-auto-inc-dec (MSP430) and
with -fno-tree-ter (RL78)."""
BREAKS = {
    ("rl78", "poly1305", "-O3"),
    *product(["rl78"], ["chacha20-poly1305"], ["-O2", "-O3", "-Os"]),
}
"""Where GCC 12.2.0 ends with an error of its own (push_reload)."""
SHIPPED = shipped.files(portfolio_dir())


@pytest.fixture
def store(tmp_path, monkeypatch):
    """An empty store."""
    monkeypatch.setenv("TIGHTFIT_PORTFOLIO", str(tmp_path / "none"))
    with Store.open(tmp_path / "store.sqlite") as opened:
        yield opened


def brief(store, target="avr", primitive="aes-128", operation="encrypt", gate="search"):
    place = load_target(target)
    return renew(place, place.part(None), load_primitive(primitive), operation, store, gate=gate)


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """The reference of AES-128, to be changed."""
    file = tmp_path / "primitives" / "aes-128" / baselines.NAME
    file.parent.mkdir(parents=True)
    shutil.copy(FOLDER / "aes-128" / baselines.NAME, file)
    monkeypatch.setattr(baselines, "FOLDER", tmp_path / "primitives")
    return file


@pytest.mark.parametrize("target", target_ids())
def test_every_level_is_measured_once(store, target):
    outcome = brief(store, target)
    assert outcome.measured == len(LEVELS) and outcome.missing is None
    by_level = {baseline.flags.split()[-1]: baseline for baseline in outcome.contenders}
    assert tuple(by_level) == LEVELS
    for baseline in outcome.contenders:
        assert baseline.rejected is None and baseline.origin == BASELINE
        assert baseline.cost.ram_parts.block == 32 and baseline.cost.ranked == ("encrypt",)
        if target == "avr":  # constants are in RAM, their initial values in flash
            assert baseline.cost.ram_parts.static == 256 and baseline.cost.rom > 256
    assert by_level["-Os"].cost.rom < by_level["-O0"].cost.rom
    assert by_level["-O2"].cost.cycles < by_level["-O0"].cost.cycles
    assert brief(store, target).measured == 0


def test_another_source_is_measured_anew(store, copied, monkeypatch):
    """Without a compiler what there is stays."""
    brief(store)
    copied.write_text(copied.read_text() + "\n/* another */\n")
    assert brief(store).measured == len(LEVELS)
    before = {contender.id for contender in store.contenders()}
    assert len(before) == len(store.contenders()) == len(LEVELS)

    def missing(*_):
        raise WorkError("avr-gcc is missing: tightfit setup --compilers avr")

    monkeypatch.setattr(baselines, "compiler", missing)
    outcome = brief(store)
    assert outcome.missing.endswith("tightfit setup --compilers avr") and not outcome.contenders
    assert {contender.id for contender in store.contenders()} == before


def test_a_wrong_reference_is_rejected_with_its_reason(store, copied):
    text = copied.read_text()
    copied.write_text(text.replace("? 0x1b : 0", "? 0x1d : 0"))
    for baseline in brief(store).contenders:
        assert baseline.cost is None and baseline.rejected.startswith("wrong answer")
    copied.write_text(text.replace("const uint8_t SBOX", "const uint8_t sbox"))
    for baseline in brief(store).contenders:
        assert baseline.cost is None and "SBOX" in baseline.rejected


def test_a_core_that_no_compiler_is_known_for(store):
    target = load_target("avr")
    outcome = renew(target, target.part("ATtiny1614"), load_primitive("aes-128"), "encrypt", store)
    assert outcome.missing.startswith("no C compiler is known for core avrxt") and not outcome.contenders


def test_baselines_of_everything_ship():
    there = {(file.parent.parent.name, file.parent.name) for file in SHIPPED}
    assert there >= {(target, primitive) for target in TARGETS for primitive in PRIMITIVES}


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: f"{file.parent.parent.name}-{file.parent.name}")
def test_what_ships_is_of_the_present_references(file):
    primitive = load_primitive(file.parent.name)
    target = load_target(file.parent.parent.name)
    known = load_toolchain(target.id).compiling
    parts = [part.name for part in target.shipped if part.core.name in known]
    shipped_baselines = shipped.read(file)
    again = shipped.render(file.parent.parent.name, primitive.id, shipped_baselines)
    assert again == file.read_text(encoding="utf-8")
    for asked in product(primitive.operations, parts):
        own = [each for each in shipped_baselines if (each.operation, each.part) == asked]
        assert {baseline.flags.split()[-1] for baseline in own} == set(LEVELS)
    for baseline in shipped_baselines:
        assert baseline.source_sha256 == sources_hash([source_of(primitive).file])
        reason = baseline.rejected or ""
        made = (baseline.target, baseline.primitive, baseline.flags.split()[-1])
        assert ("internal compiler error" in reason) == (made in BREAKS)
        too_large = f"{baseline.part} has " in reason
        assert (baseline.cost is None) == (made in WRONG_CODE | BREAKS or too_large)
        assert baseline.provenance["gate"] == "full"


@pytest.mark.in_turn(4)
@pytest.mark.dear("compiled C through the full gate")
def test_what_ships_can_be_measured_again(store):
    (file,) = (file for file in SHIPPED if file.parts[-3:-1] == ("avr", "sha-256"))
    kept = {each.id: each for each in shipped.read(file)}
    for baseline in brief(store, "avr", "sha-256", "hash", "full").contenders:
        if baseline.id in kept:  # another version of the compiler gives other ids
            assert baseline.cost == kept[baseline.id].cost
