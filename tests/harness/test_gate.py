"""Routines that obey the rules, and the figures that the gate finds for them."""

import subprocess
from dataclasses import replace

import numpy as np
import pytest

from tightfit.harness.caller import places
from tightfit.harness.routine import Rejected
from tightfit.targets.toolchain import tool

from .routines import CORRECT, ENCRYPT, SIZE, Emission, Layout, entry, of_entries, routine

CALL, RETURN, PUSH, POP = 3, 6, 1, 1
INSIDE = PUSH + CALL + POP + RETURN
SET_UP = of_entries(setup="        nop", encrypt_next=ENCRYPT)


def examined(bench, candidate):
    """What the gate finds of a routine."""
    return bench.examine(candidate, ("encrypt",))[1]


def encrypt_timing(bench, candidate):
    return examined(bench, candidate).by_entry["encrypt"]


def test_correct_routine_passes(bench):
    image, findings = bench.examine(routine(), ("encrypt",))
    assert findings.static == 0
    assert findings.stack == 4 + 2 + 4 + 2  # two return addresses, AX saved, HL saved
    assert findings.reentrant
    assert image.alignment == 1


def test_call_and_return_are_counted(bench):
    plain = encrypt_timing(bench, routine())
    padded = encrypt_timing(bench, routine(before="        nop\n" * 5, after="        nop\n" * 2))
    assert padded.total - plain.total == 7 * plain.inputs
    timings = examined(bench, of_entries(encrypt=ENCRYPT, setup="")).by_entry
    assert timings["setup"].cycles == CALL + RETURN
    assert timings["setup"].constant_path


def test_rom_agrees_with_size(bench, tmp_path):
    source = tmp_path / "routine.s"
    source.write_text(routine().source)
    object_file = tmp_path / "routine.o"
    subprocess.run([tool("rl78", "as"), *bench.part.assemble, "-o", object_file, source], check=True)
    listing = subprocess.check_output([tool("rl78", "size"), "-A", object_file], text=True)
    sizes = {row.split()[0]: int(row.split()[1]) for row in listing.splitlines() if row.startswith(".")}
    image = bench.examine(routine(), ("encrypt",))[0]
    assert image.rom == sizes[".text"] + sizes[".rodata"] > 400


def test_padding_and_initial_values_are_rom(bench):
    plain = bench.examine(routine(), ("encrypt",))[0]
    table = """
        .section .data
        .type one, @object
one:    .byte 1
        .size one, 1
        .p2align 2
        .type two, @object
two:    .byte 1
        .size two, 1
"""
    image, findings = bench.examine(routine(extra=table, static=8), ("encrypt",))
    assert image.rom == plain.rom + 8
    assert image.alignment == 4
    assert findings.static == 8
    assert findings.reentrant  # nobody writes it


def test_zeroed_data_is_ram_only(bench):
    extra = " .section .bss\n .type count, @object\ncount: .zero 2\n .size count, 2\n"
    image, findings = bench.examine(routine(after=" mov !count, a\n", extra=extra, static=2), ("encrypt",))
    assert image.rom == bench.examine(routine(), ("encrypt",))[0].rom + 3
    assert findings.static == 2 and not findings.reentrant


BANKED = " sel rb{}\n mov b, #1\n sel rb0\n"


def test_register_banks_must_be_declared_as_such(bench):
    candidate = replace(routine(after=BANKED.format(2), static=8), banks=0)
    with pytest.raises(Rejected, match="register banks: 0 bytes declared, 8 found"):
        bench.examine(candidate, ("encrypt",))


@pytest.mark.parametrize("bank, static", [(2, 8), (3, None)])
def test_register_bank_is_static_and_not_reentrant(bench, bank, static):
    """Also where nothing is declared."""
    findings = examined(bench, routine(after=BANKED.format(bank), static=static))
    assert findings.static == 8
    assert not findings.reentrant


def test_deepest_stack_is_seen(bench):
    deep = routine(before=" push bc\n" * 6 + " pop bc\n" * 6)
    assert examined(bench, deep).stack == 4 + 12
    plain = examined(bench, routine()).stack
    deeper = routine(before=" push bc\n" * 3 + " pop bc\n" * 3)
    assert examined(bench, deeper).stack == plain


BRANCH_ON_TEXT = """
        movw de, ax
        mov a, [de]
        shl a, 1
        bc $.Lset
        nop
        nop
{fill}.Lset:  movw ax, de
"""


def test_constant_path(bench):
    timings = examined(bench, of_entries(encrypt=ENCRYPT, setup="        nop")).by_entry
    assert timings["setup"].constant_path
    assert timings["setup"].minimum == timings["setup"].maximum == timings["setup"].cycles


def test_equal_cycles_on_unequal_paths_are_no_constant_path(bench):
    timing = encrypt_timing(bench, routine(before=BRANCH_ON_TEXT.format(fill="")))
    assert timing.minimum == timing.maximum  # taken 4, not taken 2 and two nops
    assert not timing.constant_path


def test_unequal_cycles_keep_minimum_mean_maximum(bench):
    even = encrypt_timing(bench, routine(before=BRANCH_ON_TEXT.format(fill="")))
    timing = encrypt_timing(bench, routine(before=BRANCH_ON_TEXT.format(fill="        nop\n" * 6)))
    assert timing.minimum == even.minimum
    assert timing.maximum == even.maximum + 6
    clear = sum(1 for text in bench._gate.kind.inputs("encrypt", 64).texts if text[0] < 0x80)
    assert timing.total == even.total + 6 * clear
    assert 0 < clear < 64
    assert timing.cycles == timing.total / 64


def test_path_that_depends_on_undefined_registers_is_not_constant(bench):
    for test, constant in (("cmp0 a\n bz $.Lz\n.Lz:", True), ("cmp a, #0xff\n bz $.Lz\n nop\n.Lz:", False)):
        timing = examined(bench, of_entries(encrypt=ENCRYPT, setup=f" mov a, c\n {test}")).by_entry["setup"]
        assert timing.constant_path == constant
        assert constant or timing.minimum < timing.maximum


def test_entries_may_be_declared_in_any_order(bench):
    backwards = replace(SET_UP, entries=SET_UP.entries[::-1])
    assert examined(bench, backwards).by_entry == examined(bench, SET_UP).by_entry


def test_following_block_under_a_kept_key(bench):
    timing = examined(bench, SET_UP).by_entry
    assert list(timing) == ["encrypt", "setup", "encrypt_next"]
    assert timing["encrypt"].total == timing["setup"].total + timing["encrypt_next"].total
    assert timing["setup"].cycles == CALL + 1 + RETURN


def test_work_bytes_survive_only_where_kept(bench):
    """`setup` leaves the key in a work field; `encrypt_next` takes it from there."""
    load, store = "        movw ax, [hl+{}]\n", "        movw [hl+{}], ax\n"
    copy, restore = (
        "".join(load.format(begin + n) + store.format(end + n) for n in range(0, 16, 2))
        for begin, end in ((16, 58), (58, 16))
    )
    entries = {
        "setup": f"        push hl\n        movw hl, ax\n{copy}        pop hl",
        "encrypt_next": "        push hl\n        push ax\n        movw hl, ax\n"
        f"{restore}        pop ax\n        pop hl\n{ENCRYPT}",
    }
    layout = Layout((("text", 0, 16), ("key", 16, 16), ("work", 32, 26), ("saved", 58, 16)), SIZE + 16)
    kept = of_entries(layout=layout, **entries, kept=frozenset({"saved"}))
    assert examined(bench, kept).by_entry["encrypt_next"].total > 0
    with pytest.raises(Exception, match="encrypt_next: read of never-written RAM"):
        bench.examine(of_entries(layout=layout, **entries), ("encrypt",))


def marked(emissions):
    """The routine with labels round its fragments."""
    body = f"__tf_b0:\n        nop\n__tf_b1:\n{ENCRYPT}__tf_e1:\n        nop\n__tf_e0:\n__tf_b2:"
    outer = entry("encrypt", body).replace("        ret\n", "        ret\n__tf_e2:\n")
    inner = CORRECT.replace("_inner_encrypt:\n", "_inner_encrypt:\n__tf_b3:\n").replace(
        "        .section .rodata", "__tf_e3:\n__tf_b4:\n        .section .rodata"
    )
    return replace(routine(), source=f"{outer}{inner}__tf_e4:\n", emissions=emissions)


EMISSIONS = (
    Emission("outer", "__tf_b0", "__tf_e0"),
    Emission("call", "__tf_b1", "__tf_e1", 0),
    Emission("leave", "__tf_b2", "__tf_e2"),
    Emission("rounds", "__tf_b3", "__tf_e3"),
    Emission("table", "__tf_b4", "__tf_e4"),
)


def test_attribution_by_fragment_and_call_path(bench):
    image, findings = bench.examine(marked(EMISSIONS), ("encrypt",))
    attribution = findings.attribution
    rom = {share.fragment: (share.bytes, share.emissions) for share in attribution.rom}
    assert rom["outer"] == (2, 1)
    assert rom["call"] == (1 + 4 + 1, 1)
    assert rom["leave"] == (1, 1)
    assert rom["table"] == (256, 1)
    assert sum(size for size, _ in rom.values()) == image.rom
    time = {share.path: (share.cycles, share.executions) for share in attribution.time}
    assert time[()] == (CALL * attribution.inputs, attribution.inputs)
    assert time["outer",] == (2 * attribution.inputs, attribution.inputs)
    assert time["call",] == ((PUSH + CALL + POP) * attribution.inputs, attribution.inputs)
    assert time["leave",] == (RETURN * attribution.inputs, attribution.inputs)
    assert set(time) == {(), ("outer",), ("call",), ("leave",), ("call", "rounds")}
    assert adds_up(findings)


def test_attribution_adds_up_where_inputs_differ_and_of_several_calls(bench):
    findings = examined(bench, routine(before=BRANCH_ON_TEXT.format(fill="        nop\n" * 6)))
    assert findings.attribution.inputs == 64 and adds_up(findings)
    findings = examined(bench, SET_UP)
    assert {share.entry for share in findings.attribution.time} == {"encrypt", "setup", "encrypt_next"}
    assert adds_up(findings)


def adds_up(findings) -> bool:
    inputs = findings.attribution.inputs
    sums = {entry: 0 for entry in findings.by_entry}
    for share in findings.attribution.time:
        sums[share.entry] += share.cycles
    return all(sums[e] * t.inputs == t.total * inputs for e, t in findings.by_entry.items())


def test_bytes_outside_fragments_are_charged_to_nobody(bench):
    candidate = marked(EMISSIONS[:3])
    rom = {share.fragment: share.bytes for share in examined(bench, candidate).attribution.rom}
    assert rom[""] == 491 - 1 + 1


def test_candidates_do_not_see_each_other(bench):
    """The flash of the previous candidate is erased: the next candidate cannot use what was in it."""
    first = bench.examine(routine(), ("encrypt",))
    bench.examine(routine(before="        nop\n" * 300), ("encrypt",))
    assert examined(bench, routine()) == first[1]


def test_profile_by_address_adds_up(bench):
    """What the listing shows: cycles of every address over all call paths."""
    image = bench.examine(routine(), ("encrypt",))[0]
    machine = bench._gate.machine
    machine.start(places(image, SIZE)[0], machine.callers.callers[0])
    written = np.array([1] * 32 + [0] * 26, np.uint8)
    profiled = machine.profile("encrypt", np.zeros(SIZE, np.uint8), written)
    cells = profiled.by_address()
    assert sum(cycles for _, cycles in cells.values()) == profiled.run.cycles
    assert cells[image.calls["encrypt"][0]] == (1, CALL)
