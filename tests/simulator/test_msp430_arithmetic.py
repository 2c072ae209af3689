"""Results and flags against plain arithmetic, and corners of the MSP430 where the other simulators differ."""

import random

import pytest

from .msp430 import CORES, START, msp430, snippet

C, Z, N, V = 0x01, 0x02, 0x04, 0x100


def status(result: int, carry: object, overflow: object = 0, bits: int = 16) -> int:
    return C * bool(carry) | Z * (result == 0) | N * (result >> (bits - 1)) | V * bool(overflow)


def added(d: int, s: int, carry: int, bits: int) -> tuple[int, int]:
    total = d + s + carry
    result, sign = total % (1 << bits), 1 << (bits - 1)
    return result, status(result, total >> bits, (d ^ result) & (s ^ result) & sign, bits)


def subtracted(d: int, s: int, carry: int, bits: int) -> tuple[int, int]:
    """The borrow is the inverted carry."""
    exact = _signed(d, bits) - _signed(s, bits) - (1 - carry)
    result = exact % (1 << bits)
    outside = not -(1 << (bits - 1)) <= exact < 1 << (bits - 1)
    return result, status(result, d - s - (1 - carry) >= 0, outside, bits)


def _signed(value: int, bits: int) -> int:
    return value - (value >> (bits - 1) << bits)


ARITHMETIC = [  # mnemonic, rule, carry: None is the one of SR, kept: whether the result is written
    ("add", added, 0, True),
    ("addc", added, None, True),
    ("sub", subtracted, 1, True),
    ("subc", subtracted, None, True),
    ("cmp", subtracted, 1, False),
]


@pytest.mark.parametrize("size, bits", [("", 16), (".b", 8)])
@pytest.mark.parametrize("mnemonic, rule, carry, kept", ARITHMETIC)
def test_sums_and_differences(tmp_path, mnemonic, rule, carry, kept, size, bits):
    s = snippet(tmp_path, f"{mnemonic}{size} r5, r6")
    chance = random.Random(mnemonic)
    for _ in range(300):
        a, b = (chance.choice((0, 1, 0x7F, 0x80, 0x7FFF, 0x8000, chance.randrange(65536))) for _ in range(2))
        before = chance.randrange(2)
        assert s.run(r5=a, r6=b, sr=before).ok
        mask = (1 << bits) - 1
        result, flags = rule(b & mask, a & mask, before if carry is None else carry, bits)
        assert s.sim.registers["r6"] == (result if kept else b)
        assert s.sim.registers["sr"] == flags, (a, b, before)


@pytest.mark.parametrize("size, bits", [("", 16), (".b", 8)])
def test_logic(tmp_path, size, bits):
    rules = {"and": lambda d, s: d & s, "xor": lambda d, s: d ^ s, "bis": lambda d, s: d | s}
    rules["bic"] = lambda d, s: d & ~s
    chance, mask = random.Random(bits), (1 << bits) - 1
    for mnemonic, rule in rules.items():
        s = snippet(tmp_path, f"{mnemonic}{size} r5, r6")
        for _ in range(100):
            a, b = chance.choice((0, chance.randrange(65536))), chance.randrange(65536)
            s.run(r5=a, r6=b, sr=V | C)
            result = rule(b & mask, a & mask) & mask
            assert s.sim.registers["r6"] == result
            both = mnemonic == "xor" and a & b & 1 << (bits - 1)
            kept = mnemonic in ("bis", "bic")
            assert s.sim.registers["sr"] == (V | C if kept else status(result, result, both, bits))


def test_decimal_sums(tmp_path):
    words, bytes_ = snippet(tmp_path, "dadd r5, r6"), snippet(tmp_path, "dadd.b r5, r6")
    chance = random.Random(7)
    for _ in range(300):
        for s, limit in ((words, 10000), (bytes_, 100)):
            a, b, carry = chance.randrange(limit), chance.randrange(limit), chance.randrange(2)
            s.run(r5=int(str(a), 16), r6=int(str(b), 16), sr=carry)
            result = int(str((a + b + carry) % limit), 16)
            assert s.sim.registers["r6"] == result
            assert s.sim.registers["sr"] == status(
                result, a + b + carry >= limit, bits=16 if limit == 10000 else 8
            )


def test_shifts(tmp_path):
    chance = random.Random(8)
    for size, bits in (("", 16), (".b", 8)):
        arithmetic, through = snippet(tmp_path, f"rra{size} r5"), snippet(tmp_path, f"rrc{size} r5")
        mask = (1 << bits) - 1
        for _ in range(100):
            value, carry = chance.choice((0, 1, chance.randrange(65536))), chance.randrange(2)
            d = value & mask
            for s, result in (
                (arithmetic, _signed(d, bits) >> 1 & mask),
                (through, d >> 1 | carry << (bits - 1)),
            ):
                s.run(r5=value, sr=V | carry)
                assert s.sim.registers["r5"] == result
                assert s.sim.registers["sr"] == status(result, d & 1, bits=bits)


@pytest.mark.parametrize("core", CORES)
def test_sign_extension_and_swap(tmp_path, core):
    s = snippet(tmp_path, "mov r5, r6; swpb r5; sxt r6; mov r6, &0x1200; mov sr, r7; sxt &0x1200", core)
    for value in (0, 0x7F, 0x80, 0x1234, 0xFF00, 0xFFFF):
        assert s.run(r5=value, sr=V).ok
        bits = 20 if core == "msp430x" else 16
        extended = _signed(value & 0xFF, 8)
        assert s.sim.registers["r5"] == value >> 8 | (value & 0xFF) << 8
        assert s.sim.registers["r6"] == extended % (1 << bits)
        assert s.sim.registers["r7"] == status(extended % 65536, extended)
        assert s.sim.read(0x1200, 2) == (extended % 65536).to_bytes(2, "little")


@pytest.mark.parametrize("mnemonic", ["rra", "rrc", "swpb", "sxt"])
def test_shifts_of_what_a_pointer_passes_over(tmp_path, mnemonic):
    s = snippet(tmp_path, f"{mnemonic} @r5+")
    s.sim.write(0x1200, bytes.fromhex("86123456"))
    assert s.run(r5=0x1200).ok
    expected = {"rra": 0x0943, "rrc": 0x0943, "swpb": 0x8612, "sxt": 0xFF86}[mnemonic]
    assert s.sim.read(0x1200, 4) == expected.to_bytes(2, "little") + b"\x34\x56"
    assert s.sim.registers["r5"] == 0x1202


def test_a_byte_operation_clears_the_upper_byte_of_a_register_but_not_of_memory(tmp_path):
    s = snippet(tmp_path, "mov.b #0x12, r5; add.b #1, r6; mov.b r5, &0x1200; cmp.b #0, r7; bis.b #1, r8")
    s.sim.write(0x1200, b"\xaa\xbb")
    s.run(r5=0xFFFF, r6=0xFFFF, r7=0xFF00, r8=0xFF00)
    r = s.sim.registers
    assert (r["r5"], r["r6"], r["r7"], r["r8"]) == (0x12, 0, 0xFF00, 1)
    assert s.sim.read(0x1200, 2) == b"\x12\xbb" and r["sr"] & Z


def test_the_source_moves_on_before_the_destination_is_looked_at(tmp_path):
    s = snippet(tmp_path, "mov @r5+, 0(r5); add @r6+, r6; mov.b @r7+, 1(r7)")
    s.sim.write(0x1200, bytes.fromhex("1122 3344 0500 66778899".replace(" ", "")))
    assert s.run(r5=0x1200, r6=0x1204, r7=0x1206).ok
    assert s.sim.read(0x1200, 4) == bytes.fromhex("11221122")
    assert s.sim.registers["r6"] == 0x1206 + 5
    assert s.sim.read(0x1206, 4) == bytes.fromhex("66776699")


@pytest.mark.parametrize("core", CORES)
def test_the_stack_pointer_as_an_operand(tmp_path, core):
    s = snippet(tmp_path, "push #7; push sp; pop r5; push 2(sp); pop r6; push sp; pop sp; mov sp, r7", core)
    assert s.run(sp=0x2FF0).ok
    r = s.sim.registers
    assert r["r5"] == 0x2FEC  # what it was after the push
    assert r["r6"] == 7  # 2(sp), counted from where it was after the push
    assert r["r7"] == 0x2FEC


def test_push_of_a_byte_leaves_the_one_above(tmp_path):
    s = snippet(tmp_path, "push.b r5")
    s.sim.write(0x2FFE, b"\xaa\xbb")
    s.run(r5=0x1234)
    assert s.sim.read(0x2FFE, 2) == b"\x34\xbb"


def test_bit_zero_of_sp_and_pc_does_not_exist(tmp_path):
    s = snippet(tmp_path, "mov #0x2f81, sp; mov sp, r5; mov #f + 1, r6; mov r6, r0; f: mov r0, r7")
    assert s.run().ok
    assert s.sim.registers["r5"] == 0x2F80
    assert s.sim.registers["r7"] == s.labels["f"] + 2


def test_what_is_written_to_sr_stays(tmp_path):
    s = snippet(tmp_path, "and #0x0e, sr; mov sr, r5; xor #0x0b, sr; mov sr, r6; mov #0x101, sr; mov sr, r7")
    s.run(sr=0x0F)
    r = s.sim.registers
    assert (r["r5"], r["r6"], r["r7"]) == (0x0E, 0x05, 0x101)


def test_sr_as_a_source(tmp_path):
    s = snippet(
        tmp_path, "mov sr, &0x1200; mov.b sr, &0x1202; add sr, &0x1204; add.b sr, r5; cmp.b sr, &0x1206"
    )
    s.sim.write(0x1204, bytes.fromhex("10000901"))
    assert s.run(r5=0x1201, sr=0x109).ok
    assert s.sim.read(0x1200, 6) == bytes.fromhex("090109001901")
    assert s.sim.registers["r5"] == 1 + 8 and s.sim.registers["sr"] & 0x0F == 8 | C


def test_r3_takes_nothing(tmp_path):
    s = snippet(tmp_path, "mov r5, r3; mov r3, r6; add #1, r3; mov r3, r7; cmp #0, r3")
    s.run(r5=0x1234, r6=9, r7=9)
    r = s.sim.registers
    assert (r["r3"], r["r6"], r["r7"]) == (0, 0, 0) and r["sr"] & Z


def test_computed_jumps(tmp_path):
    s = snippet(tmp_path, "add r5, r0; inc r6; inc r6; inc r6; end: nop")
    for skipped in range(4):
        s.run(r5=2 * skipped, r6=0)
        assert s.sim.registers["r6"] == 3 - skipped


def test_a_word_after_the_instruction_is_read_through_pc(tmp_path):
    s = snippet(tmp_path, "mov @r0, r5; nop; end: nop")
    assert s.run().cycles == 3
    assert s.sim.registers["r5"] == 0x4303


@pytest.mark.parametrize("core", CORES)
def test_addresses_below_64_kb_stay_there(tmp_path, core):
    s = snippet(tmp_path, "mov 0x2000(r5), r6; mov r6, -2(r7)", core)
    s.sim.write(0x1200, b"\x34\x12")
    assert s.run(r5=0xF200, r7=0x1204).ok
    assert s.sim.read(0x1202, 2) == b"\x34\x12"


def test_the_cpux_has_signed_indexes_above_64_kb(tmp_path):
    s = snippet(
        tmp_path, "mova #0x12346, r5; mov -2(r5), r6; mov 2(r5), r7; adda #1, r5; mov r5, r8", "msp430x"
    )
    s.sim.load(0x12344, bytes.fromhex("11110000 2222".replace(" ", "")))
    assert s.run().ok
    r = s.sim.registers
    assert (r["r5"], r["r6"], r["r7"], r["r8"]) == (0x12347, 0x1111, 0x2222, 0x2347)


def test_addresses_of_the_cpux(tmp_path):
    s = snippet(
        tmp_path, "adda r5, r6; mov sr, r7; suba r5, r8; mov sr, r9; cmpa r5, r10; mov sr, r11", "msp430x"
    )
    chance = random.Random(9)
    for _ in range(200):
        a, b = (chance.choice((0, 1, 0x7FFFF, 0x80000, chance.randrange(1 << 20))) for _ in range(2))
        s.run(r5=a, r6=b, r8=b, r10=b)
        r = s.sim.registers
        assert (r["r6"], r["r7"]) == added(b, a, 0, 20)
        assert (r["r8"], r["r9"]) == subtracted(b, a, 1, 20)
        assert (r["r10"], r["r11"]) == (b, subtracted(b, a, 1, 20)[1])


def test_relative_address_of_a_call_counts_from_its_own_word():
    sim = msp430("msp430x")
    sim.load(START, bytes.fromhex("90130600") + b"\x03\x43" * 2 + bytes.fromhex("00500000"))
    sim.reset()
    sim.set_stack(0x3000, 0x2F00)
    sim.registers["pc"] = START
    sim.step()
    assert sim.registers["pc"] == 0x5000
