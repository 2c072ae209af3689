/* The MSP430 interpreter, compiled four times: for the CPU and the CPUX, each fast and traced (profile by
 * call path, instruction limit). */
#include "msp430.h"
#include "msp430_ops.h"

/* CPUX: an index on a register below 64 KB stays there; above, it is signed. */
static inline uint32_t indexed_x(uint32_t base, uint32_t index, int absolute)
{
    if (absolute)
        return index;
    return base < 0x10000 ? (base + index) & 0xFFFF : (base + (index ^ 0x8000) - 0x8000) & 0xFFFFF;
}

#define EXTENDED 0
#define TRACED 0
#define RUN_NAME cpu_fast
#include "msp430_run.h"
#undef TRACED
#undef RUN_NAME
#define TRACED 1
#define RUN_NAME cpu_traced
#include "msp430_run.h"
#undef EXTENDED
#undef TRACED
#undef RUN_NAME

#define EXTENDED 1
#define TRACED 0
#define RUN_NAME cpux_fast
#include "msp430_run.h"
#undef TRACED
#undef RUN_NAME
#define TRACED 1
#define RUN_NAME cpux_traced
#include "msp430_run.h"

typedef void Interpreter(Msp430 *c, uint32_t stop, uint64_t cycle_limit, uint64_t instructions);

/* A run ends by an operation put in place of the instruction at `stop`. */
static void run_to(Sim *sim, Interpreter *run, uint32_t stop, uint64_t cycle_limit, uint64_t instructions)
{
    Msp430 *c = (Msp430 *)sim;
    uint32_t offset = stop - c->low;
    if (stop == SIM_NO_STOP || stop & 1 || offset >= c->span) {
        run(c, stop, cycle_limit, instructions);
        return;
    }
    Msp430Insn *insn = &c->code[offset / 2];
    if (insn->op == OP_DECODE && msp430_decode(c, stop, insn) < 0)
        sim->run.status = SIM_OK;
    uint16_t kept = insn->op;
    insn->op = OP_STOPPED;
    run(c, stop, cycle_limit, instructions);
    insn->op = kept;
}

void msp430_run(Sim *sim, uint32_t stop, uint64_t cycle_limit)
{
    run_to(sim, cpu_fast, stop, cycle_limit, UINT64_MAX);
}

void msp430_run_traced(Sim *sim, uint32_t stop, uint64_t cycle_limit, uint64_t instructions)
{
    run_to(sim, cpu_traced, stop, cycle_limit, instructions);
}

void msp430x_run(Sim *sim, uint32_t stop, uint64_t cycle_limit)
{
    run_to(sim, cpux_fast, stop, cycle_limit, UINT64_MAX);
}

void msp430x_run_traced(Sim *sim, uint32_t stop, uint64_t cycle_limit, uint64_t instructions)
{
    run_to(sim, cpux_traced, stop, cycle_limit, instructions);
}
