/* Taint is sound: of two machines that differ in tainted bits only, whatever differs after an instruction is
 * tainted, and both took the same time, unless a leak was said. Every form of every core many times, then
 * random programs.
 *
 *   taint_pairs [pairs of each form] [seed] [core]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sim.h"
#include "../taint.h"

enum { MAX_FORMS = 2048, MAX_NAMES = 40, LONGEST = 64, SAMPLES = 256, MOST_TRIES = 20000 };

typedef struct {
    const char *core;
    uint32_t code, ram, ram_end;        /* instructions go to `code` */
    uint32_t low, low_end;              /* special function registers that are compared too */
    uint32_t registers;                 /* of AVR: the address of r0 */
    int jobs;                           /* how many different first words there are; 0: as many as forms */
    void (*encode)(int job, uint8_t *out);
    uint32_t (*diamond)(uint8_t *out);  /* a condition whose two ways take the same time: its bytes */
    uint32_t ram_base;                  /* what a pointer to `ram` holds */
    const char *const *names;
} Machine;

extern const Core sim_core_rl78_s3;

static uint64_t random_state;

static uint32_t any(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

static int one_in(unsigned n) { return any() % n == 0; }

/* ---- instructions ---- */

static void put_word(uint8_t *out, uint32_t word)
{
    out[0] = (uint8_t)word;
    out[1] = (uint8_t)(word >> 8);
}

static void encode_avr(int job, uint8_t *out)
{
    put_word(out, (uint32_t)job);
    put_word(out + 2, one_in(2) ? 0x100 + any() % 0x400 : any() % 0x100);
    for (int n = 4; n < LONGEST; n += 2)
        put_word(out + n, any());
}

static void encode_msp430_from(int job, uint8_t *out, int first)
{
    put_word(out + first, (uint32_t)job);
    for (int n = first + 2; n < first + 6; n += 2)
        switch (any() % 4) {
        case 0: put_word(out + n, 0x1100 + 2 * (any() % 0x200)); break;
        case 1: put_word(out + n, 0x1100 + any() % 0x400 - 0x5000 - (uint32_t)n); break;    /* x(PC) */
        case 2: put_word(out + n, 0x5000 + 2 * (any() % 0x20)); break;
        default: put_word(out + n, any() % 0x20);
        }
    for (int n = first + 6; n < LONGEST; n += 2)
        put_word(out + n, any());
}

static void encode_msp430(int job, uint8_t *out) { encode_msp430_from(job, out, 0); }

/* The second half of the jobs have an extension word in front. */
static void encode_msp430x(int job, uint8_t *out)
{
    const uint32_t word = (uint32_t)job & 0xFFFF, any_bits = any(), some = any();
    const int registers = !(word & (word < 0x4000 ? 0x30 : 0xB0));
    /* Bits 19 to 16 of the indexes: RAM is below the code. */
    const uint32_t high = (some & 1 && word >= 0x4000 ? 0x780u : 0) | (some & 2 ? 15u : 0);
    if (job < 0x10000) {
        encode_msp430(job, out);
        return;
    }
    put_word(out, 0x1800 | (any_bits & 0x40) | (!registers ? high : any_bits & 0x1000 ? any_bits & 0x18F : 0));
    encode_msp430_from(job & 0xFFFF, out, 2);
}

/* Every first half, then more of those with 32 bits: registers that all cores have, and displacements that are small. */
static void encode_rv32(int job, uint8_t *out)
{
    static const uint8_t opcodes[] = { 0x37, 0x17, 0x67, 0x63, 0x03, 0x23, 0x13, 0x13, 0x33, 0x33, 0x33, 0x0F, 0x73, 0x6F };
    static const uint8_t highs[] = { 0, 0x20, 1 };
    const uint32_t opcode = opcodes[any() % sizeof opcodes], d = any() % 16, a = any() % 16, b = any() % 16;
    const uint32_t which = any() % 8, high = opcode == 0x13 || opcode == 0x33 ? highs[any() % 3] : any() % 2;
    uint32_t word = high << 25 | b << 20 | a << 15 | which << 12 | d << 7 | opcode;
    if (opcode == 0x67 && one_in(2))
        word &= 0xFFF00FFFu | a << 15;
    if (opcode == 0x73)
        word = 0x300u << 20 | a << 15 | which << 12 | d << 7 | opcode;
    if (opcode == 0x6F)
        word = (any() % 16) << 22 | d << 7 | opcode;
    put_word(out, job < 0x10000 ? (uint32_t)job : word);
    put_word(out + 2, job < 0x10000 ? any() : word >> 16);
    for (int n = 4; n < LONGEST; n += 2)
        put_word(out + n, one_in(2) ? 1 : any());
}

/* Job: the number of a form. */
static void encode_rl78(int job, uint8_t *out)
{
    static const struct { const char *field; uint8_t bits; } fields[] = {
        { "R", 7 }, { "R_NOT_A", 7 }, { "R_NOT_AX", 7 }, { "R_XACB", 3 }, { "RP", 6 }, { "RP_NOT_AX", 6 },
        { "RP_HIGH", 0x30 }, { "BIT", 0x70 }, { "COUNT8", 0x70 }, { "COUNT16", 0xF0 }, { "BANK", 0x30 },
        { "CALLT", 0x73 },
    };
    static const uint8_t prefixes[] = { 0, 0x61, 0x71, 0x31, 0xCE };
    int at = 0;
    SimForm form;
    sim_core_rl78_s3.form((uint32_t)job, &form);
    for (int n = 0; n < LONGEST; n++)
        out[n] = (uint8_t)any();
    if (form.es && one_in(2))
        out[at++] = 0x11;
    if (form.map)
        out[at++] = prefixes[form.map];
    if (form.map == 4)
        out[at++] = 0xFB;
    out[at] = (uint8_t)form.opcode;
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
        if (strcmp(form.field, fields[n].field) == 0)
            out[at] |= fields[n].bits & (uint8_t)any();
    at++;
    switch (any() % 4) {
    case 0: put_word(out + at, 0xFFE0 + any() % 32); break;
    case 1: put_word(out + at, 0xF900 + any() % 0x700); break;
    case 2: put_word(out + at + 1, 0xFA00 + any() % 0x200); break;
    default: out[at] = 0xE0 + any() % 32;
    }
    if (form.fixed >= 0)
        out[at] = (uint8_t)form.fixed;
}

/* ---- conditions whose two ways meet again ---- */

/* One word, one cycle: ADD to MOV, LDI and the like. */
static uint32_t short_avr(void) { return one_in(2) ? 0x0C00 + any() % 0x400 : 0x2000 + any() % 0x1000; }

static uint32_t diamond_avr(uint8_t *out)
{
    switch (any() % 3) {
    case 0: put_word(out, 0xF008 | (any() & 0x407)); break;        /* BRBS, BRBC over one word */
    case 1: put_word(out, 0xFC00 | (any() & 0x3F7)); break;        /* SBRC, SBRS */
    default: put_word(out, 0x1000 | (any() & 0x3FF)); break;       /* CPSE */
    }
    put_word(out + 2, short_avr());
    return 4;
}

static uint32_t short_msp430(void)
{
    return (4 + any() % 12) << 12 | (4 + any() % 12) << 8 | (one_in(2) ? 0x40 : 0) | (4 + any() % 12);
}

static uint32_t diamond_msp430(uint8_t *out)
{
    put_word(out, 0x2002 | any() % 7 << 10);
    put_word(out + 2, short_msp430());
    put_word(out + 4, 0x3C03);          /* JMP over the three that follow */
    put_word(out + 6, short_msp430());
    put_word(out + 8, short_msp430());
    put_word(out + 10, short_msp430());
    return 12;
}

/* One byte, one clock: MOV A,r, INC r, DEC r. */
static uint8_t short_rl78(void)
{
    static const uint8_t first[] = { 0x60, 0x70, 0x80, 0x90 };
    uint8_t opcode = first[any() % 4] | any() % 8;
    return opcode == 0x61 || opcode == 0x71 ? 0x80 : opcode;
}

static uint32_t diamond_rl78(uint8_t *out)
{
    static const uint8_t skips[] = { 0xC8, 0xD8, 0xE8, 0xF8, 0xE3, 0xF3 };
    if (one_in(2)) {
        out[0] = 0x61;
        out[1] = skips[any() % sizeof skips];
        out[2] = short_rl78();
        return 3;
    }
    out[0] = (uint8_t)(0xDC + any() % 4);   /* BC, BZ, BNC, BNZ */
    out[1] = 2;
    out[2] = short_rl78();
    out[3] = short_rl78();
    return 4;
}

/* A branch over one of 16 bits, and a jump over what is behind: as long either way on Ibex. */
static uint32_t diamond_rv32(uint8_t *out)
{
    const uint32_t p = any() % 8, q = any() % 8, r = any() % 8;
    put_word(out, 0xC199 + (one_in(2) ? 0x2000 : 0));               /* C.BEQZ a1, C.BNEZ a1: 6 ahead */
    put_word(out + 2, 0x8C01 | p << 7 | (any() % 4) << 5 | q << 2);
    put_word(out + 4, 0xA011);                                      /* C.J: 4 ahead */
    put_word(out + 6, 0x8C01 | q << 7 | (any() % 4) << 5 | r << 2);
    put_word(out + 8, 0x0001);
    return 10;
}

/* ---- states ---- */

static const char *const avr_names[] = { "sreg", "rampz", NULL };
static const char *const small_avr_names[] = { "sreg", NULL };
static const char *const rl78_names[] = { "psw", "es", "cs", "pmc", NULL };
static const char *const msp430_names[] = {
    "sr", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", NULL,
};

static const char *const rv32e_names[] = {
    "mstatus", "ra", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", NULL,
};
static const char *const rv32i_names[] = {
    "mstatus", "ra", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "s2",
    "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6", NULL,
};

#define RV32 0x1000, 0x20000000, 0x20000400, 0, 0, 0, 0x30000, encode_rv32, diamond_rv32, 0x20000000
#define AVR 0x10000, encode_avr, diamond_avr, 0x100

static const Machine machines[] = {
    { "avre+", 0x1000, 0x800100, 0x800500, 0x800000, 0x800100, 0x800000, AVR, avr_names },
    { "avre", 0x800, 0x800100, 0x800300, 0x800000, 0x800100, 0x800000, AVR, small_avr_names },
    { "avrxt", 0x1000, 0x800100, 0x800500, 0x800000, 0x800100, 0x810000, AVR, avr_names },
    { "avrxt-8k", 0x800, 0x800100, 0x800300, 0x800000, 0x800100, 0x810000, AVR, small_avr_names },
    { "msp430", 0x5000, 0x1100, 0x1500, 0, 0, 0, 0x10000, encode_msp430, diamond_msp430, 0x1100, msp430_names },
    { "msp430x", 0x5000, 0x1100, 0x1500, 0, 0, 0, 0x20000, encode_msp430x, diamond_msp430, 0x1100, msp430_names },
    { "rl78-s2", 0x3000, 0xFF900, 0xFFF00, 0xFFF00, 0x100000, 0, 0, encode_rl78, diamond_rl78, 0xF900, rl78_names },
    { "rl78-s3", 0x3000, 0xFF900, 0xFFF00, 0xFFF00, 0x100000, 0, 0, encode_rl78, diamond_rl78, 0xF900, rl78_names },
    { "ibex", RV32, rv32e_names },
    { "ibex-imc", RV32, rv32i_names },
};

static int is_rv32(const Machine *m) { return m->encode == encode_rv32; }

static Sim *make(const Machine *m)
{
    Sim *sim = sim_new(m->core, 1, SIM_UNINIT_ERROR);
    if (m->core[0] == 'a') {
        sim_map(sim, SIM_FLASH, 0, m->code < 0x1000 ? 0x1000 : 0x20000, 0);
        sim_map(sim, SIM_SFR, 0x800000, 0x800100, 0);
        if (m->registers != 0x800000)
            sim_map(sim, SIM_MIRROR, 0x808000, 0x809000, 0);
    } else if (is_rv32(m)) {
        sim_map(sim, SIM_FLASH, 0, 0x4000, 0);
    } else if (m->core[0] == 'm') {
        sim_map(sim, SIM_FLASH, 0x4000, 0x10000, 0);
    } else {
        sim_map(sim, SIM_FLASH, 0, 0x10000, 0);
        sim_map(sim, SIM_MIRROR, 0xF2000, 0xF8000, 0x2000);
        sim_map(sim, SIM_SFR, 0xFFF00, 0x100000, 0);
    }
    sim_map(sim, SIM_RAM, m->ram, m->ram_end, 0);
    sim_reset(sim);
    for (uint32_t a = m->ram; a < m->ram_end; a++)
        if (!(sim->attr[a] & A_SPECIAL))
            sim->attr[a] |= A_READ;
    return sim;
}

static uint8_t pool[1 << 16];

static uint32_t length_of(const Machine *m) { return m->ram_end - m->ram; }

/* A register that is a pointer half the time, or small. */
static uint32_t any_value(const Machine *m)
{
    switch (any() % 6) {
    case 0: return is_rv32(m) ? any() : any() & 0xFFFFF;
    case 1: return any() % 4;
    case 2: return m->code + 2 * (any() % (LONGEST / 2));
    default: return m->ram_base + any() % length_of(m);
    }
}

static void put_pair(Sim *sim, uint32_t a, uint32_t value)
{
    sim->mem[a] = (uint8_t)value;
    sim->mem[a + 1] = (uint8_t)(value >> 8);
}

static void randomise(const Machine *m, Sim *sim)
{
    memcpy(sim->mem + m->ram, pool + any() % (sizeof pool - length_of(m)), length_of(m));
    if (m->core[0] == 'a')
        for (uint32_t r = 0; r < 32; r += 2)
            put_pair(sim, m->registers + r, any_value(m));
    if (m->core[0] == 'r')
        for (uint32_t r = 0xFFEE0; r < 0xFFF00; r += 2)
            put_pair(sim, r, any_value(m));
    for (const char *const *name = m->names; *name; name++) {
        uint32_t value = any_value(m);
        if (strcmp(*name, "es") == 0)
            value = one_in(3) ? any() % 16 : 15;
        if (strcmp(*name, "rampz") == 0 || strcmp(*name, "pmc") == 0)
            value %= 2;
        if (strcmp(*name, "sr") == 0)
            value &= 0x1FF & ~0x10u;
        if (is_rv32(m) && one_in(2))        /* a word's address */
            value &= ~3u;
        sim_set_register(sim, (uint32_t)sim_register_id(sim, *name), value);
    }
    sim_set_stack(sim, m->ram_base + length_of(m) - 0x40, m->ram_base);
    uint32_t sp = m->ram_base + 0x80 + 2 * (any() % (length_of(m) / 4));
    sim_set_register(sim, (uint32_t)sim_register_id(sim, "sp"), is_rv32(m) ? sp & ~3u : sp);
}

/* The state of one machine to another. */
static void copy(const Machine *m, const Sim *from, Sim *to)
{
    uint32_t value;
    memcpy(to->mem + m->ram, from->mem + m->ram, length_of(m));
    memcpy(to->attr + m->ram, from->attr + m->ram, length_of(m));
    for (uint32_t a = m->low; a < m->low_end; a++)
        if (!(from->attr[a] & A_SPECIAL) || a < 0x800020)
            to->mem[a] = from->mem[a];
    if (m->registers)
        memcpy(to->mem + m->registers, from->mem + m->registers, 32);
    for (const char *const *name = m->names; *name; name++) {
        uint32_t id = (uint32_t)sim_register_id(from, *name);
        sim_get_register(from, id, &value);
        sim_set_register(to, id, value);
    }
    sim_set_stack(to, from->stack_top, from->stack_limit);
    uint32_t sp = (uint32_t)sim_register_id(from, "sp");
    sim_get_register(from, sp, &value);
    sim_set_register(to, sp, value);
}

/* ---- masks ---- */

static uint8_t any_mask(void)
{
    switch (any() % 8) {
    case 0: return 0xFF;
    case 1: return (uint8_t)any();
    case 2: return (uint8_t)(any() % 16);
    default: return (uint8_t)(1u << any() % 8);
    }
}

/* Secrets in every n-th byte of RAM and every k-th register. */
static void mark(const Machine *m, const Sim *sim, Taint *t, unsigned n, unsigned k)
{
    static uint8_t masks[0x1000];
    memset(masks, 0, sizeof masks);
    taint_mark(t, m->low, masks, m->low_end - m->low);
    if (m->registers)
        taint_mark(t, m->registers, masks, 32);
    memset(t->reg, 0, sizeof t->reg);
    for (uint32_t i = any() % n; i < length_of(m); i += 1 + any() % n)
        masks[i] = any_mask();
    if (m->core[0] == 'r')
        for (uint32_t i = 0; i < 32; i++)
            masks[0xFFEE0 - m->ram + i] = one_in(k) ? any_mask() : 0;
    taint_mark(t, m->ram, masks, length_of(m));
    if (m->core[0] == 'a')
        for (uint32_t r = 0; r < 32; r++)
            if (one_in(k)) {
                uint8_t mask = any_mask();
                taint_mark(t, m->registers + r, &mask, 1);
            }
    for (const char *const *name = m->names; *name; name++) {
        uint32_t mask = any_mask() | (one_in(2) ? (uint32_t)any_mask() << 8 : 0);
        if (strcmp(*name, "psw") == 0)
            mask &= 0xD7;
        if (strcmp(*name, "sr") == 0)
            mask &= 0x1EF;
        if (strcmp(*name, "es") == 0 || strcmp(*name, "cs") == 0)
            mask &= 15;
        if (strcmp(*name, "rampz") == 0)
            mask &= 1;
        if (strcmp(m->core, "msp430") == 0)
            mask &= 0xFFFF;
        if (is_rv32(m) && one_in(4))
            mask <<= 8 * (any() % 3);
        if (strcmp(*name, "mstatus") == 0)
            mask &= 8;
        if (one_in(k))
            taint_mark_register(t, (uint32_t)sim_register_id(sim, *name), mask);
    }
}

/* Other secrets: random bits where there is taint. */
static void flip(const Machine *m, Sim *sim, const Taint *t)
{
    static uint8_t masks[0x1000];
    uint32_t value, mask;
    taint_masks(t, m->ram, masks, length_of(m));
    for (uint32_t i = 0; i < length_of(m); i++)
        if (masks[i])
            sim->mem[m->ram + i] ^= masks[i] & (uint8_t)any();
    if (m->core[0] == 'a') {
        taint_masks(t, m->registers, masks, 32);
        for (uint32_t i = 0; i < 32; i++)
            sim->mem[m->registers + i] ^= masks[i] & (uint8_t)any();
    }
    for (const char *const *name = m->names; *name; name++) {
        uint32_t id = (uint32_t)sim_register_id(sim, *name);
        taint_register_mask(t, id, &mask);
        sim_get_register(sim, id, &value);
        if (mask)
            sim_set_register(sim, id, value ^ (mask & any()));
    }
}

/* ---- one comparison ---- */

static uint64_t compared, leaks, errors, balanced, differing;
static uint64_t by_form[MAX_FORMS];
static int jobs_of[MAX_FORMS][SAMPLES];
static uint32_t job_count[MAX_FORMS];

static int leaked(const Taint *t)
{
    TaintRecord records[64];
    uint32_t n = taint_records(t, records, 64);
    int found = n > 64;
    for (uint32_t i = 0; i < n && i < 64; i++) {
        found |= records[i].kind < TAINT_BALANCED;
        balanced += records[i].kind == TAINT_BALANCED;
    }
    return found;
}

static int complain(const char *what, uint32_t where, uint32_t a, uint32_t b, uint32_t mask)
{
    printf("%s %X: %X and %X, mask %X\n", what, where, a, b, mask);
    return 1;
}

static int compare_range(const Sim *a, const Sim *b, const Taint *t, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        uint8_t x, y, mask;
        if (a->mem[i] == b->mem[i] && !(a->attr[i] & A_SPECIAL))
            continue;
        sim_read(a, i, &x, 1);
        sim_read(b, i, &y, 1);
        taint_masks(t, i, &mask, 1);
        differing += x != y;
        if ((x ^ y) & ~mask)
            return complain("byte", i, x, y, mask);
    }
    return 0;
}

static int compare(const Machine *m, const Sim *a, const Sim *b, const Taint *t)
{
    int wrong = compare_range(a, b, t, m->ram, m->ram_end) || compare_range(a, b, t, m->low, m->low_end)
        || (m->registers && compare_range(a, b, t, m->registers, m->registers + 32));
    for (int n = -1; !wrong && (n < 0 || m->names[n]); n++) {
        uint32_t x, y, mask, id = (uint32_t)sim_register_id(a, n < 0 ? "sp" : m->names[n]);
        sim_get_register(a, id, &x);
        sim_get_register(b, id, &y);
        taint_register_mask(t, id, &mask);
        differing += x != y;
        if ((x ^ y) & ~mask)
            wrong = complain(n < 0 ? "sp" : m->names[n], 0, x, y, mask);
    }
    return wrong;
}

/* The other machine goes on as long as the first one took. */
static int run_other(Sim *b, uint64_t cycles, uint32_t pc)
{
    uint64_t spent = 0;
    SimRun run = { .pc = 0 };
    while (spent < cycles) {
        sim_step(b, 1, &run);
        spent += run.cycles;
        if (run.status != SIM_STEPS) {
            errors++;
            return 0;
        }
    }
    if (spent != cycles || run.pc != pc)
        return complain("time", run.pc, (uint32_t)cycles, (uint32_t)spent, pc), -1;
    return 1;
}

static int try_pair(const Machine *m, Sim *a, Sim *b, Taint *t, uint64_t steps, int form)
{
    SimRun run;
    a->core->set_pc(a, m->code);
    b->core->set_pc(b, m->code);
    copy(m, a, b);
    flip(m, b, t);
    b->core->set_pc(b, m->code);
    taint_step(t, steps, &run);
    if (run.status != SIM_STEPS) {
        errors++;
        return t->unknown ? complain("no rule", 0, 0, 0, 0) : 0;
    }
    if (leaked(t)) {
        leaks++;
        return 0;
    }
    int went = run_other(b, run.cycles, run.pc);
    if (went <= 0)
        return went < 0;
    compared++;
    if (form >= 0)
        by_form[form]++;
    return compare(m, a, b, t);
}

static int show(const Machine *m, const uint8_t *code, Sim *sim, int form)
{
    SimForm row = { .text = "" };
    if (form >= 0)
        sim_form(sim, (uint32_t)form, &row);
    printf("%s: unsound at %s:", m->core, row.text);
    for (int i = 0; i < 12; i++)
        printf(" %02X", code[i]);
    printf("\n");
    return 1;
}

static void place_code(const Machine *m, Sim *sim, const uint8_t *code)
{
    memcpy(sim->mem + m->code, code, LONGEST);
    sim->core->code_changed(sim, m->code, m->code + LONGEST);
}

/* ---- all of a core ---- */

/* Some jobs of every form. */
static void collect(const Machine *m, Sim *sim)
{
    uint32_t seen[MAX_FORMS] = { 0 }, length;
    uint8_t code[LONGEST];
    memset(job_count, 0, sizeof job_count);
    int jobs = m->jobs;
    SimForm form_there;
    while (!m->jobs && sim_form(sim, (uint32_t)jobs, &form_there) == 0)
        jobs++;
    for (int n = 0; n < (m->jobs ? 2 : 64) * jobs; n++) {
        m->encode(n % jobs, code);
        place_code(m, sim, code);
        int form = sim_form_at(sim, m->code, &length);
        if (form < 0)
            continue;
        uint32_t at = seen[form]++ < SAMPLES ? job_count[form]++ : any() % seen[form];
        if (at < SAMPLES)
            jobs_of[form][at] = n % jobs;
    }
}

/* Some instruction of a form at the start of the code: its length, or 0. */
static uint32_t encode_form(const Machine *m, Sim *sim, int form, uint8_t *code)
{
    uint32_t length;
    for (int n = 0; job_count[form] && n < 200; n++) {
        m->encode(jobs_of[form][any() % job_count[form]], code);
        place_code(m, sim, code);
        if (sim_form_at(sim, m->code, &length) == form)
            return length;
    }
    return 0;
}

static int single(const Machine *m, Sim *a, Sim *b, Taint *t, int form)
{
    uint8_t code[LONGEST];
    if (!encode_form(m, a, form, code))
        return 0;
    place_code(m, b, code);
    randomise(m, a);
    mark(m, a, t, 1 + any() % 32, 2 + any() % 8);
    return try_pair(m, a, b, t, 1, form) && show(m, code, a, form);
}

static int singles(const Machine *m, Sim *a, Sim *b, Taint *t, uint64_t pairs)
{
    int wrong = 0;
    for (int form = 0; form < MAX_FORMS; form++)
        for (int n = 0; !wrong && job_count[form] && by_form[form] < pairs && n < MOST_TRIES; n++)
            wrong = single(m, a, b, t, form);
    return wrong;
}

/* Instructions one after the other, among them conditions whose two ways meet again. */
static void write_program(const Machine *m, Sim *sim, uint8_t *code)
{
    uint8_t one[LONGEST];
    uint32_t at = 0;
    memset(code, 0, LONGEST);
    while (at < LONGEST - 16) {
        int form = (int)(any() % MAX_FORMS);
        if (one_in(16)) {
            at += m->diamond(code + at);
            continue;
        }
        uint32_t length = encode_form(m, sim, form, one);
        memcpy(code + at, one, length);
        at += length;
    }
}

/* Few secrets, so that some runs are without a leak. */
static int programs(const Machine *m, Sim *a, Sim *b, Taint *t, unsigned count)
{
    uint8_t code[LONGEST];
    for (unsigned n = 0; n < count; n++) {
        write_program(m, a, code);
        place_code(m, a, code);
        place_code(m, b, code);
        randomise(m, a);
        mark(m, a, t, 100, 12);
        if (try_pair(m, a, b, t, 1 + any() % 10, -1))
            return show(m, code, a, -1);
    }
    return 0;
}

/* Every form that goes on was compared. */
static int rare_forms(const Machine *m, const Sim *sim, unsigned pairs)
{
    static const char *const left_out[] = {
        "HALT", "STOP", "BRK", "SLEEP", "BREAK",    /* end the run */
        "ECALL", "EBREAK", "C.EBREAK",
        "EI", "DI",                                 /* decoded as SET1 and CLR1 of PSW */
    };
    SimForm form;
    int rare = 0;
    for (uint32_t i = 0; sim_form(sim, i, &form) == 0; i++) {
        int expected = 1;
        for (size_t n = 0; n < sizeof left_out / sizeof *left_out; n++)
            expected &= strcmp(form.text, left_out[n]) != 0;
        expected &= strcmp(form.core, "CPUX") != 0 || strcmp(m->core, "msp430") != 0;
        /* With an extension word to PC: chance seldom leads to code. */
        expected &= strcmp(form.core, "CPUX") != 0 || form.map < 6 || strcmp(form.layout, "PC") != 0;
        expected &= strcmp(form.core, "S3") != 0 || strcmp(m->core, "rl78-s2") != 0;
        expected &= strcmp(form.core, "AVRe") == 0 || strcmp(m->core, "avre") != 0;
        expected &= strstr(form.core, "over") == NULL || strcmp(m->core, "avrxt-8k") != 0;
        expected &= strcmp(form.core, "M") != 0 || strcmp(m->core, "ibex") != 0;
        if (by_form[i] * 10 < pairs && expected) {
            printf("%s: %s compared %u times\n", m->core, form.text, (unsigned)by_form[i]);
            rare = 1;
        }
    }
    return rare;
}

static int check(const Machine *m, unsigned pairs)
{
    Sim *a = make(m), *b = make(m);
    Taint *t = taint_new(a);
    compared = leaks = errors = balanced = differing = 0;
    memset(by_form, 0, sizeof by_form);
    collect(m, a);
    int wrong = singles(m, a, b, t, pairs) || programs(m, a, b, t, 400 * pairs) || rare_forms(m, a, pairs);
    printf("%s: %llu pairs, %llu differences, %llu balanced, %llu with leaks, %llu with errors\n", m->core,
           (unsigned long long)compared, (unsigned long long)differing, (unsigned long long)balanced,
           (unsigned long long)leaks, (unsigned long long)errors);
    taint_free(t);
    sim_free(a);
    sim_free(b);
    return wrong;
}

int main(int argc, char **argv)
{
    unsigned pairs = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    int wrong = 0;
    random_state = 88172645463325252u + (uint64_t)(argc > 2 ? atoi(argv[2]) : 0);
    for (size_t i = 0; i < sizeof pool; i++)
        pool[i] = (uint8_t)any();
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (argc < 4 || strcmp(argv[3], machines[i].core) == 0)
            wrong |= check(&machines[i], pairs);
    puts(wrong ? "unsound" : "sound");
    return wrong;
}
