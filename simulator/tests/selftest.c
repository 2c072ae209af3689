/* The library by itself: a short program, its cost, and each way it is called. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "wide_core.h"
#include "../taint_api.h"

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
    EXPECT(fast.base == 3 + 6 + 6 && fast.waits[2] == 1 && fast.cycles == 16);
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

static void test_avr(const char *core, uint32_t flash, uint32_t rampz, uint64_t cycles)
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
    EXPECT(runs[0].cycles == cycles && runs[0].waits[3] == 1);
    EXPECT(memcmp(&runs[0], &runs[1], sizeof runs[0]) == 0);
    EXPECT(sim_load(sim, flash, avr_program, 1) == -1);
    sim_free(sim);
}

/* jal f / nop / f: addi sp,sp,-4 / sw a1,(sp) / lbu a1,(a0) / addi a1,a1,1 / sb a1,(a0) / andi a1,a1,-1 / bgez a1,g
 * / nop / g: lw a1,(sp) / addi sp,sp,4 / ret */
static const uint8_t rv32_program[] = {
    0xEF, 0x00, 0x60, 0x00, 0x01, 0x00, 0x71, 0x11, 0x2E, 0xC0, 0x83, 0x45, 0x05, 0x00, 0x85, 0x05, 0x23, 0x00,
    0xB5, 0x00, 0xFD, 0x99, 0x63, 0xD3, 0x05, 0x00, 0x01, 0x00, 0x82, 0x45, 0x11, 0x01, 0x82, 0x80,
};
enum { RV32_START = 0x1000, RV32_STOP = 0x1004, RV32_BLOCK = 0x20000101 };

static void test_rv32(const char *core, int all, uint64_t cycles)
{
    Sim *sim = sim_new(core, 1, SIM_UNINIT_ERROR);
    EXPECT(sim != NULL);
    if (!sim)
        return;
    EXPECT(sim_map(sim, SIM_RAM, 0x20000000, 0x20000800, 0) == 0);
    EXPECT(sim_map(sim, SIM_FLASH, 0, 0x4000, 0) == 0);
    EXPECT(sim_load(sim, RV32_START, rv32_program, sizeof rv32_program) == 0);
    EXPECT(sim_register_id(sim, "sp") == sim_register_id(sim, "x2") && (sim_register_id(sim, "x16") >= 0) == all);
    EXPECT(sim_register_id(sim, "x32") == -1 && sim_register_id(sim, "x01") == -1);
    sim_reset(sim);
    const uint8_t value = 0x7F;
    uint8_t after;
    SimRun runs[2];
    for (int i = 0; i < 2; i++) {
        sim_write(sim, RV32_BLOCK, &value, 1);
        EXPECT(sim_set_stack(sim, 0x20000802, 0) == -1 && sim_set_stack(sim, 0x20000800, 0x20000700) == 0);
        sim_set_register(sim, (uint32_t)sim_register_id(sim, "a0"), RV32_BLOCK);
        (i ? sim_run_profiled : sim_run)(sim, RV32_START, RV32_STOP, 1000, &runs[i]);
        sim_read(sim, RV32_BLOCK, &after, 1);
        EXPECT(after == 0x80);
    }
    EXPECT(runs[0].status == SIM_OK && runs[0].stack == 4 && runs[0].instructions == 11);
    EXPECT(runs[0].cycles == cycles && runs[0].waits[0] == 0);
    EXPECT(memcmp(&runs[0], &runs[1], sizeof runs[0]) == 0);
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

/* ---- words, addresses and registers of 32 bits ---- */

enum { RAM32 = 0x20000000, RAM32_END = RAM32 + 0x4000 };

static Sim *wide(const uint32_t *words, uint32_t count)
{
    uint8_t code[256];
    Sim *sim = sim_new_core(&sim_core_wide, 1, SIM_UNINIT_ERROR);
    if (!sim)
        exit(1);
    EXPECT(sim_map(sim, SIM_FLASH, 0, 0x10000, 0) == 0);
    EXPECT(sim_map(sim, SIM_RAM, RAM32, RAM32_END, 0) == 0);
    sim_reset(sim);
    for (uint32_t n = 0; n < count; n++)
        store32(code + 4 * n, words[n]);
    EXPECT(sim_load(sim, 0, code, 4 * count) == 0);
    sim_set_stack(sim, RAM32_END, RAM32_END - 0x100);
    return sim;
}

/* One access at `address` by each interpreter: how it ends. */
static SimRun access32(int store, uint32_t address)
{
    const uint32_t words[] = { store ? WIDE_RR(STORE, 4, 5, 0) : WIDE_RR(LOAD, 4, 5, 0) };
    SimRun runs[2];
    for (int i = 0; i < 2; i++) {
        Sim *sim = wide(words, 1);
        const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6 };
        sim_write(sim, RAM32 + 8, bytes, 6);        /* of the second word a half */
        sim_load(sim, 0x100, bytes, 6);
        sim_set_register(sim, 4, 0xA0B0C0D0);
        sim_set_register(sim, 5, address);
        (i ? sim_run_profiled : sim_run)(sim, 0, 4, 100, &runs[i]);
        uint32_t value;
        sim_get_register(sim, 4, &value);
        if (runs[i].status == SIM_OK && !store)
            EXPECT(value == (address == 0x104 ? 0xFFFF0605 : 0x04030201));
        sim_free(sim);
    }
    EXPECT(memcmp(&runs[0], &runs[1], sizeof runs[0]) == 0);
    return runs[0];
}

static void test_wide_words(void)
{
    static const struct { int store; uint32_t address; int status; uint32_t where; } ends[] = {
        { 0, RAM32 + 8, SIM_OK, 4 }, { 1, RAM32_END - 4, SIM_OK, 4 },
        { 0, RAM32 + 10, SIM_UNALIGNED, RAM32 + 10 }, { 1, RAM32 + 9, SIM_UNALIGNED, RAM32 + 9 },
        { 0, RAM32 + 12, SIM_READ_UNINIT, RAM32 + 14 }, { 1, RAM32 + 12, SIM_OK, 4 },
        { 0, RAM32_END, SIM_READ_UNMAPPED, RAM32_END }, { 1, RAM32_END, SIM_WRITE_UNMAPPED, RAM32_END },
        { 0, 0xFFFFFFFC, SIM_READ_UNMAPPED, 0xFFFFFFFC }, { 1, 0xFFFFFFFC, SIM_WRITE_UNMAPPED, 0xFFFFFFFC },
        { 1, 0x100, SIM_WRITE_FLASH, 0x100 },
    };
    for (size_t n = 0; n < sizeof ends / sizeof *ends; n++) {
        const SimRun run = access32(ends[n].store, ends[n].address);
        EXPECT(run.status == ends[n].status && run.address == ends[n].where && run.cycles == 1);
    }
    EXPECT(access32(0, 0x100).cycles == 1 + WIDE_WAITS && access32(0, 0x104).waits[WIDE_READ] == WIDE_WAITS);
}

/* Registers of two halves, a stack of words at the end of the RAM. */
static void test_wide_stack(void)
{
    const uint32_t words[] = {
        WIDE_RI(SET, 31, 0x1234), WIDE_RI(SET_HIGH, 31, 0x5678), WIDE_RR(PUSH, 31, 0, 0), WIDE_RR(POP, 30, 0, 0),
    };
    Sim *sim = wide(words, 4);
    SimRun run;
    uint32_t value;
    uint8_t touched[5];
    sim_run(sim, 0, 16, 100, &run);
    sim_get_register(sim, 30, &value);
    sim_touched(sim, RAM32_END - 5, touched, 5);
    EXPECT(run.status == SIM_OK && run.stack == 4 && run.instructions == 4 && value == 0x56781234);
    EXPECT(!touched[0] && touched[1] && touched[2] && touched[3] && touched[4]);
    EXPECT(strcmp(sim_wait_name(sim, WIDE_READ), "reads") == 0 && !sim_wait_name(sim, 0) && !sim_wait_name(sim, 4));
    EXPECT(sim_pointer_bits(sim) == 32);
    EXPECT(sim_space(sim) == UINT64_C(1) << 32 && sim_poison(sim, RAM32_END - 1, 2, 0) == -1);
    sim_free(sim);
}

static int in_node(const Sim *sim, uint32_t callee) { return sim->profile.nodes[sim->profile.node].callee == callee; }

static void test_returns_by_address(void)
{
    Sim *sim = wide(NULL, 0);
    sim_profile_start(sim, 0);
    sim_profile_call(sim, 0x10, 0x100, 0x14, 0x1000);
    sim_profile_call(sim, 0x110, 0x200, 0x114, 0x1000);     /* a leaf, with the stack pointer of its caller */
    sim_profile_return(sim, 0x999, 0x1000);                 /* a jump */
    EXPECT(in_node(sim, 0x200) && sim->profile.depth == 2);
    sim_profile_return(sim, 0x114, 0x1000);
    EXPECT(in_node(sim, 0x100) && sim->profile.depth == 1);
    sim_profile_call(sim, 0x118, 0x200, 0x11C, 0xF00);      /* the caller has pushed */
    sim_profile_call(sim, 0x210, 0x300, 0x214, 0xF00);
    sim_profile_return(sim, 0x11C, 0xF00);                  /* past the leaf, which left by a jump */
    EXPECT(in_node(sim, 0x100) && sim->profile.depth == 1);
    sim_profile_call(sim, 0x11C, 0x200, 0x120, 0xE00);
    sim_profile_call(sim, 0x210, 0x300, 0x214, 0xD00);
    sim_profile_return(sim, 0x999, 0x1000);                 /* frames above the stack pointer are gone anyway */
    EXPECT(in_node(sim, 0x100) && sim->profile.depth == 1);
    sim_profile_return(sim, 0x14, 0x1000);
    EXPECT(in_node(sim, 0) && sim->profile.depth == 0);
    sim_free(sim);
}

/* The same by a program; where calls push, the leaf would take its caller's frame with it. */
static void test_links(void)
{
    const uint32_t words[] = {
        WIDE_RI(CALL, 0, 2), WIDE_RI(SET, 9, 9),                                /* calls f; the end */
        WIDE_RI(SET, 8, 0), WIDE_RR(ADD, 8, WIDE_RA, 0), WIDE_RI(CALL, 0, 3),   /* f keeps ra in r8, calls g */
        WIDE_RI(CALL, 0, 2), WIDE_RR(RETURN, 8, 0, 0),
        WIDE_RR(RETURN, WIDE_RA, 0, 0),                                         /* g */
    };
    Sim *sim = wide(words, 8);
    SimRun run;
    SimNode nodes[8];
    SimCell cells[16];
    sim_run_profiled(sim, 0, 4, 100, &run);
    EXPECT(run.status == SIM_OK && run.instructions == 8 && run.stack == 0);
    EXPECT(sim_profile_nodes(sim, nodes, 8) == 4);
    EXPECT(nodes[1].parent == 0 && nodes[1].callee == 8 && nodes[2].parent == 1 && nodes[3].parent == 1);
    const uint32_t count = sim_profile_cells(sim, cells, 16);
    for (uint32_t n = 0; n < count; n++)
        EXPECT(cells[n].node == (cells[n].address < 8 ? 0 : cells[n].address < 28 ? 1 : 2 + (cells[n].node == 3)));
    sim_free(sim);
}

/* Registers behind the sixteenth have masks; a secret address reaches words, each at a multiple of four. */
static void test_wide_taint(void)
{
    const uint32_t words[] = {
        WIDE_RR(LOAD, 31, 5, 0), WIDE_RR(STORE, 31, 5, 8), WIDE_RR(LOAD, 30, 6, 0), WIDE_RR(STORE, 7, 6, 16),
        WIDE_RR(LOAD, 29, 8, 0),
    };
    Sim *sim = wide(words, 5);
    Taint *t = taint_new(sim);
    const uint8_t bytes[64] = { 0x0F, 0, 0, 0, 0xF0 }, masks[4] = { 0, 0x80, 0, 0x01 };
    uint8_t found[8];
    uint32_t mask;
    SimRun run;
    TaintRecord records[4];
    EXPECT(t != NULL);
    sim_write(sim, RAM32, bytes, sizeof bytes);
    for (int n = 5; n <= 8; n++)
        sim_set_register(sim, (uint32_t)n, n == 7 ? 1 : n == 8 ? 0 : RAM32);
    taint_mark(t, RAM32, masks, 4);
    EXPECT(taint_mark_register(t, 6, 7) == 0);          /* one of two words; no others are multiples of four */
    EXPECT(taint_mark_register(t, 8, RAM32) == 0);      /* RAM or flash: a leak */
    taint_run(t, 0, 20, 100, &run);
    EXPECT(run.status == SIM_OK);
    EXPECT(taint_register_mask(t, 31, &mask) == 0 && mask == 0x01008000);
    EXPECT(taint_register_mask(t, 30, &mask) == 0 && mask == 0x010080FF);
    taint_masks(t, RAM32 + 8, found, 8);
    EXPECT(memcmp(found, masks, 4) == 0);
    taint_masks(t, RAM32 + 16, found, 8);
    EXPECT(found[0] == 1 && found[4] == 1 && !found[1] && !found[5]);
    EXPECT(taint_records(t, records, 4) == 3);
    EXPECT(records[0].kind == TAINT_LOOKUP && records[1].kind == TAINT_LOOKUP && records[2].kind == TAINT_ADDRESS);
    taint_free(t);
    sim_free(sim);
}

/* 4 GB of addresses: what is not opened is zero, what is can be cleared; a host may not have the room. */
static void test_planes(void)
{
    const uint64_t size = UINT64_C(1) << 32;
    struct rlimit before, small;
    Planes p;
    EXPECT(planes_new(&p, size, 3) == 0);
    for (int n = 0; n < 3; n++)
        EXPECT(plane(&p, n)[0] == 0 && plane(&p, n)[size - 1] == 0);
    EXPECT(planes_open(&p, 0x20000000, 0x20004000) == 0 && planes_open(&p, size - 1, size) == 0);
    EXPECT(planes_are_open(&p, 0x20000000) && planes_are_open(&p, 0xFFFFFFFF) && !planes_are_open(&p, 0));
    plane(&p, 0)[0x20003FFF] = 1;
    plane(&p, 2)[size - 1] = 1;
    EXPECT(plane(&p, 1)[0x20003FFF] == 0 && plane(&p, 2)[0x20003FFF] == 0);
    planes_clear(&p);
    EXPECT(plane(&p, 0)[0x20003FFF] == 0 && plane(&p, 2)[size - 1] == 0);
    planes_free(&p);
    getrlimit(RLIMIT_AS, &before);
    small = before;
    small.rlim_cur = 1 << 20;
    EXPECT(setrlimit(RLIMIT_AS, &small) == 0);
    EXPECT(planes_new(&p, size, 1) == -1);
    setrlimit(RLIMIT_AS, &before);
}

int main(void)
{
    test_planes();
    test_wide_words();
    test_wide_stack();
    test_wide_taint();
    test_returns_by_address();
    test_links();
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
    test_avr("avre", 0x2000, 0, 3 + 1 + 2 + 1 + 2 + 2 + 2 + 2 + 4);
    test_avr("avre+", 0x20000, 1, 3 + 1 + 2 + 1 + 2 + 2 + 2 + 2 + 4);
    test_avr("avrxt-8k", 0x2000, 0, 2 + 1 + 2 + 1 + 1 + 2 + 1 + 2 + 4);
    test_avr("avrxt", 0x20000, 1, 2 + 1 + 2 + 1 + 1 + 2 + 1 + 2 + 4);
    test_msp430("msp430", 5 + 3 + 2 + 1 + 4 + 2 + 2 + 3);
    test_msp430("msp430x", 4 + 3 + 2 + 1 + 3 + 2 + 2 + 3);
    test_msp430("msp430xv2", 4 + 3 + 2 + 1 + 3 + 2 + 2 + 4);
    test_rv32("ibex", 0, 2 + 1 + 2 + 2 + 1 + 2 + 1 + 3 + 2 + 1 + 2);
    test_rv32("ibex-imc", 1, 2 + 1 + 2 + 2 + 1 + 2 + 1 + 3 + 2 + 1 + 2);
    test_rv32("qingke-v2", 0, 3 + 1 + 2 + 2 + 1 + 2 + 1 + 3 + 2 + 1 + 3);
    puts(failures ? "FAILED" : "ok");
    return failures != 0;
}
