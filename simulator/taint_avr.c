/* How the instructions of the AVR move taint. Registers are bytes of memory, on AVRxt beyond the data space. */
#include "avr.h"
#include "avr_ops.h"
#include "taint.h"

enum { SP, FLAGS };

static const char *const registers[] = { "sp", "sreg", NULL };

/* ---- registers and flags ---- */

static const Kind *kind(const Taint *t) { return ((const Avr *)t->sim)->kind; }

static Bits reg(const Taint *t, unsigned n) { return taint_register(t, kind(t)->registers + n); }
static void set_reg(Taint *t, unsigned n, Bits value) { taint_set_register(t, kind(t)->registers + n, value); }

static Bits pair(const Taint *t, unsigned n) { return joined(reg(t, n), reg(t, n + 1), 8); }
static void set_pair(Taint *t, unsigned n, Bits value)
{
    set_reg(t, n, value);
    set_reg(t, n + 1, part(value, 8, 0xFF));
}

static uint64_t flag_taint(const Taint *t, unsigned mask) { return (t->reg[FLAGS] & mask) != 0; }

static Bits carry_flag(const Taint *t) { return bits(((const Avr *)t->sim)->cy != 0, flag_taint(t, SREG_C)); }
static Bits zero_flag(const Taint *t) { return bits(((const Avr *)t->sim)->zr == 0, flag_taint(t, SREG_Z)); }

static void set_flag(Taint *t, unsigned mask, uint64_t taint)
{
    t->reg[FLAGS] = (t->reg[FLAGS] & ~mask) | (taint & 1 ? mask : 0);
}

/* N, Z and, where there was no overflow, V and S; `bit` is the sign. */
static void set_logic_flags(Taint *t, Bits result)
{
    set_flag(t, SREG_N | SREG_S, result.taint >> 7);
    set_flag(t, SREG_V, 0);
    set_flag(t, SREG_Z, zero_taint(result));
}

/* S is N ^ V: of a sum, the signs of the operands and the carry out. */
static void set_sum_flags(Taint *t, Sum s, Bits a, Bits b, int bit)
{
    uint64_t mask = (UINT64_C(2) << bit) - 1;
    set_flag(t, SREG_N, s.sum.taint >> bit);
    set_flag(t, SREG_V, overflow_taint(s, a, b, bit));
    set_flag(t, SREG_S, (a.taint | b.taint) >> bit | s.carry.taint >> (bit + 1));
    set_flag(t, SREG_Z, zero_taint(part(s.sum, 0, mask)));
}

static void set_carries(Taint *t, Sum s)
{
    set_flag(t, SREG_C, s.carry.taint >> 8);
    set_flag(t, SREG_H, s.carry.taint >> 4);
}

/* ---- arithmetic ---- */

static Bits add(Taint *t, const Insn *i, Bits carry)
{
    Bits a = reg(t, i->d), b = reg(t, i->r);
    Sum s = i->d == i->r ? bits_twice(a, carry) : bits_add(a, b, carry);
    set_sum_flags(t, s, a, b, 7);
    set_carries(t, s);
    return s.sum;
}

static Bits subtract(Taint *t, Bits a, Bits b, Bits borrow)
{
    Sum s = bits_sub(a, b, borrow, 0xFF);
    set_sum_flags(t, s, a, bits_not(b, 0xFF), 7);
    set_carries(t, s);
    return part(s.sum, 0, 0xFF);
}

/* A register less itself is zero whatever it holds. */
static Bits subtract_registers(Taint *t, const Insn *i, Bits borrow)
{
    if (i->d == i->r)
        return subtract(t, known(0), known(0), borrow);
    return subtract(t, reg(t, i->d), reg(t, i->r), borrow);
}

/* Z stays 0 where it was: of several bytes, all must be zero. */
static Bits keep_zero(Taint *t, Bits before, Bits result)
{
    int known_one = (!before.taint && !before.value) || least(result);
    set_flag(t, SREG_Z, !known_one && (before.taint || result.taint));
    return result;
}

static void step_register(Taint *t, const Insn *i, Bits by)
{
    Bits a = reg(t, i->d);
    Sum s = bits_add(a, by, known(0));
    set_sum_flags(t, s, a, by, 7);
    set_reg(t, i->d, s.sum);
}

static void shift_right(Taint *t, const Insn *i, Bits top)
{
    Bits a = reg(t, i->d), result = joined(part(a, 1, 0x7F), top, 7);
    set_flag(t, SREG_C | SREG_S, a.taint);
    set_flag(t, SREG_N, result.taint >> 7);
    set_flag(t, SREG_V, a.taint | result.taint >> 7);
    set_flag(t, SREG_Z, zero_taint(result));
    set_reg(t, i->d, result);
}

static void add_to_pair(Taint *t, const Insn *i, int subtracts)
{
    Bits a = pair(t, i->d), b = known(i->imm);
    Sum s = subtracts ? bits_sub(a, b, known(0), 0xFFFF) : bits_add(a, b, known(0));
    set_sum_flags(t, s, a, subtracts ? bits_not(b, 0xFFFF) : b, 15);
    set_flag(t, SREG_C, s.carry.taint >> 16);
    set_pair(t, i->d, s.sum);
}

static void multiply(Taint *t, Bits a, Bits b, int shift)
{
    Bits product = bits_mul(a, b, 0xFFFF), shifted = part(up(product, shift), 0, 0xFFFF);
    set_flag(t, SREG_C, product.taint >> 15);
    set_flag(t, SREG_Z, zero_taint(shifted));
    set_pair(t, 0, shifted);
}

static Bits signed_reg(Taint *t, unsigned n) { return bits_signed(reg(t, n), 7, 0xFFFF); }

static void logic(Taint *t, const Insn *i, Bits result)
{
    set_logic_flags(t, result);
    set_reg(t, i->d, result);
}

/* ---- memory ---- */

static Bits stepped(Bits value, int by) { return part(bits_add(value, known((uint16_t)by), known(0)).sum, 0, 0xFFFF); }

/* The address of a pointer that is decremented before; incremented after, it is put back by the caller. */
static Bits pointer(Taint *t, unsigned n, int before) { return stepped(pair(t, n), -before); }

static Address data_at(Bits p, unsigned displacement)
{
    return indexed(p, known(displacement), 0xFFFF, known(DATA));
}

static void load(Taint *t, const Insn *i, unsigned n, int before, int after)
{
    Bits p = pointer(t, n, before), value = taint_read(t, data_at(p, before || after ? 0 : i->imm), 1);
    if (before || after)
        set_pair(t, n, stepped(p, after));
    set_reg(t, i->d, value);
}

static void store(Taint *t, const Insn *i, unsigned n, int before, int after)
{
    Bits p = pointer(t, n, before);
    taint_write(t, data_at(p, before || after ? 0 : i->imm), reg(t, i->d), 1);
    if (before || after)
        set_pair(t, n, stepped(p, after));
}

static void load_flash(Taint *t, const Insn *i, int far, int after)
{
    Bits z = pair(t, ZL);
    if (far)
        z = joined(z, taint_load(t, kind(t)->io + RAMPZ), 16);
    Bits value = taint_read(t, at(z), 1), next = bits_add(z, known(1), known(0)).sum;
    if (after)
        set_pair(t, ZL, next);
    if (after && far)
        taint_store(t, kind(t)->io + RAMPZ, part(next, 16, 0xFF));
    set_reg(t, i->d, value);
}

static uint32_t stack(Taint *t, int offset)
{
    if (t->reg[SP])
        taint_record(t, TAINT_STACK);
    return DATA | ((((const Avr *)t->sim)->sp + (uint32_t)offset) & 0xFFFF);
}

static void push_return(Taint *t)
{
    taint_store(t, stack(t, 0), known(0));
    taint_store(t, stack(t, -1), known(0));
}

static void pop_return(Taint *t)
{
    if (taint_load(t, stack(t, 1)).taint | taint_load(t, stack(t, 2)).taint)
        taint_record(t, TAINT_RETURN);
}

static void computed(Taint *t, int kind)
{
    if (pair(t, ZL).taint)
        taint_record(t, kind);
}

static Bits io(Taint *t, const Insn *i) { return taint_load(t, DATA | i->imm); }

static void set_io_bit(Taint *t, const Insn *i)
{
    Bits b = io(t, i);
    taint_store(t, DATA | i->imm, bits(b.value, b.taint & ~(UINT64_C(1) << i->r)));
}

/* ---- conditions ---- */

static void branch(Taint *t, const Insn *i, Condition *c, unsigned mask)
{
    if (flag_taint(t, mask))
        *c = (Condition){ TAINT_BRANCH, 2u * i->imm, t->pc + 2, i->taken, 0 };
}

/* A skip costs a clock for each word of the instruction that it skips. */
static void skip(Taint *t, Condition *c, uint64_t taint)
{
    Insn skipped;
    if (taint & 1 && avr_decode((Avr *)t->sim, t->pc + 2, &skipped) >= 0)
        *c = (Condition){ TAINT_SKIP, t->pc + 2 + 2u * skipped.length, t->pc + 2, skipped.length, 0 };
}

/* ---- one instruction ---- */

static void move_insn(Taint *t, const Insn *i, Condition *c)
{
    const Bits none = known(0), carry = carry_flag(t), zero = zero_flag(t), imm = known(i->imm);
    Bits old;
    switch (i->op) {
    case OP_ADD: set_reg(t, i->d, add(t, i, none)); break;
    case OP_ADC: set_reg(t, i->d, add(t, i, carry)); break;
    case OP_SUB: set_reg(t, i->d, subtract_registers(t, i, none)); break;
    case OP_SUBI: set_reg(t, i->d, subtract(t, reg(t, i->d), imm, none)); break;
    case OP_SBC: set_reg(t, i->d, keep_zero(t, zero, subtract_registers(t, i, carry))); break;
    case OP_SBCI: set_reg(t, i->d, keep_zero(t, zero, subtract(t, reg(t, i->d), imm, carry))); break;
    case OP_CP: subtract_registers(t, i, none); break;
    case OP_CPC: keep_zero(t, zero, subtract_registers(t, i, carry)); break;
    case OP_CPI: subtract(t, reg(t, i->d), imm, none); break;
    case OP_AND: logic(t, i, bits_and(reg(t, i->d), reg(t, i->r))); break;
    case OP_ANDI: logic(t, i, bits_and(reg(t, i->d), imm)); break;
    case OP_OR: logic(t, i, bits_or(reg(t, i->d), reg(t, i->r))); break;
    case OP_ORI: logic(t, i, bits_or(reg(t, i->d), imm)); break;
    case OP_EOR: logic(t, i, i->d == i->r ? none : bits_xor(reg(t, i->d), reg(t, i->r))); break;
    case OP_COM: logic(t, i, bits_not(reg(t, i->d), 0xFF)); set_flag(t, SREG_C, 0); break;
    case OP_NEG: set_reg(t, i->d, subtract(t, none, reg(t, i->d), none)); break;
    case OP_INC: step_register(t, i, known(1)); break;
    case OP_DEC: step_register(t, i, known(0xFF)); break;
    case OP_LSR: shift_right(t, i, none); break;
    case OP_ROR: shift_right(t, i, carry); break;
    case OP_ASR: shift_right(t, i, part(reg(t, i->d), 7, 1)); break;
    case OP_SWAP: old = reg(t, i->d); set_reg(t, i->d, joined(part(old, 4, 15), part(old, 0, 15), 4)); break;
    case OP_ADIW: add_to_pair(t, i, 0); break;
    case OP_SBIW: add_to_pair(t, i, 1); break;

    case OP_MUL: multiply(t, reg(t, i->d), reg(t, i->r), 0); break;
    case OP_MULS: multiply(t, signed_reg(t, i->d), signed_reg(t, i->r), 0); break;
    case OP_MULSU: multiply(t, signed_reg(t, i->d), reg(t, i->r), 0); break;
    case OP_FMUL: multiply(t, reg(t, i->d), reg(t, i->r), 1); break;
    case OP_FMULS: multiply(t, signed_reg(t, i->d), signed_reg(t, i->r), 1); break;
    case OP_FMULSU: multiply(t, signed_reg(t, i->d), reg(t, i->r), 1); break;

    case OP_MOV: set_reg(t, i->d, reg(t, i->r)); break;
    case OP_MOVW: set_pair(t, i->d, pair(t, i->r)); break;
    case OP_LDI: set_reg(t, i->d, imm); break;
    case OP_BST: set_flag(t, SREG_T, reg(t, i->d).taint >> i->r); break;
    case OP_BLD:
        old = reg(t, i->d);
        old.taint &= ~(UINT64_C(1) << i->r);
        set_reg(t, i->d, joined(old, bits(0, flag_taint(t, SREG_T)), i->r));
        break;
    case OP_BSET: case OP_BCLR: set_flag(t, 1u << i->r, 0); break;
    case OP_IN: set_reg(t, i->d, io(t, i)); break;
    case OP_OUT: taint_store(t, DATA | i->imm, reg(t, i->d)); break;
    case OP_SBI: case OP_CBI: set_io_bit(t, i); break;

    case OP_LD_X: case OP_LD_XP: load(t, i, XL, 0, i->op == OP_LD_XP); break;
    case OP_LDD_Y: case OP_LD_YP: load(t, i, YL, 0, i->op == OP_LD_YP); break;
    case OP_LDD_Z: case OP_LD_ZP: load(t, i, ZL, 0, i->op == OP_LD_ZP); break;
    case OP_LD_MX: load(t, i, XL, 1, 0); break;
    case OP_LD_MY: load(t, i, YL, 1, 0); break;
    case OP_LD_MZ: load(t, i, ZL, 1, 0); break;
    case OP_ST_X: case OP_ST_XP: store(t, i, XL, 0, i->op == OP_ST_XP); break;
    case OP_STD_Y: case OP_ST_YP: store(t, i, YL, 0, i->op == OP_ST_YP); break;
    case OP_STD_Z: case OP_ST_ZP: store(t, i, ZL, 0, i->op == OP_ST_ZP); break;
    case OP_ST_MX: store(t, i, XL, 1, 0); break;
    case OP_ST_MY: store(t, i, YL, 1, 0); break;
    case OP_ST_MZ: store(t, i, ZL, 1, 0); break;
    case OP_LDS: set_reg(t, i->d, io(t, i)); break;
    case OP_STS: taint_store(t, DATA | i->imm, reg(t, i->d)); break;
    case OP_PUSH: taint_store(t, stack(t, 0), reg(t, i->d)); break;
    case OP_POP: set_reg(t, i->d, taint_load(t, stack(t, 1))); break;
    case OP_LPM: load_flash(t, i, 0, 0); break;
    case OP_LPMP: load_flash(t, i, 0, 1); break;
    case OP_ELPM: load_flash(t, i, 1, 0); break;
    case OP_ELPMP: load_flash(t, i, 1, 1); break;

    case OP_IJMP: computed(t, TAINT_JUMP); break;
    case OP_ICALL: computed(t, TAINT_CALL); push_return(t); break;
    case OP_CALL: push_return(t); break;
    case OP_RETI: set_flag(t, SREG_I, 0); pop_return(t); break;
    case OP_RET: pop_return(t); break;

    case OP_BRCS: case OP_BRCC: branch(t, i, c, SREG_C); break;
    case OP_BREQ: case OP_BRNE: branch(t, i, c, SREG_Z); break;
    case OP_BRMI: case OP_BRPL: branch(t, i, c, SREG_N); break;
    case OP_BRVS: case OP_BRVC: branch(t, i, c, SREG_V); break;
    case OP_BRLT: case OP_BRGE: branch(t, i, c, SREG_S); break;
    case OP_BRHS: case OP_BRHC: branch(t, i, c, SREG_H); break;
    case OP_BRTS: case OP_BRTC: branch(t, i, c, SREG_T); break;
    case OP_BRIE: case OP_BRID: branch(t, i, c, SREG_I); break;
    case OP_CPSE:
        if (i->d != i->r)
            skip(t, c, zero_taint(bits_xor(reg(t, i->d), reg(t, i->r))));
        break;
    case OP_SBRC: case OP_SBRS: skip(t, c, reg(t, i->d).taint >> i->r); break;
    case OP_SBIC: case OP_SBIS: skip(t, c, io(t, i).taint >> i->r); break;

    case OP_JMP: case OP_NOP: case OP_ENDLESS: case OP_SLEEP: case OP_BREAK: break;
    default: t->unknown = 1;
    }
}

static void move(Taint *t, Condition *condition)
{
    Avr *c = (Avr *)t->sim;
    uint32_t word = t->pc / 2;
    if (word < c->span && (c->code[word].op != OP_DECODE || avr_decode(c, t->pc, &c->code[word]) >= 0))
        move_insn(t, &c->code[word], condition);
}

static int special(const Taint *t, uint32_t a)
{
    switch (a - kind(t)->io) {
    case SPL: return t->reg[SP] & 0xFF;
    case SPH: return t->reg[SP] >> 8 & 0xFF;
    case SREG: return (int)t->reg[FLAGS];
    default: return -1;
    }
}

static int set_special(Taint *t, uint32_t a, uint8_t mask)
{
    switch (a - kind(t)->io) {
    case SPL: t->reg[SP] = (t->reg[SP] & 0xFF00) | mask; return 0;
    case SPH: t->reg[SP] = (t->reg[SP] & 0x00FF) | (uint32_t)mask << 8; return 0;
    case SREG: t->reg[FLAGS] = mask; return 0;
    default: return -1;
    }
}

/* r0 to r31 by number, the others by name. */
static int place(const Taint *t, uint32_t id, uint32_t *address)
{
    static const struct { const char *name; uint32_t first; } pairs[] = {
        { "x", XL }, { "y", YL }, { "z", ZL }, { "w", 24 },
    };
    *address = kind(t)->registers + id;
    if (id < 32)
        return 1;
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++)
        if (sim_register_id(t->sim, pairs[n].name) == (int)id) {
            *address = kind(t)->registers + pairs[n].first;
            return 2;
        }
    *address = kind(t)->io + RAMPZ;
    return sim_register_id(t->sim, "rampz") == (int)id;
}

static uint32_t timing(const Sim *sim) { return ((const Avr *)sim)->half; }

const TaintCore taint_avr = {
    .registers = registers, .move = move, .special = special, .set_special = set_special, .place = place,
    .timing = timing, .first = DATA, .bytes = 32,
};
const TaintCore taint_avrxt = {
    .registers = registers, .move = move, .special = special, .set_special = set_special, .place = place,
    .timing = timing, .first = XT_REGISTERS, .bytes = 32, .waits = 1,
};
