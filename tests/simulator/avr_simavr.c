/* libsimavr one instruction at a time, for the tests: plain calls that the binding can make. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

static void silent(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

avr_t *other_open(const char *mcu)
{
    avr_global_logger_set(silent);
    avr_t *avr = avr_make_mcu_by_name(mcu);
    if (!avr || avr_init(avr) != 0)
        return NULL;
    avr->state = cpu_Running;
    return avr;
}

void other_close(avr_t *avr)
{
    avr_terminate(avr);
    free(avr);
}

uint8_t *other_flash(avr_t *avr) { return avr->flash; }
uint8_t *other_data(avr_t *avr) { return avr->data; }
uint32_t other_data_size(avr_t *avr) { return avr->ramend + 1u; }
uint32_t other_pc(avr_t *avr) { return avr->pc; }
uint64_t other_cycles(avr_t *avr) { return avr->cycle; }

uint8_t other_sreg(avr_t *avr)
{
    uint8_t value = 0;
    for (int bit = 0; bit < 8; bit++)
        value |= (uint8_t)((avr->sreg[bit] != 0) << bit);
    return value;
}

void other_set(avr_t *avr, uint32_t pc, uint8_t sreg)
{
    avr->pc = pc;
    for (int bit = 0; bit < 8; bit++)
        avr->sreg[bit] = sreg >> bit & 1;
}

/* The clocks of one instruction, without interrupts, timers or sleep. */
uint64_t other_step(avr_t *avr)
{
    uint64_t before = avr->cycle;
    avr->run_cycle_count = 0;
    avr->interrupt_state = 0;
    avr->pc = avr_run_one(avr);
    avr->state = cpu_Running;
    return avr->cycle - before;
}

/* The clocks up to the instruction at `stop`; more than `limit` where it is not reached by then. */
uint64_t other_until(avr_t *avr, uint32_t stop, uint64_t limit)
{
    uint64_t clocks = 0;
    while (avr->pc != stop && clocks <= limit)
        clocks += other_step(avr);
    return clocks;
}

/* Runs as simavr's own command does, until the program sleeps for good; clocks of the run. */
uint64_t other_run(avr_t *avr)
{
    int state;
    do
        state = avr_run(avr);
    while (state != cpu_Done && state != cpu_Crashed);
    return avr->cycle;
}
