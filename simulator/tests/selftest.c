/* The library by itself: a short program, its cost, and each way it is called. */
#include <stdio.h>
#include <string.h>

#include "../sim.h"

static int failures;

#define EXPECT(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            failures++; \
        } \
    } while (0)

/* call !!01006h / nop / nop / push hl / movw hl,ax / mov a,[hl] / inc a / mov [hl],a / pop hl / ret */
static const uint8_t program[] = {
    0xFC, 0x06, 0x10, 0x00, 0x00, 0x00, 0xC7, 0x16, 0x8B, 0x81, 0x9B, 0xC6, 0xD7,
};
enum { PSW_IE = 0x80, START = 0x1000, STOP = 0x1004, BLOCK = 0xFF000 };

static Sim *machine(const char *core)
{
    Sim *sim = sim_new(core, 1, SIM_UNINIT_ERROR);
    if (!sim)
        return NULL;
    EXPECT(sim_map(sim, SIM_FLASH, 0, 0x10000, 0) == 0);
    EXPECT(sim_map(sim, SIM_MIRROR, 0xF2000, 0xFEF00, 0x2000) == 0);
    EXPECT(sim_map(sim, SIM_RAM, 0xFEF00, 0xFFF00, 0) == 0);
    EXPECT(sim_map(sim, SIM_SFR, 0xFFF00, 0x100000, 0) == 0);
    EXPECT(sim_load(sim, START, program, sizeof program) == 0);
    sim_reset(sim);
    return sim;
}

static void test_run(Sim *sim)
{
    const uint8_t value = 41;
    uint8_t after;
    SimRun fast, traced, watched;
    SimWatched seen;
    for (int i = 0; i < 3; i++) {
        sim_write(sim, BLOCK, &value, 1);
        sim_set_stack(sim, 0xFE00, 0xFD00);
        sim_set_register(sim, (uint32_t)sim_register_id(sim, "ax"), BLOCK & 0xFFFF);
        sim_set_register(sim, (uint32_t)sim_register_id(sim, "psw"), PSW_IE);
        if (i == 2)
            sim_run_watched(sim, START, STOP, 1000, NULL, &watched, &seen);
        else
            (i ? sim_run_profiled : sim_run)(sim, START, STOP, 1000, i ? &traced : &fast);
        sim_read(sim, BLOCK, &after, 1);
        EXPECT(after == 42);
    }
    EXPECT(fast.status == SIM_OK && fast.pc == STOP);
    EXPECT(fast.base == 3 + 6 + 6 && fast.hazard_waits == 1 && fast.cycles == 16);
    EXPECT(fast.stack == 6 && fast.instructions == 8);
    EXPECT(memcmp(&fast, &traced, sizeof fast) == 0 && memcmp(&fast, &watched, sizeof fast) == 0);
    EXPECT(seen.interrupts == fast.instructions && seen.below == 0 && seen.blocked == 0);
    EXPECT(sim_profile_nodes(sim, NULL, 0) == 2);
}

static void test_batch(Sim *sim)
{
    const uint8_t blocks[4] = { 1, 2, 3, 255 }, written[1] = { 1 };
    uint8_t out[4];
    SimRun runs[4];
    const uint32_t id = (uint32_t)sim_register_id(sim, "ax"), value = BLOCK & 0xFFFF;
    uint32_t ax[4];
    SimBatch batch = {
        .start = START, .stop = STOP, .block_address = BLOCK, .block_size = 1, .stack_top = 0xFE00,
        .stack_limit = 0xFD00, .register_count = 1, .register_ids = &id, .register_values = &value,
        .captured_count = 1, .captured_ids = &id, .cycle_limit = 1000, .written = written,
    };
    sim_call_many(sim, &batch, 4, blocks, out, ax, runs);
    for (int i = 0; i < 4; i++)
        EXPECT(runs[i].status == SIM_OK && out[i] == (uint8_t)(blocks[i] + 1) && ax[i] >> 8 == out[i]);
}

static void test_errors(Sim *sim)
{
    SimRun run;
    sim_run(sim, 0x2000, STOP, 1000, &run);
    EXPECT(run.status == SIM_UNKNOWN_OPCODE && run.pc == 0x2000);
    sim_run(sim, BLOCK, STOP, 1000, &run);
    EXPECT(run.status == SIM_FETCH && run.pc == BLOCK);
    EXPECT(sim_write(sim, START, program, 1) == -1);
    EXPECT(sim_load(sim, 0xFFFFF, program, 2) == -1);
    EXPECT(sim_register_id(sim, "hl3") >= 0 && sim_register_id(sim, "hl4") == -1);
}

/* rcall f / nop / f: movw r30,r24 / ld r16,Z / inc r16 / st Z+,r16 / sbrs r16,7 / nop / push r16 / pop r16
 * / ret */
static const uint8_t avr_program[] = {
    0x01, 0xD0, 0x00, 0x00, 0xFC, 0x01, 0x00, 0x81, 0x03, 0x95, 0x01, 0x93,
    0x07, 0xFF, 0x00, 0x00, 0x0F, 0x93, 0x0F, 0x91, 0x08, 0x95,
};
enum { AVR_START = 0, AVR_STOP = 2, AVR_BLOCK = 0x800200 };

static void test_avr(const char *core, uint32_t flash, uint32_t rampz)
{
    Sim *sim = sim_new(core, 1, SIM_UNINIT_ERROR);
    EXPECT(sim != NULL);
    if (!sim)
        return;
    EXPECT(sim_map(sim, SIM_FLASH, 0, flash, 0) == 0);
    EXPECT(sim_map(sim, SIM_SFR, 0x800000, 0x800060, 0) == 0);
    EXPECT(sim_map(sim, SIM_RAM, 0x800060, 0x800260, 0) == 0);
    EXPECT(sim_load(sim, AVR_START, avr_program, sizeof avr_program) == 0);
    EXPECT((sim_register_id(sim, "rampz") >= 0) == (rampz != 0) && sim_register_id(sim, "r32") == -1);
    sim_reset(sim);
    const uint8_t value = 0x7F;
    uint8_t after;
    SimRun runs[2];
    for (int i = 0; i < 2; i++) {
        sim_write(sim, AVR_BLOCK, &value, 1);
        sim_set_stack(sim, 0x1FF, 0x180);
        sim_set_register(sim, (uint32_t)sim_register_id(sim, "w"), AVR_BLOCK & 0xFFFF);
        (i ? sim_run_profiled : sim_run)(sim, AVR_START, AVR_STOP, 1000, &runs[i]);
        sim_read(sim, AVR_BLOCK, &after, 1);
        EXPECT(after == 0x80);
    }
    EXPECT(runs[0].status == SIM_OK && runs[0].stack == 3 && runs[0].instructions == 9);
    EXPECT(runs[0].cycles == 3 + 1 + 2 + 1 + 2 + 2 + 2 + 2 + 4 && runs[0].skip_waits == 1);
    EXPECT(memcmp(&runs[0], &runs[1], sizeof runs[0]) == 0);
    EXPECT(sim_load(sim, flash, avr_program, 1) == -1);
    sim_free(sim);
}

/* call #f / nop / f: push r10 / mov.b @r12,r10 / inc.b r10 / mov.b r10,0(r12) / jn g / g: pop r10 / ret */
static const uint8_t msp430_program[] = {
    0xB0, 0x12, 0x06, 0x40, 0x03, 0x43, 0x0A, 0x12, 0x6A, 0x4C, 0x5A, 0x53, 0xCC, 0x4A, 0x00, 0x00,
    0x00, 0x30, 0x3A, 0x41, 0x30, 0x41,
};
enum { MSP430_START = 0x4000, MSP430_STOP = 0x4004, MSP430_BLOCK = 0x1201 };

static void test_msp430(const char *core, uint64_t cycles)
{
    Sim *sim = sim_new(core, 1, SIM_UNINIT_ERROR);
    EXPECT(sim != NULL);
    if (!sim)
        return;
    EXPECT(sim_map(sim, SIM_RAM, 0x1100, 0x3900, 0) == 0);
    EXPECT(sim_map(sim, SIM_FLASH, 0x4000, 0x10000, 0) == 0);
    EXPECT(sim_load(sim, MSP430_START, msp430_program, sizeof msp430_program) == 0);
    EXPECT(sim_register_id(sim, "sp") == sim_register_id(sim, "r1") && sim_register_id(sim, "r16") == -1);
    sim_reset(sim);
    const uint8_t value = 0x7F;
    uint8_t after;
    SimRun runs[2];
    for (int i = 0; i < 2; i++) {
        sim_write(sim, MSP430_BLOCK, &value, 1);
        sim_set_stack(sim, 0x1400, 0x1380);
        sim_set_register(sim, (uint32_t)sim_register_id(sim, "r12"), MSP430_BLOCK);
        (i ? sim_run_profiled : sim_run)(sim, MSP430_START, MSP430_STOP, 1000, &runs[i]);
        sim_read(sim, MSP430_BLOCK, &after, 1);
        EXPECT(after == 0x80);
    }
    EXPECT(runs[0].status == SIM_OK && runs[0].stack == 4 && runs[0].instructions == 8);
    EXPECT(runs[0].cycles == cycles && runs[0].base == cycles);
    EXPECT(memcmp(&runs[0], &runs[1], sizeof runs[0]) == 0);
    EXPECT(sim_profile_nodes(sim, NULL, 0) == 2);
    sim_free(sim);
}

int main(void)
{
    static const char *const cores[] = { "rl78-s1", "rl78-s2", "rl78-s3" };
    EXPECT(sim_new("z80", 1, 0) == NULL);
    for (int i = 0; i < 3; i++) {
        Sim *sim = machine(cores[i]);
        EXPECT(sim != NULL);
        if (!sim)
            continue;
        test_run(sim);
        test_batch(sim);
        test_errors(sim);
        sim_free(sim);
    }
    test_avr("avre", 0x2000, 0);
    test_avr("avre+", 0x20000, 1);
    test_msp430("msp430", 5 + 3 + 2 + 1 + 4 + 2 + 2 + 3);
    test_msp430("msp430x", 4 + 3 + 2 + 1 + 3 + 2 + 2 + 3);
    puts(failures ? "FAILED" : "ok");
    return failures != 0;
}
