/* RISC-V: the table of forms, and decoding by it. */
#include "rv32e.h"

#include "rv32e_ops.h"

typedef enum {
    L_NONE, L_ANY, L_R, L_I, L_SHIFT, L_S, L_B, L_U, L_U_PC, L_J, L_CSR, L_CSR_I,
    L_C_NONE, L_CIW, L_CL, L_CS, L_CI, L_CI_ZERO, L_CI_SP, L_CI_UPPER, L_CI_SHIFT, L_CI_LOAD, L_CSS, L_CB, L_CB_SHIFT,
    L_CB_IMM, L_CA, L_CJ, L_CJ_LINK, L_CR_JUMP, L_CR_MOVE, L_CR
} Layout;

typedef enum { BASE, MUL } Has;

/* Bits that operands take. */
static const struct { uint32_t bits; const char *name; } layouts[] = {
    [L_NONE] = { 0, "NONE" },
    [L_ANY] = { 0xFFFF8F80, "ANY" },            /* whatever they say */
    [L_R] = { 0x01FF8F80, "R" },
    [L_I] = { 0xFFFF8F80, "I" },
    [L_SHIFT] = { 0x01FF8F80, "SHIFT" },        /* count 0-31 */
    [L_S] = { 0xFFFF8F80, "S" },
    [L_B] = { 0xFFFF8F80, "B" },
    [L_U] = { 0xFFFFFF80, "U" },
    [L_U_PC] = { 0xFFFFFF80, "U_PC" },          /* added to the instruction's address */
    [L_J] = { 0xFFFFFF80, "J" },
    [L_CSR] = { 0x000F8F80, "CSR" },
    [L_CSR_I] = { 0x000F8F80, "CSR_I" },        /* constant 0-31 */
    [L_C_NONE] = { 0, "C_NONE" },
    [L_CIW] = { 0x1FFC, "CIW" },                /* x8-x15, multiple of 4 up to 1020 */
    [L_CL] = { 0x1FFC, "CL" },                  /* two of x8-x15, multiple of 4 up to 124 */
    [L_CS] = { 0x1FFC, "CS" },
    [L_CI] = { 0x1FFC, "CI" },                  /* register, -32 to 31 */
    [L_CI_ZERO] = { 0x1FFC, "CI_ZERO" },        /* the same, added to zero */
    [L_CI_SP] = { 0x107C, "CI_SP" },            /* multiple of 16, -512 to 496 */
    [L_CI_UPPER] = { 0x1FFC, "CI_UPPER" },
    [L_CI_SHIFT] = { 0x0FFC, "CI_SHIFT" },
    [L_CI_LOAD] = { 0x1FFC, "CI_LOAD" },        /* register, multiple of 4 up to 252 */
    [L_CSS] = { 0x1FFC, "CSS" },
    [L_CB] = { 0x1FFC, "CB" },                  /* one of x8-x15, -256 to 254 */
    [L_CB_SHIFT] = { 0x03FC, "CB_SHIFT" },
    [L_CB_IMM] = { 0x13FC, "CB_IMM" },
    [L_CA] = { 0x039C, "CA" },
    [L_CJ] = { 0x1FFC, "CJ" },                  /* -2048 to 2046 */
    [L_CJ_LINK] = { 0x1FFC, "CJ_LINK" },
    [L_CR_JUMP] = { 0x0F80, "CR_JUMP" },
    [L_CR_MOVE] = { 0x0FFC, "CR_MOVE" },
    [L_CR] = { 0x0FFC, "CR" },
};

typedef struct {
    const char *text;
    uint32_t opcode;
    uint8_t layout, op, clocks[2], taken[2];
    const char *flags;
    uint8_t has;
    const char *marks, *sources;
} Form;

static const Form forms[] = {
#define FORM(text, opcode, layout, op, ibex, ibex_taken, qingke, qingke_taken, flags, has, marks, sources) \
    { text, opcode, L_##layout, OP_##op, { ibex, qingke }, { ibex_taken, qingke_taken }, flags, has, marks, sources },
#include "rv32e_forms.def"
#undef FORM
};

enum { FORMS = sizeof forms / sizeof *forms };

static int is_short(uint32_t word) { return (word & 3) != 3; }

static int find_form(const Rv32e *c, uint32_t word)
{
    for (int i = 0; i < FORMS; i++)
        if ((word & ~layouts[forms[i].layout].bits) == forms[i].opcode
            && (forms[i].has == BASE || c->kind->multiplies))
            return i;
    return -1;
}

/* ---- operands ---- */

/* `count` bits of the word from `from` on, moved to `to`. */
static uint32_t moved(uint32_t word, int from, int count, int to)
{
    return (word >> from & ((1u << count) - 1)) << to;
}

static uint32_t extended(uint32_t value, int bits)
{
    return (uint32_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
}

static uint32_t displacement_i(uint32_t w) { return (uint32_t)((int32_t)w >> 20); }

static uint32_t displacement_s(uint32_t w) { return extended(moved(w, 25, 7, 5) | moved(w, 7, 5, 0), 12); }

static uint32_t offset_b(uint32_t w)
{
    return extended(moved(w, 31, 1, 12) | moved(w, 7, 1, 11) | moved(w, 25, 6, 5) | moved(w, 8, 4, 1), 13);
}

static uint32_t offset_j(uint32_t w)
{
    return extended(moved(w, 31, 1, 20) | moved(w, 12, 8, 12) | moved(w, 20, 1, 11) | moved(w, 21, 10, 1), 21);
}

static uint32_t offset_cb(uint32_t w)
{
    return extended(moved(w, 12, 1, 8) | moved(w, 10, 2, 3) | moved(w, 5, 2, 6) | moved(w, 3, 2, 1)
                    | moved(w, 2, 1, 5), 9);
}

static uint32_t offset_cj(uint32_t w)
{
    return extended(moved(w, 12, 1, 11) | moved(w, 11, 1, 4) | moved(w, 9, 2, 8) | moved(w, 8, 1, 10)
                    | moved(w, 7, 1, 6) | moved(w, 6, 1, 7) | moved(w, 3, 3, 1) | moved(w, 2, 1, 5), 12);
}

static uint32_t short_constant(uint32_t w) { return moved(w, 12, 1, 5) | moved(w, 2, 5, 0); }

static uint32_t constant_sp(uint32_t w)
{
    return extended(moved(w, 12, 1, 9) | moved(w, 6, 1, 4) | moved(w, 5, 1, 6) | moved(w, 3, 2, 7)
                    | moved(w, 2, 1, 5), 10);
}

static uint32_t constant_ciw(uint32_t w)
{
    return moved(w, 11, 2, 4) | moved(w, 7, 4, 6) | moved(w, 6, 1, 2) | moved(w, 5, 1, 3);
}

static uint32_t displacement_cl(uint32_t w) { return moved(w, 10, 3, 3) | moved(w, 6, 1, 2) | moved(w, 5, 1, 6); }

static uint32_t displacement_load(uint32_t w) { return moved(w, 12, 1, 5) | moved(w, 4, 3, 2) | moved(w, 2, 2, 6); }

static uint32_t displacement_css(uint32_t w) { return moved(w, 9, 4, 2) | moved(w, 7, 2, 6); }

static void take(Insn *i, uint32_t d, uint32_t a, uint32_t b, uint32_t imm)
{
    i->d = (uint8_t)d;
    i->a = (uint8_t)a;
    i->b = (uint8_t)b;
    i->imm = imm;
}

static void take_operands(Insn *i, Layout layout, uint32_t w, uint32_t pc)
{
    const uint32_t d = w >> 7 & 31, a = w >> 15 & 31, b = w >> 20 & 31;             /* of 32 bits */
    const uint32_t p = 8 + (w >> 7 & 7), q = 8 + (w >> 2 & 7), r = w >> 2 & 31;     /* of 16 */
    switch (layout) {
    case L_NONE: case L_C_NONE: case L_ANY: break;
    case L_R: take(i, d, a, b, 0); break;
    case L_I: take(i, d, a, 0, displacement_i(w)); break;
    case L_SHIFT: take(i, d, a, 0, b); break;
    case L_S: take(i, 0, a, b, displacement_s(w)); break;
    case L_B: take(i, 0, a, b, pc + offset_b(w)); break;
    case L_U: take(i, d, 0, 0, w & 0xFFFFF000); break;
    case L_U_PC: take(i, d, 0, 0, pc + (w & 0xFFFFF000)); break;
    case L_J: take(i, d, 0, 0, pc + offset_j(w)); break;
    case L_CSR: take(i, d, a, 0, 0); break;
    case L_CSR_I: take(i, d, 0, 0, a); break;
    case L_CIW: take(i, q, R_SP, 0, constant_ciw(w)); break;
    case L_CL: take(i, q, p, 0, displacement_cl(w)); break;
    case L_CS: take(i, 0, p, q, displacement_cl(w)); break;
    case L_CI: take(i, d, d, 0, extended(short_constant(w), 6)); break;
    case L_CI_ZERO: take(i, d, R_ZERO, 0, extended(short_constant(w), 6)); break;
    case L_CI_SP: take(i, R_SP, R_SP, 0, constant_sp(w)); break;
    case L_CI_UPPER: take(i, d, 0, 0, extended(short_constant(w), 6) << 12); break;
    case L_CI_SHIFT: take(i, d, d, 0, r); break;
    case L_CI_LOAD: take(i, d, R_SP, 0, displacement_load(w)); break;
    case L_CSS: take(i, 0, R_SP, r, displacement_css(w)); break;
    case L_CB: take(i, 0, p, R_ZERO, pc + offset_cb(w)); break;
    case L_CB_SHIFT: take(i, p, p, 0, r); break;
    case L_CB_IMM: take(i, p, p, 0, extended(short_constant(w), 6)); break;
    case L_CA: take(i, p, p, q, 0); break;
    case L_CJ: take(i, 0, 0, 0, pc + offset_cj(w)); break;
    case L_CJ_LINK: take(i, R_RA, 0, 0, pc + offset_cj(w)); break;
    case L_CR_JUMP: take(i, w & 0x1000 ? R_RA : R_ZERO, d, 0, 0); break;
    case L_CR_MOVE: take(i, d, R_ZERO, r, 0); break;
    case L_CR: take(i, d, d, r, 0); break;
    }
}

/* Encodings that are reserved for others. */
static int is_reserved(Layout layout, const Insn *i)
{
    switch (layout) {
    case L_CIW: case L_CI_SP: case L_CI_UPPER: return i->imm == 0;
    case L_CI_LOAD: return i->d == R_ZERO;
    case L_CR_JUMP: return i->a == R_ZERO;
    default: return 0;
    }
}

/* ---- what the core makes of them ---- */

static int has_result(unsigned op)
{
    switch (op) {
    case OP_SB: case OP_SH: case OP_SW: case OP_BEQ: case OP_BNE: case OP_ENDLESS: return 0;
    default: return !(op >= OP_J && op <= OP_BGEU) && op < OP_FENCE;
    }
}

static void choose_operation(uint32_t pc, Insn *i)
{
    if (i->d == R_ZERO && i->op == OP_JAL)
        i->op = OP_J;
    if (i->d == R_ZERO && i->op == OP_JALR)
        i->op = OP_JR;
    if (i->op == OP_JR && rv32e_links(i->a) && i->imm == 0)
        i->op = OP_RET;
    if ((i->op == OP_J || i->op == OP_JAL) && i->imm == pc)
        i->op = OP_ENDLESS;
    if (has_result(i->op) && i->d == R_ZERO)
        i->d = R_SINK;
    if (has_result(i->op) && i->d == R_SP) {
        i->second = i->op;
        i->op = OP_TO_SP;
    }
    if (i->length == 1 && i->op >= OP_ADDI && i->op <= OP_BNE)
        i->op += OP_C_ADDI - OP_ADDI;
}

static int is_executable(const Rv32e *c, uint32_t pc)
{
    return c->sim.attr[pc] & c->sim.attr[pc + 1] & A_EXEC;
}

int rv32e_decode(Rv32e *c, uint32_t pc, Insn *insn)
{
    if (!is_executable(c, pc))
        return sim_fail(&c->sim, SIM_FETCH, pc);
    uint32_t word = load16(c->sim.mem + pc);
    if (!is_short(word)) {
        if (!is_executable(c, pc + 2))
            return sim_fail(&c->sim, SIM_FETCH, pc + 2);
        word |= load16(c->sim.mem + pc + 2) << 16;
    }
    const int index = find_form(c, word);
    if (index < 0)
        return sim_fail(&c->sim, SIM_UNKNOWN_OPCODE, pc);
    const Form *f = &forms[index];
    const int clocks = f->clocks[c->kind->clocks], taken = f->taken[c->kind->clocks];
    Insn made = { .op = f->op, .length = is_short(word) ? 1 : 2, .clocks = (uint8_t)clocks,
                  .taken = (uint8_t)(taken ? taken - clocks : 0) };
    take_operands(&made, f->layout, word, pc);
    if (is_reserved(f->layout, &made) || (made.d | made.a | made.b) >= c->kind->registers)
        return sim_fail(&c->sim, SIM_UNKNOWN_OPCODE, pc);
    choose_operation(pc, &made);
    *insn = made;
    return index;
}

int rv32e_form(int clocks, uint32_t index, SimForm *out)
{
    if (index >= FORMS)
        return -1;
    const Form *f = &forms[index];
    *out = (SimForm){
        .text = f->text, .flags = f->flags, .marks = f->marks, .sources = f->sources,
        .layout = layouts[f->layout].name, .field = "NONE", .core = f->has == MUL ? "M" : "RV32E", .opcode = f->opcode,
        .clocks = f->clocks[clocks], .taken = f->taken[clocks], .length = f->layout < L_C_NONE ? 4 : 2, .fixed = -1,
    };
    return 0;
}
