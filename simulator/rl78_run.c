/* The RL78 interpreter, compiled twice: fast, and traced (profile by call path, instruction limit). */
#include "rl78.h"
#include "rl78_ops.h"

#define TRACED 0
#define RUN_NAME run_fast
#include "rl78_run.h"
#undef TRACED
#undef RUN_NAME

#define TRACED 1
#define RUN_NAME run_traced
#include "rl78_run.h"

/* A run ends by an operation put in place of the instruction at `stop`. */
static Insn *place_stop(Rl78 *c, uint32_t stop, uint16_t *kept)
{
    uint32_t offset = stop - c->low;
    if (stop == SIM_NO_STOP || offset >= c->span)
        return NULL;
    Insn *insn = &c->code[offset];
    if (insn->op == OP_DECODE && rl78_decode(c, stop, insn) < 0)
        c->sim.run.status = SIM_OK;
    *kept = insn->op;
    insn->op = OP_STOPPED;
    return insn;
}

void rl78_run_fast(Sim *sim, uint32_t stop, uint64_t cycle_limit)
{
    uint16_t kept = 0;
    Insn *patched = place_stop((Rl78 *)sim, stop, &kept);
    run_fast((Rl78 *)sim, stop, cycle_limit, UINT64_MAX);
    if (patched)
        patched->op = kept;
}

void rl78_run_traced(Sim *sim, uint32_t stop, uint64_t cycle_limit, uint64_t instructions)
{
    uint16_t kept = 0;
    Insn *patched = place_stop((Rl78 *)sim, stop, &kept);
    run_traced((Rl78 *)sim, stop, cycle_limit, instructions);
    if (patched)
        patched->op = kept;
}
