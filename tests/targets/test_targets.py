"""The facts of the targets, and the errors of a wrong target.yaml."""

import pytest

import tightfit.targets
from tightfit.conditions import (
    BANKS,
    CONDITIONS,
    LEAKS,
    as_on,
    closed_on,
    conditions,
    declared,
    without,
)
from tightfit.errors import UsageError
from tightfit.harness.caller import load_callers
from tightfit.harness.simulator import simulator_of
from tightfit.targets import load_target, target_ids
from tightfit.targets.recipes import load_toolchain

ST_16K = (0x8000000, 0x8004000)  # flash of an STM32


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
    """GNU has a simulator `run` of some machines only, which nothing but tests needs."""
    toolchain = load_toolchain(target_id)
    assert {"as", "ld", "ar", "objdump", "nm", "size", "cc"} <= toolchain.tools.keys()
    for file in toolchain.tools.values():
        assert toolchain.recipe_of(file) is not None
    assert "run" not in toolchain.tools or toolchain.recipe_of(toolchain.tools["run"]).step == "tests"


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


@pytest.mark.parametrize(
    ("target_id", "part", "core", "flash", "ram", "call"),
    [
        ("armv6m", "STM32C011F4", "cortex-m0+", ST_16K, (0x20000000, 0x20001800), ("bl f", 3)),
        ("armv6m", "STM32L011F4", "cortex-m0+", ST_16K, (0x20000000, 0x20000800), ("bl f", 3)),
        ("armv6m", "MSPM0C1104", "cortex-m0+", (0, 0x4000), (0x20000000, 0x20000400), ("bl f", 3)),
        ("armv6m", "LPC810M021", "cortex-m0+", (0, 0x1000), (0x10000000, 0x10000400), ("bl f", 3)),
        ("armv6m", "RP2040", "cortex-m0+", (0x20000000, 0x20020000), (0x20020000, 0x20042000), ("bl f", 3)),
        ("armv6m", "STM32F030F4", "cortex-m0", ST_16K, (0x20000000, 0x20001000), ("bl f", 4)),
        ("armv6m", "nRF51822", "cortex-m0", (0, 0x40000), (0x20000000, 0x20004000), ("bl f", 4)),
        ("armv6m", "CORTEX-M0-SMALL", "cortex-m0-mul32", ST_16K, (0x20000000, 0x20001000), ("bl f", 4)),
        ("avr", "ATmega1284P", "avre+", (0, 0x20000), (0x800100, 0x804100), ("call f", 4)),
        ("avr", "ATmega328P", "avre+", (0, 0x8000), (0x800100, 0x800900), ("call f", 4)),
        ("avr", "ATtiny85", "avre", (0, 0x2000), (0x800060, 0x800260), ("rcall f", 3)),
        ("avr", "ATtiny45", "avre", (0, 0x1000), (0x800060, 0x800160), ("rcall f", 3)),
        ("avr", "ATtiny1614", "avrxt", (0, 0x4000), (0x803800, 0x804000), ("call f", 3)),
        ("avr", "ATmega4809", "avrxt", (0, 0xC000), (0x802800, 0x804000), ("call f", 3)),
        ("avr", "AVR128DA28", "avrxt", (0, 0x20000), (0x804000, 0x808000), ("call f", 3)),
        ("avr", "ATtiny402", "avrxt-8k", (0, 0x1000), (0x803F00, 0x804000), ("rcall f", 2)),
        ("msp430", "MSP430F1611", "msp430", (0x4000, 0x10000), (0x1100, 0x3900), ("call #f", 5)),
        ("msp430", "MSP430FG4618", "msp430x", (0x3100, 0x20000), (0x1100, 0x3100), ("call #f", 4)),
        ("msp430", "MSP430FR5994", "msp430xv2", (0x4000, 0x44000), (0x1C00, 0x3C00), ("call #f", 4)),
        ("msp430", "MSP430FR5969", "msp430xv2", (0x4400, 0x14000), (0x1C00, 0x2400), ("call #f", 4)),
        ("msp430", "MSP430FR2355", "msp430xv2", (0x8000, 0x10000), (0x2000, 0x3000), ("call #f", 4)),
        ("msp430", "MSP430FR2433", "msp430xv2", (0xC400, 0x10000), (0x2000, 0x3000), ("call #f", 4)),
        ("msp430", "MSP430FR4133", "msp430xv2", (0xC400, 0x10000), (0x2000, 0x2800), ("call #f", 4)),
        ("msp430", "MSP430FR2311", "msp430xv2", (0xF100, 0x10000), (0x2000, 0x2400), ("call #f", 4)),
        ("rv32e", "Ibex-16K-2K", "ibex", (0, 0x4000), (0x20000000, 0x20000800), ("jal f", 2)),
        ("rv32e", "CH32V003F4", "qingke-v2", (0, 0x4000), (0x20000000, 0x20000800), ("jal f", 3)),
        ("rv32e", "CH32V003J4", "qingke-v2", (0, 0x4000), (0x20000000, 0x20000800), ("jal f", 3)),
    ],
)
def test_facts_of_parts(target_id, part, core, flash, ram, call):
    target = load_target(target_id)
    facts = target.part(part)
    assert facts.core.name == core
    assert (facts.core.call.format(symbol="f"), facts.core.call_cycles) == call
    assert [(region.start, region.end) for region in facts.regions("flash")] == [flash]
    assert [(region.start, region.end) for region in facts.regions("ram")] == [ram]
    assert target.abi.symbol("tf_encrypt") == "tf_encrypt"


@pytest.mark.parametrize("target_id", target_ids())
def test_what_a_target_names_is_in_its_cores(target_id):
    target = load_target(target_id)
    waits = set()
    for part in target.parts.values():
        simulator = simulator_of(part)
        named = {*target.registers, *target.abi.preserved, target.abi.pointer, "sp"}
        for caller in load_callers(target.folder).callers:
            named |= caller.registers.keys()
        for name in named:
            assert simulator.registers[name] >= 0
        waits |= simulator.wait_kinds.keys()
        assert target.pointer(0xFFFFFFFF) == simulator.pointer(0xFFFFFFFF)
    assert target.waits.keys() == waits


@pytest.mark.parametrize("target_id", target_ids())
def test_callers_differ_in_every_register_that_is_not_set_by_convention(target_id):
    first, second = load_callers(load_target(target_id).folder).callers
    same = {name for name, value in first.registers.items() if second.registers[name] == value}
    assert same <= {"r1", "cs"}  # r1 is zero at a call of avr-gcc, CS at any of RL78
    assert first.poison != second.poison


def test_bytes_that_a_routine_keeps_are_where_the_core_has_them():
    folder = load_target("avr").folder
    kept = {core: load_callers(folder, core).kept_bytes for core in load_target("avr").cores}
    assert kept == {
        "avre+": {"RAMPZ": 0x80005B},
        "avre": {"RAMPZ": 0x80005B},
        "avrxt": {"RAMPZ": 0x80003B},
        "avrxt-8k": {},
    }
    assert load_callers(folder).kept_bytes == kept["avre+"]


def test_cores_without_a_source_say_so():
    assert load_target("rl78").cores["rl78-s2"].timing_tested
    assert not load_target("rl78").cores["rl78-s1"].timing_tested
    assert not load_target("msp430").cores["msp430x"].timing_tested
    assert load_target("msp430").cores["msp430xv2"].timing_tested
    assert not load_target("rv32e").cores["qingke-v2"].timing_tested
    for target_id in target_ids():
        assert load_target(target_id).part().core.timing_tested


@pytest.mark.parametrize(
    "ask, answer",
    [
        (lambda: load_target("rl87"), "no target 'rl87'; the nearest: rl78"),
        (lambda: load_target("z80"), "no target 'z80'; there are: armv6m, avr, msp430, rl78, rv32e"),
        (lambda: load_target("rl78").part("r5f100"), "it may be R5F100xE or R5F100xA or R5F100xC, ..."),
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
        (
            "wait: hazard_waits",
            "wait: hazards",
            "waits_apart: wait: expected one of flash_waits, .*'hazards'",
        ),
        ("without: banks", "without: stack", r"target.yaml:\d+: expected .*banks"),
    ],
)
def test_malformed_facts_are_named(made_up, old, new, complaint):
    with pytest.raises(UsageError, match=complaint):
        made_up(old, new)


def test_the_wait_that_figures_tell_apart():
    apart = load_target("rl78").waits_apart
    assert (apart.wait, apart.words) == ("hazard_waits", "of which hazard") and apart.why.startswith(
        "Of which"
    )
    assert load_target("avr").waits_apart is load_target("msp430").waits_apart is None


def test_conditions_that_targets_declare():
    names = {target: closed_on(load_target(target)) for target in ("armv6m", "avr", "rl78")}
    assert names == {
        "armv6m": ("constant-time", "no-prefetch", "any-address"),
        "avr": ("constant-time", "any-address"),
        "rl78": ("constant-time", "no-banks", "any-address"),
    }
    assert list(CONDITIONS) == ["constant-time", "constant-path", "no-prefetch", "no-banks", "any-address"]
    assert without(BANKS) == ("no-banks",)
    assert without(LEAKS) == ("constant-time", "no-prefetch")


def test_a_condition_is_asked_in_the_place_of_a_narrower_one():
    both = ("constant-time", "no-prefetch", "any-address")
    assert conditions(both) == ("no-prefetch", "any-address")
    assert as_on(load_target("armv6m"), both) == ("no-prefetch", "any-address")
    assert as_on(load_target("avr"), ("no-prefetch",)) == as_on(load_target("avr"), both[:2])
    assert as_on(load_target("avr"), ("no-prefetch",)) == ("constant-time",)
    assert as_on(load_target("avr"), ("no-banks",)) == ("no-banks",)


@pytest.mark.parametrize("title", ["no register banks", "no banks"])
def test_targets_that_share_a_condition_have_one_name_for_it(made_up, tmp_path, title):
    toy = made_up("title: no register banks", f"title: {title}")
    assert list(toy.conditions) == ["no-banks"]
    text = (toy.folder / "target.yaml").read_text()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "target.yaml").write_text(
        text.replace(f"title: {title}", "title: no register banks")
    )
    if title == "no register banks":
        assert [condition.name for condition in declared()] == ["no-banks"]
    else:
        with pytest.raises(UsageError, match="target toy: no-banks: another target has other words for it"):
            list(declared())
