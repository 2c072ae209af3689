/* How the instructions of ARMv6-M move taint. No clock depends on a value but by the way that a branch takes. */
#include "armv6m.h"
#include "armv6m_ops.h"
#include "taint.h"

/* Places in `reg`. */
enum { SP, FLAGS, PRIMASK, LR, FIRST };

static const char *const registers[] = {
    "sp", "apsr", "primask", "lr", "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12",
    NULL,
};

#define ALL UINT64_C(0xFFFFFFFF)

static const Armv6m *machine(const Taint *t) { return (const Armv6m *)t->sim; }

/* ---- registers and flags ---- */

static int place_of(unsigned n) { return n == R_SP ? SP : n == R_LR ? LR : FIRST + (int)n; }

static Bits reg(const Taint *t, unsigned n) { return bits(machine(t)->r[n], t->reg[place_of(n)]); }

static void set_reg(Taint *t, unsigned n, Bits value)
{
    t->reg[place_of(n)] = (uint32_t)value.taint & (n == R_SP ? ~3u : ~0u);
}

static Bits flag(const Taint *t, uint32_t mask)
{
    return bits((armv6m_apsr(machine(t)) & mask) != 0, (t->reg[FLAGS] & mask) != 0);
}

static void set_flag(Taint *t, uint32_t mask, uint64_t taint)
{
    t->reg[FLAGS] = (t->reg[FLAGS] & ~mask) | (taint & 1 ? mask : 0);
}

static void set_result_flags(Taint *t, Bits result)
{
    set_flag(t, APSR_Z, zero_taint(result));
    set_flag(t, APSR_N, result.taint >> 31);
}

static void logic(Taint *t, const Insn *i, Bits result)
{
    set_result_flags(t, result);
    set_reg(t, i->d, result);
}

/* ---- arithmetic ---- */

static Bits sum_flags(Taint *t, Sum s, Bits a, Bits b)
{
    Bits result = part(s.sum, 0, ALL);
    set_result_flags(t, result);
    set_flag(t, APSR_C, s.carry.taint >> 32);
    set_flag(t, APSR_V, overflow_taint(s, a, b, 31));
    return result;
}

static Bits add(Taint *t, Bits a, Bits b, Bits carry) { return sum_flags(t, bits_add(a, b, carry), a, b); }

/* Twice the same register: exact. */
static Bits add_registers(Taint *t, const Insn *i, Bits carry)
{
    Bits a = reg(t, i->n), b = reg(t, i->m);
    return i->n == i->m ? sum_flags(t, bits_twice(a, carry), a, b) : add(t, a, b, carry);
}

static Bits subtract(Taint *t, Bits a, Bits b) { return add(t, a, bits_not(b, ALL), known(1)); }

/* A register less itself is zero, or what the carry says, whatever it holds. */
static Bits subtract_registers(Taint *t, const Insn *i, Bits carry)
{
    Bits a = reg(t, i->n), b = reg(t, i->m);
    if (i->n == i->m)
        a = b = known(0);
    return add(t, a, bits_not(b, ALL), carry);
}

static Bits plus(Bits a, Bits b) { return part(bits_add(a, b, known(0)).sum, 0, ALL); }

static Bits same_or(const Insn *i, Bits same, Bits other) { return i->n == i->m ? same : other; }

/* ---- shifts ---- */

static Bits right_signed(Bits a, int by)
{
    return part(bits_signed(a, 31, ~UINT64_C(0)), by, ALL);
}

static void shift_constant(Taint *t, const Insn *i)
{
    const Bits a = reg(t, i->m);
    const int by = (int)i->imm;
    set_flag(t, APSR_C, a.taint >> (i->op == OP_LSL_I ? 32 - by : by - 1));
    logic(t, i, i->op == OP_LSL_I ? part(up(a, by), 0, ALL) : i->op == OP_LSR_I ? part(a, by, ALL) : right_signed(a, by));
}

static Bits shifted(int op, Bits a, int by)
{
    const int in = by & 31;
    switch (op) {
    case OP_LSL_R: return by > 31 ? known(0) : part(up(a, by), 0, ALL);
    case OP_LSR_R: return by > 31 ? known(0) : part(a, by, ALL);
    case OP_ASR_R: return right_signed(a, by > 31 ? 31 : by);
    default: return in ? part(joined(part(a, in, ALL), a, 32 - in), 0, ALL) : a;
    }
}

/* Taint of the last bit that leaves. */
static uint64_t leaving(int op, Bits a, int by)
{
    switch (op) {
    case OP_LSL_R: return by > 32 ? 0 : a.taint >> (32 - by);
    case OP_LSR_R: return by > 32 ? 0 : a.taint >> (by - 1);
    case OP_ASR_R: return a.taint >> (by > 31 ? 31 : by - 1);
    default: return a.taint >> ((by - 1) & 31);
    }
}

/* By a secret amount anything may come out, but of zero. */
static void shift_register(Taint *t, const Insn *i)
{
    const Bits a = reg(t, i->d), amount = part(reg(t, i->m), 0, 0xFF);
    if (amount.taint) {
        set_flag(t, APSR_C, 1);
        logic(t, i, a.value | a.taint ? bits(shifted(i->op, a, (int)amount.value).value, ALL) : a);
        return;
    }
    if (amount.value)
        set_flag(t, APSR_C, leaving(i->op, a, (int)amount.value));
    logic(t, i, shifted(i->op, a, (int)amount.value));
}

/* ---- bytes ---- */

static Bits reversed(Bits a, int op)
{
    Bits b[4];
    for (int n = 0; n < 4; n++)
        b[n] = part(a, 8 * n, 0xFF);
    const Bits low = joined(b[1], b[0], 8), high = joined(b[3], b[2], 8);
    if (op == OP_REV16)
        return joined(low, high, 16);
    return op == OP_REVSH ? bits_signed(low, 15, ALL) : joined(high, low, 16);
}

/* ---- memory ---- */

static void use_stack(Taint *t, unsigned base)
{
    if (base == R_SP && t->reg[SP])
        taint_record(t, TAINT_STACK);
}

static Address address(Taint *t, const Insn *i, int has_index)
{
    use_stack(t, i->n);
    return indexed(reg(t, i->n), has_index ? reg(t, i->m) : known(i->imm), ALL, known(0));
}

static void load(Taint *t, const Insn *i, int has_index, int bytes)
{
    set_reg(t, i->d, taint_read(t, address(t, i, has_index), bytes));
}

static void load_signed(Taint *t, const Insn *i, int bytes)
{
    set_reg(t, i->d, bits_signed(taint_read(t, address(t, i, 1), bytes), 8 * bytes - 1, ALL));
}

static void store(Taint *t, const Insn *i, int has_index, int bytes)
{
    taint_write(t, address(t, i, has_index), part(reg(t, i->d), 0, (UINT64_C(1) << 8 * bytes) - 1), bytes);
}

/* Registers of a list at ascending addresses from `a` on; the address behind them. */
static Bits store_list(Taint *t, uint32_t list, Bits a)
{
    for (unsigned n = 0; n <= R_LR; n++)
        if (list >> n & 1) {
            taint_write(t, at(a), reg(t, n), 4);
            a = plus(a, known(4));
        }
    return a;
}

/* What is loaded into the base counts for no address of the list. */
static Bits load_list(Taint *t, uint32_t list, Bits a)
{
    for (unsigned n = 0; n < 8; n++)
        if (list >> n & 1) {
            set_reg(t, n, taint_read(t, at(a), 4));
            a = plus(a, known(4));
        }
    return a;
}

static void push(Taint *t, const Insn *i)
{
    const uint32_t bytes = 4 * (uint32_t)__builtin_popcount(i->imm);
    use_stack(t, R_SP);
    store_list(t, i->imm, known(machine(t)->r[R_SP] - bytes));
}

static void pop(Taint *t, const Insn *i)
{
    use_stack(t, R_SP);
    const Bits back = load_list(t, i->imm, known(machine(t)->r[R_SP]));
    if (i->op == OP_POP_PC && taint_read(t, at(back), 4).taint)
        taint_record(t, TAINT_RETURN);
}

/* ---- jumps and conditions ---- */

static void computed(Taint *t, const Insn *i, int kind)
{
    if (reg(t, i->m).taint)
        taint_record(t, kind);
}

static void branch(Taint *t, const Insn *i, Condition *c, uint32_t flags)
{
    if (t->reg[FLAGS] & flags)
        *c = (Condition){ TAINT_BRANCH, i->imm, t->pc + 2, i->taken, 0 };
}

/* Two flags decide: one of them, known, can settle it. */
static void branch_unless(Taint *t, const Insn *i, Condition *c, uint32_t flags, Bits settles)
{
    if (settles.taint || !settles.value)
        branch(t, i, c, flags);
}

static void branch_signed(Taint *t, const Insn *i, Condition *c)
{
    const Bits zero = flag(t, APSR_Z);
    const int either = i->op == OP_BGT || i->op == OP_BLE;
    branch_unless(t, i, c, APSR_N | APSR_V | (either ? APSR_Z : 0u), either ? zero : known(0));
}

/* ---- one instruction ---- */

static void write_special(Taint *t, const Insn *i)
{
    const uint32_t taint = (uint32_t)reg(t, i->n).taint;
    if (i->imm == SPEC_MSP)
        t->reg[SP] = taint & ~3u;
    else if (i->imm == SPEC_PRIMASK && taint & 1)
        taint_record(t, TAINT_CONTROL);
    else if (i->imm < SPEC_FLAGS)
        t->reg[FLAGS] = taint & APSR_FLAGS;
}

static Bits special_register(const Taint *t, uint32_t which)
{
    const Bits none = known(0);
    if (which == SPEC_MSP)
        return reg(t, R_SP);
    return which < SPEC_FLAGS ? bits(0, t->reg[FLAGS]) : none;
}

static void move_insn(Taint *t, const Insn *i, Condition *c)
{
    const Bits none = known(0), carry = flag(t, APSR_C), imm = known(i->imm);
    switch (i->op) {
    case OP_MOVS: logic(t, i, reg(t, i->m)); break;
    case OP_LSL_I: case OP_LSR_I: case OP_ASR_I: shift_constant(t, i); break;
    case OP_ADD_R: set_reg(t, i->d, add_registers(t, i, none)); break;
    case OP_SUB_R: set_reg(t, i->d, subtract_registers(t, i, known(1))); break;
    case OP_ADD_I: set_reg(t, i->d, add(t, reg(t, i->n), imm, none)); break;
    case OP_SUB_I: set_reg(t, i->d, subtract(t, reg(t, i->n), imm)); break;
    case OP_MOV_I: logic(t, i, imm); break;
    case OP_CMP_I: subtract(t, reg(t, i->n), imm); break;
    case OP_AND: logic(t, i, bits_and(reg(t, i->n), reg(t, i->m))); break;
    case OP_EOR: logic(t, i, same_or(i, none, bits_xor(reg(t, i->n), reg(t, i->m)))); break;
    case OP_ORR: logic(t, i, bits_or(reg(t, i->n), reg(t, i->m))); break;
    case OP_BIC: logic(t, i, same_or(i, none, bits_and(reg(t, i->n), bits_not(reg(t, i->m), ALL)))); break;
    case OP_MVN: logic(t, i, bits_not(reg(t, i->m), ALL)); break;
    case OP_TST: set_result_flags(t, bits_and(reg(t, i->n), reg(t, i->m))); break;
    case OP_LSL_R: case OP_LSR_R: case OP_ASR_R: case OP_ROR_R: shift_register(t, i); break;
    case OP_ADC: set_reg(t, i->d, add_registers(t, i, carry)); break;
    case OP_SBC: set_reg(t, i->d, subtract_registers(t, i, carry)); break;
    case OP_RSB: set_reg(t, i->d, subtract(t, none, reg(t, i->n))); break;
    case OP_CMP: subtract_registers(t, i, known(1)); break;
    case OP_CMN: add_registers(t, i, none); break;
    case OP_MUL: logic(t, i, bits_mul(reg(t, i->n), reg(t, i->m), ALL)); break;

    case OP_MOV_H: case OP_MOV_SP: set_reg(t, i->d, reg(t, i->m)); break;
    case OP_SET_H: set_reg(t, i->d, none); break;
    case OP_ADD_H: case OP_ADD_SP_R: set_reg(t, i->d, plus(reg(t, i->n), reg(t, i->m))); break;
    case OP_ADD_HI: set_reg(t, i->d, plus(reg(t, i->n), imm)); break;
    case OP_ADD_SP_I: set_reg(t, R_SP, plus(reg(t, R_SP), imm)); break;
    case OP_SUB_SP_I: set_reg(t, R_SP, plus(reg(t, R_SP), known(0u - i->imm))); break;
    case OP_SXTH: set_reg(t, i->d, bits_signed(part(reg(t, i->m), 0, 0xFFFF), 15, ALL)); break;
    case OP_SXTB: set_reg(t, i->d, bits_signed(part(reg(t, i->m), 0, 0xFF), 7, ALL)); break;
    case OP_UXTH: set_reg(t, i->d, part(reg(t, i->m), 0, 0xFFFF)); break;
    case OP_UXTB: set_reg(t, i->d, part(reg(t, i->m), 0, 0xFF)); break;
    case OP_REV: case OP_REV16: case OP_REVSH: set_reg(t, i->d, reversed(reg(t, i->m), i->op)); break;

    case OP_LDR_L: set_reg(t, i->d, taint_read(t, at(imm), 4)); break;
    case OP_LDR_R: load(t, i, 1, 4); break;
    case OP_LDRH_R: load(t, i, 1, 2); break;
    case OP_LDRB_R: load(t, i, 1, 1); break;
    case OP_LDRSH_R: load_signed(t, i, 2); break;
    case OP_LDRSB_R: load_signed(t, i, 1); break;
    case OP_LDR_I: load(t, i, 0, 4); break;
    case OP_LDRH_I: load(t, i, 0, 2); break;
    case OP_LDRB_I: load(t, i, 0, 1); break;
    case OP_STR_R: store(t, i, 1, 4); break;
    case OP_STRH_R: store(t, i, 1, 2); break;
    case OP_STRB_R: store(t, i, 1, 1); break;
    case OP_STR_I: store(t, i, 0, 4); break;
    case OP_STRH_I: store(t, i, 0, 2); break;
    case OP_STRB_I: store(t, i, 0, 1); break;
    case OP_PUSH: push(t, i); break;
    case OP_POP: case OP_POP_PC: pop(t, i); break;
    case OP_STM: set_reg(t, i->n, store_list(t, i->imm, reg(t, i->n))); break;
    case OP_LDM: {
        const Bits behind = load_list(t, i->imm, reg(t, i->n));
        if (!(i->imm >> i->n & 1))
            set_reg(t, i->n, behind);
        break;
    }

    case OP_MOV_PC: case OP_ADD_PC: computed(t, i, TAINT_JUMP); break;
    case OP_BX: computed(t, i, i->m == R_LR ? TAINT_RETURN : TAINT_JUMP); break;
    case OP_BLX: computed(t, i, TAINT_CALL); set_reg(t, R_LR, none); break;
    case OP_BL: set_reg(t, R_LR, none); break;

    case OP_BEQ: case OP_BNE: branch(t, i, c, APSR_Z); break;
    case OP_BCS: case OP_BCC: branch(t, i, c, APSR_C); break;
    case OP_BMI: case OP_BPL: branch(t, i, c, APSR_N); break;
    case OP_BVS: case OP_BVC: branch(t, i, c, APSR_V); break;
    case OP_BHI: case OP_BLS: {     /* a clear C or a set Z settles it */
        const Bits high = flag(t, APSR_C), zero = flag(t, APSR_Z);
        const int settled = (!high.taint && !high.value) || (!zero.taint && zero.value);
        branch_unless(t, i, c, APSR_C | APSR_Z, known((uint64_t)settled));
        break;
    }
    case OP_BGE: case OP_BLT: case OP_BGT: case OP_BLE: branch_signed(t, i, c); break;

    case OP_MRS: set_reg(t, i->d, special_register(t, i->imm)); break;
    case OP_MSR: write_special(t, i); break;
    case OP_B: case OP_NOP: case OP_ENDLESS: case OP_CPSIE: case OP_CPSID: case OP_WAIT_FOR: case OP_TRAP: break;
    default: t->unknown = 1;
    }
}

static void move(Taint *t, Condition *condition)
{
    Armv6m *c = (Armv6m *)t->sim;
    const uint32_t at = (t->pc - c->low) / 2;
    if (at < c->span && (c->code[at].op != OP_DECODE || armv6m_decode(c, t->pc, &c->code[at]) >= 0))
        move_insn(t, &c->code[at], condition);
}

const TaintCore taint_armv6m = { .registers = registers, .move = move, .prefetch = 1 };
