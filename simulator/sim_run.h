/* An interpreter: a core's *_run.c includes this once for each, with RUN_NAME and TRACED (profile by call
 * path, limit of instructions) defined, besides what sim_core.h asks for. It goes on counting in `sim->run`. */

void RUN_NAME(Sim *sim, uint32_t stop, uint64_t cycle_limit, uint64_t instruction_limit)
{
#if COMPUTED_JUMPS
    static const void *const labels[] = {
#define X(name) &&L_##name,
        OPS(X)
#undef X
    };
#else
    int next;
#endif
    Machine *const c = (Machine *)sim;
    uint8_t *const mem = sim->mem, *const attr = sim->attr;
    Insn *const code = c->code;
    const uint32_t low = LOW, span = c->span;
    uint64_t cycles = sim->run.cycles, instructions = sim->run.instructions, hash = sim->run.path_hash;
    uint64_t waits[] = { sim->run.waits[0], sim->run.waits[1], sim->run.waits[2], sim->run.waits[3] }, mark = 0;
    uint32_t pc = c->pc, target, at = 0, node = 0;
    LOCALS
    unsigned kept = 0;
    Insn *const stopped = place_stop(c, stop, &kept);
    Insn *i;

    sim->start_sp = sim->lowest = STACK_POINTER;
    if (TRACED && instruction_limit == 0) {
        sim->run.status = SIM_STEPS;
        goto end;
    }
    target = (pc - low) / UNIT;
    if (pc % UNIT || target >= span)
        goto outside;
    i = code + target;
    DISPATCH();

#if !COMPUTED_JUMPS
dispatch:
    switch (next) {
#define X(name) case OP_##name: goto L_##name;
        OPS(X)
#undef X
    }
#endif

L_DECODE:
    if (DECODE(c, PC(i), i) < 0)
        goto here;
    DISPATCH();

#include OPERATIONS

#ifdef SKIP_WAITS
skip_next: {        /* what is skipped may be the end of the run, and not decoded */
        i += LENGTH;
        if ((i->op == OP_DECODE || i->length == 0) && DECODE(c, PC(i), i) < 0)
            goto fault;
        const unsigned skip = SKIP_WAITS;
        if (TRACED) {
            sim_profile_add(sim, node, PC(i), 0, skip);
            mark += skip;
        }
        WAIT(SKIP_KIND, skip);
        NEXT_AFTER(i->length);
    }
#endif

over_limit:
    sim_fail(sim, SIM_CYCLE_LIMIT, low + UNIT * target);
fault:
    CHARGE();
    goto here;

wild:
    CHARGE();
    pc = low + UNIT * target;
outside:
    if (pc != stop)
        sim_fail(sim, SIM_FETCH, pc);
    goto end;

steps:
    sim->run.status = SIM_STEPS;
L_STOPPED:
here:
    pc = PC(i);
end:
    SYNC();
    if (stopped)
        stopped->op = kept;
    FINISH();
    c->pc = sim->run.pc = pc;
    sim->run.cycles = cycles;
    sim->run.base = cycles - waits[0] - waits[1] - waits[2] - waits[3];
    sim->run.waits[0] = waits[0];
    sim->run.waits[1] = waits[1];
    sim->run.waits[2] = waits[2];
    sim->run.waits[3] = waits[3];
    sim->run.instructions = instructions;
    sim->run.path_hash = hash;
}

#undef RUN_NAME
#undef TRACED
