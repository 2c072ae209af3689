/* Transcripts of taint: masks and records after every instruction with many secrets, after random programs,
 * and after conditions whose two ways meet. No clocks: they are what the other transcript has. */
#include "behaviour.h"

#include <string.h>

enum { MOST_CODE = 0x1000, MOST_SHOWN = 0x1000, MOST_RECORDS = 512, BATCH = 16, PROGRAMS = 160 };
enum { DIAMONDS = 800, ALL_SECRET = 784, WILD_STEPS = 120, MOST_CYCLES = 1000000 };

/* ---- masks ---- */

/* Mostly few bits: an access to a secret address is followed to every place that its bits allow. */
static uint8_t any_mask(Dice *dice)
{
    switch (below(dice, 48)) {
    case 0: return 0xFF;
    case 1: return (uint8_t)roll(dice);
    case 2: case 3: case 4: return (uint8_t)below(dice, 16);
    default: return (uint8_t)(1u << below(dice, 8));
    }
}

/* One in `n` bytes of a range is secret. */
static void mark(Transcript *t, Span span, uint32_t n)
{
    uint8_t masks[MOST_SHOWN] = { 0 };
    for (uint32_t i = below(&t->dice, n); i < span.end - span.start; i += 1 + below(&t->dice, 2 * n))
        masks[i] = any_mask(&t->dice);
    taint_mark(t->taint, span.start, masks, span.end - span.start);
}

/* One in `n` registers has secret bits. */
static void mark_registers(Transcript *t, uint32_t n)
{
    mark(t, t->family->near, n);
    for (int i = 0; i < t->names; i++)
        if (t->secret >> i & 1)
            taint_mark_register(t->taint, t->ids[i], one_in(&t->dice, n) ? t->family->mask(&t->dice, i) : 0);
    taint_mark_register(t->taint, t->sim->core->sp_id,
                        one_in(&t->dice, 16 * n) ? 1u << below(&t->dice, 16) : 0);
}

static void mark_memory(Transcript *t, uint32_t n)
{
    uint8_t masks[MOST_SHOWN] = { 0 };
    for (const Span *span = t->family->shown; span->start < span->end; span++)
        taint_mark(t->taint, span->start, masks, span->end - span->start);
    mark(t, t->family->ram, n);
}

/* ---- values ---- */

static void put_masks(Transcript *t, Span span)
{
    uint8_t masks[MOST_SHOWN];
    taint_masks(t->taint, span.start, masks, span.end - span.start);
    sha256_add(&t->sha, masks, span.end - span.start);
}

static void put_register_masks(Transcript *t)
{
    uint32_t mask;
    put_masks(t, t->family->near);
    for (int i = 0; i < t->names; i++)
        if (t->secret >> i & 1) {
            taint_register_mask(t->taint, t->ids[i], &mask);
            behaviour_put32(t, mask);
        }
    taint_register_mask(t->taint, t->sim->core->sp_id, &mask);
    behaviour_put32(t, mask);
}

static void put_memory_masks(Transcript *t)
{
    for (const Span *span = t->family->shown; span->start < span->end; span++)
        put_masks(t, *span);
}

static void put_end(Transcript *t, const SimRun *run)
{
    TaintRecord records[MOST_RECORDS];
    const uint32_t count = taint_records(t->taint, records, MOST_RECORDS);
    behaviour_put32(t, (uint32_t)run->status);
    behaviour_put32(t, run->pc);
    behaviour_put32(t, run->address);
    behaviour_put32(t, count);
    for (uint32_t i = 0; i < count && i < MOST_RECORDS; i++) {
        behaviour_put32(t, records[i].address);
        behaviour_put32(t, (uint32_t)records[i].kind);
        behaviour_put64(t, records[i].count);
    }
    put_register_masks(t);
}

static int tainted_machine(Transcript *t, const char *core, int uninit, int map)
{
    if (behaviour_machine(t, core, 1, uninit, map) < 0)
        return -1;
    t->taint = taint_new(t->sim);
    t->failed |= !t->taint;
    t->secret = 0;
    for (int i = 0; t->taint && i < t->names; i++)
        t->secret |= (uint32_t)(taint_mark_register(t->taint, t->ids[i], 0) == 0) << i;
    return t->taint ? 0 : -1;
}

/* ---- one instruction ---- */

static void try_slot(Transcript *t, uint32_t at, uint32_t steps)
{
    SimRun run;
    behaviour_set_state(t, 0);
    mark_registers(t, 2 + below(&t->dice, 4));
    t->sim->core->set_pc(t->sim, at);
    taint_step(t->taint, steps, &run);
    put_end(t, &run);
}

static void instructions(Transcript *t, const char *core)
{
    const Behaviour *f = t->family;
    uint8_t steps[MOST_CODE];
    uint32_t turn = 0;
    for (uint32_t job = 0; job < f->jobs && !t->failed; turn++) {
        const Setting setting = behaviour_setting(turn);
        if (tainted_machine(t, core, setting.uninit, setting.map) < 0)
            return;
        const uint32_t slots = behaviour_fill_code(t, job, steps);
        for (uint32_t n = 0; n < slots; n++) {
            if (n % BATCH == 0)
                mark_memory(t, 2 + below(&t->dice, 40));
            try_slot(t, f->code.start + n * f->slot, steps[n]);
            if (n % BATCH == BATCH - 1 || n == slots - 1) {
                put_memory_masks(t);
                behaviour_fill_ram(t);
            }
        }
        job += slots;
    }
}

/* ---- programs ---- */

static void programs(Transcript *t, const char *core)
{
    for (uint32_t n = 0; n < PROGRAMS; n++) {
        const int wild = n % 4 == 3;
        SimRun run;
        const int map = n % 128 == 96 ? MAP_ROOMY : MAP_PART;
        if (n % 16 == 0 && tainted_machine(t, core, (int)(n / 16 % 3), map) < 0)
            return;
        behaviour_fill_ram(t);
        const uint32_t start = t->family->code.start;
        const uint32_t stop = behaviour_program(t, 24 + below(&t->dice, 100), wild, 1);
        behaviour_set_state(t, 1);
        mark_memory(t, 4 << below(&t->dice, 8));
        mark_registers(t, 1 + below(&t->dice, 24));
        if (wild) {
            t->sim->core->set_pc(t->sim, start);
            taint_step(t->taint, WILD_STEPS, &run);
        } else {
            taint_run(t->taint, start, stop, n % 32 == 4 ? 0 : MOST_CYCLES, &run);
        }
        put_end(t, &run);
        put_memory_masks(t);
    }
}

/* Conditions within conditions, from the simplest to more than are followed. */
static void diamonds(Transcript *t, const char *core)
{
    const Behaviour *f = t->family;
    uint8_t code[8 * MOST_INSN] = { 0 };
    for (uint32_t n = 0; n < DIAMONDS; n++) {
        const int all = n >= ALL_SECRET;    /* of the registers; there is much RAM that they may point to */
        const int map = all ? MAP_ROOMY : MAP_PART;
        if ((n == 0 || n == ALL_SECRET) && tainted_machine(t, core, SIM_UNINIT_OFF, map) < 0)
            return;
        SimRun run;
        uint8_t masks[MOST_SLOT * 2];
        const uint32_t length = f->diamond(&t->dice, code, (int)(n % 5));
        sim_load(t->sim, f->code.start, code, sizeof code);
        behaviour_set_state(t, 1);
        if (n % 16 == 0)
            mark_memory(t, 20);
        mark_registers(t, 1 + below(&t->dice, 3));
        if (all) {
            memset(masks, n & 1 ? 0xFF : 0xF7, sizeof masks);
            taint_mark(t->taint, f->near.start, masks, f->near.end - f->near.start);
        }
        taint_run(t->taint, f->code.start, f->code.start + length, MOST_CYCLES, &run);
        put_end(t, &run);
        if (n % 16 == 15) {
            put_memory_masks(t);
            behaviour_fill_ram(t);
        }
    }
}

/* ---- the interface ---- */

/* Starts at the stop and where no code is; a limit that the last instruction before the stop meets. */
static void places(Transcript *t)
{
    const Behaviour *f = t->family;
    const uint32_t last = (uint32_t)sim_space(t->sim) - 2;
    const uint32_t at[] = { f->code.start, f->code.end, f->ram.start, last, f->code.start + 1 };
    uint8_t code[MOST_INSN];
    SimRun run;
    const uint32_t length = f->call(code, f->code.start, f->code.start + 0x100);
    sim_load(t->sim, f->code.start, code, length);
    for (size_t n = 0; n < sizeof at / sizeof *at; n++)
        for (uint32_t to = 0; to < 3; to++) {
            behaviour_set_state(t, 1);
            taint_run(t->taint, at[n], to == 2 ? SIM_NO_STOP : f->code.start + 0x100 * to, 0, &run);
            put_end(t, &run);
            behaviour_put32(t, taint_records(t->taint, NULL, 0));
        }
}

static void interface(Transcript *t, const char *core)
{
    uint8_t masks[8] = { 1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80 };
    if (tainted_machine(t, core, SIM_UNINIT_ERROR, MAP_PART) < 0)
        return;
    const uint32_t space = (uint32_t)sim_space(t->sim);
    const uint32_t at[] = { 0, t->family->ram.start, t->family->near.start, space - 8 };
    mark_registers(t, 1);
    for (size_t n = 0; n < sizeof at / sizeof *at; n++) {
        behaviour_put32(t, (uint32_t)taint_mark(t->taint, at[n], masks, sizeof masks));
        put_masks(t, (Span){ at[n], at[n] + 8 });
    }
    behaviour_put32(t, (uint32_t)taint_mark(t->taint, space - 1, masks, 2));
    behaviour_put32(t, (uint32_t)taint_masks(t->taint, space + 1, masks, 2));
    for (uint32_t id = 0; id < 200; id++) {
        uint32_t mask = 0;
        behaviour_put32(t, (uint32_t)taint_mark_register(t->taint, id, 0x1234 + id));
        behaviour_put32(t, (uint32_t)taint_register_mask(t->taint, id, &mask));
        behaviour_put32(t, mask);
    }
    put_register_masks(t);
    places(t);
    taint_clear_registers(t->taint);
    put_register_masks(t);
    taint_clear(t->taint);
    put_memory_masks(t);
}

void behaviour_taint(Transcript *t, const char *core)
{
    instructions(t, core);
    programs(t, core);
    diamonds(t, core);
    interface(t, core);
}
