/* What the transcripts of the RL78 cores are made of. */
#include "rl78.h"
#include "behaviour.h"

enum { FLASH = 0x10000, MIRROR = 0xF2000, RAM = 0xFF900, SADDR = 0xFFE20, SFR = 0xFFF00 };
enum { PREFIXES = 10, OPCODES = 256, TIMES = 56 };

/* ---- machines ---- */

static void map(Sim *sim, int which)
{
    sim_map(sim, SIM_FLASH, 0, which == MAP_PART ? FLASH : which == MAP_ODD ? 0x4000 : 2 * FLASH, 0);
    sim_map(sim, SIM_DATA_FLASH, 0xF1000, 0xF1800, 0);
    sim_map(sim, SIM_MIRROR, MIRROR, MIRROR + 0x3000, which == MAP_ODD ? 0x3000 : 0x2000);
    sim_map(sim, SIM_RAM, which == MAP_ROOMY ? 0xF6000 : RAM, which == MAP_ODD ? BANK0 : SFR, 0);
    sim_map(sim, SIM_SFR, SFR, which == MAP_ODD ? ADDR_CS : SPACE, 0);
    if (which == MAP_ODD)
        sim_map(sim, SIM_GUARD, 0xFF800, 0xFF810, 0);
    uint8_t bytes[0x100];
    for (uint32_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 0x3B);
    sim_load(sim, 0xF1000, bytes, sizeof bytes);
    sim_load(sim, FLASH + 0x2000, bytes, sizeof bytes);     /* where the mirror can be moved to */
    for (uint32_t i = 0; i < 0x80; i++)
        bytes[i] = i & 1 ? 0x20 : (uint8_t)(i << 3);
    sim_load(sim, CALLT_TABLE, bytes, 0x40);
}

static const Span shown[] = {
    { RAM, SFR }, { SFR, SPACE }, { 0xF1000, 0xF1010 }, { MIRROR, MIRROR + 0x10 }, { 0, 0 },
};
static const char *const names[] = { "psw", "es", "cs", "pmc", NULL };

/* A number, or a pointer into any area: of 16 bits, which a prefix may carry to another 64 KB. */
static uint32_t value(Dice *dice)
{
    static const uint16_t starts[] = {
        0x0FF8, 0x17F8, 0x1FF8, 0x4FF8, 0xF8F8, 0xFA00, 0xFA38, 0xFEF0, 0xFFF0, 0xFEDA,
    };
    const uint32_t near = below(dice, 0x18);
    switch (below(dice, 8)) {
    case 0: return edge(dice);
    case 1: return roll(dice);
    case 2: return below(dice, 16);
    case 3: return starts[below(dice, 10)] + near;
    case 4: return 0x2000 + below(dice, 0x2000);
    case 5: return 0xFE20 + below(dice, 0x1E0);
    default: return 0xF900 + below(dice, 0x600);
    }
}

static void state(Sim *sim, Dice *dice, const uint32_t *ids, int tame)
{
    uint8_t bytes[32];
    for (uint32_t r = 0; r < 32; r += 2)
        store16(bytes + r, !tame || r % 8 < 4 ? value(dice)
                : one_in(dice, 12) ? 0xFDD0 + 2 * below(dice, 0x18) : 0xF900 + 2 * below(dice, 0x70));
    sim_write(sim, BANKS, bytes, sizeof bytes);
    const uint32_t psw = one_in(dice, 4) ? 0xFF : 0xD7;
    sim_set_register(sim, ids[0], roll(dice) & psw);
    sim_set_register(sim, ids[1], one_in(dice, 2) ? 15 : one_in(dice, 3) ? roll(dice) : 0);
    sim_set_register(sim, ids[2], one_in(dice, 16) ? roll(dice) : 0);
    if (one_in(dice, 16))
        sim_set_register(sim, ids[3], roll(dice));
}

static uint32_t mask(Dice *dice, int name)
{
    const uint32_t one = 1u << below(dice, 8);
    switch (name) {
    case 0: return one_in(dice, 2) ? one : roll(dice) & 0xFF;
    case 1: return 1u << below(dice, 4);
    default: return one_in(dice, 8) ? one : 0;
    }
}

/* ---- instructions ---- */

static uint32_t put(uint8_t *out, uint32_t length, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    out[0] = (uint8_t)a;
    out[1] = (uint8_t)b;
    out[2] = (uint8_t)c;
    out[3] = (uint8_t)d;
    return length;
}

/* What the hazard looks back at: a register, SP, CS or the bank, and nothing. */
static uint32_t writer(Dice *dice, uint8_t *out)
{
    static const uint8_t codes[][3] = {
        { 0x12 }, { 0x14 }, { 0x16 }, { 0x31 + 4 }, { 0x10, 0x00 }, { 0xCE, 0xFC, 0x00 }, { 0x61, 0xCF },
        { 0x61, 0xDF }, { 0xC0 }, { 0x00 }, { 0xBE, 0xF8 }, { 0x9E, 0xFC }, { 0xD6 },
    };
    static const uint8_t lengths[] = { 1, 1, 1, 1, 2, 3, 2, 2, 1, 1, 2, 2, 1 };
    const uint32_t which = below(dice, 20);
    if (which >= sizeof lengths) {
        out[0] = (uint8_t)((one_in(dice, 2) ? 0x80 : 0x90) | below(dice, 8));
        return 1;
    }
    for (uint32_t i = 0; i < lengths[which]; i++)
        out[i] = codes[which][i];
    return lengths[which];
}

static void operands(Dice *dice, uint8_t *out)
{
    static const uint8_t special[] = { 0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xF0 };
    for (int i = 0; i < 5; i++)
        out[i] = (uint8_t)roll(dice);
    switch (below(dice, 8)) {
    case 0: store16(out, 0xFFF0 + below(dice, 16)); break;
    case 1: case 2: store16(out, value(dice)); break;
    case 3: out[0] = special[below(dice, 8)]; store16(out + 1, value(dice)); break;
    case 4: out[0] = (uint8_t)below(dice, 4); break;
    case 5: out[0] = (uint8_t)(0xD8 + below(dice, 0x28)); out[1] = (uint8_t)below(dice, 8); break;
    case 6: store16(out, edge(dice)); break;
    default: out[0] = (uint8_t)(0x20 + 2 * below(dice, 0x60)); out[1] = (uint8_t)(below(dice, 8) - 2);
    }
}

/* Every opcode of every map, with and without ES. */
static uint32_t encode(uint32_t job, Dice *dice, uint8_t *out)
{
    static const uint8_t prefixes[] = { 0, 0x61, 0x71, 0x31, 0xCE };
    static const uint8_t skipped[] = { 0x00, 0x11, 0x61, 0xFC, 0xEF, 0x31, 0x8F, 0xFF };
    const uint32_t map = job % PREFIXES / 2;
    uint32_t at = one_in(dice, 2) ? writer(dice, out) : 0;
    const uint32_t before = at;
    if (job & 1)
        out[at++] = 0x11;
    if (map)
        out[at++] = prefixes[map];
    if (map == 4)
        out[at++] = 0xFB;
    out[at++] = (uint8_t)(job / PREFIXES % OPCODES);
    const int endless = at == before + 1 && one_in(dice, 32);
    uint8_t rest[MOST_SLOT];
    operands(dice, rest);
    for (uint32_t i = 5; i < MOST_SLOT; i++)
        rest[i] = (uint8_t)roll(dice);
    if (map == 1 && one_in(dice, 2))
        rest[0] = skipped[below(dice, 8)];
    for (uint32_t i = 0; at < MOST_SLOT; i++)
        out[at++] = rest[i];
    if (endless)
        put(out + before, 2, 0xEF, 0xFE, 0, 0);     /* BR to itself */
    return 1 + (before != 0) + one_in(dice, 3);
}

/* ---- programs ---- */

/* One byte, one clock, no pointer changed: MOV A,r and r,A, INC, DEC. */
static uint8_t short_byte(Dice *dice)
{
    static const uint8_t codes[] = {
        0x60, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x70, 0x72, 0x73, 0x80, 0x81, 0x82, 0x83, 0x90, 0x91, 0x92,
        0x93,
    };
    return codes[below(dice, sizeof codes)];
}

static uint32_t skip(Dice *dice)
{
    static const uint8_t skips[] = { 0xC8, 0xD8, 0xE8, 0xF8, 0xE3, 0xF3 };
    return skips[below(dice, sizeof skips)];
}

static uint32_t tame(Dice *dice, uint8_t *out)
{
    static const uint8_t bytes[] = {
        0x89, 0x99, 0x8B, 0x9B, 0x0D, 0x1D, 0x2D, 0x3D, 0x4D, 0x5D, 0x6D, 0x7D, 0xA9, 0xB9, 0xAB, 0xBB, 0x12,
        0x13, 0x33, 0x03, 0x23, 0x43, 0xD6, 0xA1, 0xB1, 0xA3,
    };
    static const uint8_t rotates[] = { 0xDB, 0xEB, 0xFB, 0xDC, 0xEE, 0xFE };
    const uint32_t any = roll(dice);
    const uint8_t one = short_byte(dice), two = short_byte(dice);
    switch (below(dice, 24)) {
    case 0: case 1: return put(out, 2, 0x0C | (any & 0x70), any >> 8, 0, 0);
    case 2: case 3: return put(out, 2, 0x61, 0x0A | (any & 0x71), 0, 0);
    case 4: case 5: case 6: case 7: return put(out, 1, bytes[below(dice, sizeof bytes)], 0, 0, 0);
    case 8: return put(out, 2, one_in(dice, 2) ? 0x8C : 0x9C, any & 0x1F, 0, 0);
    case 9: return put(out, 2, 0x31, 0x09 | (1 + below(dice, 7)) << 4, 0, 0);
    case 10: return put(out, 2, 0xC1 + (any & 6), 0xC0 + (any >> 8 & 2), 0, 0);
    case 11: return put(out, 2, one_in(dice, 2) ? 0x8D : 0x9D, 0x20 + any % 0xB8, 0, 0);
    case 12: return put(out, 2, 0x71, 0x8C | (any & 0x73), 0, 0);
    case 13: return put(out, 3, 0x71, one_in(dice, 2) ? 0x7A : 0x7B, 0xFA, 0);     /* EI, DI */
    case 14: return put(out, 2, 0x61, 0xCF | (any & 0x30), 0, 0);                   /* SEL */
    case 15: return put(out, 4, 0xDC + any % 4, 2, one, two);
    case 16: return put(out, 3, 0x61, skip(dice), one, 0);
    case 17: return put(out, 3, 0x93, 0xDF, 0xFD, 0);                               /* count down to zero */
    case 18: return put(out, 2, 0x61, rotates[below(dice, sizeof rotates)], 0, 0);
    case 19: return put(out, 3, 0x04 | (any & 0x20), any >> 8, any >> 16, 0);
    case 20: return put(out, 4, 0x61, 0xDD, 0x61, 0xCD);                            /* PUSH PSW, POP PSW */
    case 21: return put(out, 3, 0xAF, any & 0xFE, 0xF9, 0);
    default: return put(out, 1, short_byte(dice), 0, 0, 0);
    }
}

/* A skip over an instruction or a branch of 2 and 4 clocks; few of them are not balanced. */
static uint32_t simple_diamond(Dice *dice, uint8_t *out)
{
    const uint32_t skipped = skip(dice), bit = below(dice, 8) << 4 | (one_in(dice, 2) ? 3 : 5);
    const uint32_t flag = 0xDC + below(dice, 4);
    const uint8_t one = short_byte(dice), two = short_byte(dice);
    switch (below(dice, 16)) {
    case 0: return put(out, 4, 0x61, skipped, one, two);
    case 1: return put(out, 3, 0x61, skipped, 0xC1, 0);                                 /* over PUSH AX */
    case 2: return put(out, 4, 0x61, skipped, 0xCE, 0xFE) + put(out + 4, 1, 1, 0, 0, 0);
    case 3: case 4: return put(out, 4, 0x31, bit, 2, one) + put(out + 4, 1, two, 0, 0, 0);  /* BT, BF */
    case 5: return put(out, 4, flag, 1, one, two);
    case 6: case 7: case 8: case 9: return put(out, 4, flag, 2, one, two);
    default: return put(out, 3, 0x61, skipped, one, 0);
    }
}

/* Both ways take as long: the branch behind the one is made up for behind the other. */
static uint32_t diamond(Dice *dice, uint8_t *out, int depth)
{
    if (depth == 0)
        return simple_diamond(dice, out);
    const uint32_t one = diamond(dice, out + 2, depth - 1);
    const uint32_t two = diamond(dice, out + 4 + one, depth - 1);
    const uint32_t fills = one_in(dice, 8) ? 0 : 1;
    put(out + 2 + one, 2, 0xEF, two + fills, out[4 + one], out[5 + one]);
    out[4 + one + two] = one_in(dice, 2) ? short_byte(dice) : 0x9B;
    out[0] = (uint8_t)(0xDC + below(dice, 4));
    out[1] = (uint8_t)(one + 2);
    return 4 + one + two + fills;
}

static uint32_t call(uint8_t *out, uint32_t at, uint32_t to)
{
    (void)at;
    return put(out, 4, 0xFC, to, to >> 8, to >> 16);
}

static uint32_t leave(uint8_t *out)
{
    out[0] = 0xD7;
    return 1;
}

static uint32_t drop(uint8_t *out) { return put(out, 2, 0x10, 4, 0, 0); }

/* MOVW BC,#word, CALL BC, INCW BC, BR back to CALL; then RET after RET. */
static uint32_t sweep(uint8_t *out, uint32_t at)
{
    uint32_t length = put(out, 3, 0x32, at + 8, (at + 8) >> 8, 0);
    length += put(out + length, 3, 0x61, 0xDA, 0xA3, 0);
    length += put(out + length, 2, 0xEF, 0xFB, 0, 0);
    for (int n = 0; n < 6; n++)
        length += leave(out + length);
    return length;
}

const Behaviour rl78_behaviour = {
    .map = map, .unit = 1, .slot = MOST_SLOT, .jobs = PREFIXES * OPCODES * TIMES, .code = { 0x2000, 0x4000 },
    .ram = { RAM, BANKS }, .top = 0xFE00, .limit = 0xFD00, .step = 2, .deep_top = 0xFE00,
    .deep_limit = 0x6000, .near = { BANKS, BANKS_END }, .shown = shown, .names = names, .encode = encode,
    .state = state, .value = value, .mask = mask, .tame = tame, .diamond = diamond, .call = call, .leave = leave, .drop = drop, .sweep = sweep,
};
