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

enum { FLASH = 0x10000, CYCLES = 20000, STACK_TOP = 0xFE00 };

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

/* Nearly everything is RAM, nothing is never-written: programs run on for long. */
static Sim *roomy_machine(void)
{
    Sim *sim = sim_new("rl78-s3", (int)chance(2), SIM_UNINIT_OFF);
    if (!sim)
        exit(2);
    sim_map(sim, SIM_FLASH, 0, FLASH, 0);
    sim_map(sim, SIM_RAM, 0x10000, 0xFFF00, 0);
    sim_map(sim, SIM_SFR, 0xFFF00, 0x100000, 0);
    return sim;
}

static Sim *machine(void)
{
    static const char *const cores[] = { "rl78-s1", "rl78-s2", "rl78-s3" };
    Sim *sim = sim_new(cores[chance(3)], (int)chance(2), (int)chance(3));
    if (!sim)
        exit(2);
    sim_map(sim, SIM_FLASH, 0, chance(8) ? FLASH : 1 + chance(FLASH), 0);
    sim_map(sim, SIM_DATA_FLASH, 0xF1000, 0xF2000, 0);
    sim_map(sim, SIM_MIRROR, 0xF2000, 0xFEF00, chance(8) ? 0x2000 : chance(0));
    sim_map(sim, SIM_RAM, 0xFEF00, chance(8) ? 0xFFF00 : 0xFEF00 + chance(0x1000), 0);
    sim_map(sim, SIM_SFR, chance(8) ? 0xFFF00 : 0xFFF00 + chance(0x100), 0x100000, 0);
    return sim;
}

/* Bytes of the table's forms, so that most of an image runs; the rest is noise. */
static void fill(Sim *sim, uint8_t *image, uint32_t size, int even)
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

static void scramble(Sim *sim)
{
    sim_reset(sim);
    for (uint32_t id = 0; id < 160; id++)
        if (chance(2))
            sim_set_register(sim, id, chance(0));
    if (chance(2))
        sim_set_stack(sim, STACK_TOP, STACK_TOP - chance(0x400));
    uint8_t bytes[256];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)chance(256);
    sim_write(sim, 0xFF000 + chance(0xE00), bytes, chance(sizeof bytes));
}

static void check_parts(const SimRun *r, uint64_t n)
{
    uint64_t waits = r->flash_waits + r->es_waits + r->hazard_waits + r->skip_waits;
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
    static uint8_t memory[2][0x1100];
    SimRun runs[2];
    uint32_t start = chance(4) ? chance(size) : chance(0), stop = chance(4) ? chance(size) : chance(0);
    uint64_t kept = state;
    for (int i = 0; i < 2; i++) {
        state = kept;
        scramble(sim);
        (i ? sim_run_profiled : sim_run)(sim, start, stop, CYCLES, &runs[i]);
        check_parts(&runs[i], n);
        sim_read(sim, 0xFEF00, memory[i], sizeof memory[i]);
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
        .block_address = chance(4) ? 0xFF000 + chance(0x1000) : chance(0),
        .stack_top = chance(4) ? STACK_TOP : chance(0), .stack_limit = chance(STACK_TOP),
        .register_count = 4, .register_ids = ids, .register_values = values,
        .captured_count = 4, .captured_ids = captured, .cycle_limit = CYCLES / 10, .written = written,
    };
    sim_call_many(sim, &batch, RUNS, blocks, out, registers, runs);
    for (int i = 0; i < RUNS; i++)
        check_parts(&runs[i], n);
}

static void abuse(Sim *sim)
{
    uint8_t bytes[64] = { 0 };
    SimRun run;
    uint32_t address = chance(2) ? chance(0) : 0xFFFC0 + chance(0x80), length = chance(sizeof bytes);
    sim_load(sim, address, bytes, length);
    sim_write(sim, address, bytes, length);
    sim_poison(sim, address, chance(0), 0xA5);
    sim_guard(sim, 0xFEF00 + chance(0x1000), chance(16));
    sim_read(sim, address, bytes, length);
    sim_touched(sim, address, bytes, length);
    sim_set_stack(sim, chance(0), chance(0));
    sim_form_at(sim, chance(0), &length);
    sim_step(sim, chance(50), &run);
    sim_map(sim, (int)chance(9) - 1, chance(0) & 0xFFFFF, chance(0) & 0x1FFFFF, chance(0));
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 0) : 2000;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    static uint8_t image[FLASH];
    uint64_t ended[32] = { 0 };
    for (uint64_t n = 0; n < runs; n++) {
        int roomy = (int)chance(2);
        Sim *sim = roomy ? roomy_machine() : machine();
        uint32_t size = roomy ? FLASH : 16 + chance(FLASH - 16);
        fill(sim, image, size, roomy);
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
