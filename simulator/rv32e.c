/* RISC-V cores: registers, memory, set-up. */
#include "rv32e.h"

#include <stdlib.h>
#include <string.h>

enum { UNIT = 2, LONGEST = 4 };         /* bytes of halfwords and of an instruction */
enum { ID_PC = R_SINK, ID_STATUS };

/* ---- registers ---- */

void rv32e_set_status(Rv32e *c, uint32_t value)
{
    c->sim.pause |= (c->status ^ value) & MIE;
    c->status = value & MIE;
}

/* By number and by the names of the calling convention, in the order of the numbers. */
static int register_id(const char *name)
{
    static const char *const names[] = {
        "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7",
        "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6", "pc", "mstatus",
    };
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (strcmp(names[i], name) == 0)
            return i;
    if (name[0] != 'x' || name[1] < '0' || name[1] > '9' || (name[1] == '0' && name[2]))
        return -1;
    int n = name[1] - '0';
    if (name[2])
        n = name[2] < '0' || name[2] > '9' || name[3] ? 32 : 10 * n + name[2] - '0';
    return n < 32 ? n : -1;
}

static int register_id_e(const char *name)
{
    const int id = register_id(name);
    return id >= 16 && id < 32 ? -1 : id;
}

static int has_register(const Rv32e *c, uint32_t id)
{
    return id < c->kind->registers || id == ID_PC || id == ID_STATUS;
}

static int get_register(const Sim *sim, uint32_t id, uint32_t *value)
{
    const Rv32e *c = (const Rv32e *)sim;
    if (!has_register(c, id))
        return -1;
    *value = id == ID_PC ? c->pc : id == ID_STATUS ? c->status : c->r[id];
    return 0;
}

static void set_pc(Sim *sim, uint32_t pc) { ((Rv32e *)sim)->pc = pc & ~1u; }

static int set_register(Sim *sim, uint32_t id, uint32_t value)
{
    Rv32e *c = (Rv32e *)sim;
    if (!has_register(c, id))
        return -1;
    switch (id) {
    case R_ZERO: break;
    case R_SP: sim->sp_known = 1; c->r[R_SP] = value; break;
    case ID_PC: set_pc(sim, value); break;
    case ID_STATUS: rv32e_set_status(c, value); break;
    default: c->r[id] = value;
    }
    return 0;
}

static int set_stack(Sim *sim, uint32_t top) { return top % 4 ? -1 : set_register(sim, R_SP, top); }

/* ---- set-up ---- */

static const Decoded decoded = { UNIT, LONGEST, sizeof(Insn) };

static void forget_code(Sim *sim, uint32_t start, uint32_t end)
{
    const Rv32e *c = (const Rv32e *)sim;
    sim_forget_code(&decoded, c->code, c->low, c->span, start, end);
}

static void map_changed(Sim *sim)
{
    Rv32e *c = (Rv32e *)sim;
    c->code = sim_map_code(sim, &decoded, c->code, &c->low, &c->span);
}

static void reset(Sim *sim, int all)
{
    Rv32e *c = (Rv32e *)sim;
    (void)all;
    memset(c->r, 0, sizeof c->r);
    c->pc = 0;
    sim->sp_known = 0;
    rv32e_set_status(c, 0);
    sim->stack_top = UINT32_MAX;
    sim->stack_limit = 0;
}

static int init(Sim *sim, const Kind *kind)
{
    ((Rv32e *)sim)->kind = kind;
    reset(sim, 1);
    return 0;
}

static void release(Sim *sim) { free(((Rv32e *)sim)->code); }

static int form_at(Sim *sim, uint32_t address, uint32_t *length)
{
    Insn insn;
    const int index = address & 1 ? -1 : rv32e_decode((Rv32e *)sim, address, &insn);
    if (index >= 0)
        *length = 2u * insn.length;
    return index;
}

/* `like`: what a core with the same registers has; `rules`: its taint. */
#define CORE(id, label, names, like, rules, unverified, ...) \
    static const Kind kind_##id = { __VA_ARGS__ }; \
    static int init_##id(Sim *sim) { return init(sim, &kind_##id); } \
    static int form_##id(uint32_t index, SimForm *out) { return rv32e_form(kind_##id.clocks, index, out); } \
    const Core sim_core_##id = { \
        .name = label, .space = UINT64_C(1) << 32, .size = sizeof(Rv32e), .timing_not_verified = unverified, \
        .waits = { [TARGET_WAIT] = "target_waits" }, .init = init_##id, .release = release, .reset = reset, \
        .map_changed = map_changed, .code_changed = forget_code, .register_id = names, \
        .get_register = get_register, .set_register = set_register, .sp_id = R_SP, .status_id = ID_STATUS, \
        .interrupt_enable = MIE, .pointer_bits = 32, .links = 1, .run = rv32e_run_fast, \
        .run_traced = rv32e_run_traced, .set_stack = set_stack, .set_pc = set_pc, .form = form_##id, \
        .form_at = form_at, .taint = &taint_##rules, .behaviour = &like##_behaviour, \
    }

CORE(ibex, "ibex", register_id_e, rv32e, rv32e, 0, .registers = 16, .clocks = CLOCKS_IBEX);
CORE(ibex_imc, "ibex-imc", register_id, rv32i, rv32i, 0, .registers = 32, .multiplies = 1, .clocks = CLOCKS_IBEX);
CORE(qingke_v2, "qingke-v2", register_id_e, rv32e, qingke, 1, .registers = 16, .clocks = CLOCKS_QINGKE);
