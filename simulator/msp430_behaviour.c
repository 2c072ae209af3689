/* What the transcripts of the MSP430 cores are made of. */
#include "msp430.h"
#include "behaviour.h"

enum { RAM = 0x1100, RAM_END = 0x1500, CODE = 0x5000, CODE_END = 0x6000 };
enum { FIRST_WORDS = 0x10000, SINGLES = 0x800, TIMES = 8 };     /* SINGLES: words of one operand */
enum { EXTENSIONS = 0x1000, LONGS = 0x2000 };      /* without and with an extension word */

/* ---- machines ---- */

static void map_both(Sim *sim, int which)
{
    sim_map(sim, SIM_SFR, 0, 0x200, 0);
    sim_map(sim, SIM_DATA_FLASH, 0x1000, which == MAP_ODD ? 0x10FF : 0x1100, 0);
    sim_map(sim, SIM_RAM, RAM, which == MAP_ODD ? RAM_END + 1 : RAM_END, 0);
    if (which == MAP_ODD)
        sim_map(sim, SIM_GUARD, RAM_END + 1, RAM_END + 0x10, 0);
    if (which == MAP_ODD)
        sim_map(sim, SIM_FLASH, CODE - 1, CODE_END - 1, 0);
    else
        sim_map(sim, SIM_FLASH, CODE - 0x100, CODE_END, 0);
}

static void map(Sim *sim, int which)
{
    map_both(sim, which);
    if (which == MAP_ROOMY)
        sim_map(sim, SIM_RAM, 0x8000, 0x10000, 0);
}

/* There is memory above 64 KB: code that goes on there, and RAM. */
static void map_x(Sim *sim, int which)
{
    static const uint8_t code[] = { 0x0F, 0x5F, 0x3F, 0x40, 0x34, 0x12, 0x10, 0x01 };
    map_both(sim, which);
    sim_map(sim, SIM_FLASH, 0x10000, 0x10100, 0);
    sim_map(sim, SIM_RAM, which == MAP_ROOMY ? 0x20000 : 0x1FF00, which == MAP_ROOMY ? 0x100000 : 0x20100, 0);
    for (uint32_t a = 0x10000; a < 0x10100; a += sizeof code)
        sim_load(sim, a, code, sizeof code);
}

static const Span shown[] = { { 0, 0x200 }, { RAM, RAM_END }, { 0, 0 } };
static const Span shown_x[] = { { 0, 0x200 }, { RAM, RAM_END }, { 0x1FF00, 0x20100 }, { 0, 0 } };
static const char *const names[] = {
    "sr", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", NULL,
};

/* A number, or a pointer into any area. */
static uint32_t value(Dice *dice)
{
    static const uint32_t starts[] = {
        0x01F8, 0x0FF8, 0x10F8, 0x11F8, 0x1238, 0x14F8, 0x4EF8, CODE_END - 8, 0xFFF8, 0x1FEF8, 0x200F8,
        0xFFFF8, 0x1FFF8, 0x10000,
    };
    const uint32_t any = roll(dice);
    switch (below(dice, 8)) {
    case 0: case 1: return edge(dice);
    case 2: return below(dice, 16);
    case 3: case 4: return starts[below(dice, sizeof starts / sizeof *starts)] + any % 16;
    case 5: return CODE + 2 * below(dice, 0x800);
    default: return RAM + any % (RAM_END - RAM) / (any >> 30 ? 2 : 1) * (any >> 30 ? 2 : 1);
    }
}

static void state(Sim *sim, Dice *dice, const uint32_t *ids, int tame)
{
    sim_set_register(sim, ids[0], (one_in(dice, 4) ? edge(dice) : roll(dice)) & ~(uint32_t)SR_CPUOFF);
    for (int n = 1; n < 13; n++)
        sim_set_register(sim, ids[n], !tame || n > 2 ? value(dice)
                         : one_in(dice, 12) ? 0x14D0 + 2 * below(dice, 0x20) : RAM + 2 * below(dice, 0x60));
}

static uint32_t mask(Dice *dice, int name)
{
    const uint32_t one = 1u << below(dice, one_in(dice, 400) ? 20 : 16);
    if (name == 0)
        return one_in(dice, 2) ? one & 0x1FF : roll(dice) & 0x1FF;
    return one_in(dice, 4) ? one | 1u << below(dice, 16) : one_in(dice, 8) ? roll(dice) & 0xF0F : one;
}

/* ---- instructions ---- */

/* Every first word twice; again and again those of one operand, where few words are a form. */
static uint32_t first_word(uint32_t job)
{
    return job < 2 * FIRST_WORDS ? job % FIRST_WORDS : 0x1000 + (job - 2 * FIRST_WORDS) % SINGLES;
}

/* What is beyond the words of one operand has an extension word. */
static uint32_t first_word_x(uint32_t job)
{
    const uint32_t n = job - 2 * FIRST_WORDS;
    return job < 2 * FIRST_WORDS ? job % FIRST_WORDS : n % (EXTENSIONS + SINGLES + LONGS);
}

static uint32_t operand(Dice *dice, uint32_t at)
{
    switch (below(dice, 8)) {
    case 0: return edge(dice);
    case 1: return RAM + 2 * below(dice, 0x200) - at;       /* x(PC) */
    case 2: return below(dice, 0x20);
    case 3: return below(dice, 8) * 2 - 8;
    default: return value(dice);
    }
}

static uint32_t encode_word(uint32_t word, Dice *dice, uint8_t *out)
{
    static const uint16_t lone[] = { 0x1300, 0x4130, 0x0110, 0x3FFF };
    store16(out, one_in(dice, 64) ? lone[below(dice, 4)] : word);
    store16(out + 2, operand(dice, CODE + 2));
    store16(out + 4, operand(dice, CODE + 4));
    store16(out + 6, one_in(dice, 2) ? 0x4303 : roll(dice));
    return one_in(dice, 8) ? 2 : 1;
}

static uint32_t encode(uint32_t job, Dice *dice, uint8_t *out)
{
    return encode_word(first_word(job), dice, out);
}

static uint32_t encode_long(Dice *dice, uint8_t *out)
{
    const uint32_t any = roll(dice), high = roll(dice), single = one_in(dice, 4);
    const uint32_t word = single ? 0x1000 | any % 0x280 : (4 + (any >> 16) % 12) << 12 | (any & 0xFFF);
    uint32_t extension = 0x1800 | (any >> 28 & 1) << 6;
    if (one_in(dice, 64))
        extension |= high & 0x7FF;
    else if (!(word & (single ? 0x30 : 0xB0)))
        extension |= high >> 30 ? high & 0x10F : high >> 29 & 1 ? high & 0x18F : 0;
    else if (one_in(dice, 3))
        extension |= single ? high & 15 : high & 0x78F;
    store16(out, extension);
    store16(out + 2, word);
    store16(out + 4, operand(dice, CODE + 4));
    store16(out + 6, operand(dice, CODE + 6));
    return one_in(dice, 8) ? 2 : 1;
}

static uint32_t encode_x(uint32_t job, Dice *dice, uint8_t *out)
{
    const uint32_t word = first_word_x(job);
    if (job >= 2 * FIRST_WORDS && word >= EXTENSIONS + SINGLES)
        return encode_long(dice, out);
    return encode_word(word, dice, out);
}

/* ---- programs ---- */

static uint32_t put(uint8_t *out, uint32_t words, uint32_t a, uint32_t b, uint32_t c)
{
    store16(out, a);
    store16(out + 2, b);
    store16(out + 4, c);
    return 2 * words;
}

/* R6 to R15: R4 and R5 are pointers. */
static uint32_t data_register(Dice *dice) { return 6 + below(dice, 10); }

/* One word, one clock. */
static uint32_t short_word(Dice *dice)
{
    const uint32_t from = data_register(dice), to = data_register(dice), which = below(dice, 24);
    return (4 + which / 2) << 12 | from << 8 | (which & 1) << 6 | to;
}

static uint32_t tame(Dice *dice, uint8_t *out)
{
    static const uint16_t singles[] = { 0x1000, 0x1040, 0x1080, 0x1100, 0x1140, 0x1180 };
    const uint32_t d = data_register(dice), operation = (4 + below(dice, 12)) << 12,
        size = below(dice, 2) << 6;
    const uint32_t index = 2 * below(dice, 16), pointer = below(dice, 2), next = short_word(dice);
    switch (below(dice, 16)) {
    case 0: case 1: return put(out, 2, operation | size | 0x0030 | d, edge(dice), 0);
    case 2: return put(out, 1, operation | size | 0x0420 | pointer << 8 | d, 0, 0);
    case 3: case 4: return put(out, 2, operation | size | 0x0410 | pointer << 8 | d, index, 0);
    case 5: case 6: return put(out, 2, operation | size | 0x0084 | d << 8 | pointer, index, 0);
    case 7: return put(out, 3, operation | size | 0x0494, index, 2 * below(dice, 16));
    case 8: return put(out, 1, singles[below(dice, 6)] | d, 0, 0);
    case 9: return put(out, 2, 0x1200 | d, 0x4130 | data_register(dice), 0);            /* PUSH, POP */
    case 10: return put(out, 1, one_in(dice, 2) ? 0xD232 : 0xC232, 0, 0);               /* EINT, DINT */
    case 11: return put(out, 2, 0x2001 | below(dice, 7) << 10, next, 0);
    case 12: return put(out, 3, 0xF070 | d, 0x001F, 0x4303);                            /* AND.B #1Fh */
    case 13:                                                                            /* count down */
        put(out, 2, 0x4036, 1 + below(dice, 9), 0);
        return 4 + put(out + 4, 2, 0x8316, 0x23FE, 0);
    default: return put(out, 1, short_word(dice), 0, 0);
    }
}

static uint32_t tame_x(Dice *dice, uint8_t *out)
{
    const uint32_t d = data_register(dice), s = data_register(dice), count = below(dice, 16);
    const uint32_t operation = (4 + below(dice, 12)) << 12, index = 2 * below(dice, 16), carry = below(dice, 2) << 8;
    switch (below(dice, 24)) {
    case 0: return put(out, 2, 0x1840 | carry | count, operation | s << 8 | d, 0);
    case 1: return put(out, 2, 0x1800 | carry | count, operation | s << 8 | 0x40 | d, 0);
    case 2: return put(out, 2, 0x18C0 | carry | s, 0x1000 | below(dice, 2) << 8 | d, 0);
    case 3: return put(out, 2, 0x1800 | carry | count, 0x1040 | below(dice, 2) << 8 | d, 0);
    case 4: return put(out, 3, 0x1800, operation | 0x0450 | d, index);                  /* x(R4), 20 bits */
    case 5: return put(out, 3, 0x1840, operation | 0x0084 | s << 8, index);
    case 6:                                                                             /* PUSHX.A, POPX.A */
        put(out, 2, 0x1800, 0x1240 | d, 0);
        return 4 + put(out + 4, 2, 0x1800, 0x4170 | s, 0);
    default: return tame(dice, out);
    }
}

static uint32_t diamond(Dice *dice, uint8_t *out, int depth);

static uint32_t way(Dice *dice, uint8_t *out, int depth)
{
    return depth ? diamond(dice, out, depth - 1) : put(out, 1, short_word(dice), 0, 0);
}

/* Both ways take as long: the jump behind the one is made up for behind the other. */
static uint32_t diamond(Dice *dice, uint8_t *out, int depth)
{
    const uint32_t one = way(dice, out + 2, depth), other = 4 + one, two = way(dice, out + other, depth);
    const uint32_t fills = one_in(dice, 8) ? 2 : 4;
    store16(out, 0x2000 | below(dice, 7) << 10 | (one / 2 + 1));
    store16(out + 2 + one, 0x3C00 | (two + fills) / 2);
    store16(out + other + two, short_word(dice));
    store16(out + other + two + 2, short_word(dice));
    return other + two + fills;
}

static uint32_t call(uint8_t *out, uint32_t at, uint32_t to)
{
    (void)at;
    return put(out, 2, 0x12B0, to, 0);
}

static uint32_t leave(uint8_t *out) { return put(out, 1, 0x4130, 0, 0); }

static uint32_t drop(uint8_t *out) { return put(out, 1, 0x5321, 0, 0); }

/* MOV #N,R10, CALL R10, INCD R10, JMP back to CALL; then RET after RET. */
static uint32_t sweep(uint8_t *out, uint32_t at)
{
    uint32_t length = put(out, 3, 0x403A, at + 10, 0x128A);
    length += put(out + length, 2, 0x532A, 0x3FFD, 0);
    for (int n = 0; n < 6; n++)
        length += leave(out + length);
    return length;
}

#define BEHAVIOUR(id, how, spans, encoder, count, tamer, top_of_much, end_of_much) \
    const Behaviour id##_behaviour = { \
        .map = how, .unit = 2, .slot = 8, .jobs = 2 * FIRST_WORDS + TIMES * (count), \
        .code = { CODE, CODE_END }, .ram = { RAM, RAM_END }, .top = 0x14F0, .limit = 0x13F0, .step = 2, \
        .deep_top = top_of_much, .deep_limit = end_of_much, .near = { RAM, RAM }, .shown = spans, .names = names, .encode = encoder, \
        .state = state, .value = value, .mask = mask, .tame = tamer, .diamond = diamond, .call = call, .leave = leave, \
        .drop = drop, .sweep = sweep, \
    }

BEHAVIOUR(msp430, map, shown, encode, SINGLES, tame, 0xFFF0, 0x8000);
BEHAVIOUR(msp430x, map_x, shown_x, encode_x, EXTENSIONS + SINGLES + LONGS, tame_x, 0xFFFF0, 0x20000);
