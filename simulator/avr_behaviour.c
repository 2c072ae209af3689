/* What the transcripts of the AVR cores are made of. */
#include "avr.h"
#include "behaviour.h"

enum { FLASH = 0x20000, SMALL_FLASH = 0x2000, RAM = DATA + 0x100, RAM_END = DATA + 0x500, MIRROR = DATA + 0x8000 };
enum { FIRST_WORDS = 0x10000, DENSE = 0xA00, TIMES = 8 };

/* ---- machines ---- */

static const Kind *kind(const Sim *sim) { return ((const Avr *)sim)->kind; }

/* The odd one has a hole in its I/O, and SP in none of it. */
static void map_data(Sim *sim, int which)
{
    const uint32_t io = kind(sim)->io;
    sim_map(sim, SIM_SFR, DATA, which == MAP_ODD ? io + 0x10 : DATA + 0xF0, 0);
    if (which == MAP_ODD)
        sim_map(sim, SIM_SFR, io + 0x18, io + SPL, 0);
    sim_map(sim, SIM_RAM, RAM, which == MAP_ROOMY ? SPACE : RAM_END, 0);
    if (which == MAP_ODD)
        sim_map(sim, SIM_GUARD, RAM_END, RAM_END + 0x10, 0);
}

static void map_large(Sim *sim, int which)
{
    sim_map(sim, SIM_FLASH, 0, which == MAP_ODD ? FLASH / 2 : FLASH, 0);
    map_data(sim, which);
}

static void map_small(Sim *sim, int which)
{
    sim_map(sim, SIM_FLASH, 0, which == MAP_ODD ? 2 * SMALL_FLASH : SMALL_FLASH, 0);
    map_data(sim, which);
}

/* AVRxt shows flash among its data, and has memory that is as slow beside it. */
static void map_mirror(Sim *sim, int which)
{
    if (which == MAP_ROOMY)         /* all of it is RAM */
        return;
    sim_map(sim, SIM_DATA_FLASH, RAM_END + 0x10, RAM_END + 0x50, 0);
    sim_map(sim, SIM_MIRROR, MIRROR, MIRROR + SMALL_FLASH, which == MAP_ODD ? 0x400 : 0);
}

static void map_xt(Sim *sim, int which)
{
    map_large(sim, which);
    map_mirror(sim, which);
}

static void map_xt_8k(Sim *sim, int which)
{
    map_small(sim, which);
    map_mirror(sim, which);
}

static const Span shown[] = { { DATA + 0x20, DATA + 0xF0 }, { RAM, RAM_END }, { 0, 0 } };
static const Span xt_shown[] = { { DATA, DATA + 0xF0 }, { RAM, RAM_END }, { 0, 0 } };
static const char *const names[] = { "sreg", "rampz", NULL };
static const char *const small_names[] = { "sreg", NULL };

/* A number, or a pointer into any area. */
static uint32_t value(Dice *dice)
{
    switch (below(dice, 8)) {
    case 0: case 1: return edge(dice);
    case 2: return below(dice, 0x60);
    case 3: return below(dice, 0x120);
    case 4: return 0xF0 + below(dice, 0x30);
    case 5: return RAM_END - DATA - 0x10 + below(dice, 0x30);
    case 6: return 0x200 + below(dice, 0x50);
    default: return 0x100 + below(dice, 0x400);
    }
}

/* The same, and pointers to what is slow, and to where it begins. */
static uint32_t xt_value(Dice *dice)
{
    switch (below(dice, 8)) {
    case 0: return 0x500 + below(dice, 0x70);
    case 1: return (MIRROR - DATA) - 0x10 + below(dice, SMALL_FLASH + 0x20);
    default: return value(dice);
    }
}

static void xt_state(Sim *sim, Dice *dice, const uint32_t *ids, int tame)
{
    for (int r = 0; r < 32; r += 2) {
        const uint32_t two = !tame || r < XL ? xt_value(dice)
            : one_in(dice, 12) ? 0x4D0 + below(dice, 0x30)
            : one_in(dice, 8) ? MIRROR - DATA + below(dice, SMALL_FLASH) : 0x100 + below(dice, 0xE0);
        sim_set_register(sim, (uint32_t)r, two & 0xFF);
        sim_set_register(sim, (uint32_t)r + 1, two >> 8 & 0xFF);
    }
    sim_set_register(sim, ids[0], one_in(dice, 8) ? edge(dice) : roll(dice));
    if (sim_register_id(sim, "rampz") >= 0)
        sim_set_register(sim, ids[1], one_in(dice, 8) ? roll(dice) : below(dice, 3));
}

static void state(Sim *sim, Dice *dice, const uint32_t *ids, int tame)
{
    uint8_t bytes[32];
    for (int r = 0; r < 32; r += 2)
        store16(bytes + r, !tame || r < XL ? value(dice)
                : one_in(dice, 12) ? 0x4D0 + below(dice, 0x30) : 0x100 + below(dice, 0xE0));
    sim_write(sim, DATA, bytes, sizeof bytes);
    sim_set_register(sim, ids[0], one_in(dice, 8) ? edge(dice) : roll(dice));
    if (sim_register_id(sim, "rampz") >= 0)
        sim_set_register(sim, ids[1], one_in(dice, 8) ? roll(dice) : below(dice, 3));
}

static uint32_t mask(Dice *dice, int name)
{
    return name ? below(dice, 2) : one_in(dice, 2) ? roll(dice) & 0xFF : 1u << below(dice, 8);
}

/* ---- instructions ---- */

/* Every first word twice; again and again those that have few words a form. */
static uint32_t first_word(uint32_t job)
{
    if (job < 2 * FIRST_WORDS)
        return job % FIRST_WORDS;
    job = (job - 2 * FIRST_WORDS) % DENSE;
    return job < 0x400 ? job : 0x9000 + job - 0x400;
}

static uint32_t encode(uint32_t job, Dice *dice, uint8_t *out)
{
    static const uint16_t after[] = { 0x0000, 0x940E, 0x9000, 0x0C01, 0xEF0F, 0x9409, 0xFFFF, 0xCFFF };
    static const uint16_t lone[] = {
        0x9508, 0x9518, 0x9409, 0x9509, 0x95C8, 0x95D8, 0x9004, 0x9007, 0x940F, 0x940D,
    };
    const uint32_t half = one_in(dice, 16) ? 2 : 0;         /* of SP was written before */
    store16(out, one_in(dice, 2) ? 0xBE0D | (roll(dice) & 0x1F0) : 0xBE0E | (roll(dice) & 0x1F0));
    out += half;
    store16(out, one_in(dice, 24) ? lone[below(dice, 10)] : first_word(job));
    store16(out + 2, one_in(dice, 2) ? value(dice) : after[below(dice, 8)]);
    store16(out + 4, one_in(dice, 4) ? roll(dice) : after[below(dice, 8)]);
    if (!half)
        store16(out + 6, one_in(dice, 2) ? roll(dice) : value(dice));
    return (half ? 2 : 1) + one_in(dice, 4);
}

/* ---- programs ---- */

/* One word, one clock, on registers below X. */
static uint32_t short_word(Dice *dice)
{
    static const uint16_t doubles[] = {
        0x0C00, 0x1C00, 0x1800, 0x0800, 0x2000, 0x2400, 0x2800, 0x2C00, 0x1400, 0x0400,
    };
    static const uint16_t constants[] = { 0x3000, 0x4000, 0x5000, 0x6000, 0x7000, 0xE000 };
    static const uint16_t singles[] = { 0x9400, 0x9401, 0x9402, 0x9403, 0x9405, 0x9406, 0x9407, 0x940A };
    const uint32_t d = below(dice, 26), r = below(dice, 32), which = below(dice, 120);
    switch (below(dice, 8)) {
    case 0: case 1: case 2: return doubles[which % 10] | d << 4 | (r & 16) << 5 | (r & 15);
    case 3: case 4: return constants[which % 6] | which / 12 << 4 | (roll(dice) & 0xF0F);
    case 5: return singles[which % 8] | d << 4;
    case 6: return 0x0100 | d / 2 << 4 | r / 2;
    default: return (which & 1 ? 0xFA00u : 0xF800u) | d << 4 | r % 8;
    }
}

/* A skip or a branch over one word. */
static uint32_t condition(Dice *dice, uint32_t words)
{
    if (words > 1 || one_in(dice, 3))
        return 0xF000 | (roll(dice) & 0x407) | (words << 3 & 0x3F8);
    return one_in(dice, 3) ? 0x1000 | (roll(dice) & 0x3FF)
        : one_in(dice, 3) ? 0x9900 | (roll(dice) & 0x2FF) : 0xFC00 | (roll(dice) & 0x3F7);
}

static uint32_t words(uint8_t *out, uint32_t a, uint32_t b)
{
    store16(out, a);
    store16(out + 2, b);
    return 4;
}

static uint32_t word(uint8_t *out, uint32_t a)
{
    store16(out, a);
    return 2;
}

static uint32_t tame(Dice *dice, uint8_t *out)
{
    static const uint16_t loads[] = {
        0x900C, 0x8008, 0x8000, 0x900D, 0x9009, 0x9001, 0x900E, 0x900A, 0x9002, 0x9004,
    };
    static const uint16_t stores[] = {
        0x920C, 0x8208, 0x8200, 0x920D, 0x9209, 0x9201, 0x920E, 0x920A, 0x9202,
    };
    const uint32_t d = below(dice, 26) << 4, any = roll(dice), first = condition(dice, 1);
    if (one_in(dice, 100))
        return word(out, (one_in(dice, 2) ? 0xBE0Du : 0xBE0Eu) | d);    /* a half of SP */
    switch (below(dice, 20)) {
    case 0: case 1: return word(out, loads[below(dice, 10)] | d);
    case 2: case 3: return word(out, stores[below(dice, 9)] | d);
    case 4: return words(out, 0x920F | d, 0x900F | below(dice, 26) << 4);
    case 5: return words(out, 0x9000 | d, 0x100 + below(dice, 0xF0));
    case 6: return words(out, 0x9200 | d, 0x100 + below(dice, 0xF0));
    case 7: return word(out, 0x9600 | (any & 0x1CF));
    case 8: return word(out, (one_in(dice, 2) ? 0xB60Fu : 0xBE0Fu) | d);
    case 9: return word(out, 0x9408 | (any & 0xF0));
    case 10: return words(out, first, short_word(dice));
    case 11: return word(out, any & 1 ? 0x9478 : 0x94F8);
    case 12: return words(out, 0x940A | (16 + below(dice, 8)) << 4, 0xF7F1);    /* count down to zero */
    case 13: return word(out, 0x9800 | (any & 0x2FF));
    default: return word(out, short_word(dice));
    }
}

/* Both ways take as long: over one word 1 + 1 or 2; over more, the jump behind them is made up for. */
static uint32_t diamond(Dice *dice, uint8_t *out, int depth)
{
    if (depth == 0) {
        store16(out, condition(dice, 1));
        store16(out + 2, one_in(dice, 8) ? 0x9000 : short_word(dice));
        store16(out + 4, short_word(dice));
        return one_in(dice, 8) ? 6 : 4;
    }
    const uint32_t one = diamond(dice, out + 2, depth - 1);
    const uint32_t two = diamond(dice, out + 4 + one, depth - 1);
    const uint32_t fills = one_in(dice, 8) ? 0 : 2;
    store16(out, condition(dice, one / 2 + 1));
    store16(out + 2 + one, 0xC000 | (two + fills) / 2);
    store16(out + 4 + one + two, one_in(dice, 2) ? short_word(dice) : 0x920C);
    return 4 + one + two + fills;
}

static uint32_t call(uint8_t *out, uint32_t at, uint32_t to)
{
    return word(out, 0xD000 | ((to - at - 2) / 2 & 0xFFF));
}

static uint32_t leave(uint8_t *out) { return word(out, 0x9508); }

static uint32_t drop(uint8_t *out) { return words(out, 0x910F, 0x910F); }

/* LDI to Z, ICALL, ADIW Z,1, RJMP back to ICALL; then RET after RET. */
static uint32_t sweep(uint8_t *out, uint32_t at)
{
    const uint32_t to = (at + 10) / 2;
    const uint32_t low = (to & 0xF0) << 4 | (to & 15), high = (to >> 4 & 0xF00) | (to >> 8 & 15);
    uint32_t length = words(out, 0xE0E0 | low, 0xE0F0 | high);
    length += words(out + length, 0x9509, 0x9631);
    length += word(out + length, 0xCFFD);
    for (int n = 0; n < 6; n++)
        length += leave(out + length);
    return length;
}

#define BEHAVIOUR(id, how, register_names, from, registers, memory, states, any) \
    const Behaviour id##_behaviour = { \
        .map = how, .unit = 2, .slot = 8, .jobs = 2 * FIRST_WORDS + TIMES * DENSE, \
        .code = { from, from + 0x1000 }, .ram = { RAM, RAM_END }, .top = 0x4FF, .limit = 0x3FF, .step = 1, \
        .deep_top = 0xFFFE, .deep_limit = 0x100, .near = { registers, registers + 32 }, .shown = memory, \
        .names = register_names, .encode = encode, .state = states, .value = any, .mask = mask, .tame = tame, \
        .diamond = diamond, .call = call, .leave = leave, .drop = drop, .sweep = sweep, \
    }

BEHAVIOUR(avre_plus, map_large, names, 0xF000, DATA, shown, state, value);
BEHAVIOUR(avre, map_small, small_names, 0x800, DATA, shown, state, value);
BEHAVIOUR(avrxt, map_xt, names, 0xF000, XT_REGISTERS, xt_shown, xt_state, xt_value);
BEHAVIOUR(avrxt_8k, map_xt_8k, small_names, 0x800, XT_REGISTERS, xt_shown, xt_state, xt_value);
