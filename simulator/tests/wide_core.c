/* The core for tests: state, interpreters, taint. */
#include "wide_core.h"
#include "../taint.h"

#include <stdlib.h>
#include <string.h>

#define X(name) OP_##name = WIDE_##name,
enum { WIDE_OPS(X) OPERATION_COUNT };
#undef X

typedef struct { uint8_t op, length, clocks, a, b, offset; uint16_t imm; } Insn;

typedef struct {
    Sim sim;
    Insn *code;                 /* of `span` words from address 0 on */
    uint32_t span, pc, r[WIDE_REGISTERS];
} Machine;

static int decode(Machine *c, uint32_t pc, Insn *insn)
{
    const uint8_t *p = c->sim.mem + pc;
    if (pc % 4 || !(c->sim.attr[pc] & A_EXEC))
        return sim_fail(&c->sim, SIM_FETCH, pc);
    if (p[0] <= WIDE_STOPPED || p[0] >= OPERATION_COUNT || p[1] >= WIDE_REGISTERS)
        return sim_fail(&c->sim, SIM_UNKNOWN_OPCODE, pc);
    *insn = (Insn){ p[0], 1, 1, p[1], p[2] % WIDE_REGISTERS, p[3], (uint16_t)load16(p + 2) };
    return 0;
}

#define OPS WIDE_OPS
#define OPERATIONS "tests/wide_run.h"
#define DECODE decode
#define LOW 0
#define UNIT 4
#define LENGTH 1
#define CODE_MASK 0xFFFFFFFF
#define TARGET 0
#define TAKEN 0
#define STACK_POINTER r[WIDE_SP]
#define STACK_MASK 0xFFFFFFFF
#define STACK_BASE 0
#define FLASH_WAITS WIDE_WAITS
#define FLASH_KIND WIDE_READ
#define SIDE_EFFECTS TRACED
#define LOCALS uint32_t *const r = c->r;
#define SYNC() (void)0
#define RELOAD() (void)0
#define HEAD() (void)0
#define FINISH() (void)0

#include "../sim_core.h"

#define RUN_NAME wide_run_fast
#define TRACED 0
#include "../sim_run.h"

#define RUN_NAME wide_run_traced
#define TRACED 1
#include "../sim_run.h"

/* ---- registers, set-up ---- */

static const char *const names[] = {
    "sp", "ra", "r0", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "r16",
    "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31", NULL,
};

enum { ID_PC = WIDE_REGISTERS };

static int register_id(const char *name)
{
    if (strcmp(name, "pc") == 0)
        return ID_PC;
    if (name[0] == 'r' && name[1] != 'a')
        return atoi(name + 1);
    return strcmp(name, "sp") == 0 ? WIDE_SP : strcmp(name, "ra") == 0 ? WIDE_RA : -1;
}

static int get_register(const Sim *sim, uint32_t id, uint32_t *value)
{
    const Machine *c = (const Machine *)sim;
    *value = id == ID_PC ? c->pc : c->r[id % WIDE_REGISTERS];
    return 0;
}

static int set_register(Sim *sim, uint32_t id, uint32_t value)
{
    Machine *c = (Machine *)sim;
    *(id == ID_PC ? &c->pc : &c->r[id % WIDE_REGISTERS]) = value;
    return 0;
}

static int set_stack(Sim *sim, uint32_t top) { return top % 4 ? -1 : set_register(sim, WIDE_SP, top); }
static void set_pc(Sim *sim, uint32_t pc) { ((Machine *)sim)->pc = pc; }
static void release(Sim *sim) { free(((Machine *)sim)->code); }

static void forget_code(Sim *sim, uint32_t start, uint32_t end)
{
    (void)start, (void)end;
    Machine *c = (Machine *)sim;
    memset(c->code, 0, (c->span + 1) * sizeof *c->code);
}

static void map_changed(Sim *sim)
{
    Machine *c = (Machine *)sim;
    if (c->code || sim->regions[0].kind != SIM_FLASH)
        return;
    c->span = sim->regions[0].end / 4;
    c->code = calloc(c->span + 1, sizeof *c->code);
}

static void reset(Sim *sim, int all)
{
    (void)all;
    memset(((Machine *)sim)->r, 0, sizeof ((Machine *)sim)->r);
    sim->stack_top = 0xFFFFFFFC;
    sim->stack_limit = 0;
}

static int init(Sim *sim)
{
    reset(sim, 1);
    return 0;
}

/* ---- taint ---- */

static int place_of(int r)
{
    for (int n = 0; names[n]; n++)
        if (register_id(names[n]) == r)
            return n;
    return 0;
}

static Bits reg(const Taint *t, int r) { return bits(((const Machine *)t->sim)->r[r], t->reg[place_of(r)]); }

static void set(Taint *t, int r, Bits value) { t->reg[place_of(r)] = (uint32_t)value.taint; }

static Address address(const Taint *t, int base, uint32_t offset)
{
    return indexed(reg(t, base), known(offset), 0xFFFFFFFF, known(0));
}

static void move(Taint *t, Condition *condition)
{
    (void)condition;
    Insn i;
    if (decode((Machine *)t->sim, t->pc, &i) < 0)
        return;
    switch (i.op) {
    case OP_SET: set(t, i.a, known(0)); break;
    case OP_SET_HIGH: set(t, i.a, part(reg(t, i.a), 0, 0xFFFF)); break;
    case OP_ADD: set(t, i.a, part(bits_add(reg(t, i.a), reg(t, i.b), known(0)).sum, 0, 0xFFFFFFFF)); break;
    case OP_LOAD: set(t, i.a, taint_read(t, address(t, i.b, i.offset), 4)); break;
    case OP_STORE: taint_write(t, address(t, i.b, i.offset), reg(t, i.a), 4); break;
    case OP_PUSH: taint_write(t, at(known((uint32_t)reg(t, WIDE_SP).value - 4)), reg(t, i.a), 4); break;
    case OP_POP: set(t, i.a, taint_read(t, at(known(reg(t, WIDE_SP).value)), 4)); break;
    case OP_CALL: set(t, WIDE_RA, known(0)); break;
    default:
        if (reg(t, i.a).taint)
            taint_record(t, i.op == OP_RETURN ? TAINT_RETURN : TAINT_JUMP);
    }
}

static const TaintCore taint = { .registers = names, .move = move, .waits = 1 };

const Core sim_core_wide = {
    .name = "wide", .space = UINT64_C(1) << 32, .size = sizeof(Machine), .waits = { [WIDE_READ] = "reads" },
    .links = 1, .init = init, .release = release, .reset = reset, .map_changed = map_changed,
    .code_changed = forget_code, .register_id = register_id, .get_register = get_register,
    .set_register = set_register,
    .sp_id = WIDE_SP, .status_id = ID_PC, .pointer_bits = 32,
    .run = wide_run_fast, .run_traced = wide_run_traced,
    .set_stack = set_stack, .set_pc = set_pc, .taint = &taint,
};
