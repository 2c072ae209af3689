/* ARMv6-M: from the table of forms to predecoded instructions. */
#include "armv6m.h"
#include "armv6m_ops.h"

typedef enum {
    O_NONE, O_NONE2, O_D_M, O_DD_M, O_D_N_M, O_D_N_I3, O_D_M_I5, O_D_I8, O_D_I8_W, O_DM_H, O_M4, O_D_N_I5, O_D_N_I5_H,
    O_D_N_I5_W, O_D_SP_I8_W, O_I7_W, O_LIST, O_LIST_LR, O_LIST_PC, O_N_LIST, O_TO8, O_TO11, O_TO24, O_I8, O_D_SPEC,
    O_SPEC_N
} Operands;

/* The bits of the two halfwords that operands take; 0xFFFF: there is no second. */
enum { ONE = 0xFFFF };
static const struct { uint16_t bits, second; const char *name; } operands[] = {
    [O_NONE] = { 0x0000, ONE, "NONE" },
    [O_NONE2] = { 0x0000, 0x0000, "NONE2" },
    [O_D_M] = { 0x003F, ONE, "D_M" },               /* two low registers, the second is the source */
    [O_DD_M] = { 0x003F, ONE, "DD_M" },             /* the first is read, too */
    [O_D_N_M] = { 0x01FF, ONE, "D_N_M" },
    [O_D_N_I3] = { 0x01FF, ONE, "D_N_I3" },         /* 0-7 */
    [O_D_M_I5] = { 0x07FF, ONE, "D_M_I5" },         /* 1-31; LSRS, ASRS 1-32 */
    [O_D_I8] = { 0x07FF, ONE, "D_I8" },             /* the register is read, too */
    [O_D_I8_W] = { 0x07FF, ONE, "D_I8_W" },         /* 0-1020 from the word at PC */
    [O_DM_H] = { 0x00FF, ONE, "DM_H" },             /* two of any registers */
    [O_M4] = { 0x0078, ONE, "M4" },                 /* any register */
    [O_D_N_I5] = { 0x07FF, ONE, "D_N_I5" },         /* 0-31 */
    [O_D_N_I5_H] = { 0x07FF, ONE, "D_N_I5_H" },     /* 0-62 */
    [O_D_N_I5_W] = { 0x07FF, ONE, "D_N_I5_W" },     /* 0-124 */
    [O_D_SP_I8_W] = { 0x07FF, ONE, "D_SP_I8_W" },   /* 0-1020 */
    [O_I7_W] = { 0x007F, ONE, "I7_W" },             /* 0-508 */
    [O_LIST] = { 0x00FF, ONE, "LIST" },             /* of r0-r7 */
    [O_LIST_LR] = { 0x01FF, ONE, "LIST_LR" },
    [O_LIST_PC] = { 0x00FF, ONE, "LIST_PC" },
    [O_N_LIST] = { 0x07FF, ONE, "N_LIST" },
    [O_TO8] = { 0x00FF, ONE, "TO8" },               /* -256 to 254 */
    [O_TO11] = { 0x07FF, ONE, "TO11" },             /* -2048 to 2046 */
    [O_TO24] = { 0x07FF, 0x2FFF, "TO24" },          /* 16 MB either way */
    [O_I8] = { 0x00FF, ONE, "I8" },
    [O_D_SPEC] = { 0x0000, 0x0FFF, "D_SPEC" },      /* register, special register */
    [O_SPEC_N] = { 0x000F, 0x00FF, "SPEC_N" },
};

typedef struct {
    const char *text;
    uint16_t opcode, second;
    uint8_t operands, op, clocks[2], taken[2];      /* of Cortex-M0+, of Cortex-M0 */
    const char *flags, *marks, *sources;
} Form;

static const Form forms[] = {
#define FORM(text, opcode, second, operands, op, plus, plus_taken, zero, zero_taken, flags, marks, sources) \
    { text, opcode, second, O_##operands, OP_##op, { plus, zero }, { plus_taken, zero_taken }, flags, marks, sources },
#include "armv6m_forms.def"
#undef FORM
};

enum { FORMS = sizeof forms / sizeof *forms };

static int halfwords(const Form *f) { return operands[f->operands].second == ONE ? 1 : 2; }

static int find_form(uint32_t first, uint32_t second)
{
    for (int i = 0; i < FORMS; i++) {
        const Form *f = &forms[i];
        if ((first & ~(uint32_t)operands[f->operands].bits) == f->opcode
            && (halfwords(f) == 1 || (second & ~(uint32_t)operands[f->operands].second) == f->second))
            return i;
    }
    return -1;
}

static int32_t sign_extend(uint32_t value, int bits)
{
    return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

/* S I1 I2 and 21 bits, where I1 and I2 are as S unless their bits in the second halfword are zero. */
static uint32_t long_offset(uint32_t first, uint32_t second)
{
    const uint32_t s = first >> 10 & 1, i1 = (second >> 13 & 1) ^ s ^ 1, i2 = (second >> 11 & 1) ^ s ^ 1;
    const uint32_t bits = s << 23 | i1 << 22 | i2 << 21 | (first & 0x3FF) << 11 | (second & 0x7FF);
    return (uint32_t)sign_extend(bits, 24) * 2;
}

static void take_operands(Insn *insn, const Form *f, uint32_t first, uint32_t second, uint32_t pc)
{
    const uint32_t high = first >> 8 & 7;
    insn->d = first & 7;
    insn->n = insn->m = first >> 3 & 7;
    switch ((Operands)f->operands) {
    case O_NONE: case O_NONE2: insn->d = insn->n = insn->m = 0; break;
    case O_D_M: break;
    case O_DD_M: insn->n = insn->d; break;
    case O_D_N_M: insn->m = first >> 6 & 7; break;
    case O_D_N_I3: insn->imm = first >> 6 & 7; break;
    case O_D_M_I5: case O_D_N_I5: insn->imm = first >> 6 & 31; break;
    case O_D_N_I5_H: insn->imm = 2 * (first >> 6 & 31); break;
    case O_D_N_I5_W: insn->imm = 4 * (first >> 6 & 31); break;
    case O_D_I8: insn->d = insn->n = (uint8_t)high; insn->imm = first & 0xFF; break;
    case O_D_I8_W: insn->d = (uint8_t)high; insn->imm = ((pc + 4) & ~3u) + 4 * (first & 0xFF); break;
    case O_D_SP_I8_W: insn->d = (uint8_t)high; insn->n = R_SP; insn->imm = 4 * (first & 0xFF); break;
    case O_DM_H: insn->d = insn->n = (uint8_t)((first >> 4 & 8) | (first & 7)); insn->m = first >> 3 & 15; break;
    case O_M4: insn->m = first >> 3 & 15; break;
    case O_I7_W: insn->imm = 4 * (first & 0x7F); break;
    case O_LIST: case O_LIST_PC: insn->imm = first & 0xFF; break;
    case O_LIST_LR: insn->imm = (first & 0xFF) | (first & 0x100) << (R_LR - 8); break;
    case O_N_LIST: insn->n = (uint8_t)high; insn->imm = first & 0xFF; break;
    case O_TO8: insn->imm = pc + 4 + (uint32_t)sign_extend(first, 8) * 2; break;
    case O_TO11: insn->imm = pc + 4 + (uint32_t)sign_extend(first, 11) * 2; break;
    case O_TO24: insn->imm = pc + 4 + long_offset(first, second); break;
    case O_I8: insn->imm = first & 0xFF; break;
    case O_D_SPEC: insn->d = second >> 8 & 15; insn->imm = second & 0xFF; break;
    case O_SPEC_N: insn->n = first & 15; insn->imm = second & 0xFF; break;
    }
}

/* The flags under their four names, IPSR and EPSR, which read as zero, SP and PRIMASK. CONTROL can be read. */
static int has_special(uint32_t which, int writes)
{
    return (which < SPEC_MSP && which != SPEC_FLAGS) || which == SPEC_MSP || which == SPEC_PRIMASK
        || (which == SPEC_CONTROL && !writes);
}

/* What the manual leaves open, and two that nobody writes: SP taken from PC, and BX PC, which leaves Thumb. */
static int unpredictable(const Insn *i, const Form *f)
{
    const uint32_t below_base = (1u << i->n) - 1;
    switch (f->operands) {
    case O_LIST: case O_LIST_LR: return i->imm == 0;
    case O_N_LIST:
        return i->imm == 0 || (i->op == OP_STM && i->imm >> i->n & 1 && i->imm & below_base);
    case O_DM_H:
        if (i->op == OP_CMP)
            return i->d == R_PC || i->m == R_PC || (i->d < 8 && i->m < 8);
        return i->d == R_SP && i->m == R_PC;
    case O_M4: return i->op != OP_MOV_PC && i->m == R_PC;
    case O_D_SPEC: return i->d == R_SP || i->d == R_PC || !has_special(i->imm, 0);
    case O_SPEC_N: return i->n == R_SP || i->n == R_PC || !has_special(i->imm, 1);
    default: return 0;
    }
}

/* SP and PC have operations of their own. */
static void specialize(Insn *i, uint32_t pc)
{
    if (i->op == OP_ADD_PC)
        i->imm = pc + 4;
    else if (i->op == OP_MOV_PC && i->m == R_PC) {
        i->op = OP_B;
        i->imm = pc + 4;
    } else if (i->op == OP_MOV_H && i->d == R_SP)
        i->op = OP_MOV_SP;
    else if (i->op == OP_ADD_H && i->d == R_SP)
        i->op = OP_ADD_SP_R;
    else if (i->op == OP_MOV_H && i->m == R_PC) {
        i->op = OP_SET_H;
        i->imm = pc + 4;
    } else if (i->op == OP_ADD_H && i->m == R_PC) {
        i->op = OP_ADD_HI;
        i->imm = pc + 4;
    } else if ((i->op == OP_LSR_I || i->op == OP_ASR_I) && i->imm == 0)
        i->imm = 32;
    else if (i->op == OP_B && i->imm == pc)
        i->op = OP_ENDLESS;
}

static int executable(const Armv6m *c, uint32_t pc)
{
    return pc - c->low < 2 * c->span && c->sim.attr[pc] & c->sim.attr[pc + 1] & A_EXEC;
}

static uint8_t registers_in(uint32_t list) { return (uint8_t)__builtin_popcount(list); }

int armv6m_decode(Armv6m *c, uint32_t pc, Insn *insn)
{
    if (!executable(c, pc))
        return sim_fail(&c->sim, SIM_FETCH, pc);
    const int more = executable(c, pc + 2);
    const uint32_t first = load16(c->sim.mem + pc), second = more ? load16(c->sim.mem + pc + 2) : 0;
    const int index = find_form(first, second);
    if (index < 0)
        return first >= 0xE800 && !more ? sim_fail(&c->sim, SIM_FETCH, pc + 2)
                                        : sim_fail(&c->sim, SIM_UNKNOWN_OPCODE, pc);
    const Form *f = &forms[index];
    Insn made = { .op = f->op, .length = (uint8_t)halfwords(f), .clocks = f->clocks[c->zero] };
    made.taken = f->taken[c->zero] ? (uint8_t)(f->taken[c->zero] - made.clocks) : 0;
    take_operands(&made, f, first, second, pc);
    if (unpredictable(&made, f))
        return sim_fail(&c->sim, SIM_UNKNOWN_OPCODE, pc);
    switch (f->operands) {
    case O_LIST: case O_LIST_LR: case O_N_LIST: made.clocks += registers_in(made.imm); break;
    case O_LIST_PC: made.clocks += 1 + registers_in(made.imm); break;
    default: break;
    }
    if (made.op == OP_MUL)
        made.clocks = (uint8_t)c->multiply;
    specialize(&made, pc);
    *insn = made;
    return index;
}

int armv6m_form(int zero, int multiply, uint32_t index, SimForm *out)
{
    if (index >= FORMS)
        return -1;
    const Form *f = &forms[index];
    *out = (SimForm){
        .text = f->text, .flags = f->flags, .marks = f->marks, .sources = f->sources,
        .layout = operands[f->operands].name, .field = "NONE", .core = "ARMv6-M", .opcode = f->opcode,
        .clocks = f->op == OP_MUL ? (uint32_t)multiply : f->clocks[zero],
        .taken = f->taken[zero], .length = 2u * (uint32_t)halfwords(f), .fixed = -1,
    };
    return 0;
}
