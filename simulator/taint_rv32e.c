/* How the instructions of RISC-V move taint. */
#include "rv32e.h"
#include "rv32e_ops.h"
#include "taint.h"

/* Places in `reg`: SP, mstatus, x1, x3 and all further by number. */
enum { SP, STATUS, RA };

static const char *const registers[] = {
    "sp", "mstatus", "ra", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", NULL,
};
static const char *const all_registers[] = {
    "sp", "mstatus", "ra", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7",
    "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6", NULL,
};

static const uint64_t WORD = 0xFFFFFFFF;

static const Rv32e *machine(const Taint *t) { return (const Rv32e *)t->sim; }

/* ---- registers ---- */

static unsigned place_of(unsigned n) { return n == R_SP ? SP : n == R_RA ? RA : n; }

static Bits reg(const Taint *t, unsigned n)
{
    return n == R_ZERO ? known(0) : bits(machine(t)->r[n], t->reg[place_of(n)]);
}

static void set_reg(Taint *t, unsigned n, Bits value)
{
    if (n != R_SINK)
        t->reg[place_of(n)] = (uint32_t)value.taint;
}

static Bits status(const Taint *t) { return bits(machine(t)->status, t->reg[STATUS]); }

/* ---- arithmetic ---- */

static Bits add(Bits a, Bits b) { return part(bits_add(a, b, known(0)).sum, 0, WORD); }

/* Whether a is less than b: the borrow. */
static Bits less(Bits a, Bits b) { return bits_not(part(bits_sub(a, b, known(0), WORD).carry, 32, 1), 1); }

static Bits less_signed(Bits a, Bits b)
{
    const Bits sign = known(0x80000000);
    return less(bits_xor(a, sign), bits_xor(b, sign));
}

static Bits sign_extended(Bits a) { return bits_signed(a, 31, UINT64_MAX); }

enum { LEFT, RIGHT, RIGHT_SIGNED };

static Bits shifted(Bits a, int how, int by)
{
    if (how == LEFT)
        return part(up(a, by), 0, WORD);
    return part(how == RIGHT ? a : sign_extended(a), by, WORD);
}

/* By a count that may be secret: as it differs from each shift that may be meant. */
static Bits shifted_by(Bits a, int how, Bits by)
{
    by = part(by, 0, 31);
    Bits result = shifted(a, how, (int)by.value);
    for (unsigned n = 0; n < 32 && by.taint; n++) {
        if ((n ^ by.value) & ~by.taint)
            continue;
        const Bits other = shifted(a, how, (int)n);
        result.taint |= other.taint | (other.value ^ result.value);
    }
    return result;
}

static Bits product(Bits a, Bits b) { return part(bits_mul(a, b, UINT64_MAX), 32, WORD); }

/* A division by zero takes less. */
static Bits divided(Taint *t, Bits a, Bits b)
{
    if (zero_taint(b))
        taint_record(t, TAINT_BRANCH);
    return bits(0, a.taint | b.taint ? WORD : 0);
}

/* A register with itself: what does not depend on it. */
static Bits with_itself(unsigned op, Bits a)
{
    switch (op) {
    case OP_ADD: return part(bits_twice(a, known(0)).sum, 0, WORD);
    case OP_SUB: case OP_XOR: case OP_SLT: case OP_SLTU: return known(0);
    default: return a;          /* AND, OR */
    }
}

static int is_with_itself(const Insn *i, unsigned op)
{
    switch (op) {
    case OP_ADD: case OP_SUB: case OP_XOR: case OP_SLT: case OP_SLTU: case OP_AND: case OP_OR: return i->a == i->b;
    default: return 0;
    }
}

static Bits value(Taint *t, const Insn *i, unsigned op)
{
    const Bits a = reg(t, i->a), b = reg(t, i->b), imm = known(i->imm);
    if (is_with_itself(i, op))
        return with_itself(op, a);
    switch (op) {
    case OP_ADDI: return add(a, imm);
    case OP_SLTI: return less_signed(a, imm);
    case OP_SLTIU: return less(a, imm);
    case OP_XORI: return bits_xor(a, imm);
    case OP_ORI: return bits_or(a, imm);
    case OP_ANDI: return bits_and(a, imm);
    case OP_SLLI: return shifted(a, LEFT, (int)i->imm);
    case OP_SRLI: return shifted(a, RIGHT, (int)i->imm);
    case OP_SRAI: return shifted(a, RIGHT_SIGNED, (int)i->imm);
    case OP_ADD: return add(a, b);
    case OP_SUB: return part(bits_sub(a, b, known(0), WORD).sum, 0, WORD);
    case OP_SLL: return shifted_by(a, LEFT, b);
    case OP_SLT: return less_signed(a, b);
    case OP_SLTU: return less(a, b);
    case OP_XOR: return bits_xor(a, b);
    case OP_SRL: return shifted_by(a, RIGHT, b);
    case OP_SRA: return shifted_by(a, RIGHT_SIGNED, b);
    case OP_OR: return bits_or(a, b);
    case OP_AND: return bits_and(a, b);
    case OP_MUL: return bits_mul(a, b, WORD);
    case OP_MULH: return product(sign_extended(a), sign_extended(b));
    case OP_MULHSU: return product(sign_extended(a), b);
    case OP_MULHU: return product(a, b);
    case OP_DIV: case OP_DIVU: case OP_REM: case OP_REMU: return divided(t, a, b);
    default: return known(0);               /* LUI, and the address after JAL and JALR */
    }
}

/* ---- memory ---- */

/* Within what the register can hold, as far as the sum does not pass the end of the address space. */
static Address address(Taint *t, const Insn *i)
{
    const Bits base = reg(t, i->a), sum = add(base, known(i->imm));
    if (i->a == R_SP && base.taint) {
        taint_record(t, TAINT_STACK);
        return at(known(sum.value));
    }
    const int64_t low = (int64_t)least(base) + (int32_t)i->imm, high = (int64_t)most(base) + (int32_t)i->imm;
    return low < 0 || high > (int64_t)WORD ? at(sum) : (Address){ sum, (uint64_t)low, (uint64_t)high };
}

static Bits load(Taint *t, const Insn *i, int bytes, int is_signed)
{
    const Bits loaded = taint_read(t, address(t, i), bytes);
    return is_signed ? bits_signed(loaded, 8 * bytes - 1, WORD) : loaded;
}

static void store(Taint *t, const Insn *i, int bytes)
{
    taint_write(t, address(t, i), part(reg(t, i->b), 0, (UINT64_C(1) << 8 * bytes) - 1), bytes);
}

/* ---- jumps, branches, status ---- */

static void jump(Taint *t, const Insn *i, int kind)
{
    if (add(reg(t, i->a), known(i->imm)).taint & ~UINT64_C(1))
        taint_record(t, kind);
}

static void branch(Taint *t, const Insn *i, Condition *c, uint64_t taint)
{
    const int further = i->taken + (int)rv32e_wait(t->sim->mem, t->sim->attr, i->imm);
    if (taint && i->a != i->b)
        *c = (Condition){ TAINT_BRANCH, i->imm, t->pc + 2u * i->length, further, 0 };
}

static Bits new_status(const Taint *t, const Insn *i, unsigned op)
{
    const Bits before = status(t), by = op >= OP_CSRRWI ? known(i->imm) : reg(t, i->a);
    switch (op) {
    case OP_CSRRW: case OP_CSRRWI: return by;
    case OP_CSRRS: case OP_CSRRSI: return bits_or(before, by);
    default: return bits_and(before, bits_not(by, WORD));
    }
}

/* ---- one instruction ---- */

static unsigned operation(const Insn *i)
{
    if (i->op >= OP_C_ADDI && i->op <= OP_C_BNE)
        return i->op + OP_ADDI - OP_C_ADDI;
    return i->op == OP_TO_SP ? i->second : i->op;
}

static void move_insn(Taint *t, const Insn *i, Condition *c)
{
    const unsigned op = operation(i);
    const Bits a = reg(t, i->a), b = reg(t, i->b);
    switch (op) {
    case OP_LB: set_reg(t, i->d, load(t, i, 1, 1)); break;
    case OP_LH: set_reg(t, i->d, load(t, i, 2, 1)); break;
    case OP_LW: set_reg(t, i->d, load(t, i, 4, 0)); break;
    case OP_LBU: set_reg(t, i->d, load(t, i, 1, 0)); break;
    case OP_LHU: set_reg(t, i->d, load(t, i, 2, 0)); break;
    case OP_SB: store(t, i, 1); break;
    case OP_SH: store(t, i, 2); break;
    case OP_SW: store(t, i, 4); break;

    case OP_JR: jump(t, i, TAINT_JUMP); break;
    case OP_RET: jump(t, i, TAINT_RETURN); break;
    case OP_JALR:
        jump(t, i, rv32e_links(i->d) ? TAINT_CALL : TAINT_JUMP);
        set_reg(t, i->d, known(0));
        break;
    case OP_BEQ: case OP_BNE: branch(t, i, c, zero_taint(bits_xor(a, b))); break;
    case OP_BLT: case OP_BGE: branch(t, i, c, less_signed(a, b).taint); break;
    case OP_BLTU: case OP_BGEU: branch(t, i, c, less(a, b).taint); break;

    case OP_CSRRW: case OP_CSRRS: case OP_CSRRC: case OP_CSRRWI: case OP_CSRRSI: case OP_CSRRCI: {
        const Bits before = status(t);
        t->reg[STATUS] = (uint32_t)new_status(t, i, op).taint & MIE;
        set_reg(t, i->d, before);
        break;
    }
    case OP_J: case OP_ENDLESS: case OP_FENCE: case OP_ECALL: case OP_EBREAK: break;
    default: set_reg(t, i->d, value(t, i, op));
    }
}

static void move(Taint *t, Condition *condition)
{
    Rv32e *c = (Rv32e *)t->sim;
    const uint32_t at = (t->pc - c->low) / 2;
    if (at < c->span && (c->code[at].op != OP_DECODE || rv32e_decode(c, t->pc, &c->code[at]) >= 0))
        move_insn(t, &c->code[at], condition);
}

const TaintCore taint_rv32e = { .registers = registers, .move = move };
const TaintCore taint_qingke = { .registers = registers, .move = move, .prefetch = 1 };
const TaintCore taint_rv32i = { .registers = all_registers, .move = move };
