/* What the transcripts of the RISC-V cores are made of. */
#include "rv32e.h"
#include "behaviour.h"

enum {
    CODE = 0x1000, CODE_END = 0x2000, CONSTANTS = 0x3000, RAM = 0x20000000, RAM_END = RAM + 0x400,
    ROOM = RAM + 0x10000, ROOM_END = RAM + 0x80000, PERIPHERALS = 0x40000000
};
enum { FIRST_WORDS = 0x10000, LONGS = 0x8000 };
enum { MSTATUS, S0 = 7, S1, FEW = 15, MANY = 31 };      /* places in `names`, and how many there are */

/* ---- machines ---- */

static void map(Sim *sim, int which)
{
    sim_map(sim, SIM_SFR, PERIPHERALS, PERIPHERALS + 0x100, 0);
    sim_map(sim, SIM_DATA_FLASH, CONSTANTS, which == MAP_ODD ? CONSTANTS + 0xFF : CONSTANTS + 0x100, 0);
    sim_map(sim, SIM_RAM, RAM, which == MAP_ODD ? RAM_END + 1 : RAM_END, 0);
    if (which == MAP_ODD) {
        sim_map(sim, SIM_GUARD, RAM_END + 1, RAM_END + 0x10, 0);
        sim_map(sim, SIM_FLASH, CODE - 1, CODE_END - 1, 0);
    } else {
        sim_map(sim, SIM_FLASH, CODE - 0x100, CODE_END, 0);
    }
    if (which == MAP_ROOMY)
        sim_map(sim, SIM_RAM, ROOM, ROOM_END, 0);
}

static const Span shown[] = { { RAM, RAM_END }, { PERIPHERALS, PERIPHERALS + 0x100 }, { 0, 0 } };
static const char *const names[] = {
    "mstatus", "ra", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", NULL,
};
static const char *const all_names[] = {
    "mstatus", "ra", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "s2",
    "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6", NULL,
};

/* A number, or a pointer into any area. */
static uint32_t value(Dice *dice)
{
    static const uint32_t starts[] = {
        CODE - 8, CODE_END - 8, CONSTANTS - 8, CONSTANTS + 0xF8, RAM - 8, RAM + 0xF8, RAM + 0x138, RAM_END - 8,
        ROOM - 8, PERIPHERALS - 8, PERIPHERALS + 0xF8, 0xFFFFFFF8, 0x7FFFFFF8,
    };
    static const uint32_t edges[] = { 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFF8000 };
    const uint32_t any = roll(dice);
    switch (below(dice, 8)) {
    case 0: return edge(dice);
    case 1: return edges[below(dice, sizeof edges / sizeof *edges)];
    case 2: return below(dice, 64);
    case 3: return starts[below(dice, sizeof starts / sizeof *starts)] + any % 16;
    case 4: return CODE + 2 * below(dice, 0x800);
    default: return RAM + (any % 0x400 & ~(any >> 30));
    }
}

static void state(Sim *sim, Dice *dice, const uint32_t *ids, int tame)
{
    const int count = sim_register_id(sim, "t6") < 0 ? FEW : MANY;
    sim_set_register(sim, ids[MSTATUS], one_in(dice, 4) ? 0 : roll(dice));
    for (int n = 1; n < count; n++)
        sim_set_register(sim, ids[n], !tame || (n != S0 && n != S1) ? value(dice)
                         : one_in(dice, 12) ? RAM_END - 0x30 + 4 * below(dice, 0x10) : RAM + 4 * below(dice, 0x30));
}

static uint32_t mask(Dice *dice, int name)
{
    const uint32_t one = 1u << below(dice, one_in(dice, 40) ? 32 : 12);
    if (name == MSTATUS)
        return roll(dice) & MIE;
    return one_in(dice, 4) ? one | 1u << below(dice, 12) : one_in(dice, 8) ? roll(dice) & 0xF0F : one;
}

/* ---- encodings ---- */

static uint32_t type_r(uint32_t high, uint32_t b, uint32_t a, uint32_t which, uint32_t d)
{
    return high << 25 | b << 20 | a << 15 | which << 12 | d << 7 | 0x33;
}

static uint32_t type_i(uint32_t opcode, uint32_t imm, uint32_t a, uint32_t which, uint32_t d)
{
    return imm << 20 | a << 15 | which << 12 | d << 7 | opcode;
}

static uint32_t type_s(uint32_t imm, uint32_t b, uint32_t a, uint32_t which)
{
    return (imm >> 5 & 127) << 25 | b << 20 | a << 15 | which << 12 | (imm & 31) << 7 | 0x23;
}

static uint32_t type_b(uint32_t offset, uint32_t b, uint32_t a, uint32_t which)
{
    return (offset >> 12 & 1) << 31 | (offset >> 5 & 63) << 25 | b << 20 | a << 15 | which << 12
        | (offset >> 1 & 15) << 8 | (offset >> 11 & 1) << 7 | 0x63;
}

static uint32_t type_j(uint32_t offset, uint32_t d)
{
    return (offset >> 20 & 1) << 31 | (offset >> 1 & 1023) << 21 | (offset >> 11 & 1) << 20
        | (offset >> 12 & 255) << 12 | d << 7 | 0x6F;
}

static uint32_t short_j(uint32_t offset)
{
    return 0xA001 | (offset >> 11 & 1) << 12 | (offset >> 4 & 1) << 11 | (offset >> 8 & 3) << 9
        | (offset >> 10 & 1) << 8 | (offset >> 6 & 1) << 7 | (offset >> 7 & 1) << 6 | (offset >> 1 & 7) << 3 | (offset >> 5 & 1) << 2;
}

static uint32_t short_b(uint32_t offset, uint32_t p, uint32_t which)
{
    return 0xC001 | which << 13 | (offset >> 8 & 1) << 12 | (offset >> 3 & 3) << 10 | p << 7 | (offset >> 6 & 3) << 5
        | (offset >> 1 & 3) << 3 | (offset >> 5 & 1) << 2;
}

static uint32_t put(uint8_t *out, uint32_t halfword)
{
    store16(out, halfword);
    return 2;
}

static uint32_t put_long(uint8_t *out, uint32_t word)
{
    store32(out, word);
    return 4;
}

/* ---- instructions ---- */

static uint32_t any_register(Dice *dice) { return below(dice, one_in(dice, 24) ? 32 : 16); }

static uint32_t near_offset(Dice *dice) { return 2 * below(dice, 0x40) - 0x40; }

static uint32_t long_word(Dice *dice)
{
    static const uint8_t highs[] = { 0, 0, 0x20, 0x20, 1, 1, 1, 2 };
    const uint32_t d = any_register(dice), a = any_register(dice), b = any_register(dice), which = below(dice, 8);
    const uint32_t any = roll(dice), near = near_offset(dice), small = below(dice, 64) - 32;
    switch (below(dice, 16)) {
    case 0: return (any & 0xFFFFF000) | d << 7 | 0x37;
    case 1: return (any & 0xFFFFF000) | d << 7 | 0x17;
    case 2: return type_j(near, one_in(dice, 3) ? d : below(dice, 2));
    case 3: return type_i(0x67, any & 1 ? 0 : small & 0xFFF, a, any & 0x1E ? 0 : which, any & 0x20 ? d : 0);
    case 4: case 5: return type_b(near, b, a, which);
    case 6: case 7: return type_i(0x03, any & 1 ? any >> 20 : small & 0xFFF, a, which, d);
    case 8: case 9: return type_s(any & 1 ? any >> 20 : small, b, a, which);
    case 10: return type_i(0x13, any >> 20, a, which, d);
    case 11: return type_i(0x13, (any & 1 ? 0 : 0x400) | b, a, which & 4 ? 5 : 1, d);
    case 12: return type_i(0x0F, any >> 20, a, one_in(dice, 4) ? which : 0, d);
    case 13: return type_i(0x73, one_in(dice, 4) ? any >> 20 : 0x300, a, which, d);
    default: return type_r(highs[below(dice, 8)], b, a, which, d);
    }
}

static uint32_t encode(uint32_t job, Dice *dice, uint8_t *out)
{
    static const uint32_t lone[] = {
        0x00000073, 0x00100073, 0x00008082, 0x00008067, 0x00000000, 0x0000A001, 0x0000006F,
    };
    const uint32_t behind = one_in(dice, 2);        /* an instruction of 16 bits */
    const uint32_t any = roll(dice), more = roll(dice);
    uint32_t word = job < FIRST_WORDS ? job | any << 16 : long_word(dice);
    if (one_in(dice, 200))
        word = lone[below(dice, sizeof lone / sizeof *lone)];
    out += behind ? put(out, 0x0001) : 0;
    out += put_long(out, word);
    if (one_in(dice, 2) && (word & 3) != 3)
        store16(out - 2, 0x0001);
    store16(out, one_in(dice, 2) ? 0x0001 : more);
    if (!behind)
        store16(out + 2, more >> 16);
    return 1 + behind + one_in(dice, 4);
}

/* ---- programs ---- */

/* a0 to a5: s0 and s1 are pointers. */
static uint32_t data_register(Dice *dice) { return 10 + below(dice, 6); }

/* 16 bits, one clock. */
static uint32_t short_word(Dice *dice)
{
    const uint32_t d = data_register(dice), s = data_register(dice), any = roll(dice);
    const uint32_t constant = (any & 1) << 12 | (any >> 1 & 31) << 2, count = (1 + any % 31) << 2;
    switch (below(dice, 10)) {
    case 0: case 1: return 0x0001 | d << 7 | constant;                              /* C.ADDI */
    case 2: return 0x4001 | d << 7 | constant;
    case 3: return 0x8001 | (d - 8) << 7 | count | (any >> 31) << 10;               /* C.SRLI, C.SRAI */
    case 4: return 0x8801 | (d - 8) << 7 | constant;
    case 5: return 0x0002 | d << 7 | count;
    case 6: return 0x8002 | d << 7 | s << 2;
    case 7: return 0x9002 | d << 7 | s << 2;
    default: return 0x8C01 | (d - 8) << 7 | (any & 3) << 5 | (s - 8) << 2;
    }
}

static uint32_t tame(Dice *dice, uint8_t *out)
{
    static const uint8_t branches[] = { 0, 1, 4, 5, 6, 7 }, loads[] = { 0, 1, 2, 4, 5 };
    static const uint8_t plain[] = { 0, 2, 3, 4, 6, 7 };
    const uint32_t d = data_register(dice), a = data_register(dice), b = data_register(dice), which = below(dice, 8);
    const uint32_t pointer = 8 + below(dice, 2), index = 4 * below(dice, 16), any = roll(dice);
    const uint32_t near = (pointer - 8) << 7 | (d - 8) << 2 | (any & 7) << 10 | (any >> 3 & 1) << 6;
    const uint32_t next = short_word(dice), high = any >> 31 ? 0x400 : 0;
    const uint32_t branch = branches[below(dice, 6)];
    switch (below(dice, 20)) {
    case 0: return put_long(out, type_i(0x13, any >> 20, a, plain[below(dice, 6)], d));
    case 1:
        return put_long(out, type_i(0x13, (any & 31) | (which & 1 ? high : 0), a, which & 1 ? 5 : 1, d));
    case 2: case 3:
        return put_long(out, type_r((which == 0 || which == 5) && any & 1 ? 0x20 : 0, b, a, which, d));
    case 4: return put(out, 0x4000 | near);         /* C.LW */
    case 5: return put(out, 0xC000 | near);         /* C.SW */
    case 6: case 7: return put_long(out, type_i(0x03, index, pointer, loads[below(dice, 5)], d));
    case 8: return put_long(out, type_s(index, d, pointer, below(dice, 3)));
    case 9:                                         /* addi sp,sp,-4; sw; lw; addi sp,sp,4 */
        put(out, 0x1171);
        put(out + 2, 0xC002 | d << 2);
        put(out + 4, 0x4002 | a << 7);
        return 6 + put(out + 6, 0x0111);
    case 10:                                        /* over one of 16 bits */
        put_long(out, type_b(6, b, a, branch));
        return 4 + put(out + 4, next);
    case 11:                                        /* to one of 32 bits, in one word or in two */
        put(out, short_b(4, d - 8, any & 1));
        put(out + 2, next);
        return 4 + put_long(out + 4, type_i(0x13, any >> 20, a, 0, d));
    case 12: return put_long(out, (any & 0xFFFFF000) | d << 7 | (any & 1 ? 0x37 : 0x17));
    case 13: return put_long(out, type_i(0x73, 0x300, MIE, one_in(dice, 2) ? 6 : 7, 0));   /* CSRSI, CSRCI */
    case 14:                                        /* count down */
        put(out, 0x4501 | (1 + below(dice, 9)) << 2);
        put(out + 2, 0x157D);
        return 4 + put(out + 4, short_b((uint32_t)-2, 2, 1));
    case 15:                                        /* mv sp,sp; sw -8(sp) */
        return any & 7 ? put(out, 0x810A) : put_long(out, type_s((uint32_t)-8, d, 2, 2));
    default: return put(out, next);
    }
}

/* The same with multiplications and divisions. */
static uint32_t tame_m(Dice *dice, uint8_t *out)
{
    const uint32_t d = data_register(dice), a = data_register(dice), b = data_register(dice), which = below(dice, 8);
    return one_in(dice, 5) ? put_long(out, type_r(1, b, a, which, d)) : tame(dice, out);
}

static uint32_t diamond(Dice *dice, uint8_t *out, int depth);

static uint32_t way(Dice *dice, uint8_t *out, int depth)
{
    return depth ? diamond(dice, out, depth - 1) : put(out, one_in(dice, 16) ? 0x4000 : short_word(dice));
}

/* Both ways take as long on Ibex: the jump behind the one costs what the taken branch does more. On QingKe a further
 * instruction makes up for it. */
static uint32_t diamond(Dice *dice, uint8_t *out, int depth)
{
    static const uint8_t branches[] = { 0, 1, 4, 5, 6, 7 };
    const uint32_t a = data_register(dice), b = data_register(dice), branch = branches[below(dice, 6)];
    const int brief = depth || one_in(dice, 2), fills = depth < 2 && one_in(dice, 3);
    const uint32_t first = brief ? 2 : 4, one = way(dice, out + first, depth), other = first + one + 2;
    const uint32_t two = way(dice, out + other, depth), end = fills ? put(out + other + two, short_word(dice)) : 0;
    if (brief)
        put(out, short_b(other, a - 8, branch & 1));
    else
        put_long(out, type_b(other, b, a, branch));
    put(out + first + one, short_j(2 + two + end));
    return other + two + end;
}

/* addi sp,sp,-4; sw ra,(sp); jal ra; lw ra,(sp); addi sp,sp,4 */
static uint32_t call(uint8_t *out, uint32_t at, uint32_t to)
{
    put(out, 0x1171);
    put(out + 2, 0xC006);
    put_long(out + 4, type_j(to - at - 4, 1));
    put(out + 8, 0x4082);
    return 10 + put(out + 10, 0x0111);
}

static uint32_t leave(uint8_t *out) { return put(out, 0x8082); }

/* addi sp,sp,-8; jal to what is next; addi sp,sp,8: a call without a return. */
static uint32_t drop(uint8_t *out)
{
    put(out, 0x1161);
    put_long(out + 2, type_j(4, 1));
    return 6 + put(out + 6, 0x0121);
}

/* auipc ra,0; addi ra,ra,8; ret to what is next; auipc t1,0; addi t1,t1,14; jalr t1; addi t1,t1,2; j back to jalr;
 * then ret after ret: behind a call by t0, and where the stack has grown. */
static uint32_t sweep(uint8_t *out, uint32_t at)
{
    (void)at;
    uint32_t length = put_long(out, 0x00000097);
    length += put(out + length, 0x00A1);
    length += leave(out + length);
    length += put_long(out + length, 0x00000317);
    length += put_long(out + length, type_i(0x13, 14, 6, 0, 6));
    length += put(out + length, 0x9302);
    length += put(out + length, 0x0309);
    length += put(out + length, short_j((uint32_t)-4));
    for (int n = 0; n < 6; n++) {
        if (n == 2)
            length += put_long(out + length, type_j(4, 5));
        if (n == 4)
            length += put(out + length, 0x1171);
        length += leave(out + length);
    }
    return length;
}

#define BEHAVIOUR(id, register_names, tamer) \
    const Behaviour id##_behaviour = { \
        .map = map, .unit = 2, .slot = 8, .jobs = FIRST_WORDS + LONGS, .code = { CODE, CODE_END }, \
        .ram = { RAM, RAM_END }, .top = RAM + 0x3F0, .limit = RAM + 0x2F0, .step = 4, .deep_top = ROOM_END, \
        .deep_limit = ROOM, .near = { RAM, RAM }, .shown = shown, .names = register_names, .encode = encode, \
        .state = state, .value = value, .mask = mask, .tame = tamer, .diamond = diamond, .call = call, \
        .leave = leave, .drop = drop, .sweep = sweep, \
    }

BEHAVIOUR(rv32e, names, tame);
BEHAVIOUR(rv32i, all_names, tame_m);
