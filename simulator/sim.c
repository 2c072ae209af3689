/* The part of the simulator that is the same for every core. */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

Sim *sim_new_core(const Core *core, int address_waits, int uninit)
{
    Sim *sim = calloc(1, core->size);
    if (!sim)
        return NULL;
    sim->core = core;
    sim->space = core->space;
    sim->address_waits = address_waits != 0;
    sim->uninit = uninit;
    if (planes_new(&sim->planes, core->space, 2) != 0) {
        free(sim);
        return NULL;
    }
    sim->mem = plane(&sim->planes, 0);
    sim->attr = plane(&sim->planes, 1);
    if (core->init(sim) != 0) {
        sim_free(sim);
        return NULL;
    }
    return sim;
}

Sim *sim_new(const char *name, int address_waits, int uninit)
{
    const Core *core = NULL;
    for (const Core *const *each = sim_cores; *each; each++)
        if (strcmp((*each)->name, name) == 0)
            core = *each;
    if (!core)
        return NULL;
    return sim_new_core(core, address_waits, uninit);
}

void sim_free(Sim *sim)
{
    if (!sim)
        return;
    sim->core->release(sim);
    free(sim->profile.nodes);
    free(sim->profile.rows);
    free(sim->profile.places);
    free(sim->profile.frames);
    planes_free(&sim->planes);
    free(sim);
}

const char *sim_core_name(uint32_t index)
{
    const Core *const *each = sim_cores;
    while (*each && index--)
        each++;
    return *each ? (*each)->name : NULL;
}

const char *sim_wait_name(const Sim *sim, uint32_t kind)
{
    return kind < SIM_WAITS ? sim->core->waits[kind] : NULL;
}

int sim_open(Sim *sim, uint32_t start, uint32_t end) { return planes_open(&sim->planes, start, end); }

uint32_t sim_pointer_bits(const Sim *sim) { return sim->core->pointer_bits; }

uint64_t sim_space(const Sim *sim) { return sim->space; }

/* ---- memory map ---- */

static int in_space(const Sim *sim, uint32_t address, uint32_t length)
{
    return address <= sim->space && length <= sim->space - address;
}

static uint8_t attributes_of(int kind)
{
    switch (kind) {
    case SIM_FLASH: return A_WAIT | A_EXEC;
    case SIM_MIRROR: case SIM_DATA_FLASH: return A_WAIT;
    case SIM_RAM: return A_WRITE | A_RAM;
    case SIM_SFR: return A_READ | A_WRITE;
    case SIM_GUARD: return A_GUARD;
    default: return 0;
    }
}

void sim_show_mirror(Sim *sim, const Region *mirror, uint32_t source)
{
    uint64_t end = (uint64_t)source + (mirror->end - mirror->start);
    memset(sim->attr + mirror->start, 0, mirror->end - mirror->start);
    for (int i = 0; i < sim->region_count; i++) {
        const Region *flash = &sim->regions[i];
        uint64_t from = source > flash->start ? source : flash->start;
        uint64_t to = end < flash->end ? end : flash->end;
        if (flash->kind != SIM_FLASH || from >= to)
            continue;
        memmove(sim->mem + mirror->start + (from - source), sim->mem + from, to - from);
        memset(sim->attr + mirror->start + (from - source), A_WAIT, to - from);
    }
}

static void show_mirrors(Sim *sim)
{
    for (int i = 0; i < sim->region_count; i++)
        if (sim->regions[i].kind == SIM_MIRROR)
            sim_show_mirror(sim, &sim->regions[i], sim->regions[i].source);
}

int sim_map(Sim *sim, int kind, uint32_t start, uint32_t end, uint32_t source)
{
    if (kind < SIM_UNMAPPED || kind > SIM_GUARD || end < start || !in_space(sim, start, end - start)
        || sim->region_count == SIM_MAX_REGIONS)
        return -1;
    if (sim_open(sim, start, end) != 0)
        return -2;
    sim->regions[sim->region_count++] = (Region){ start, end, source, kind };
    memset(sim->attr + start, attributes_of(kind), end - start);
    if (kind == SIM_FLASH || kind == SIM_DATA_FLASH)
        memset(sim->mem + start, 0xFF, end - start);
    show_mirrors(sim);
    sim->core->map_changed(sim);
    return 0;
}

/* Entries are zero pages until they are used. */
void *sim_map_code(const Sim *sim, const Decoded *decoded, void *code, uint32_t *low, uint32_t *span)
{
    const uint32_t unit = decoded->unit;
    uint32_t from = UINT32_MAX, to = 0;
    for (int i = 0; i < sim->region_count; i++) {
        const Region *region = &sim->regions[i];
        if (region->kind == SIM_FLASH && region->end > region->start) {
            from = region->start < from ? region->start : from;
            to = region->end > to ? region->end : to;
        }
    }
    from -= from % unit;
    const uint32_t units = to > from ? (to - from + unit - 1) / unit : 0;
    if (!units || (from == *low && units == *span))
        return code;
    free(code);
    code = calloc(units + decoded->longest / unit, decoded->size);  /* those past the end stop a run-away */
    *low = from;
    *span = code ? units : 0;
    return code;
}

void sim_forget_code(const Decoded *decoded, void *code, uint32_t low, uint32_t span, uint32_t start, uint32_t end)
{
    const uint32_t unit = decoded->unit, longest = decoded->longest, code_end = low + unit * span;
    const uint32_t from = start > low + longest ? start - longest : low, to = end < code_end ? end : code_end;
    if (from < to)
        memset((char *)code + (from - low) / unit * decoded->size, 0, (to - from + unit - 1) / unit * decoded->size);
}

int sim_load(Sim *sim, uint32_t address, const uint8_t *data, uint32_t length)
{
    if (!in_space(sim, address, length))
        return -1;
    for (uint32_t i = 0; i < length; i++) {
        uint8_t t = sim->attr[address + i];
        if (!(t & (A_WAIT | A_RAM)))
            return -1;
    }
    for (uint32_t i = 0; i < length; i++) {
        uint32_t a = address + i;
        sim->mem[a] = data[i];
        if (sim->attr[a] & A_RAM)
            sim->attr[a] |= A_READ;
    }
    show_mirrors(sim);
    sim->core->code_changed(sim, address, address + length);
    return 0;
}

int sim_write(Sim *sim, uint32_t address, const uint8_t *data, uint32_t length)
{
    if (!in_space(sim, address, length))
        return -1;
    for (uint32_t i = 0; i < length; i++)
        if (!(sim->attr[address + i] & (A_WRITE | A_SPECIAL | A_RAM)))
            return -1;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t a = address + i;
        if (sim->attr[a] & A_SPECIAL) {
            sim->core->poke(sim, a, data[i]);
        } else {
            sim->mem[a] = data[i];
            sim->attr[a] = A_READ | A_WRITE | (sim->attr[a] & (A_RAM | A_TOUCHED));
        }
    }
    return 0;
}

int sim_poison(Sim *sim, uint32_t address, uint32_t length, int value)
{
    if (!in_space(sim, address, length))
        return -1;
    for (uint32_t i = 0; i < length; i++)
        if (!(sim->attr[address + i] & A_RAM) || sim->attr[address + i] & A_SPECIAL)
            return -1;
    memset(sim->mem + address, value, length);
    memset(sim->attr + address, A_WRITE | A_RAM, length);
    return 0;
}

int sim_guard(Sim *sim, uint32_t address, uint32_t length)
{
    if (!in_space(sim, address, length))
        return -1;
    for (uint32_t i = 0; i < length; i++)
        if (!(sim->attr[address + i] & A_RAM) || sim->attr[address + i] & A_SPECIAL)
            return -1;
    memset(sim->attr + address, A_GUARD | A_RAM, length);
    return 0;
}

int sim_read(const Sim *sim, uint32_t address, uint8_t *out, uint32_t length)
{
    if (!in_space(sim, address, length))
        return -1;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t a = address + i;
        out[i] = sim->attr[a] & A_SPECIAL ? sim->core->peek(sim, a) : sim->mem[a];
    }
    return 0;
}

int sim_touched(const Sim *sim, uint32_t address, uint8_t *out, uint32_t length)
{
    if (!in_space(sim, address, length))
        return -1;
    for (uint32_t i = 0; i < length; i++)
        out[i] = (sim->attr[address + i] & A_TOUCHED) != 0;
    return 0;
}

uint32_t sim_touched_banks(const Sim *sim) { return sim->touched_banks; }
uint32_t sim_reached_registers(const Sim *sim) { return sim->reached_registers; }

void sim_reset(Sim *sim)
{
    for (int i = 0; i < sim->region_count; i++) {
        const Region *r = &sim->regions[i];
        if (r->kind != SIM_RAM && r->kind != SIM_SFR)
            continue;
        memset(sim->mem + r->start, 0, r->end - r->start);
        memset(sim->attr + r->start, attributes_of(r->kind), r->end - r->start);
    }
    sim->touched_banks = sim->reached_registers = 0;
    sim->core->map_changed(sim);
    sim->core->reset(sim, 1);
}

/* ---- registers and errors ---- */

int sim_set_stack(Sim *sim, uint32_t top, uint32_t limit)
{
    if (limit > top || sim->core->set_stack(sim, top) != 0)
        return -1;
    sim->stack_top = top;
    sim->stack_limit = limit;
    return 0;
}

int sim_register_id(const Sim *sim, const char *name) { return sim->core->register_id(name); }

int sim_get_register(const Sim *sim, uint32_t id, uint32_t *value)
{
    return sim->core->get_register(sim, id, value);
}

int sim_set_register(Sim *sim, uint32_t id, uint32_t value)
{
    return sim->core->set_register(sim, id, value);
}

int sim_fail(Sim *sim, int status, uint32_t address)
{
    sim->run.status = status;
    sim->run.address = address;
    return -1;
}

/* ---- what the program does to memory and stack ---- */

static int read_status(uint8_t t)
{
    return t & A_GUARD ? SIM_GUARD_READ : t & A_RAM ? SIM_READ_UNINIT : SIM_READ_UNMAPPED;
}

static int write_status(uint8_t t)
{
    return t & A_GUARD ? SIM_GUARD_WRITE : t & A_WAIT ? SIM_WRITE_FLASH : SIM_WRITE_UNMAPPED;
}

static void reach(Sim *sim, uint32_t a)
{
    sim->reached_registers |= a - sim->core->registers < sim->core->register_bytes;
}

int sim_read8(Sim *sim, uint32_t a)
{
    uint8_t t = sim->attr[a];
    if (t & A_SPECIAL) {
        reach(sim, a);
        return sim->core->peek(sim, a);
    }
    if (t & (A_READ | A_WAIT))
        return sim->mem[a];
    if (sim_is_watched(sim, a))
        sim_watched_read(sim);
    int status = read_status(t);
    if (status != SIM_READ_UNINIT || sim->uninit == SIM_UNINIT_ERROR)
        return sim_fail(sim, status, a);
    sim->run.uninit_reads += sim->uninit == SIM_UNINIT_WARN;
    return sim->mem[a];
}

int sim_read16(Sim *sim, uint32_t a)
{
    if (a & 1)
        return sim_fail(sim, SIM_ODD_WORD, a);
    int low = sim_read8(sim, a);
    if (low < 0)
        return -1;
    int high = sim_read8(sim, a + 1);
    return high < 0 ? -1 : low | high << 8;
}

int64_t sim_read32(Sim *sim, uint32_t a)
{
    if (a & 3)
        return sim_fail(sim, SIM_UNALIGNED, a);
    int64_t value = 0;
    for (uint32_t n = 0; n < 4; n++) {
        const int byte = sim_read8(sim, a + n);
        if (byte < 0)
            return -1;
        value |= (int64_t)byte << 8 * n;
    }
    return value;
}

int sim_write8(Sim *sim, uint32_t a, uint8_t v)
{
    uint8_t t = sim->attr[a];
    if (t & A_SPECIAL) {
        reach(sim, a);
        return sim->core->store(sim, a, v);
    }
    if (sim_is_watched(sim, a)) {
        sim_watched_store(sim, a, v);
        return 0;
    }
    if (!(t & A_WRITE))
        return sim_fail(sim, write_status(t), a);
    sim->mem[a] = v;
    sim->attr[a] = t | A_READ | A_TOUCHED;
    return 0;
}

int sim_write16(Sim *sim, uint32_t a, uint16_t v)
{
    if (a & 1)
        return sim_fail(sim, SIM_ODD_WORD, a);
    return sim_write8(sim, a, (uint8_t)v) < 0 ? -1 : sim_write8(sim, a + 1, (uint8_t)(v >> 8));
}

int sim_write32(Sim *sim, uint32_t a, uint32_t v)
{
    if (a & 3)
        return sim_fail(sim, SIM_UNALIGNED, a);
    for (uint32_t n = 0; n < 4; n++)
        if (sim_write8(sim, a + n, (uint8_t)(v >> 8 * n)) < 0)
            return -1;
    return 0;
}

int sim_check_stack(Sim *sim, uint32_t sp, uint32_t address)
{
    if (sp < sim->lowest)
        sim->lowest = sp;
    if (sp < sim->stack_limit)
        return sim_fail(sim, SIM_STACK_LOW, address);
    return sp > sim->stack_top ? sim_fail(sim, SIM_STACK_HIGH, address) : 0;
}

int sim_set_stack_pointer(Sim *sim, uint32_t sp, uint32_t address)
{
    if (!sim->sp_known)
        sim->start_sp = sim->lowest = sp;
    sim->sp_known = 1;
    return sim_check_stack(sim, sp, address);
}

/* ---- runs ---- */

static void interpret(Sim *sim, Interpreter *run, uint32_t stop, uint64_t cycle_limit, uint64_t instructions)
{
    run(sim, stop, cycle_limit, instructions);
    if (sim->run.status == SIM_OK || sim->run.status == SIM_STEPS)
        sim->run.address = sim->run.pc;
    sim->run.stack = sim->start_sp - sim->lowest;
    sim->run.timing_not_verified = (uint32_t)sim->core->timing_not_verified;
}

void sim_run(Sim *sim, uint32_t start, uint32_t stop, uint64_t cycle_limit, SimRun *run)
{
    memset(&sim->run, 0, sizeof sim->run);
    sim->core->set_pc(sim, start);
    interpret(sim, sim->core->run, stop, cycle_limit, UINT64_MAX);
    *run = sim->run;
}

void sim_run_profiled(Sim *sim, uint32_t start, uint32_t stop, uint64_t cycle_limit, SimRun *run)
{
    memset(&sim->run, 0, sizeof sim->run);
    sim->core->set_pc(sim, start);
    sim_profile_start(sim, start);
    interpret(sim, sim->core->run_traced, stop, cycle_limit, UINT64_MAX);
    sim->profile.on = 0;
    if (sim->profile.failed)
        sim_fail(sim, SIM_HOST_MEMORY, sim->run.pc);
    *run = sim->run;
}

void sim_step(Sim *sim, uint64_t instructions, SimRun *run)
{
    memset(&sim->run, 0, sizeof sim->run);
    interpret(sim, sim->core->run_traced, SIM_NO_STOP, UINT64_MAX, instructions);
    *run = sim->run;
}

void sim_begin(Sim *sim, uint32_t start)
{
    memset(&sim->run, 0, sizeof sim->run);
    sim->core->set_pc(sim, start);
    sim->run.pc = start;
    sim->core->get_register(sim, sim->core->sp_id, &sim->first_sp);
    sim->deepest = sim->first_sp;
}

int sim_advance(Sim *sim, uint32_t stop, uint64_t cycle_limit, uint64_t instructions)
{
    const uint64_t done = sim->run.instructions;
    sim->run.status = SIM_OK;
    sim->pause = 0;
    interpret(sim, sim->core->run_traced, stop, cycle_limit,
              instructions < UINT64_MAX - done ? done + instructions : UINT64_MAX);
    if (sim->lowest < sim->deepest)
        sim->deepest = sim->lowest;
    return sim->run.status == SIM_STEPS;
}

void sim_end(Sim *sim, SimRun *run)
{
    sim->run.stack = sim->first_sp - sim->deepest;
    *run = sim->run;
}

static void place_block(Sim *sim, const SimBatch *batch, const uint8_t *block)
{
    for (uint32_t i = 0; i < batch->block_size; i++) {
        uint32_t a = batch->block_address + i;
        if (!(sim->attr[a] & A_RAM) || sim->attr[a] & A_SPECIAL)
            continue;
        sim->mem[a] = block[i];
        sim->attr[a] = A_WRITE | A_RAM | (batch->written[i] ? A_READ : 0);
    }
}

void sim_take_left(const uint8_t *flags, const uint8_t *left, const uint8_t *block, uint8_t *out, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        out[i] = flags[i] ? left[i] : block[i];
}

void sim_call_many(Sim *sim, const SimBatch *batch, uint32_t count, const uint8_t *blocks,
                   uint8_t *blocks_out, uint32_t *registers_out, SimRun *runs)
{
    if (!in_space(sim, batch->block_address, batch->block_size))
        return;
    for (uint32_t n = 0; n < count; n++) {
        size_t at = (size_t)n * batch->block_size;
        sim->core->reset(sim, 0);
        sim_set_stack(sim, batch->stack_top, batch->stack_limit);
        for (uint32_t i = 0; i < batch->register_count; i++)
            sim->core->set_register(sim, batch->register_ids[i], batch->register_values[i]);
        const uint8_t *block = blocks + at;
        if (batch->carried && n) {
            sim_take_left(batch->carried, blocks_out + at - batch->block_size, block, blocks_out + at,
                          batch->block_size);
            block = blocks_out + at;
        }
        place_block(sim, batch, block);
        if (batch->watched)
            sim_run_watched(sim, batch->start, batch->stop, batch->cycle_limit, batch->handler, &runs[n],
                            &batch->watched[n]);
        else
            sim_run(sim, batch->start, batch->stop, batch->cycle_limit, &runs[n]);
        sim_read(sim, batch->block_address, blocks_out + at, batch->block_size);
        for (uint32_t i = 0; i < batch->captured_count; i++)
            sim->core->get_register(sim, batch->captured_ids[i],
                                    &registers_out[(size_t)n * batch->captured_count + i]);
    }
}

uint32_t sim_call_turns(Sim *sim, SimTurn *turns, uint32_t turn_count, uint32_t count, uint8_t *blocks,
                        uint8_t *blocks_out, uint32_t *registers_out, SimRun *runs)
{
    int failed = 0;
    uint32_t made = 0;

    while (made < turn_count && !failed) {
        SimTurn *turn = &turns[made];
        const uint32_t size = turn->batch->block_size;
        const size_t row = (size_t)made++ * count;
        for (size_t n = 0; n < count && turn->after >= 0; n++) {
            uint8_t *block = blocks + (row + n) * size;
            sim_take_left(turn->found, blocks_out + ((size_t)turn->after * count + n) * size, block, block, size);
        }
        sim_call_many(sim, turn->batch, count, blocks + row * size, blocks_out + row * size,
                      registers_out + row * turn->batch->captured_count, runs + row);
        turn->reached = sim_reached_registers(sim);
        for (uint32_t n = 0; n < count; n++)
            failed |= runs[row + n].status != SIM_OK;
    }
    return made;
}

int sim_form(const Sim *sim, uint32_t index, SimForm *form) { return sim->core->form(index, form); }

int sim_form_at(Sim *sim, uint32_t address, uint32_t *length)
{
    return sim->core->form_at(sim, address, length);
}

const char *sim_status_name(int status)
{
    static const char *const names[] = {
        "ok", "steps", "unknown opcode", "fetch from non-executable", "unmapped read", "unmapped write",
        "write to flash", "read of never-written RAM", "odd word access", "cycle limit", "HALT reached",
        "STOP reached", "BRK reached", "stack below its region", "stack above its region", "guard read",
        "guard written", "host out of memory", "branch to itself", "unaligned word access",
    };
    return status >= 0 && (size_t)status < sizeof names / sizeof *names ? names[status] : "?";
}

/* ---- profile by call path ---- */

enum { FIRST_NODES = 1024, FIRST_ROWS = 256 };

static int grow(void **array, uint32_t *capacity, uint32_t first, size_t item)
{
    uint32_t wanted = *capacity ? *capacity * 2 : first;
    void *bigger = realloc(*array, (size_t)wanted * item);
    if (!bigger)
        return -1;
    *array = bigger;
    *capacity = wanted;
    return 0;
}

static uint32_t new_node(Profile *p, int32_t parent, uint32_t call_site, uint32_t callee)
{
    if (p->node_count == SIM_MAX_NODES)
        return p->node;
    if (p->node_count == p->node_capacity
        && grow((void **)&p->nodes, &p->node_capacity, FIRST_NODES, sizeof *p->nodes) != 0) {
        p->failed = 1;
        return 0;
    }
    p->nodes[p->node_count] = (SimNode){ parent, call_site, callee, 0 };
    return p->node_count++;
}

void sim_profile_start(Sim *sim, uint32_t pc)
{
    Profile *p = &sim->profile;
    p->node_count = p->depth = p->node = p->row_count = 0;
    p->failed = 0;
    p->on = 1;
    if (!p->frames)
        p->frames = malloc(SIM_MAX_FRAMES * sizeof *p->frames);
    if (!p->frames) {
        p->failed = 1;
        p->on = 0;
        return;
    }
    if (p->places)
        memset(p->places, 0, 2 * (size_t)p->row_capacity * sizeof *p->places);
    new_node(p, -1, pc, pc);
    sim_profile_row(p, 0, pc / PROFILE_ROW);
    if (!p->failed)
        p->nodes[0].entries = 1;
}

static uint32_t child(Profile *p, uint32_t call_site, uint32_t callee)
{
    for (uint32_t n = p->node + 1; n < p->node_count; n++)
        if (p->nodes[n].parent == (int32_t)p->node && p->nodes[n].call_site == call_site
            && p->nodes[n].callee == callee)
            return n;
    return new_node(p, (int32_t)p->node, call_site, callee);
}

static void leave_frames(Profile *p, uint32_t sp)
{
    while (p->depth && p->frames[p->depth - 1].sp <= sp)
        p->node = p->frames[--p->depth].node;
}

/* With return addresses in a register, a routine and those that it calls may have the same stack pointer. */
static void leave_links(Profile *p, uint32_t sp)
{
    while (p->depth && p->frames[p->depth - 1].sp < sp)
        p->node = p->frames[--p->depth].node;
}

/* Of the frames at the stack pointer, down to the one that has the return address. Without such a frame the
 * return was a jump. */
static void return_to(Profile *p, uint32_t back, uint32_t sp)
{
    leave_links(p, sp);
    for (uint32_t n = p->depth; n && p->frames[n - 1].sp == sp; n--)
        if (p->frames[n - 1].back == back) {
            p->depth = n - 1;
            p->node = p->frames[n - 1].node;
            return;
        }
}

void sim_profile_call(Sim *sim, uint32_t call_site, uint32_t callee, uint32_t back, uint32_t sp)
{
    Profile *p = &sim->profile;
    if (!p->on)
        return;
    (sim->core->links ? leave_links : leave_frames)(p, sp);     /* frames that were left without a return */
    if (p->depth == SIM_MAX_FRAMES)
        return;
    p->frames[p->depth++] = (Frame){ p->node, sp, back };
    p->node = child(p, call_site, callee);
    if (!p->failed)
        p->nodes[p->node].entries++;
}

void sim_profile_return(Sim *sim, uint32_t back, uint32_t sp)
{
    Profile *p = &sim->profile;
    if (!p->on)
        return;
    if (sim->core->links)
        return_to(p, back, sp);
    else
        leave_frames(p, sp);
}

/* Where a row is, or would be, in the table of places. */
static uint32_t *place_of_row(const Profile *p, uint32_t node, uint32_t number)
{
    const uint32_t mask = 2 * p->row_capacity - 1;
    uint32_t at = (uint32_t)(sim_mix(node, number) >> 40);
    for (;; at++) {
        uint32_t *place = &p->places[at & mask];
        const ProfileRow *row = *place ? &p->rows[*place - 1] : NULL;
        if (!row || (row->node == node && row->number == number))
            return place;
    }
}

/* Twice as many places as rows. */
static int more_rows(Profile *p)
{
    if (grow((void **)&p->rows, &p->row_capacity, FIRST_ROWS, sizeof *p->rows) != 0)
        return -1;
    free(p->places);
    p->places = calloc(2 * (size_t)p->row_capacity, sizeof *p->places);
    if (!p->places) {
        p->row_count = p->row_capacity = 0;
        return -1;
    }
    for (uint32_t i = 0; i < p->row_count; i++)
        *place_of_row(p, p->rows[i].node, p->rows[i].number) = i + 1;
    return 0;
}

int sim_profile_row(Profile *p, uint32_t node, uint32_t number)
{
    if (p->row_count == p->row_capacity && more_rows(p) != 0) {
        p->failed = 1;
        p->on = 0;
        return -1;
    }
    uint32_t *const place = place_of_row(p, node, number);
    if (!*place) {
        *place = p->row_count + 1;
        p->rows[p->row_count++] = (ProfileRow){ .node = node, .number = number };
    }
    p->row = *place - 1;
    return 0;
}

uint32_t sim_profile_nodes(const Sim *sim, SimNode *out, uint32_t capacity)
{
    const Profile *p = &sim->profile;
    for (uint32_t i = 0; i < p->node_count && i < capacity; i++)
        out[i] = p->nodes[i];
    return p->node_count;
}

uint32_t sim_profile_cells(const Sim *sim, SimCell *out, uint32_t capacity)
{
    const Profile *p = &sim->profile;
    uint32_t n = 0;
    for (const ProfileRow *row = p->rows; row < p->rows + p->row_count; row++)
        for (uint32_t i = 0; i < PROFILE_ROW; i++)
            if (row->at[i].executions | row->at[i].cycles) {
                if (n < capacity)
                    out[n] = (SimCell){ row->node, row->number * PROFILE_ROW + i, row->at[i].executions,
                                        row->at[i].cycles };
                n++;
            }
    return n;
}
