/* Transcripts of what a core does: every instruction with many operands, random programs by every way to run
 * them, each end, and what the interface refuses. */
#include "behaviour.h"
#include "chain_api.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CODE = 0x1000, MOST_SHOWN = 0x1000, BATCH = 32, PROGRAMS = 48, LIMIT = 60, MOST_CYCLES = 4000 };
enum { ENDLESS_CYCLES = 100000, BLOCK = 24, CALLS = 3, LOOSE = 7, SPREAD = 7919 };

/* ---- values ---- */

void behaviour_put32(Transcript *t, uint32_t value)
{
    const uint8_t bytes[4] = {
        (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24),
    };
    sha256_add(&t->sha, bytes, sizeof bytes);
}

void behaviour_put64(Transcript *t, uint64_t value)
{
    behaviour_put32(t, (uint32_t)value);
    behaviour_put32(t, (uint32_t)(value >> 32));
}

static void put_run(Transcript *t, const SimRun *run)
{
    behaviour_put32(t, (uint32_t)run->status);
    behaviour_put32(t, run->pc);
    behaviour_put32(t, run->address);
    behaviour_put32(t, run->stack);
    behaviour_put32(t, run->timing_not_verified);
    behaviour_put64(t, run->cycles);
    behaviour_put64(t, run->base);
    for (int kind = 0; kind < SIM_WAITS; kind++)
        behaviour_put64(t, run->waits[kind]);
    behaviour_put64(t, run->instructions);
    behaviour_put64(t, run->path_hash);
    behaviour_put64(t, run->uninit_reads);
}

static void put_bytes(Transcript *t, Span span)
{
    uint8_t bytes[MOST_SHOWN];
    const uint32_t length = span.end - span.start;
    sim_read(t->sim, span.start, bytes, length);
    sha256_add(&t->sha, bytes, length);
}

static void put_registers(Transcript *t)
{
    uint32_t value;
    put_bytes(t, t->family->near);
    for (int n = 0; n < t->names; n++) {
        sim_get_register(t->sim, t->ids[n], &value);
        behaviour_put32(t, value);
    }
    sim_get_register(t->sim, t->sim->core->sp_id, &value);
    behaviour_put32(t, value);
}

/* Memory, which of its bytes the program wrote, and what it reached besides. */
static void put_memory(Transcript *t)
{
    uint8_t touched[MOST_SHOWN];
    for (const Span *span = t->family->shown; span->start < span->end; span++) {
        put_bytes(t, *span);
        sim_touched(t->sim, span->start, touched, span->end - span->start);
        sha256_add(&t->sha, touched, span->end - span->start);
    }
    behaviour_put32(t, sim_touched_banks(t->sim));
    behaviour_put32(t, sim_reached_registers(t->sim));
}

static void put_all(Transcript *t, const SimRun *run)
{
    put_run(t, run);
    put_registers(t);
    put_memory(t);
}

/* ---- machines and states ---- */

void behaviour_free(Transcript *t)
{
    taint_free(t->taint);
    sim_free(t->sim);
    t->taint = NULL;
    t->sim = NULL;
}

int behaviour_machine(Transcript *t, const char *core, int address_waits, int uninit, int map)
{
    behaviour_free(t);
    t->sim = sim_new(core, address_waits, uninit);
    if (!t->sim) {
        t->failed = 1;
        return -1;
    }
    t->family->map(t->sim, map);
    t->names = 0;
    for (const char *const *name = t->family->names; *name; name++)
        t->ids[t->names++] = (uint32_t)sim_register_id(t->sim, *name);
    sim_reset(t->sim);
    behaviour_fill_ram(t);
    return 0;
}

/* Where in `ram` nothing was written, and what nobody may touch. */
enum { FRESH = 0x100, FRESH_BYTES = 0x40, GUARDED = FRESH + FRESH_BYTES, GUARDED_BYTES = 0x10 };

static void fill(Transcript *t, Span span)
{
    uint8_t bytes[256];
    for (uint32_t a = span.start; a < span.end; a += sizeof bytes) {
        const uint32_t length = span.end - a < sizeof bytes ? span.end - a : sizeof bytes;
        for (uint32_t i = 0; i < length; i += 4) {
            const uint32_t value = roll(&t->dice);
            memcpy(bytes + i, (uint8_t[]){ (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                                           (uint8_t)(value >> 24) }, 4);
        }
        sim_write(t->sim, a, bytes, length);
    }
}

void behaviour_fill_ram(Transcript *t)
{
    const Span ram = t->family->ram;
    fill(t, ram);
    sim_poison(t->sim, ram.start + FRESH, FRESH_BYTES, 0xA5);
    sim_guard(t->sim, ram.start + GUARDED, GUARDED_BYTES);
}

/* The stack pointer is often where an instruction or two bring it out of its region. */
void behaviour_set_state(Transcript *t, int tame)
{
    const Behaviour *f = t->family;
    Dice *dice = &t->dice;
    f->state(t->sim, dice, t->ids, tame);
    sim_set_stack(t->sim, f->top, f->limit);
    if (tame)
        return;
    if (one_in(dice, 16)) {             /* anywhere */
        sim_set_stack(t->sim, 0xFFFE, 0);
        sim_set_register(t->sim, t->sim->core->sp_id, f->value(dice));
        return;
    }
    const uint32_t room = (f->top - f->limit) / f->step, near = below(dice, 5);
    const uint32_t at = one_in(dice, 4) ? near : one_in(dice, 4) ? room - near : below(dice, room);
    sim_set_register(t->sim, t->sim->core->sp_id, f->limit + at * f->step);
}

/* ---- one instruction ---- */

uint32_t behaviour_fill_code(Transcript *t, uint32_t job, uint8_t *steps)
{
    const Behaviour *f = t->family;
    const uint32_t room = f->code.end - f->code.start;
    uint8_t *code = malloc(room);
    uint32_t slots = room / f->slot;
    if (!code) {
        t->failed = 1;
        return 0;
    }
    if (slots > f->jobs - job)
        slots = f->jobs - job;
    memset(code, 0, room);
    for (uint32_t n = 0; n < slots; n++) {          /* by a prime: on every machine are some of all jobs */
        const uint32_t which = (uint32_t)((uint64_t)(job + n) * SPREAD % f->jobs);
        steps[n] = (uint8_t)f->encode(which, &t->dice, code + n * f->slot);
    }
    sim_load(t->sim, f->code.start, code, room);
    free(code);
    return slots;
}

/* By a few steps, or by a run that goes on where a jump leads until it ends or has used its clocks. */
static void try_slot(Transcript *t, uint32_t at, uint32_t steps, int fast)
{
    SimRun run;
    uint32_t length = 0;
    behaviour_set_state(t, 0);
    if (fast) {
        uint32_t stop = at;
        for (uint32_t n = 0; n < steps && sim_form_at(t->sim, stop, &length) >= 0; n++)
            stop += length;
        sim_run(t->sim, at, stop, one_in(&t->dice, 8) ? 0 : LIMIT, &run);
    } else {
        t->sim->core->set_pc(t->sim, at);
        sim_step(t->sim, steps, &run);
    }
    put_run(t, &run);
    put_registers(t);
}

/* Every job by turns on machines with all settings. */
static void instructions(Transcript *t, const char *core)
{
    const Behaviour *f = t->family;
    uint8_t steps[MOST_CODE];
    uint32_t turn = 0;
    for (uint32_t job = 0; job < f->jobs && !t->failed; turn++) {
        const Setting setting = behaviour_setting(turn);
        if (behaviour_machine(t, core, setting.address_waits, setting.uninit, setting.map) < 0)
            return;
        const uint32_t slots = behaviour_fill_code(t, job, steps);
        for (uint32_t n = 0; n < slots; n++) {
            try_slot(t, f->code.start + n * f->slot, steps[n], (turn + n) & 1);
            if (n % BATCH == BATCH - 1 || n == slots - 1) {
                put_memory(t);
                behaviour_fill_ram(t);
            }
        }
        job += slots;
    }
}

/* ---- programs ---- */

typedef struct { uint8_t code[MOST_CODE]; uint32_t at; } Writer;

enum { ROUTINES = 3, ROUTINE_ROOM = 0x200, MAIN_ROOM = MOST_CODE - ROUTINES * ROUTINE_ROOM };

static uint32_t routine_at(const Behaviour *f, uint32_t n)
{
    return f->code.start + MAIN_ROOM + n * ROUTINE_ROOM;
}

/* Some instructions; a routine calls only those behind it, so that all calls return. */
static void write_items(Transcript *t, Writer *w, uint32_t items, uint32_t room, uint32_t routine, int wild,
                        int diamonds)
{
    const Behaviour *f = t->family;
    Dice *dice = &t->dice;
    for (uint32_t end = w->at + room - MOST_INSN; items && w->at < end; items--) {
        uint8_t *out = w->code + w->at;
        if (wild && one_in(dice, 24)) {
            f->encode(below(dice, f->jobs), dice, out);
            w->at += f->slot;
        } else if (routine < ROUTINES && one_in(dice, 10)) {
            const uint32_t to = routine_at(f, routine + below(dice, ROUTINES - routine));
            w->at += f->call(out, f->code.start + w->at, to);
        } else if (diamonds && one_in(dice, 6)) {
            w->at += f->diamond(dice, out, (int)below(dice, 3));
        } else {
            w->at += f->tame(dice, out);
        }
    }
}

uint32_t behaviour_program(Transcript *t, uint32_t items, int wild, int diamonds)
{
    const Behaviour *f = t->family;
    Writer w = { .at = 0 };
    write_items(t, &w, items, MAIN_ROOM, 0, wild, diamonds);
    const uint32_t stop = f->code.start + w.at;
    for (uint32_t n = 0; n < ROUTINES; n++) {
        w.at = MAIN_ROOM + n * ROUTINE_ROOM;
        write_items(t, &w, 2 + below(&t->dice, 12), ROUTINE_ROOM, n + 1, wild, diamonds);
        w.at += f->leave(w.code + w.at);
    }
    sim_load(t->sim, f->code.start, w.code, sizeof w.code);
    return stop;
}

static int by_place(const void *a, const void *b)
{
    const SimCell *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

static void put_profile(Transcript *t)
{
    const uint32_t nodes = sim_profile_nodes(t->sim, NULL, 0), cells = sim_profile_cells(t->sim, NULL, 0);
    SimNode *node = malloc((nodes + 1) * sizeof *node);
    SimCell *cell = malloc((cells + 1) * sizeof *cell);
    t->failed |= !node || !cell;
    for (uint32_t n = 0; !t->failed && n < sim_profile_nodes(t->sim, node, nodes); n++) {
        behaviour_put32(t, (uint32_t)node[n].parent);
        behaviour_put32(t, node[n].call_site);
        behaviour_put32(t, node[n].callee);
        behaviour_put64(t, node[n].entries);
    }
    if (!t->failed)
        qsort(cell, sim_profile_cells(t->sim, cell, cells), sizeof *cell, by_place);
    for (uint32_t n = 0; !t->failed && n < cells; n++) {
        behaviour_put32(t, cell[n].node);
        behaviour_put32(t, cell[n].address);
        behaviour_put64(t, cell[n].executions);
        behaviour_put64(t, cell[n].cycles);
    }
    free(node);
    free(cell);
}

static void put_watched(Transcript *t, const SimWatched *watched)
{
    behaviour_put64(t, watched->blocked);
    behaviour_put64(t, watched->below);
    behaviour_put64(t, watched->interrupts);
    behaviour_put32(t, watched->blocked_at);
}

/* A handler writes noise over RAM, a value over registers, before one instruction or before each. */
static void run_watched(Transcript *t, uint32_t stop, int with, SimRun *run)
{
    const Behaviour *f = t->family;
    const SimRange ranges[] = {
        { f->ram.start + 0x20, 6, -1 }, { f->near.start, f->near.end - f->near.start, 0x5A },
        { (uint32_t)sim_space(t->sim) - 2, 9, 1 },
    };
    const uint32_t count = 1 + below(&t->dice, 3), before = below(&t->dice, 2) ? below(&t->dice, 20) : 0;
    const SimHandler handler = { count, ranges, before };
    SimWatched watched;
    sim_run_watched(t->sim, f->code.start, stop, MOST_CYCLES, with ? &handler : NULL, run, &watched);
    put_watched(t, &watched);
}

enum { FAST, PROFILED, STEPPED, WATCHED, HANDLED, WAYS };

/* The same program from the same state by every way to run it. */
static void every_way(Transcript *t, uint32_t stop, int hole)
{
    const Dice before = t->dice;
    const uint32_t start = t->family->code.start;
    for (int way = FAST; way < WAYS; way++) {
        SimRun run;
        t->dice = before;
        sim_reset(t->sim);
        behaviour_fill_ram(t);
        behaviour_set_state(t, 1);
        if (hole)
            sim_guard(t->sim, t->sim->core->stack_base + t->family->limit + 8, 4);
        switch (way) {
        case FAST: sim_run(t->sim, start, stop, MOST_CYCLES, &run); break;
        case PROFILED:
            sim_run_profiled(t->sim, start, stop, MOST_CYCLES, &run);
            put_profile(t);
            break;
        case STEPPED:
            t->sim->core->set_pc(t->sim, start);
            for (int n = 0; n < 3; n++) {
                sim_step(t->sim, (uint64_t)n * 20, &run);
                put_run(t, &run);
            }
            break;
        default: run_watched(t, stop, way == HANDLED, &run);
        }
        put_all(t, &run);
    }
}

/* Many calls, a parameter block each, and what they leave. */
static void many_calls(Transcript *t, uint32_t stop, int with)
{
    const Behaviour *f = t->family;
    uint8_t blocks[CALLS * BLOCK], out[CALLS * BLOCK] = { 0 }, written[BLOCK];
    uint32_t values[MOST_NAMES], captured[CALLS * MOST_NAMES] = { 0 };
    SimRun runs[CALLS] = { 0 };
    SimWatched watched[CALLS];
    const uint32_t at[] = { f->ram.start, f->ram.start + FRESH - 8, f->near.end - 8 };
    for (uint32_t i = 0; i < sizeof blocks; i++)
        blocks[i] = (uint8_t)roll(&t->dice);
    for (uint32_t i = 0; i < BLOCK; i++)
        written[i] = one_in(&t->dice, 8) ? 0 : 1;
    for (int n = 0; n < t->names; n++)
        sim_get_register(t->sim, t->ids[n], &values[n]);
    SimBatch batch = {
        .start = f->code.start, .stop = stop, .block_address = at[with], .block_size = BLOCK,
        .stack_top = f->top, .stack_limit = f->limit, .register_count = (uint32_t)t->names,
        .register_ids = t->ids, .register_values = values, .captured_count = (uint32_t)t->names,
        .captured_ids = t->ids, .cycle_limit = MOST_CYCLES, .written = written,
        .watched = with == 1 ? watched : NULL,
    };
    sim_call_many(t->sim, &batch, CALLS, blocks, out, captured, runs);
    for (int n = 0; n < CALLS; n++) {
        put_run(t, &runs[n]);
        if (with == 1)
            put_watched(t, &watched[n]);
    }
    sha256_add(&t->sha, out, sizeof out);
    for (int n = 0; n < CALLS * t->names; n++)
        behaviour_put32(t, captured[n]);
    put_memory(t);
    batch.block_address = (uint32_t)sim_space(t->sim);
    sim_call_many(t->sim, &batch, CALLS, blocks, out, captured, runs);
}

/* A routine that is fed with its own answers. */
static void chain(Transcript *t, uint32_t stop, uint32_t front)
{
    const Behaviour *f = t->family;
    uint8_t block[BLOCK], carried[BLOCK], tape[BLOCK], left[BLOCK] = { 0 }, spare[BLOCK], written[BLOCK];
    for (uint32_t i = 0; i < BLOCK; i++) {
        block[i] = (uint8_t)roll(&t->dice);
        tape[i] = (uint8_t)roll(&t->dice);
        carried[i] = (uint8_t)one_in(&t->dice, 2);
        written[i] = 1;
    }
    const SimBatch batch = {
        .start = f->code.start, .stop = stop, .block_address = f->ram.start, .block_size = BLOCK,
        .stack_top = f->top, .stack_limit = f->limit, .cycle_limit = MOST_CYCLES, .written = written,
    };
    const SimStep steps[] = { { &batch, block, carried, 0, 4, 8 }, { &batch, block, carried, 8, 0, 4 } };
    const SimChain plan = {
        .steps = steps, .step_count = 2, .block_size = BLOCK, .tape_size = BLOCK, .answer = 2,
        .answer_size = 5, .front = front, .times = 4,
    };
    SimChained chained;
    sim_chain(t->sim, &plan, tape, left, spare, &chained);
    behaviour_put64(t, chained.times);
    behaviour_put64(t, chained.least);
    behaviour_put64(t, chained.most);
    behaviour_put32(t, chained.step);
    put_run(t, &chained.run);
    sha256_add(&t->sha, tape, sizeof tape);
    sha256_add(&t->sha, left, sizeof left);
}

static void programs(Transcript *t, const char *core)
{
    for (uint32_t n = 0; n < PROGRAMS; n++) {
        if (behaviour_machine(t, core, n % 4 != 3, (int)(n % 3), n % 8 == 5 ? MAP_ROOMY : MAP_PART) < 0)
            return;
        const uint32_t stop = behaviour_program(t, 24 + below(&t->dice, 176), n % 2, n % 3 == 0);
        every_way(t, stop, n % 6 == 4);
        for (int with = 0; with < 3; with++)
            many_calls(t, stop, with);
        chain(t, stop, n & 1);
    }
}

/* ---- ends and limits of runs ---- */

static uint32_t place(Transcript *t, uint32_t at, uint32_t to)
{
    uint8_t code[MOST_INSN];
    const uint32_t length = t->family->call(code, at, to);
    sim_load(t->sim, at, code, length);
    return at + length;
}

/* A routine that calls itself: more call paths than a profile has, more calls than it follows, and then the
 * stack leaves its region. */
static void deep(Transcript *t, const char *core)
{
    SimRun run;
    if (behaviour_machine(t, core, 1, SIM_UNINIT_OFF, MAP_ROOMY) < 0)
        return;
    const uint32_t start = t->family->code.start;
    place(t, start, start);
    behaviour_set_state(t, 1);
    if (sim_set_stack(t->sim, t->family->deep_top, t->family->deep_limit) < 0)  /* a host may not set it */
        sim_set_register(t->sim, t->sim->core->sp_id, t->family->deep_top);
    sim_run_profiled(t->sim, start, SIM_NO_STOP, UINT64_MAX, &run);
    put_run(t, &run);
    put_registers(t);
    put_profile(t);
    sim_run(t->sim, start, SIM_NO_STOP, 1000, &run);
    put_run(t, &run);
}

/* A routine that drops its return address and calls itself; calls of many routines from one place. */
static void strange_calls(Transcript *t, const char *core)
{
    for (int which = 0; which < 2; which++) {
        uint8_t code[2 * MOST_INSN];
        SimRun run;
        if (behaviour_machine(t, core, 1, SIM_UNINIT_OFF, MAP_PART) < 0)
            return;
        const Behaviour *f = t->family;
        const uint32_t start = f->code.start;
        uint32_t length = which ? f->sweep(code, start) : f->call(code, start, start + 8);
        if (!which) {
            while (length < 8)
                code[length++] = 0;
            length += f->drop(code + length);
            length += f->call(code + length, start + length, start + 8);
        }
        sim_load(t->sim, start, code, length);
        behaviour_set_state(t, 1);
        sim_run_profiled(t->sim, start, SIM_NO_STOP, MOST_CYCLES, &run);
        put_run(t, &run);
        put_profile(t);
    }
}

/* Two ways through many addresses and call paths: the profile's cells have to grow. */
static void wide(Transcript *t, const char *core)
{
    SimRun run;
    uint32_t stop = 0;
    if (behaviour_machine(t, core, 1, SIM_UNINIT_OFF, MAP_PART) < 0)
        return;
    const Behaviour *f = t->family;
    for (int n = 0; n < 12; n++) {
        stop = behaviour_program(t, 200, 0, 1);
        behaviour_set_state(t, 1);
        sim_run_profiled(t->sim, f->code.start, stop, ENDLESS_CYCLES, &run);
        put_run(t, &run);
        put_profile(t);
    }
    /* the same code under changes of a few of its bytes */
    for (uint32_t n = 0; n < 40; n++) {
        const uint32_t at = f->code.start + below(&t->dice, MAIN_ROOM / 2), both = roll(&t->dice);
        const uint8_t bytes[2] = { (uint8_t)both, (uint8_t)(both >> 8) };
        sim_load(t->sim, at, bytes, 1 + below(&t->dice, 2));
        behaviour_set_state(t, 1);
        sim_run(t->sim, f->code.start, stop, MOST_CYCLES, &run);
        put_run(t, &run);
    }
}

/* Starts and stops at places without code, odd ones, in RAM that code was loaded into; after a reset the
 * stack starts where the program sets it. */
static void places(Transcript *t, const char *core)
{
    SimRun run;
    for (int map = 0; map < MAPS; map++) {
        if (behaviour_machine(t, core, 1, SIM_UNINIT_ERROR, map) < 0)
            return;
        const Behaviour *f = t->family;
        const uint32_t stop = behaviour_program(t, 24, 0, 0);
        uint8_t code[MOST_INSN] = { 0 };
        for (uint32_t n = 0; n < 64; n++) {
            const uint32_t any = roll(&t->dice);
            const uint32_t at[] = {
                f->code.start, f->code.start + 1, f->code.end, 0, f->ram.start, f->near.start,
                (uint32_t)sim_space(t->sim) - 2, any, (uint32_t)(any % sim_space(t->sim)),
            };
            const uint32_t from = at[below(&t->dice, sizeof at / sizeof *at)];
            const uint32_t to = one_in(&t->dice, 2) ? stop : at[below(&t->dice, sizeof at / sizeof *at)];
            if (one_in(&t->dice, 4))
                sim_reset(t->sim);
            else
                t->sim->core->reset(t->sim, one_in(&t->dice, 2));
            behaviour_fill_ram(t);
            f->tame(&t->dice, code);
            sim_load(t->sim, f->ram.start + 8, code, 8);
            f->state(t->sim, &t->dice, t->ids, n & 1);
            (n & 2 ? sim_run : sim_run_profiled)(t->sim, from, to, MOST_CYCLES, &run);
            put_all(t, &run);
        }
    }
}

/* ---- the stack pointer as the program sets it ---- */

/* All instructions once more on a machine whose stack was never set. */
static void unset_stack(Transcript *t, const char *core)
{
    const Behaviour *f = t->family;
    uint8_t steps[MOST_CODE];
    SimRun run;
    for (uint32_t job = 0; job < f->jobs && !t->failed; job += f->jobs / LOOSE + 1) {
        if (behaviour_machine(t, core, 0, SIM_UNINIT_WARN, MAP_PART) < 0)
            return;
        const uint32_t slots = behaviour_fill_code(t, job, steps);
        for (uint32_t n = 0; n < slots; n++) {
            t->sim->core->reset(t->sim, 0);
            f->state(t->sim, &t->dice, t->ids, 0);
            t->sim->core->set_pc(t->sim, f->code.start + n * f->slot);
            sim_step(t->sim, steps[n] + 1, &run);
            put_run(t, &run);
            put_registers(t);
        }
        put_memory(t);
    }
}

/* ---- what the interface refuses and shows ---- */

static void put_result(Transcript *t, int result) { behaviour_put32(t, (uint32_t)result); }

static void put_names(Transcript *t)
{
    static const char *const odd[] = {
        "", "r", "r0", "r00", "r9", "r31", "r32", "r-1", "r1x", "r100", "hl", "hl0", "hl3", "hl4", "sp1",
        "psw0", "accumulator", "pc", "sp", "sr", "sreg", "rampz", "x", "y", "z", "w", "a", "es", "pmc", "r15",
        "r16",
    };
    for (size_t n = 0; n < sizeof odd / sizeof *odd; n++) {
        uint32_t value = 0;
        const int id = sim_register_id(t->sim, odd[n]);
        put_result(t, id >= 0);
        if (id < 0)
            continue;
        put_result(t, sim_set_register(t->sim, (uint32_t)id, edge(&t->dice)));
        put_result(t, sim_get_register(t->sim, (uint32_t)id, &value));
        behaviour_put32(t, value);
    }
    for (uint32_t id = 200; id < 0x80000000u; id *= 3) {
        uint32_t value;
        put_result(t, sim_get_register(t->sim, id, &value));
        put_result(t, sim_set_register(t->sim, id, 1));
    }
}

/* Memory by the host: every kind, and ranges that are not all of one kind or reach past the end. */
static void put_accesses(Transcript *t)
{
    const Behaviour *f = t->family;
    const uint32_t space = (uint32_t)sim_space(t->sim);
    const uint32_t at[] = {
        0, f->code.start, f->code.end - 4, f->near.start, f->near.end - 4, f->ram.start, f->ram.start - 4,
        f->ram.end - 4, f->ram.start + GUARDED - 4, space - 8, space - 1, space, 0xFFFFFFF0u, 0x1F00, 0xF1000,
    };
    uint8_t bytes[8];
    for (size_t n = 0; n < sizeof at / sizeof *at; n++)
        for (uint32_t length = 0; length < 9; length += 4) {
            for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] = (uint8_t)roll(&t->dice);
            put_result(t, sim_load(t->sim, at[n], bytes, length));
            put_result(t, sim_write(t->sim, at[n], bytes, length));
            put_result(t, sim_poison(t->sim, at[n], length, 0x33));
            put_result(t, sim_guard(t->sim, at[n], length));
            put_result(t, sim_write(t->sim, at[n], bytes, length));
            put_result(t, sim_touched(t->sim, at[n], bytes, length));
            put_result(t, sim_read(t->sim, at[n], bytes, length));
            sha256_add(&t->sha, bytes, length);
        }
}

static void put_maps(Transcript *t)
{
    const uint32_t space = (uint32_t)sim_space(t->sim);
    put_result(t, sim_map(t->sim, -1, 0, 1, 0));
    put_result(t, sim_map(t->sim, 1000, 0, 1, 0));
    put_result(t, sim_map(t->sim, SIM_RAM, 2, 1, 0));
    put_result(t, sim_map(t->sim, SIM_RAM, 0, space + 1, 0));
    put_result(t, sim_map(t->sim, SIM_RAM, space + 1, space + 1, 0));
    for (int kind = SIM_UNMAPPED; kind <= SIM_GUARD; kind++) {
        const uint32_t at = 0x6000 + 16 * (uint32_t)kind;
        put_result(t, sim_map(t->sim, kind, at, at + 8, 0x40));
    }
    int last = 0;
    for (int n = 0; n < 40 && last == 0; n++)
        put_result(t, last = sim_map(t->sim, SIM_FLASH, 0x6100, 0x6104, 0));
}

static void interface(Transcript *t, const char *core)
{
    SimRun run;
    SimForm form;
    for (int map = 0; map < MAPS; map++) {
        if (behaviour_machine(t, core, 1, SIM_UNINIT_ERROR, map) < 0)
            return;
        const Behaviour *f = t->family;
        put_result(t, sim_form(t->sim, 0, &form));
        put_result(t, sim_form(t->sim, UINT32_MAX, &form));
        put_result(t, sim_set_stack(t->sim, f->limit, f->top));
        put_result(t, sim_set_stack(t->sim, f->top + 1, f->limit));
        put_result(t, sim_set_stack(t->sim, 0x100000, 0));
        for (uint32_t n = 0; n < 64; n++) {
            uint32_t length = 0;
            put_result(t, sim_form_at(t->sim, below(&t->dice, 2 * f->code.end), &length) >= 0);
            behaviour_put32(t, length);
        }
        put_profile(t);
        put_names(t);
        put_accesses(t);
        put_maps(t);
        sim_step(t->sim, 0, &run);
        put_all(t, &run);
    }
    put_result(t, sim_core_name(0) != NULL);
    put_result(t, sim_core_name(1000) != NULL);
    put_result(t, sim_new("no such core", 0, 0) != NULL);
    behaviour_put32(t, strlen(sim_status_name(SIM_OK)) == 2);
    behaviour_put32(t, strlen(sim_status_name(-1)) == 1);
    behaviour_put32(t, strlen(sim_status_name(1000)) == 1);
}

int sim_behaviour(const char *core, int which, uint8_t digest[32])
{
    Transcript t = { .dice = { 1 } };
    t.sim = sim_new(core, 1, SIM_UNINIT_ERROR);
    if (!t.sim)
        return -1;
    t.family = t.sim->core->behaviour;
    const int has_taint = t.sim->core->taint != NULL;
    behaviour_free(&t);
    if (which < SIM_TRANSCRIPT_RUN || which > SIM_TRANSCRIPT_TAINT)
        return -1;
    if (!t.family || (which == SIM_TRANSCRIPT_TAINT && !has_taint))
        return 1;
    sha256_begin(&t.sha);
    if (which == SIM_TRANSCRIPT_RUN) {
        instructions(&t, core);
        unset_stack(&t, core);
        programs(&t, core);
        deep(&t, core);
        strange_calls(&t, core);
        wide(&t, core);
        places(&t, core);
        interface(&t, core);
    } else {
        behaviour_taint(&t, core);
    }
    behaviour_free(&t);
    sha256_end(&t.sha, digest);
    return t.failed ? -1 : 0;
}
