/* Hostile input: random images, registers, maps and calls of the interface, for a bounded number of runs.
 *
 *   fuzz [runs] [seed]
 *
 * Built with sanitizers, which find what must not happen. Besides, the fast and the traced interpreter must
 * agree, cycles must be the sum of their parts, the profile must be whole, and flash must stay as it was. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sim.h"

enum { FLASH = 0x10000, CYCLES = 20000, COMPARED = 0x1000 };

/* What differs from target to target: machines, what an image is made of, where its RAM is. */
typedef struct {
    Sim *(*machine)(void);
    Sim *(*roomy)(void);        /* nearly everything is RAM, nothing is never-written: programs run on */
    void (*fill)(Sim *sim, uint8_t *image, uint32_t size, int roomy);
    uint32_t ram;               /* COMPARED bytes from here on are compared */
    uint32_t edge;              /* where special registers are */
    uint32_t stack_top;
    uint32_t unit;              /* bytes; most runs start at a multiple */
} Family;

static const Family *family;

static uint64_t state;

static uint32_t chance(uint32_t below)
{
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return below ? (uint32_t)(z % below) : (uint32_t)z;
}

static void require(int holds, const char *what, uint64_t run)
{
    if (holds)
        return;
    fprintf(stderr, "run %llu: %s\n", (unsigned long long)run, what);
    exit(1);
}

static Sim *new_sim(const char *core, int uninit)
{
    Sim *sim = sim_new(core, (int)chance(2), uninit);
    if (!sim)
        exit(2);
    return sim;
}

/* ---- RL78 ---- */

static Sim *rl78_roomy(void)
{
    Sim *sim = new_sim("rl78-s3", SIM_UNINIT_OFF);
    sim_map(sim, SIM_FLASH, 0, FLASH, 0);
    sim_map(sim, SIM_RAM, 0x10000, 0xFFF00, 0);
    sim_map(sim, SIM_SFR, 0xFFF00, 0x100000, 0);
    return sim;
}

static Sim *rl78_machine(void)
{
    static const char *const cores[] = { "rl78-s1", "rl78-s2", "rl78-s3" };
    Sim *sim = new_sim(cores[chance(3)], (int)chance(3));
    sim_map(sim, SIM_FLASH, 0, chance(8) ? FLASH : 1 + chance(FLASH), 0);
    sim_map(sim, SIM_DATA_FLASH, 0xF1000, 0xF2000, 0);
    sim_map(sim, SIM_MIRROR, 0xF2000, 0xFEF00, chance(8) ? 0x2000 : chance(0));
    sim_map(sim, SIM_RAM, 0xFEF00, chance(8) ? 0xFFF00 : 0xFEF00 + chance(0x1000), 0);
    sim_map(sim, SIM_SFR, chance(8) ? 0xFFF00 : 0xFFF00 + chance(0x100), 0x100000, 0);
    return sim;
}

/* Bytes of the table's forms, so that most of an image runs; the rest is noise. */
static void rl78_fill(Sim *sim, uint8_t *image, uint32_t size, int even)
{
    static const uint8_t prefixes[] = { 0, 0x61, 0x71, 0x31, 0xCE };
    SimForm form;
    uint32_t forms = 0;
    while (sim_form(sim, forms, &form) == 0)
        forms++;
    uint32_t noise = even ? 0 : chance(4) ? 20 : 255;
    uint8_t mask = even ? 0xFE : 0xFF;
    for (uint32_t i = 0; i < size;) {
        if (chance(256) < noise || i + 8 > size) {
            image[i++] = (uint8_t)chance(256);
            continue;
        }
        sim_form(sim, chance(forms), &form);
        if (form.es && chance(2))
            image[i++] = 0x11;
        if (form.map)
            image[i++] = prefixes[form.map];
        if (form.map == 4)
            image[i++] = 0xFB;
        image[i++] = (uint8_t)(form.opcode | (chance(4) ? 0 : chance(256) & 0x77));
        if (form.fixed >= 0)
            image[i++] = (uint8_t)form.fixed;
        uint32_t head = 1 + (form.map != 0) + (form.map == 4) + (form.fixed >= 0);
        uint32_t operands = even ? form.length - head : chance(4);
        for (uint32_t n = 0; n < operands && i < size; n++)
            image[i++] = (uint8_t)chance(256) & mask;
    }
}

/* ---- AVR ---- */

static const char *any_avr(void)
{
    static const char *const cores[] = { "avre+", "avre", "avrxt", "avrxt-8k" };
    return cores[chance(4)];
}

static Sim *avr_roomy(void)
{
    Sim *sim = new_sim(chance(2) ? "avre+" : "avrxt", SIM_UNINIT_OFF);
    sim_map(sim, SIM_FLASH, 0, chance(2) ? FLASH : 2 * FLASH, 0);
    sim_map(sim, SIM_SFR, 0x800000, 0x800060, 0);
    sim_map(sim, SIM_RAM, 0x800060, 0x810000, 0);
    return sim;
}

static Sim *avr_machine(void)
{
    Sim *sim = new_sim(any_avr(), (int)chance(3));
    sim_map(sim, SIM_FLASH, 0, chance(4) ? 0x1000u << chance(6) : 1 + chance(FLASH), 0);
    sim_map(sim, SIM_SFR, 0x800000, chance(8) ? 0x800100 : 0x800000 + chance(0x100), 0);
    sim_map(sim, SIM_RAM, 0x800060 + 0xA0 * chance(2), chance(8) ? 0x804100 : 0x800200 + chance(0xFE00), 0);
    if (chance(2))
        sim_map(sim, SIM_MIRROR, 0x808000, 0x808000 + chance(0x8000), chance(0x1000));
    return sim;
}

/* As above: words of the table's forms with their operands' bits at random. */
static void avr_fill(Sim *sim, uint8_t *image, uint32_t size, int roomy)
{
    SimForm form;
    uint32_t forms = 0, noise = chance(4) ? 5 : roomy ? 0 : 255;
    while (sim_form(sim, forms, &form) == 0)
        forms++;
    for (uint32_t i = 0; i + 1 < size; i += 2) {
        sim_form(sim, chance(forms), &form);
        uint32_t word = form.opcode;
        if (strchr("DKA", form.layout[0]))
            word |= chance(0) & (form.opcode < 0x9000 ? 0x0FFF & ~form.opcode : 0x01F0);
        store16(image + i, chance(256) < noise ? chance(0) : word);
        if (form.length == 4 && i + 3 < size) {
            i += 2;
            store16(image + i, form.layout[0] == 'K' ? chance(size / 2) : 0x100 + chance(0x4000));
        }
    }
}

/* ---- MSP430 ---- */

static Sim *msp430_roomy(void)
{
    Sim *sim = new_sim(chance(2) ? "msp430" : "msp430x", SIM_UNINIT_OFF);
    sim_map(sim, SIM_FLASH, 0, 0x8000, 0);
    sim_map(sim, SIM_RAM, 0x8010, (uint32_t)sim_space(sim), 0);     /* the gap keeps an image out of the RAM */
    return sim;
}

static Sim *msp430_machine(void)
{
    Sim *sim = new_sim(chance(2) ? "msp430" : "msp430x", (int)chance(3));
    sim_map(sim, SIM_SFR, 0xFE00, 0x10000, 0);
    sim_map(sim, SIM_RAM, 0x8010, chance(8) ? 0xF800 : 0x8010 + chance(0x7000), 0);
    sim_map(sim, SIM_FLASH, 0, chance(8) ? 0x8000 : 1 + chance(0x8000), 0);
    if (chance(2))
        sim_map(sim, SIM_FLASH, 0x10000, 0x20000, 0);
    return sim;
}

/* A word of the form with its operands at random. */
static uint32_t msp430_word(const SimForm *form)
{
    enum { DOUBLE = 1, SINGLE, PLAIN, JUMP, EXTENDED, LONG_DOUBLE, LONG_SINGLE };
    switch (form->map) {
    case DOUBLE: return form->opcode | chance(0x1000);
    case SINGLE: return form->opcode | chance(0x80);
    case JUMP: return form->opcode | chance(0x400);
    case EXTENDED: return form->opcode | chance(16) << 8 | chance(form->taken ? 16 : 1) << 4 | chance(16);
    case LONG_DOUBLE: return 0x1800 | (chance(0x800) & ~(chance(8) ? 0x30u : 0));
    case LONG_SINGLE: return 0x1800 | (chance(0x200) & ~(chance(8) ? 0x30u : 0));
    default: return form->opcode;
    }
}

/* Of an instruction of two operands: registers R4 to R15, constants, immediates, addresses in RAM. */
static uint32_t msp430_tame(uint32_t opcode)
{
    static const uint16_t sources[] = { 0x0000, 0x0000, 0x0030, 0x0300, 0x0310, 0x0320, 0x0210, 0x0210 };
    uint32_t source = sources[chance(8)], target = chance(4) ? 4 + chance(12) : 0x82;
    return opcode | (source ? source : (4 + chance(12)) << 8) | target | chance(2) << 6;
}

/* Words of the table's forms, the tame ones with the index words they need. */
static void msp430_fill(Sim *sim, uint8_t *image, uint32_t size, int roomy)
{
    SimForm form;
    uint32_t forms = 0, noise = chance(4) ? 5 : roomy ? 0 : 255;
    while (sim_form(sim, forms, &form) == 0)
        forms++;
    for (uint32_t i = 0; i + 5 < size; i += 2) {
        sim_form(sim, chance(forms), &form);
        int tame = form.map == 1 && chance(32);
        uint32_t word = tame ? msp430_tame(form.opcode) : msp430_word(&form);
        if (!tame && chance(256) < noise)
            word = chance(0);
        store16(image + i, word);
        int indices = tame ? ((word & 0xF30) == 0x030 || (word & 0xF30) == 0x210) + (word >> 7 & 1) : 0;
        for (; indices; indices--)
            store16(image + (i += 2), 0x8010 + (chance(0x7F00) & 0xFFFE));
    }
}

/* ---- RISC-V ---- */

static const char *any_rv32(void)
{
    static const char *const cores[] = { "ibex", "ibex-imc", "qingke-v2" };
    return cores[chance(3)];
}

static Sim *rv32_roomy(void)
{
    Sim *sim = new_sim(any_rv32(), SIM_UNINIT_OFF);
    sim_map(sim, SIM_FLASH, 0, FLASH, 0);
    sim_map(sim, SIM_RAM, 0x20000000, 0x20100000, 0);
    return sim;
}

static Sim *rv32_machine(void)
{
    Sim *sim = new_sim(any_rv32(), (int)chance(3));
    sim_map(sim, SIM_FLASH, chance(8) ? 0 : chance(0x100), chance(8) ? FLASH : 0x100 + chance(FLASH - 0x100), 0);
    sim_map(sim, SIM_RAM, 0x20000000, chance(8) ? 0x20001000 : 0x20000000 + chance(0x2000), 0);
    sim_map(sim, SIM_SFR, 0xFFFFFF00, chance(8) ? 0xFFFFFFFF : 0xFFFFFF00 + chance(0xFF), 0);
    return sim;
}

/* Instructions of the table's forms with their operands' bits at random, but for bases that are a register or two. */
static void rv32_fill(Sim *sim, uint8_t *image, uint32_t size, int roomy)
{
    SimForm form;
    uint32_t forms = 0, noise = chance(4) ? 5 : roomy ? 0 : 255;
    while (sim_form(sim, forms, &form) == 0)
        forms++;
    for (uint32_t i = 0; i + 3 < size; i += form.length) {
        sim_form(sim, chance(forms), &form);
        uint32_t word = form.opcode;
        if (form.length == 2)
            word |= chance(0) & 0x1FFC & ~(form.opcode & 0xC00);
        else if (form.layout[0] != 'N')
            word |= chance(0) & (form.opcode >> 25 || form.layout[0] == 'R' ? 0x00FF8F80 : 0x81FF8F80) & ~0x80000u;
        store32(image + i, chance(256) < noise ? chance(0) : word);
    }
}

static const Family families[] = {
    { rl78_machine, rl78_roomy, rl78_fill, 0xFEF00, 0xFFFC0, 0xFE00, 1 },
    { avr_machine, avr_roomy, avr_fill, 0x800060, 0x800050, 0x3FFF, 2 },
    { msp430_machine, msp430_roomy, msp430_fill, 0x8010, 0xFFC0, 0x8F00, 2 },
    { rv32_machine, rv32_roomy, rv32_fill, 0x20000000, 0xFFFFFF00, 0x20000F00, 2 },
};
enum { FAMILIES = sizeof families / sizeof *families };

/* ---- runs ---- */

static void scramble(Sim *sim)
{
    sim_reset(sim);
    for (uint32_t id = 0; id < 160; id++)
        if (chance(2))
            sim_set_register(sim, id, chance(0));
    if (chance(2))
        sim_set_stack(sim, family->stack_top, family->stack_top - chance(0x400));
    uint8_t bytes[256];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)chance(256);
    sim_write(sim, family->ram + 0x100 + chance(0xE00), bytes, chance(sizeof bytes));
}

static void check_parts(const SimRun *r, uint64_t n)
{
    uint64_t waits = r->waits[0] + r->waits[1] + r->waits[2] + r->waits[3];
    require(r->cycles == r->base + waits, "parts", n);
    require(r->cycles < CYCLES + 0x40000, "cycle limit", n);
}

static void check_profile(Sim *sim, const SimRun *r, uint64_t n)
{
    uint32_t count = sim_profile_cells(sim, NULL, 0);
    SimCell *cells = malloc((count + 1) * sizeof *cells);
    uint64_t cycles = 0, executions = 0;
    if (!cells)
        exit(2);
    sim_profile_cells(sim, cells, count);
    for (uint32_t i = 0; i < count; i++) {
        cycles += cells[i].cycles;
        executions += cells[i].executions;
    }
    free(cells);
    require(cycles == r->cycles, "profile cycles", n);
    require(executions == r->instructions, "profile executions", n);
}

/* The same start twice: fast, then traced. */
static void run_both(Sim *sim, const uint8_t *image, uint32_t size, uint64_t n)
{
    static uint8_t memory[2][COMPARED];
    SimRun runs[2];
    uint32_t unit = family->unit;
    uint32_t start = chance(4) ? chance(size) / unit * unit : chance(0);
    uint32_t stop = chance(4) ? chance(size) / unit * unit : chance(0);
    uint64_t kept = state;
    for (int i = 0; i < 2; i++) {
        state = kept;
        scramble(sim);
        (i ? sim_run_profiled : sim_run)(sim, start, stop, CYCLES, &runs[i]);
        check_parts(&runs[i], n);
        sim_read(sim, family->ram, memory[i], sizeof memory[i]);
    }
    require(memcmp(&runs[0], &runs[1], sizeof runs[0]) == 0, "fast and traced differ", n);
    require(memcmp(memory[0], memory[1], sizeof memory[0]) == 0, "memory differs", n);
    check_profile(sim, &runs[1], n);
    static uint8_t flash[FLASH];
    sim_read(sim, 0, flash, size);
    require(memcmp(flash, image, size) == 0, "flash changed", n);
}

static void run_batch(Sim *sim, uint64_t n)
{
    enum { RUNS = 3, SIZE = 40 };
    uint8_t blocks[RUNS * SIZE], out[RUNS * SIZE], written[SIZE];
    uint32_t ids[4], values[4], captured[4], registers[RUNS * 4];
    SimRun runs[RUNS] = { 0 };
    SimWatched watched[RUNS];
    const SimRange range = { chance(2) ? chance(0) : family->ram + chance(0x1000), chance(64), -1 };
    const SimHandler handler = { 1, &range, chance(4) };
    for (size_t i = 0; i < sizeof blocks; i++)
        blocks[i] = (uint8_t)chance(256);
    for (size_t i = 0; i < sizeof written; i++)
        written[i] = (uint8_t)chance(2);
    for (int i = 0; i < 4; i++) {
        ids[i] = chance(8) ? chance(40) : chance(0);
        captured[i] = chance(40);
        values[i] = chance(0);
    }
    SimBatch batch = {
        .start = chance(FLASH), .stop = chance(FLASH), .block_size = SIZE,
        .block_address = chance(4) ? family->ram + 0x100 + chance(COMPARED) : chance(0),
        .stack_top = chance(4) ? family->stack_top : chance(0), .stack_limit = chance(family->stack_top),
        .register_count = 4, .register_ids = ids, .register_values = values,
        .captured_count = 4, .captured_ids = captured, .cycle_limit = CYCLES / 10, .written = written,
        .watched = chance(2) ? watched : NULL, .handler = chance(2) ? &handler : NULL,
    };
    sim_call_many(sim, &batch, RUNS, blocks, out, registers, runs);
    for (int i = 0; i < RUNS; i++)
        check_parts(&runs[i], n);
}

static void abuse(Sim *sim)
{
    uint8_t bytes[64] = { 0 };
    SimRun run;
    uint32_t address = chance(2) ? chance(0) : family->edge + chance(0x80), length = chance(sizeof bytes);
    sim_load(sim, address, bytes, length);
    sim_write(sim, address, bytes, length);
    sim_poison(sim, address, chance(0), 0xA5);
    sim_guard(sim, family->ram + chance(0x1000), chance(16));
    sim_read(sim, address, bytes, length);
    sim_touched(sim, address, bytes, length);
    sim_set_stack(sim, chance(0), chance(0));
    sim_form_at(sim, chance(0), &length);
    sim_step(sim, chance(50), &run);
    uint32_t space = sim_space(sim) >> 32 ? 0x100000 : (uint32_t)sim_space(sim);    /* not gigabytes */
    sim_map(sim, (int)chance(9) - 1, chance(space), chance(space + space / 8), chance(0));
    sim_step(sim, chance(50), &run);
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 0) : 2000;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    static uint8_t image[FLASH];
    uint64_t ended[32] = { 0 };
    for (uint64_t n = 0; n < runs; n++) {
        int roomy = (int)chance(2);
        family = &families[n % FAMILIES];
        Sim *sim = roomy ? family->roomy() : family->machine();
        uint32_t size = roomy ? FLASH : 16 + chance(FLASH - 16);
        family->fill(sim, image, size, roomy);
        while (size && sim_load(sim, 0, image, size) != 0)
            size /= 2;
        for (int i = 0; i < 8 && size; i++)
            run_both(sim, image, size, n);
        ended[sim->run.status & 31]++;
        run_batch(sim, n);
        abuse(sim);
        sim_free(sim);
    }
    for (int i = 0; i < 32; i++)
        if (ended[i])
            printf("%-26s %llu\n", sim_status_name(i), (unsigned long long)ended[i]);
    return 0;
}
