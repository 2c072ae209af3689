/* What the transcripts of the ARMv6-M cores are made of. */
#include "armv6m.h"
#include "behaviour.h"

enum { FLASH = 0x08000F00, CODE = 0x08001000, CODE_END = 0x08002000, DATA_FLASH = 0x1FFF0000, SFR = 0x40000000 };
enum { RAM = 0x20000000, RAM_END = RAM + 0x400, MUCH = 0x20010000, MUCH_END = 0x20030000 };
enum { FIRST_WORDS = 0x10000, HIGHS = 0x400, DENSE = HIGHS + 0x200, TIMES = 8 };   /* HIGHS: on any register */

/* ---- machines ---- */

static void map(Sim *sim, int which)
{
    sim_map(sim, SIM_SFR, SFR, SFR + 0x200, 0);
    sim_map(sim, SIM_DATA_FLASH, DATA_FLASH, DATA_FLASH + (which == MAP_ODD ? 0xFF : 0x100), 0);
    sim_map(sim, SIM_RAM, RAM, which == MAP_ODD ? RAM_END + 1 : RAM_END, 0);
    if (which == MAP_ODD) {
        sim_map(sim, SIM_GUARD, RAM_END + 1, RAM_END + 0x10, 0);
        sim_map(sim, SIM_FLASH, CODE - 1, CODE_END + 1, 0);
    } else {
        sim_map(sim, SIM_FLASH, FLASH, CODE_END, 0);
    }
    if (which == MAP_ROOMY)
        sim_map(sim, SIM_RAM, MUCH, MUCH_END, 0);
}

static const Span shown[] = { { SFR, SFR + 0x200 }, { RAM, RAM_END }, { 0, 0 } };
static const char *const names[] = {
    "apsr", "primask", "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "lr", NULL,
};

/* A number, or a pointer into any area. */
static uint32_t value(Dice *dice)
{
    static const uint32_t starts[] = {
        FLASH - 8, CODE_END - 8, DATA_FLASH - 8, DATA_FLASH + 0xF8, RAM - 8, RAM + 0xF8, RAM + 0x138, RAM_END - 8,
        (uint32_t)SFR - 8, SFR + 0x1F8, 0xFFFFFFF8, 0x7FFFFFF8,
    };
    const uint32_t any = roll(dice);
    switch (below(dice, 10)) {
    case 0: return edge(dice);
    case 1: return 1u << any % 32;
    case 2: return below(dice, 40);
    case 3: case 4: return starts[below(dice, sizeof starts / sizeof *starts)] + any % 16;
    case 5: case 6: return CODE + 2 * below(dice, 0x800) + (any >> 29 != 0);
    default: return RAM + any % (RAM_END - RAM) / (any >> 29 ? 4 : 1) * (any >> 29 ? 4 : 1);
    }
}

static void state(Sim *sim, Dice *dice, const uint32_t *ids, int tame)
{
    sim_set_register(sim, ids[0], roll(dice));
    sim_set_register(sim, ids[1], one_in(dice, 4));
    for (int n = 0; n < 14; n++)
        sim_set_register(sim, ids[2 + n], !tame || (n != 4 && n != 5) ? value(dice)
                         : one_in(dice, 12) ? RAM + 0x340 + 4 * below(dice, 0x20) : RAM + 4 * below(dice, 0x20));
}

/* Rarely so many bits that an access may go anywhere. */
static uint32_t mask(Dice *dice, int name)
{
    const uint32_t one = 1u << below(dice, 32), any = roll(dice);
    if (name == 0)
        return any & APSR_FLAGS;
    if (name == 1)
        return any & 1;
    return one_in(dice, 400) ? 0xFFFFFF00u | any : one_in(dice, 4) ? one | 1u << below(dice, 8)
        : one_in(dice, 8) ? any & 0xF0F : one;
}

/* ---- instructions ---- */

static uint32_t put(uint8_t *out, uint32_t count, uint32_t a, uint32_t b, uint32_t c)
{
    store16(out, a);
    store16(out + 2, b);
    store16(out + 4, c);
    return 2 * count;
}

/* Two halfwords: a call, a special register, a barrier, or what nobody has. */
static void put_long(Dice *dice, uint8_t *out)
{
    static const uint8_t specials[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 20 };
    const uint32_t any = roll(dice), which = specials[below(dice, sizeof specials)];
    switch (below(dice, 6)) {
    case 0: put(out, 2, 0xF3EF, 0x8000 | (any & 0xF00) | which, 0); break;
    case 1: case 2: put(out, 2, 0xF380 | (any & 15), 0x8800 | which, 0); break;
    case 3: put(out, 2, 0xF3BF, 0x8F4F | (any & 0x30), 0); break;
    case 4: put(out, 2, any & 1 ? 0xF000 : 0xF7FF, 0xD000 | (any >> 1 & 0x2800) | (any >> 16 & 0x7FF), 0); break;
    default: put(out, 2, 0xE800 | (any & 0x17FF), any >> 16, 0);
    }
}

/* Every first halfword twice; again and again those on any register, and those of two halfwords. */
static uint32_t encode(uint32_t job, Dice *dice, uint8_t *out)
{
    static const uint16_t after[] = { 0x4770, 0xD000, 0xF800, 0x46C0, 0x1840, 0x8F5F };
    const uint32_t dense = job < 2 * FIRST_WORDS ? 0 : (job - 2 * FIRST_WORDS) % DENSE;
    store16(out, job < 2 * FIRST_WORDS ? job % FIRST_WORDS : 0x4400 + dense);
    store16(out + 2, one_in(dice, 2) ? 0xD000 | (roll(dice) & 0x2FFF) : after[below(dice, 6)]);
    store16(out + 4, one_in(dice, 2) ? roll(dice) : after[below(dice, 6)]);
    store16(out + 6, one_in(dice, 2) ? 0x4770 : roll(dice));
    if (dense >= HIGHS)
        put_long(dice, out);
    return one_in(dice, 8) ? 2 : 1;
}

/* ---- programs: R4 and R5 are pointers ---- */

static uint32_t data_register(Dice *dice)
{
    static const uint8_t free[] = { 0, 1, 2, 3, 6, 7 };
    return free[below(dice, sizeof free)];
}

/* One halfword, one clock; no multiplication, which takes 32 on some cores. */
static uint32_t short_word(Dice *dice)
{
    const uint32_t d = data_register(dice), m = data_register(dice), n = data_register(dice), any = roll(dice);
    switch (below(dice, 8)) {
    case 0: return (any & 0x600) | 0x1800 | m << 6 | n << 3 | d;
    case 1: return (any & 0x1800) % 0x1800 | (any >> 16 & 0x7C0) | m << 3 | d;
    case 2: return 0x2000 | (any & 0x1800) | d << 8 | (any >> 16 & 0xFF);
    case 3: return 0x4600 | (any & 0x40) | m << 3 | d;
    case 4: return 0xB200 | (any & 0xC0) | m << 3 | d;
    default: return (any & 0x3C0) == 0x340 ? 0x4040 | m << 3 | d : 0x4000 | (any & 0x3C0) | m << 3 | d;
    }
}

static uint32_t tame(Dice *dice, uint8_t *out)
{
    static const uint16_t bytes_at[] = { 0xBA00, 0xBA40, 0xBAC0 };
    const uint32_t d = data_register(dice), m = data_register(dice), any = roll(dice), base = 4 + (any & 1);
    const uint32_t access = 0x6000 + below(dice, 6) * 0x800, next = short_word(dice);
    switch (below(dice, 21)) {
    case 0: case 1: case 2: return put(out, 1, access | (any >> 8 & 0x1C0) | base << 3 | d, 0, 0);
    case 3: return put(out, 2, 0x2600 | (any >> 8 & 0x1C), 0x5000 | (any >> 16 & 0xE00) | 6 << 6 | base << 3 | d, 0);
    case 4: return put(out, 2, 0xB400 | 1u << d, 0xBC00 | 1u << m, 0);
    case 5: return put(out, 2, 0xB088 & ~(any & 7), one_in(dice, 40) ? 0xB000 : 0xB008 & ~(any & 7), 0);
    case 6: return put(out, 1, any & 2 ? 0xB662 : 0xB672, 0, 0);
    case 7: return put(out, 2, 0xD000 | below(dice, 14) << 8, next, 0);
    case 8: return put(out, 3, 0x2600 | (1 + (any & 7)), 0x3E01, 0xD1FD);       /* count down */
    case 9: return put(out, 2, 0x4600 | base << 3 | 6, 0xC800 | 6 << 8 | (any & 0x8F) | 1, 0);
    case 10: return put(out, 2, 0x4600 | base << 3 | 6, 0xC000 | 6 << 8 | (any & 0x3F) | 1, 0);
    case 11: return put(out, 1, 0x4800 | d << 8 | (any & 7), 0, 0);
    case 12: return put(out, 1, 0xA000 | (any & 0x800) | d << 8 | (any & 7), 0, 0);
    case 13: return put(out, 1, bytes_at[below(dice, 3)] | m << 3 | d, 0, 0);
    case 14: return put(out, 2, 0x4680 | m << 3 | (any & 3), 0x4440 | (any & 3) << 3 | d, 0);
    case 15: return put(out, 1, 0x4340 | m << 3 | d, 0, 0);
    case 16: return put(out, 2, 0xF3EF, 0x8000 | d << 8, 0);
    case 17: return put(out, 2, 0xF380 | d, 0x8800, 0);
    case 18: return put(out, 3, 0x467E, 0x3603, 0x4730);                        /* to the next, by BX R6 */
    default: return put(out, 1, next, 0, 0);
    }
}

static uint32_t diamond(Dice *dice, uint8_t *out, int depth);

static uint32_t way(Dice *dice, uint8_t *out, int depth)
{
    return depth ? diamond(dice, out, depth - 1) : put(out, 1, short_word(dice), 0, 0);
}

/* Both ways take as long: the jump behind the one takes a clock more than the branch to the other. */
static uint32_t diamond(Dice *dice, uint8_t *out, int depth)
{
    const uint32_t condition = below(dice, 14);
    const uint32_t one = way(dice, out + 2, depth), other = 4 + one, two = way(dice, out + other, depth);
    const uint32_t fills = one_in(dice, 8) ? 4 : 2;
    store16(out, 0xD000 | condition << 8 | one / 2);
    store16(out + 2 + one, 0xE000 | (two + fills - 2) / 2);
    store16(out + other + two, short_word(dice));
    store16(out + other + two + 2, short_word(dice));
    return other + two + fills;
}

/* PUSH {R3,LR}, BL, POP {R2,R3}, MOV LR,R3: a routine that calls keeps where it returns to. */
static uint32_t call(uint8_t *out, uint32_t at, uint32_t to)
{
    const uint32_t offset = to - (at + 6), s = offset >> 24 & 1;
    const uint32_t j1 = (offset >> 23 & 1) ^ s ^ 1, j2 = (offset >> 22 & 1) ^ s ^ 1;
    put(out, 3, 0xB508, 0xF000 | s << 10 | (offset >> 12 & 0x3FF), 0xD000 | j1 << 13 | j2 << 11 | (offset >> 1 & 0x7FF));
    return 6 + put(out + 6, 2, 0xBC0C, 0x469E, 0);
}

static uint32_t leave(uint8_t *out) { return put(out, 1, 0x4770, 0, 0); }

/* ADD SP,#8, and to the next instruction by BX R6, where the profile sees that the frame is left. */
static uint32_t drop(uint8_t *out)
{
    put(out, 1, 0xB002, 0, 0);
    return 2 + put(out + 2, 3, 0x467E, 0x3603, 0x4730);
}

/* ADR R4, ADDS R4,#1, BLX R4, ADDS R4,#2, B back to BLX; then BX LR after BX LR. */
static uint32_t sweep(uint8_t *out, uint32_t at)
{
    (void)at;
    uint32_t length = put(out, 3, 0xA402, 0x3401, 0x47A0);
    length += put(out + length, 3, 0x3402, 0xE7FC, 0xBF00);
    for (int n = 0; n < 6; n++)
        length += leave(out + length);
    return length;
}

const Behaviour armv6m_behaviour = {
    .map = map, .unit = 2, .slot = 8, .jobs = 2 * FIRST_WORDS + TIMES * DENSE, .code = { CODE, CODE_END },
    .ram = { RAM, RAM_END }, .top = RAM + 0x3F0, .limit = RAM + 0x2F0, .step = 4, .deep_top = MUCH_END - 16,
    .deep_limit = MUCH, .near = { RAM, RAM }, .shown = shown, .names = names, .encode = encode, .state = state,
    .value = value, .mask = mask, .tame = tame, .diamond = diamond, .call = call, .leave = leave, .drop = drop,
    .sweep = sweep,
};
