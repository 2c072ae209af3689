/* ARMv6-M cores: registers, memory, set-up. */
#include "armv6m.h"

#include <stdlib.h>
#include <string.h>

#define SPACE (UINT64_C(1) << 32)
enum { UNIT = 2, LONGEST = 4 };

/* ---- registers ---- */

uint32_t armv6m_apsr(const Armv6m *c)
{
    return (c->nr >> 31 ? APSR_N : 0u) | (c->zr ? 0 : APSR_Z) | (c->cy ? APSR_C : 0u) | (c->vr >> 31 ? APSR_V : 0u);
}

void armv6m_set_apsr(Armv6m *c, uint32_t value)
{
    c->nr = value & APSR_N;
    c->zr = !(value & APSR_Z);
    c->cy = (value & APSR_C) != 0;
    c->vr = value & APSR_V ? 1u << 31 : 0;
}

int armv6m_set_sp(Armv6m *c, uint32_t value)
{
    const uint32_t sp = c->r[R_SP] = value & ~3u;
    return sim_set_stack_pointer(&c->sim, sp, sp);
}

void armv6m_set_primask(Armv6m *c, uint32_t value)
{
    c->sim.pause |= (c->primask ^ value) & 1;
    c->primask = value & 1;
}

uint32_t armv6m_read_special(const Armv6m *c, uint32_t which)
{
    switch (which) {
    case SPEC_MSP: return c->r[R_SP];
    case SPEC_PRIMASK: return c->primask;
    default: return which < SPEC_FLAGS ? armv6m_apsr(c) : 0;
    }
}

int armv6m_write_special(Armv6m *c, uint32_t which, uint32_t value)
{
    if (which == SPEC_MSP)
        return armv6m_set_sp(c, value);
    if (which == SPEC_PRIMASK)
        armv6m_set_primask(c, value);
    else if (which < SPEC_FLAGS)
        armv6m_set_apsr(c, value);
    return 0;
}

static int register_id(const char *name)
{
    static const char *const names[] = {
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc", "apsr",
        "primask", "r13", "r14", "r15",
    };
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (strcmp(names[i], name) == 0)
            return i <= ID_PRIMASK ? i : i - ID_PRIMASK - 1 + R_SP;
    return -1;
}

static int get_register(const Sim *sim, uint32_t id, uint32_t *value)
{
    const Armv6m *c = (const Armv6m *)sim;
    switch (id) {
    case R_PC: *value = c->pc; return 0;
    case ID_APSR: *value = armv6m_apsr(c); return 0;
    case ID_PRIMASK: *value = c->primask; return 0;
    case ID_ENABLED: *value = !c->primask; return 0;
    default:
        if (id < R_PC)
            *value = c->r[id];
        return id < R_PC ? 0 : -1;
    }
}

/* Symbols and return addresses have bit 0 set. */
static void set_pc(Sim *sim, uint32_t pc) { ((Armv6m *)sim)->pc = pc & ~1u; }

static int set_register(Sim *sim, uint32_t id, uint32_t value)
{
    Armv6m *c = (Armv6m *)sim;
    switch (id) {
    case R_PC: set_pc(sim, value); return 0;
    case R_SP:
        c->r[R_SP] = value & ~3u;
        c->sim.sp_known = 1;
        return 0;
    case ID_APSR: armv6m_set_apsr(c, value); return 0;
    case ID_PRIMASK: armv6m_set_primask(c, value); return 0;
    default:
        if (id < R_PC)
            c->r[id] = value;
        return id < R_PC ? 0 : -1;
    }
}

static int set_stack(Sim *sim, uint32_t top) { return top % 4 ? -1 : set_register(sim, R_SP, top); }

/* ---- set-up ---- */

static const Decoded decoded = { UNIT, LONGEST, sizeof(Insn) };

static void forget_code(Sim *sim, uint32_t start, uint32_t end)
{
    const Armv6m *c = (const Armv6m *)sim;
    sim_forget_code(&decoded, c->code, c->low, c->span, start, end);
}

static void map_changed(Sim *sim)
{
    Armv6m *c = (Armv6m *)sim;
    c->code = sim_map_code(sim, &decoded, c->code, &c->low, &c->span);
}

static void reset(Sim *sim, int all)
{
    Armv6m *c = (Armv6m *)sim;
    (void)all;
    memset(c->r, 0, sizeof c->r);
    c->pc = c->primask = 0;
    armv6m_set_apsr(c, 0);
    sim->sp_known = 0;
    sim->stack_top = 0xFFFFFFFC;
    sim->stack_limit = 0;
}

static int start(Sim *sim, int zero, int multiply)
{
    ((Armv6m *)sim)->zero = zero;
    ((Armv6m *)sim)->multiply = multiply;
    reset(sim, 1);
    return 0;
}

static void release(Sim *sim) { free(((Armv6m *)sim)->code); }

static int form_at(Sim *sim, uint32_t address, uint32_t *length)
{
    Insn insn;
    const int index = address & 1 ? -1 : armv6m_decode((Armv6m *)sim, address, &insn);
    if (index >= 0)
        *length = 2u * insn.length;
    return index;
}

#define CORE(id, label, zero, multiply) \
    static int init_##id(Sim *sim) { return start(sim, zero, multiply); } \
    static int form_##id(uint32_t index, SimForm *out) { return armv6m_form(zero, multiply, index, out); } \
    const Core sim_core_##id = { \
        .name = label, .space = SPACE, .size = sizeof(Armv6m), .init = init_##id, .release = release, \
        .reset = reset, .map_changed = map_changed, .code_changed = forget_code, .register_id = register_id, \
        .get_register = get_register, .set_register = set_register, .sp_id = R_SP, .status_id = ID_ENABLED, \
        .interrupt_enable = 1, .pointer_bits = 32, .links = 1, .run = armv6m_run_fast, \
        .run_traced = armv6m_run_traced, .set_stack = set_stack, .set_pc = set_pc, .form = form_##id, \
        .form_at = form_at, .taint = &taint_armv6m, .behaviour = &armv6m_behaviour, \
    }

CORE(cortex_m0plus, "cortex-m0+", 0, 1);
CORE(cortex_m0, "cortex-m0", 1, 1);
CORE(cortex_m0_mul32, "cortex-m0-mul32", 1, 32);
