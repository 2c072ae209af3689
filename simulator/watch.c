/* A watched run: between any two instructions, what an interrupt handler could do there.
 *
 * A handler uses the stack, so RAM below the stack pointer is noise, and as if never written. Between two
 * instructions such a byte is neither readable nor writable: what the program does to it comes by sim.c, and the
 * run pauses only where the stack pointer, the interrupt flag or such a byte changed. While interrupts are
 * disabled these bytes are as in any run. */
#include "sim.h"

#include <string.h>

struct Watch {
    uint32_t limit, sp;             /* addresses: the lowest of the stack, and the first that is in use */
    uint32_t low, high;             /* of what the instruction stored below the stack pointer */
    uint64_t noise;
    SimWatched *seen;
};

enum { KIND = A_RAM | A_WRITE | A_SPECIAL | A_GUARD };

int sim_is_watched(const Sim *sim, uint32_t a) { return sim->watch && (sim->attr[a] & KIND) == A_RAM; }

void sim_watched_read(Sim *sim) { sim->watch->seen->below++; }

void sim_watched_store(Sim *sim, uint32_t a, uint8_t v)
{
    Watch *w = sim->watch;
    sim->mem[a] = v;
    sim->attr[a] |= A_READ | A_TOUCHED;
    sim->pause = 1;
    if (a < w->low)
        w->low = a;
    if (a >= w->high)
        w->high = a + 1;
}

static uint8_t noise(Watch *w)
{
    w->noise = w->noise * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint8_t)(w->noise >> 56);
}

/* What a handler has overwritten: noise that nobody may read. */
static void clobber(Sim *sim, uint32_t from, uint32_t to)
{
    for (uint64_t a = from; a < to; a++)
        if (!planes_are_open(&sim->planes, (uint32_t)a)) {
            a |= PLANES_STRETCH - 1;        /* nothing is in all of the stretch */
        } else if ((sim->attr[a] & (KIND & ~A_WRITE)) == A_RAM) {
            sim->mem[a] = noise(sim->watch);
            sim->attr[a] &= (uint8_t)~(A_READ | A_WRITE);
        }
}

/* What no handler reaches, since it is in use or interrupts are disabled. */
static void release(Sim *sim, uint32_t from, uint32_t to)
{
    for (uint64_t a = from; a < to; a++)
        if (!planes_are_open(&sim->planes, (uint32_t)a))
            a |= PLANES_STRETCH - 1;
        else if ((sim->attr[a] & KIND) == A_RAM)
            sim->attr[a] |= A_WRITE;
}

static void handle(Sim *sim, const SimHandler *handler)
{
    if (!handler || (handler->before && handler->before != sim->run.instructions + 1))
        return;
    for (uint32_t n = 0; n < handler->count; n++) {
        const SimRange *range = &handler->ranges[n];
        for (uint32_t a = range->address; a < sim->space && a - range->address < range->length; a++)
            if (sim->attr[a] & A_RAM)
                sim->mem[a] = range->value < 0 ? noise(sim->watch) : (uint8_t)range->value;
    }
}

static uint32_t read_register(const Sim *sim, uint32_t id)
{
    uint32_t value = 0;
    sim->core->get_register(sim, id, &value);
    return value;
}

static int enabled(const Sim *sim)
{
    return (read_register(sim, sim->core->status_id) & sim->core->interrupt_enable) != 0;
}

/* A handler's stack begins at the stack pointer, which must be inside its region. */
static int interrupt(Sim *sim, const SimHandler *handler, int before)
{
    Watch *w = sim->watch;
    const uint32_t base = sim->core->stack_base, sp = read_register(sim, sim->core->sp_id);
    const uint32_t used = w->sp;
    w->sp = base + sp;
    if (sim_check_stack(sim, sp, w->sp) < 0)
        return -1;
    if (before) {
        release(sim, w->sp, used);
        clobber(sim, used, w->sp);
        clobber(sim, w->low, w->high < w->sp ? w->high : w->sp);
    } else {
        clobber(sim, w->limit, w->sp);
    }
    handle(sim, handler);
    return 0;
}

static void count_blocked(SimWatched *seen, uint64_t blocked, uint32_t at)
{
    if (blocked <= seen->blocked)
        return;
    seen->blocked = blocked;
    seen->blocked_at = at;
}

/* An interrupt comes only where the flag was set before the last instruction as well as behind it. */
static void watch(Sim *sim, uint32_t stop, uint64_t cycle_limit, const SimHandler *handler)
{
    Watch *w = sim->watch;
    int flag = enabled(sim), possible = flag, before = 0, goes_on = 1;
    const int counted = flag;
    uint64_t blocked = 0;
    uint32_t at = sim->run.pc;
    while (goes_on && !(possible && interrupt(sim, handler, before) < 0)) {
        if (before && !possible)
            release(sim, w->limit, w->sp);
        before = possible;
        w->low = UINT32_MAX;
        w->high = 0;
        const uint64_t cycles = sim->run.cycles, instructions = sim->run.instructions;
        const int was = flag, single = handler || (flag && !possible);
        goes_on = sim_advance(sim, stop, cycle_limit, single ? 1 : UINT64_MAX);
        flag = enabled(sim);
        possible = was && flag;
        if (before && !possible)
            at = sim->run.pc;
        blocked = before ? 0 : blocked + (sim->run.cycles - cycles);
        if (before)
            w->seen->interrupts += sim->run.instructions - instructions;
        if (counted)
            count_blocked(w->seen, blocked, at);
    }
    release(sim, w->limit, w->sp);
}

void sim_run_watched(Sim *sim, uint32_t start, uint32_t stop, uint64_t cycle_limit,
                     const SimHandler *handler, SimRun *run, SimWatched *seen)
{
    const uint32_t base = sim->core->stack_base;
    Watch w = { .limit = base + sim->stack_limit, .sp = base + read_register(sim, sim->core->sp_id),
                .noise = start, .seen = seen };
    memset(seen, 0, sizeof *seen);
    sim_begin(sim, start);
    sim->watch = &w;
    watch(sim, stop, cycle_limit, handler);
    sim->watch = NULL;
    sim_end(sim, run);
}
