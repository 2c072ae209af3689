"""What neighbours, prefixes and memory add to an instruction's clocks."""

import pytest

HAZARDS = [  # written, used, waits
    ("mov e, #0", "mov a, [de]", 1),
    ("mov d, #0xf0", "movw ax, [de+2]", 1),
    ("movw de, #0xf000", "mov [de], a", 1),
    ("mov l, #0", "mov a, [hl]", 1),
    ("mov h, #0xf0", "mov a, [hl+b]", 1),
    ("incw hl", "mov1 cy, [hl].3", 1),
    ("xch a, l", "cmp a, [hl+4]", 1),
    ("mov b, #0", "mov a, 0xf000[b]", 1),
    ("mov b, #0", "mov a, [hl+b]", 1),
    ("mov b, #0", "mov a, [hl+c]", 1),
    ("mov c, #0", "mov a, 0xf000[c]", 1),
    ("mov c, #0", "mov a, [hl+c]", 1),
    ("mov c, #0", "movw ax, 0xf000[bc]", 1),
    ("mov c, #0", "mov a, 0xf000[b]", 0),
    ("mov b, #0", "mov a, 0xf000[c]", 0),
    ("mov b, #0", "mov a, [hl]", 0),
    ("mov e, #0", "mov a, [hl]", 0),
    ("mov a, #0", "mov a, [hl]", 0),
    ("movw sp, #0xfd80", "push ax", 1),
    ("subw sp, #4", "mov a, [sp+2]", 1),
    ("movw ax, sp", "push ax", 0),
    ("push ax", "push ax", 0),
    ("push ax", "mov a, [sp+1]", 0),
    ("movw ax, #f", "br ax", 1),
    ("xch a, x\nxch a, x", "br ax", 1),
    ("movw hl, #f", "call hl", 1),
    ("mov cs, #0", "call hl", 1),
    ("mov cs, #0", "br ax", 1),
    ("movw bc, #f", "call hl", 0),
    ("sel rb0", "mov a, [hl]", 1),
    ("mov psw, #0x0e", "mov a, [hl]", 1),
    ("mov psw, #0x06", "mov a, [hl]", 0),
    ("mov 0xffefe, #0", "mov a, [hl]", 1),
    ("mov 0xffef6, #0", "mov a, [hl]", 0),
    ("mov es, #0xf", "mov a, es:[hl]", 0),
    ("dec b", "mov a, [hl]", 0),
]


@pytest.mark.parametrize("written, used, waits", HAZARDS)
@pytest.mark.parametrize("hazards", [True, False])
def test_address_hazard(snippet, written, used, waits, hazards):
    source = f"{written}\n{used}\nnop\nend: nop\nf: br $end"
    s = snippet(source, hazards=hazards, uninit="off")
    target = s.labels["f"]
    if "call" in used or "br ax" in used:
        run = s.run(ax=target, hl=target, bc=0, de=0xF000)
    else:
        run = s.run(ax=0, hl=0xF000, hl1=0xF000, bc=0, de=0xF000)
    assert run.ok, run.message
    assert run.waits["hazard_waits"] == (waits if hazards else 0)
    assert run.cycles == run.base + run.waits["es_waits"] + run.waits["hazard_waits"]


def test_one_instruction_between_removes_the_hazard(snippet):
    assert snippet("mov l, #0; nop; mov a, [hl]", uninit="off").run(hl=0xF000).waits["hazard_waits"] == 0


def test_popped_pointer_waits(snippet):
    assert snippet("push hl; pop hl; mov a, [hl]", uninit="off").run(hl=0xF000).waits["hazard_waits"] == 1


def test_a_skipped_write_causes_no_hazard(snippet):
    s = snippet("skc; incw hl; mov a, [hl]", uninit="off")
    assert s.run(hl=0xF000, psw=0x07).waits["hazard_waits"] == 0
    assert s.run(hl=0xF000, psw=0x06).waits["hazard_waits"] == 1


def test_a_run_starts_without_a_hazard(snippet):
    s = snippet("mov a, [hl]; incw hl", uninit="off")
    s.run(hl=0xF000)
    assert s.run().waits["hazard_waits"] == 0


@pytest.mark.parametrize(
    "skipped, waits", [("nop", 1), ("call !!f", 1), ("mov a, es:[hl]", 2), ("br $end", 1)]
)
def test_skipped_instruction_runs_as_nop(snippet, skipped, waits):
    s = snippet(f"skz; {skipped}; end: nop; f: ret")
    run = s.run(psw=0x46)
    assert run.ok and (run.base, run.waits["skip_waits"], run.cycles) == (1, waits, 1 + waits)
    assert run.instructions == 1


@pytest.mark.parametrize(
    "core, psw, skips",
    [
        ("skc", 0x01, True),
        ("skc", 0x00, False),
        ("sknc", 0x00, True),
        ("sknc", 0x01, False),
        ("skz", 0x40, True),
        ("skz", 0x00, False),
        ("sknz", 0x00, True),
        ("sknz", 0x40, False),
        ("skh", 0x00, True),
        ("skh", 0x40, False),
        ("skh", 0x01, False),
        ("sknh", 0x41, True),
        ("sknh", 0x00, False),
    ],
)
def test_skip_conditions(snippet, core, psw, skips):
    s = snippet(f"{core}; inc c")
    s.run(psw=psw, c=0)
    assert s.sim.registers["c"] == (0 if skips else 1)


def test_flash_reads_cost_three_each(snippet):
    s = snippet(
        "mov a, !0x2000; movw ax, !0x2000; mov a, es:!0x2000; mov a, !0xf1000; mov a, !0xff000", uninit="off"
    )
    run = s.run(es=0)
    assert (run.base, run.waits["flash_waits"], run.waits["es_waits"], run.cycles) == (5, 12, 1, 18)


@pytest.mark.parametrize("branch, set_, taken", [("bt", 1, 7), ("bf", 0, 7), ("bt", 0, 6), ("bf", 1, 6)])
def test_branch_on_a_bit_in_flash(snippet, branch, set_, taken):
    s = snippet(f"{branch} [hl].2, $f; nop; f: nop; end: nop")
    s.sim.load(0x3000, bytes([4 * set_]))
    s.sim.registers["pc"] = 0x1000
    s.sim.registers["hl"] = 0x3000
    assert s.sim.step().cycles == taken


def test_waits_are_counted_apart(snippet):
    s = snippet("""
        mov es, #0
        mov l, #0
        mov a, es:[hl]
        clr1 cy
        sknc
        mov a, es:[hl]
    """)
    run = s.run(hl=0x3000)
    assert (
        run.base,
        run.waits["flash_waits"],
        run.waits["es_waits"],
        run.waits["hazard_waits"],
        run.waits["skip_waits"],
    ) == (5, 3, 1, 1, 2)
    assert run.cycles == 12


def test_call_and_return_are_three_and_six(snippet):
    run = snippet("call !!f; end: nop; f: ret").run()
    assert run.ok and run.cycles == 9 and run.stack == 4


def test_path_hash_follows_outcomes_not_data(snippet):
    s = snippet("cmp0 a; bz $f; nop; f: sknz; inc c")
    zero, one, two = (s.run(a=a).path_hash for a in (0, 1, 2))
    assert one == two != zero


def test_path_hash_follows_skips_and_computed_targets(snippet):
    s = snippet("br ax; f: nop; g: nop; end: nop")
    assert s.run(ax=s.labels["f"]).path_hash != s.run(ax=s.labels["g"]).path_hash
    s = snippet("skc; nop")
    assert s.run(psw=0x06).path_hash != s.run(psw=0x07).path_hash
