/* The AVR interpreter, compiled twice: fast, and traced (profile by call path, instruction limit). */
#include "avr.h"
#include "avr_ops.h"

#define TRACED 0
#define RUN_NAME run_fast
#include "avr_run.h"
#undef TRACED
#undef RUN_NAME

#define TRACED 1
#define RUN_NAME run_traced
#include "avr_run.h"

/* A run ends by an operation put in place of the instruction at `stop`. */
static Insn *place_stop(Avr *c, uint32_t stop, uint8_t *kept)
{
    if (stop & 1 || stop / 2 >= c->span)
        return NULL;
    Insn *insn = &c->code[stop / 2];
    if (insn->op == OP_DECODE && avr_decode(c, stop / 2, insn) < 0)
        c->sim.run.status = SIM_OK;
    *kept = insn->op;
    insn->op = OP_STOPPED;
    return insn;
}

void avr_run_fast(Sim *sim, uint32_t stop, uint64_t cycle_limit)
{
    uint8_t kept = 0;
    Insn *patched = place_stop((Avr *)sim, stop, &kept);
    run_fast((Avr *)sim, stop, cycle_limit, UINT64_MAX);
    if (patched)
        patched->op = kept;
}

void avr_run_traced(Sim *sim, uint32_t stop, uint64_t cycle_limit, uint64_t instructions)
{
    uint8_t kept = 0;
    Insn *patched = place_stop((Avr *)sim, stop, &kept);
    run_traced((Avr *)sim, stop, cycle_limit, instructions);
    if (patched)
        patched->op = kept;
}
