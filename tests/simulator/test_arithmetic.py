"""Results and flags against plain arithmetic, where the GNU simulator is known to differ."""

import random

import pytest

Z, AC, CY = 0x40, 0x10, 0x01


def psw(zero, half, carry):
    return 0x06 | Z * bool(zero) | AC * bool(half) | CY * bool(carry)


def added(a, b, carry, bits=8):
    half = 4 if bits == 8 else 8
    low = (1 << half) - 1
    total = a + b + carry
    result = total % (1 << bits)
    return result, psw(result == 0, (a & low) + (b & low) + carry > low, total >> bits)


def subtracted(a, b, borrow, bits=8):
    half = 4 if bits == 8 else 8
    low = (1 << half) - 1
    result = (a - b - borrow) % (1 << bits)
    return result, psw(result == 0, (a & low) < (b & low) + borrow, a < b + borrow)


@pytest.mark.parametrize(
    "mnemonic, rule, uses_carry, keeps",
    [
        ("add", added, False, True),
        ("addc", added, True, True),
        ("sub", subtracted, False, True),
        ("subc", subtracted, True, True),
        ("cmp", subtracted, False, False),
    ],
)
def test_byte_arithmetic(snippet, mnemonic, rule, uses_carry, keeps):
    s = snippet(f"{mnemonic} a, b")
    chance = random.Random(mnemonic)
    for _ in range(300):
        a, b, carry = chance.randrange(256), chance.randrange(256), chance.randrange(2)
        assert s.run(a=a, b=b, psw=0x06 | carry).ok
        result, flags = rule(a, b, carry if uses_carry else 0)
        assert s.sim.registers["a"] == (result if keeps else a)
        assert s.sim.registers["psw"] == flags, (a, b, carry)


@pytest.mark.parametrize("mnemonic, rule", [("addw", added), ("subw", subtracted), ("cmpw", subtracted)])
def test_word_arithmetic(snippet, mnemonic, rule):
    s = snippet(f"{mnemonic} ax, bc")
    chance = random.Random(mnemonic)
    for _ in range(300):
        a, b = chance.randrange(65536), chance.choice((0, 1, 0xFF, 0x100, chance.randrange(65536)))
        assert s.run(ax=a, bc=b, psw=0x06).ok
        result, flags = rule(a, b, 0, bits=16)
        assert s.sim.registers["ax"] == (a if mnemonic == "cmpw" else result)
        assert s.sim.registers["psw"] == flags, (a, b)


@pytest.mark.parametrize("mnemonic, by", [("inc", 1), ("dec", -1)])
@pytest.mark.parametrize("carry", [0, 1])
def test_steps_keep_the_carry(snippet, mnemonic, by, carry):
    s = snippet(f"{mnemonic} c")
    for value in range(256):
        assert s.run(c=value, psw=0x06 | carry).ok
        result = (value + by) % 256
        half = value & 15 == (15 if by == 1 else 0)
        assert s.sim.registers["c"] == result
        assert s.sim.registers["psw"] == psw(result == 0, half, carry)


def test_compare_with_zero_clears_both_carries(snippet):
    s = snippet("cmp0 b")
    for value in (0, 1, 0xFF):
        s.run(b=value, psw=0x57)
        assert s.sim.registers["psw"] == psw(value == 0, 0, 0)


def test_unsigned_and_signed_products(snippet):
    chance = random.Random(3)
    for mnemonic, signed in (("mulhu", False), ("mulh", True)):
        s = snippet(mnemonic)
        for _ in range(100):
            a, b = chance.randrange(65536), chance.randrange(65536)
            s.run(ax=a, bc=b)
            x, y = (v - 65536 * (signed and v >> 15) for v in (a, b))
            got = s.sim.registers["bc"] << 16 | s.sim.registers["ax"]
            assert got == x * y % 2**32


def test_quotients_and_rests(snippet):
    short, long = snippet("divhu"), snippet("divwu")
    chance = random.Random(4)
    for _ in range(100):
        n, d = chance.randrange(65536), chance.choice((1, 7, chance.randrange(1, 65536)))
        short.run(ax=n, de=d)
        assert (short.sim.registers["ax"], short.sim.registers["de"]) == divmod(n, d)
        n, d = chance.randrange(2**32), chance.choice((1, 65537, chance.randrange(1, 2**32)))
        long.run(ax=n & 0xFFFF, bc=n >> 16, de=d & 0xFFFF, hl=d >> 16)
        quotient, rest = divmod(n, d)
        r = long.sim.registers
        assert (r["bc"] << 16 | r["ax"], r["hl"] << 16 | r["de"]) == (quotient, rest)


def test_division_by_zero_gives_ones_and_the_dividend(snippet):
    s = snippet("divhu")
    assert s.run(ax=0x1234, de=0).ok
    assert (s.sim.registers["ax"], s.sim.registers["de"]) == (0xFFFF, 0x1234)


@pytest.mark.parametrize("mnemonic", ["machu", "mach"])
def test_multiply_accumulate(snippet, mnemonic):
    s = snippet(mnemonic)
    chance = random.Random(5)
    for _ in range(200):
        a, b, sum_ = chance.randrange(65536), chance.randrange(65536), chance.randrange(2**32)
        s.sim.write(0xFFFF0, sum_.to_bytes(4, "little"))
        assert s.run(ax=a, bc=b, psw=0x06).ok
        got = int.from_bytes(s.sim.read(0xFFFF0, 4), "little")
        if mnemonic == "machu":
            exact, sign = sum_ + a * b, 0
            overflow = exact >= 2**32
        else:
            a, b = ((v ^ 0x8000) - 0x8000 for v in (a, b))
            exact = ((sum_ ^ 2**31) - 2**31) + a * b
            overflow, sign = not -(2**31) <= exact < 2**31, got >> 31
        assert got == exact % 2**32
        assert s.sim.registers["psw"] == psw(0, sign, overflow)


def test_movs_flags(snippet):
    s = snippet("movs [hl+2], x")
    for a, x in ((0, 0), (0, 5), (5, 0), (5, 6)):
        s.run(a=a, x=x, hl=0xF000, psw=0x06)
        assert s.sim.read(0xFF002, 1) == bytes([x])
        assert s.sim.registers["psw"] == psw(x == 0, 0, a == 0 or x == 0)


def test_callt_reads_a_word_of_the_table(snippet):
    s = snippet("callt [0x9e]; br !!end; f: inc c; ret; end: nop")
    s.sim.load(0x9E, s.labels["f"].to_bytes(2, "little"))
    run = s.run(c=1)
    assert run.ok and s.sim.registers["c"] == 2
    assert run.cycles == 5 + 1 + 6 + 3
    assert run.stack == 4


def test_push_psw_puts_it_above_a_zero(snippet):
    s = snippet("push psw; pop bc")
    s.run(psw=0x47)
    assert s.sim.registers["bc"] == 0x4700


def test_reti_restores_flags_and_bank(snippet):
    s = snippet("movw ax, #0x0900; push ax; movw ax, #end; push ax; reti; end: nop")
    assert s.run().ok
    assert s.sim.registers["psw"] == 0x09
    assert s.sim.touched_banks() == {1}
