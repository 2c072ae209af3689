/* A routine fed with its own answers. */
#include "sim.h"
#include "chain_api.h"

#include <string.h>

static int call(Sim *sim, const SimChain *chain, const SimStep *step, const uint8_t *tape, uint8_t *left,
                uint8_t *spare, SimRun *run)
{
    sim_take_left(step->carried, left, step->block, spare, chain->block_size);
    memcpy(spare + step->to, tape + step->from, step->length);
    sim_call_many(sim, step->batch, 1, spare, left, NULL, run);
    return run->status == SIM_OK;
}

static void take(const SimChain *chain, uint8_t *tape, const uint8_t *answer)
{
    const uint32_t size = chain->answer_size, rest = chain->tape_size - size;

    memmove(tape + (chain->front ? size : 0), tape + (chain->front ? 0 : size), rest);
    memcpy(tape + (chain->front ? 0 : rest), answer, size);
}

void sim_chain(Sim *sim, const SimChain *chain, uint8_t *tape, uint8_t *left, uint8_t *spare,
               SimChained *chained)
{
    memset(chained, 0, sizeof *chained);
    chained->least = UINT64_MAX;
    for (; chained->times < chain->times; chained->times++) {
        uint64_t cycles = 0;
        for (uint32_t n = 0; n < chain->step_count; n++) {
            chained->step = n;
            if (!call(sim, chain, &chain->steps[n], tape, left, spare, &chained->run))
                return;
            cycles += chained->run.cycles;
        }
        take(chain, tape, left + chain->answer);
        if (cycles < chained->least)
            chained->least = cycles;
        if (cycles > chained->most)
            chained->most = cycles;
    }
}
