/* MSP430 cores: registers, memory, set-up. */
#include "msp430.h"

#include <stdlib.h>
#include <string.h>

enum { SPACE = 0x10000, SPACE_X = 0x100000, UNIT = 2, LONGEST = 8 };

/* ---- registers ---- */

uint16_t msp430_sr(const Msp430 *c)
{
    uint32_t flags = (c->cy ? SR_C : 0u) | (c->zr ? 0 : SR_Z) | (c->nr & 0x8000 ? SR_N : 0u)
        | (c->vr & 0x8000 ? SR_V : 0u);
    return (uint16_t)(c->sr | flags);
}

void msp430_set_sr(Msp430 *c, uint32_t value)
{
    c->sim.pause |= (c->sr ^ value) & SR_GIE;
    c->sr = (uint16_t)(value & (uint32_t)~SR_FLAGS);
    c->cy = value & SR_C;
    c->zr = !(value & SR_Z);
    c->nr = value & SR_N ? 0x8000 : 0;
    c->vr = value & SR_V ? 0x8000 : 0;
}

int msp430_set_sp(Msp430 *c, uint32_t value)
{
    uint32_t sp = c->r[R_SP] = value & c->mask & ~1u;
    return sim_set_stack_pointer(&c->sim, sp, sp);
}

static int register_id(const char *name)
{
    static const char *const names[] = {
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
        "pc", "sp", "sr",
    };
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (strcmp(names[i], name) == 0)
            return i % 16;
    return -1;
}

static int get_register(const Sim *sim, uint32_t id, uint32_t *value)
{
    const Msp430 *c = (const Msp430 *)sim;
    if (id > 15)
        return -1;
    *value = id == R_PC ? c->pc : id == R_SR ? msp430_sr(c) : id == R_CG ? 0 : c->r[id];
    return 0;
}

static void set_pc(Sim *sim, uint32_t pc)
{
    Msp430 *c = (Msp430 *)sim;
    c->pc = pc & c->mask & ~1u;
}

static int set_register(Sim *sim, uint32_t id, uint32_t value)
{
    Msp430 *c = (Msp430 *)sim;
    switch (id) {
    case R_PC: set_pc(sim, value); break;
    case R_SP:
        c->r[R_SP] = value & c->mask & ~1u;
        c->sim.sp_known = 1;
        break;
    case R_SR: msp430_set_sr(c, value); break;
    case R_CG: break;
    default:
        if (id > 15)
            return -1;
        c->r[id] = value & c->mask;
    }
    return 0;
}

static int set_stack(Sim *sim, uint32_t top)
{
    if (top & 1 || top > 0xFFFE)
        return -1;
    return set_register(sim, R_SP, top);
}

/* ---- set-up ---- */

static const Decoded decoded = { UNIT, LONGEST, sizeof(Insn) };

static void forget_code(Sim *sim, uint32_t start, uint32_t end)
{
    const Msp430 *c = (const Msp430 *)sim;
    sim_forget_code(&decoded, c->code, c->low, c->span, start, end);
}

static void map_changed(Sim *sim)
{
    Msp430 *c = (Msp430 *)sim;
    c->code = sim_map_code(sim, &decoded, c->code, &c->low, &c->span);
}

static void reset(Sim *sim, int all)
{
    Msp430 *c = (Msp430 *)sim;
    (void)all;
    memset(c->r, 0, sizeof c->r);
    c->pc = 0;
    c->sim.sp_known = 0;
    msp430_set_sr(c, 0);
    sim->stack_top = 0xFFFE;
    sim->stack_limit = 0;
}

static int start(Sim *sim, int clocks)
{
    Msp430 *c = (Msp430 *)sim;
    c->extended = sim->space == SPACE_X;
    c->clocks = clocks;
    c->mask = (uint32_t)sim->space - 1;
    reset(sim, 1);
    return 0;
}

static int init_msp430(Sim *sim) { return start(sim, CLOCKS_CPU); }
static int init_msp430x(Sim *sim) { return start(sim, CLOCKS_CPUX); }
static int init_msp430xv2(Sim *sim) { return start(sim, CLOCKS_CPUX2); }

static void release(Sim *sim) { free(((Msp430 *)sim)->code); }

static int form_msp430(uint32_t index, SimForm *out) { return msp430_form(CLOCKS_CPU, index, out); }
static int form_msp430x(uint32_t index, SimForm *out) { return msp430_form(CLOCKS_CPUX, index, out); }
static int form_msp430xv2(uint32_t index, SimForm *out) { return msp430_form(CLOCKS_CPUX2, index, out); }

static int form_at(Sim *sim, uint32_t address, uint32_t *length)
{
    Insn insn;
    int index = address & 1 ? -1 : msp430_decode((Msp430 *)sim, address, &insn);
    if (index >= 0)
        *length = 2u * insn.length;
    return index;
}

/* `like`: the core with the same instructions. */
#define CORE(id, like, size_of_space, unverified) \
    const Core sim_core_##id = { \
        .name = #id, .space = size_of_space, .size = sizeof(Msp430), .timing_not_verified = unverified, \
        .init = init_##id, .release = release, .reset = reset, .map_changed = map_changed, \
        .code_changed = forget_code, \
        .register_id = register_id, .get_register = get_register, .set_register = set_register, .sp_id = R_SP, \
        .status_id = R_SR, .pointer_bits = 16, .interrupt_enable = SR_GIE, .run = like##_run_fast, \
        .run_traced = like##_run_traced, .set_stack = set_stack, .set_pc = set_pc, .form = form_##id, \
        .form_at = form_at, .taint = &taint_msp430, .behaviour = &like##_behaviour, \
    }

CORE(msp430, msp430, SPACE, 0);
CORE(msp430x, msp430x, SPACE_X, 1);
CORE(msp430xv2, msp430x, SPACE_X, 0);
