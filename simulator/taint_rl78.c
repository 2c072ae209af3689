/* How the instructions of the RL78 move taint. The registers of all banks are memory. */
#include "rl78.h"
#include "rl78_ops.h"
#include "taint.h"

enum { SP, PSW, CS, ES };

static const char *const registers[] = { "sp", "psw", "cs", "es", NULL };

enum { X, A, C, B, AX = 0, BC = 2, DE = 4, HL = 6 };    /* offsets in a bank */

/* ---- registers and flags ---- */

static const Rl78 *machine(const Taint *t) { return (const Rl78 *)t->sim; }

static uint32_t place_of(const Taint *t, unsigned n) { return rl78_bank(machine(t)) + n; }

static Bits reg(const Taint *t, unsigned n) { return taint_register(t, place_of(t, n)); }
static void set_reg(Taint *t, unsigned n, Bits value) { taint_set_register(t, place_of(t, n), value); }

static Bits pair(const Taint *t, unsigned n) { return joined(reg(t, n), reg(t, n + 1), 8); }
static void set_pair(Taint *t, unsigned n, Bits value)
{
    set_reg(t, n, value);
    set_reg(t, n + 1, part(value, 8, 0xFF));
}

static Bits flag(const Taint *t, unsigned mask)
{
    return bits((rl78_psw(machine(t)) & mask) != 0, (t->reg[PSW] & mask) != 0);
}

static void set_flag(Taint *t, unsigned mask, uint64_t taint)
{
    t->reg[PSW] = (t->reg[PSW] & ~mask) | (taint & 1 ? mask : 0);
}

static void set_zero(Taint *t, Bits result) { set_flag(t, PSW_Z, zero_taint(result)); }

static void set_psw(Taint *t, uint32_t taint)
{
    if (taint & (PSW_RBS0 | PSW_RBS1))
        taint_record(t, TAINT_CONTROL);
    t->reg[PSW] = taint & ~(uint32_t)(PSW_RBS0 | PSW_RBS1);
}

/* ---- addresses ---- */

typedef enum { ABS, AT_DE, AT_HL, HL_B, HL_C, AT_B, AT_C, AT_BC, AT_SP } Mode;

static void use_stack(Taint *t)
{
    if (t->reg[SP])
        taint_record(t, TAINT_STACK);
}

static Address address(Taint *t, const Insn *i, Mode mode)
{
    Bits segment = i->es ? up(bits(machine(t)->es, t->reg[ES]), 16) : known(DATA), imm = known(i->imm);
    switch (mode) {
    case ABS: return indexed(imm, known(0), 0xFFFF, segment);
    case AT_DE: return indexed(pair(t, DE), imm, 0xFFFF, segment);
    case AT_HL: return indexed(pair(t, HL), imm, 0xFFFF, segment);
    case HL_B: return indexed(pair(t, HL), reg(t, B), 0xFFFF, segment);
    case HL_C: return indexed(pair(t, HL), reg(t, C), 0xFFFF, segment);
    case AT_B: return indexed(reg(t, B), imm, 0xFFFF, segment);
    case AT_C: return indexed(reg(t, C), imm, 0xFFFF, segment);
    case AT_BC: return indexed(pair(t, BC), imm, 0xFFFF, segment);
    default:
        use_stack(t);
        return indexed(known(machine(t)->sp), imm, 0xFFFF, known(DATA));
    }
}

static Bits load(Taint *t, const Insn *i, Mode mode, int bytes) { return taint_read(t, address(t, i, mode), bytes); }

static void store(Taint *t, const Insn *i, Mode mode, Bits value, int bytes)
{
    taint_write(t, address(t, i, mode), value, bytes);
}

static uint32_t stack(Taint *t, int offset)
{
    use_stack(t);
    return DATA | ((machine(t)->sp + (uint32_t)offset) & 0xFFFF);
}

/* ---- operations of two bytes or words: what A, AX or memory becomes ---- */

typedef enum { ADD, ADDC, SUB, SUBC, AND, OR, XOR, CMP } Operation;

static void set_sum_flags(Taint *t, Sum s, int bits_of_it)
{
    set_zero(t, part(s.sum, 0, (UINT64_C(1) << bits_of_it) - 1));
    set_flag(t, PSW_CY, s.carry.taint >> bits_of_it);
    set_flag(t, PSW_AC, s.carry.taint >> (bits_of_it / 2));     /* of words: between the bytes */
}

static Bits sum(Taint *t, Bits a, Bits b, Bits carry, int width, int same)
{
    Sum s = same ? bits_twice(a, carry) : bits_add(a, b, carry);
    set_sum_flags(t, s, width);
    return s.sum;
}

/* A register less itself leaves only the borrow. */
static Bits difference(Taint *t, Bits a, Bits b, Bits borrow, int width, int same)
{
    uint64_t mask = (UINT64_C(1) << width) - 1;
    Sum s = bits_sub(same ? known(0) : a, same ? known(0) : b, borrow, mask);
    set_sum_flags(t, s, width);
    return part(s.sum, 0, mask);
}

static Bits operate(Taint *t, Operation operation, Bits a, Bits b, int same)
{
    const Bits carry = flag(t, PSW_CY), none = known(0);
    Bits result;
    switch (operation) {
    case ADD: return sum(t, a, b, none, 8, same);
    case ADDC: return sum(t, a, b, carry, 8, same);
    case SUB: case CMP: return difference(t, a, b, none, 8, same);
    case SUBC: return difference(t, a, b, carry, 8, same);
    case AND: result = bits_and(a, b); break;
    case OR: result = bits_or(a, b); break;
    default: result = same ? none : bits_xor(a, b);
    }
    set_zero(t, result);
    return result;
}

static void to_register(Taint *t, Operation operation, unsigned n, Bits operand, int same)
{
    Bits result = operate(t, operation, reg(t, n), operand, same);
    if (operation != CMP)
        set_reg(t, n, result);
}

static void to_memory(Taint *t, const Insn *i, Operation operation)
{
    Address a = address(t, i, ABS);
    Bits result = operate(t, operation, taint_read(t, a, 1), known(i->arg), 0);
    if (operation != CMP)
        taint_write(t, a, result, 1);
}

static void words(Taint *t, Operation operation, Bits operand, int same)
{
    Bits result = operation == ADD ? sum(t, pair(t, AX), operand, known(0), 16, same)
        : difference(t, pair(t, AX), operand, known(0), 16, same);
    if (operation != CMP)
        set_pair(t, AX, result);
}

/* INC and DEC keep CY. */
static Bits step_byte(Taint *t, Bits value, int by)
{
    Sum s = bits_add(value, known((uint8_t)by), known(0));
    set_zero(t, part(s.sum, 0, 0xFF));
    /* AC: bit 4 of value ^ result */
    set_flag(t, PSW_AC, s.carry.taint >> 4);
    return part(s.sum, 0, 0xFF);
}

static Bits step_word(Bits value, int by)
{
    return part(bits_add(value, known((uint16_t)by), known(0)).sum, 0, 0xFFFF);
}

/* ---- multiply, divide ---- */

static void divide(Taint *t, int width)
{
    Bits n = pair(t, AX), d = pair(t, DE);
    if (width == 32) {
        n = joined(n, pair(t, BC), 16);
        d = joined(d, pair(t, HL), 16);
    }
    Bits all = bits(0, n.taint | d.taint ? 0xFFFF : 0);
    set_pair(t, AX, all);
    set_pair(t, DE, all);
    if (width == 32) {
        set_pair(t, BC, all);
        set_pair(t, HL, all);
    }
}

static Bits accumulator(Taint *t)
{
    Bits value = known(0);
    for (int n = 0; n < 4; n++)
        value = joined(value, taint_load(t, MACRL + (uint32_t)n), 8 * n);
    return value;
}

static void accumulate(Taint *t, int is_signed)
{
    Bits a = pair(t, AX), b = pair(t, BC), sum, before = accumulator(t);
    if (is_signed) {
        Bits product = bits_mul(bits_signed(a, 15, 0xFFFFFFFF), bits_signed(b, 15, 0xFFFFFFFF), 0xFFFFFFFF);
        sum = bits_add(before, product, known(0)).sum;
        set_flag(t, PSW_CY, (a.taint | b.taint | before.taint) != 0);
        set_flag(t, PSW_AC, sum.taint >> 31);
    } else {
        sum = bits_add(before, bits_mul(a, b, 0xFFFFFFFF), known(0)).sum;
        set_flag(t, PSW_CY, sum.taint >> 32);
        set_flag(t, PSW_AC, 0);
    }
    for (int n = 0; n < 4; n++)
        taint_store(t, MACRL + (uint32_t)n, part(sum, 8 * n, 0xFF));
}

static void multiply(Taint *t, int is_signed)
{
    Bits a = pair(t, AX), b = pair(t, BC);
    if (is_signed) {
        a = bits_signed(a, 15, 0xFFFFFFFF);
        b = bits_signed(b, 15, 0xFFFFFFFF);
    }
    Bits product = bits_mul(a, b, 0xFFFFFFFF);
    set_pair(t, AX, product);
    set_pair(t, BC, part(product, 16, 0xFFFF));
}

/* ---- shifts ---- */

static Bits shifted_right(Taint *t, Bits value, int count, int width, int is_signed)
{
    uint64_t mask = (UINT64_C(1) << width) - 1;
    set_flag(t, PSW_CY, value.taint >> (count - 1));
    return part(is_signed ? bits_signed(value, width - 1, UINT64_MAX) : value, count, mask);
}

static Bits shifted_left(Taint *t, Bits value, int count, int width)
{
    value = up(value, count);
    set_flag(t, PSW_CY, value.taint >> width);
    return part(value, 0, (UINT64_C(1) << width) - 1);
}

static Bits rotated_right(Taint *t, Bits in)
{
    Bits a = reg(t, A), result = joined(part(a, 1, 0x7F), in, 7);
    set_flag(t, PSW_CY, a.taint);
    return result;
}

static Bits rotated_left(Taint *t, Bits value, Bits in, int width)
{
    set_flag(t, PSW_CY, value.taint >> (width - 1));
    return joined(part(up(value, 1), 0, (UINT64_C(1) << width) - 1), in, 0);
}

/* ---- bits ---- */

typedef enum { MOV1C, AND1, OR1, XOR1, MOV1B, SET1, CLR1 } BitOperation;

static void read_bit(Taint *t, const Insn *i, BitOperation operation, Bits value)
{
    Bits bit = part(value, i->arg, 1), carry = flag(t, PSW_CY);
    switch (operation) {
    case AND1: bit = bits_and(bit, carry); break;
    case OR1: bit = bits_or(bit, carry); break;
    case XOR1: bit = bits_xor(bit, carry); break;
    default: break;
    }
    set_flag(t, PSW_CY, bit.taint);
}

static Bits with_bit(Taint *t, const Insn *i, BitOperation operation, Bits value)
{
    Bits bit = operation == MOV1B ? flag(t, PSW_CY) : known(operation == SET1);
    uint64_t mask = UINT64_C(1) << i->arg;
    return joined(bits(value.value & ~mask, value.taint & ~mask), bit, i->arg);
}

static void change_bit(Taint *t, const Insn *i, BitOperation operation, Mode mode)
{
    Address a = address(t, i, mode);
    taint_write(t, a, with_bit(t, i, operation, taint_read(t, a, 1)), 1);
}

/* ---- branches and skips ---- */

static void branch(Taint *t, const Insn *i, Condition *c, uint64_t taint)
{
    uint32_t target = i->imm | (uint32_t)i->arg << 16;
    if (taint & 1)
        *c = (Condition){ TAINT_BRANCH, target, t->pc + i->length, i->taken, 0 };
}

/* BT, BF, BTCLR. Taken, one on a bit in flash costs one clock less than its parts. */
static void branch_on_bit(Taint *t, const Insn *i, Condition *c, Bits value, int in_flash)
{
    uint32_t next = t->pc + i->length;
    if (part(value, i->arg, 1).taint)
        *c = (Condition){ TAINT_BRANCH, (next + (uint32_t)(int32_t)i->disp) & (SPACE - 1), next,
                          i->taken - in_flash, 0 };
}

static void branch_on_memory(Taint *t, const Insn *i, Condition *c, Mode mode)
{
    Address a = address(t, i, mode);
    int in_flash = mode == AT_HL && t->sim->attr[a.bits.value] & A_WAIT;
    branch_on_bit(t, i, c, taint_read(t, a, 1), in_flash);
}

/* The bit is zero after either way. */
static void branch_and_clear(Taint *t, const Insn *i, Condition *c, Mode mode)
{
    Address a = address(t, i, mode);
    Bits value = taint_read(t, a, 1);
    branch_on_bit(t, i, c, value, 0);
    c->apart = 1;
    taint_write(t, a, with_bit(t, i, CLR1, value), 1);
}

/* What is skipped runs as a NOP, its prefix as another. */
static void skip(Taint *t, Condition *c, uint64_t taint)
{
    Insn skipped;
    uint32_t next = t->pc + 2;
    if (taint & 1 && rl78_decode((Rl78 *)t->sim, next, &skipped) >= 0)
        *c = (Condition){ TAINT_SKIP, next + skipped.length, next, 1 + skipped.es, 0 };
}

/* Neither zero nor carry. */
static unsigned higher_taint(const Taint *t)
{
    return bits_and(bits_not(flag(t, PSW_Z), 1), bits_not(flag(t, PSW_CY), 1)).taint & 1;
}

/* ---- calls and returns ---- */

static void push_return(Taint *t)
{
    taint_store(t, stack(t, -4), known(0));
    taint_store(t, stack(t, -3), known(0));
    taint_store(t, stack(t, -2), known(0));
    taint_touch(t, stack(t, -1));           /* keeps its value */
}

static void pop_return(Taint *t)
{
    uint64_t taint = taint_load(t, stack(t, 0)).taint | taint_load(t, stack(t, 1)).taint
        | (taint_load(t, stack(t, 2)).taint & 15);
    if (taint)
        taint_record(t, TAINT_RETURN);
}

static void computed(Taint *t, unsigned n, int kind)
{
    if (pair(t, n).taint || t->reg[CS])
        taint_record(t, kind);
}

/* A goes to PSW before A is written: it is A of the bank that PSW then names. */
static void exchange(Taint *t, const Insn *i, Mode mode)
{
    Address a = address(t, i, mode);
    Bits old = reg(t, A), value = taint_read(t, a, 1);
    uint32_t bank = rl78_bank(machine(t));
    if (a.bits.value == ADDR_PSW)
        bank = BANK0 - 8 * (uint32_t)((old.value & PSW_RBS0 ? 1 : 0) + (old.value & PSW_RBS1 ? 2 : 0));
    taint_write(t, a, old, 1);
    taint_store(t, bank + A, value);
}

/* ---- one instruction ---- */

#define LOADS(mode, where) \
    case OP_LD_A_##mode: set_reg(t, A, load(t, i, where, 1)); break;
#define STORES(mode, where) \
    case OP_ST_A_##mode: store(t, i, where, reg(t, A), 1); break; \
    case OP_STI_##mode: store(t, i, where, known(i->arg), 1); break;
#define LOAD_WORDS(mode, where) \
    case OP_LDW_AX_##mode: set_pair(t, AX, load(t, i, where, 2)); break;
#define STORE_WORDS(mode, where) \
    case OP_STW_##mode##_AX: store(t, i, where, pair(t, AX), 2); break;
#define EXCHANGES(mode, where) \
    case OP_XCH_A_##mode: exchange(t, i, where); break;
#define ALU(name) \
    case OP_##name##_I: to_register(t, name, A, known(i->arg), 0); break; \
    case OP_##name##_ABSI: to_memory(t, i, name); break; \
    case OP_##name##_R: to_register(t, name, A, reg(t, i->reg), i->reg == A); break; \
    case OP_##name##_RA: to_register(t, name, i->reg, reg(t, A), i->reg == A); break; \
    case OP_##name##_ABS: to_register(t, name, A, load(t, i, ABS, 1), 0); break; \
    case OP_##name##_HL: to_register(t, name, A, load(t, i, AT_HL, 1), 0); break; \
    case OP_##name##_HLB: to_register(t, name, A, load(t, i, HL_B, 1), 0); break; \
    case OP_##name##_HLC: to_register(t, name, A, load(t, i, HL_C, 1), 0); break;
#define ALU_WORDS(name) \
    case OP_##name##W_I: words(t, name, known(i->imm), 0); break; \
    case OP_##name##W_RP: words(t, name, pair(t, i->reg), i->reg == AX); break; \
    case OP_##name##W_ABS: words(t, name, load(t, i, ABS, 2), 0); break; \
    case OP_##name##W_HL: words(t, name, load(t, i, AT_HL, 2), 0); break;
#define STEPS(name, by) \
    case OP_##name##_R: set_reg(t, i->reg, step_byte(t, reg(t, i->reg), by)); break; \
    case OP_##name##_ABS: a = address(t, i, ABS); \
        taint_write(t, a, step_byte(t, taint_read(t, a, 1), by), 1); break; \
    case OP_##name##_HL: a = address(t, i, AT_HL); \
        taint_write(t, a, step_byte(t, taint_read(t, a, 1), by), 1); break; \
    case OP_##name##W_RP: set_pair(t, i->reg, step_word(pair(t, i->reg), by)); break; \
    case OP_##name##W_ABS: a = address(t, i, ABS); \
        taint_write(t, a, step_word(taint_read(t, a, 2), by), 2); break; \
    case OP_##name##W_HL: a = address(t, i, AT_HL); \
        taint_write(t, a, step_word(taint_read(t, a, 2), by), 2); break;
#define BIT_READS(name) \
    case OP_##name##_A: read_bit(t, i, name, reg(t, A)); break; \
    case OP_##name##_ABS: read_bit(t, i, name, load(t, i, ABS, 1)); break; \
    case OP_##name##_HL: read_bit(t, i, name, load(t, i, AT_HL, 1)); break;
#define BIT_WRITES(name) \
    case OP_##name##_A: set_reg(t, A, with_bit(t, i, name, reg(t, A))); break; \
    case OP_##name##_ABS: change_bit(t, i, name, ABS); break; \
    case OP_##name##_HL: change_bit(t, i, name, AT_HL); break;

static void move_data(Taint *t, const Insn *i, Condition *c);
static void move_control(Taint *t, const Insn *i, Condition *c);

static void move_insn(Taint *t, const Insn *i, Condition *c)
{
    Bits value;
    Address a;
    switch (i->op) {
    case OP_LDI_R: set_reg(t, i->reg, known(i->arg)); break;
    case OP_MOV_A_R: set_reg(t, A, reg(t, i->reg)); break;
    case OP_MOV_R_A: set_reg(t, i->reg, reg(t, A)); break;
    case OP_LD_R_ABS: set_reg(t, i->reg, load(t, i, ABS, 1)); break;
    LOADS(DE, AT_DE) LOADS(HL, AT_HL) LOADS(HLB, HL_B) LOADS(HLC, HL_C) LOADS(B, AT_B) LOADS(C, AT_C)
    LOADS(BC, AT_BC) LOADS(SP, AT_SP)
    STORES(ABS, ABS) STORES(DE, AT_DE) STORES(HL, AT_HL) STORES(B, AT_B) STORES(C, AT_C) STORES(BC, AT_BC)
    STORES(SP, AT_SP)
    case OP_ST_A_HLB: store(t, i, HL_B, reg(t, A), 1); break;
    case OP_ST_A_HLC: store(t, i, HL_C, reg(t, A), 1); break;
    case OP_MOV_ES_ABS: t->reg[ES] = (uint32_t)load(t, i, ABS, 1).taint & 15; break;
    case OP_XCH_A_R:
        value = reg(t, i->reg);
        set_reg(t, i->reg, reg(t, A));
        set_reg(t, A, value);
        break;
    EXCHANGES(ABS, ABS) EXCHANGES(DE, AT_DE) EXCHANGES(HL, AT_HL) EXCHANGES(HLB, HL_B) EXCHANGES(HLC, HL_C)
    case OP_MOVS_HL:
        set_zero(t, reg(t, X));
        set_flag(t, PSW_CY, zero_taint(reg(t, X)) | zero_taint(reg(t, A)));
        store(t, i, AT_HL, reg(t, X), 1);
        break;

    case OP_LDWI_RP: set_pair(t, i->reg, known(i->imm)); break;
    case OP_STWI_ABS: store(t, i, ABS, known((uint16_t)i->disp), 2); break;
    case OP_MOVW_AX_RP: set_pair(t, AX, pair(t, i->reg)); break;
    case OP_MOVW_RP_AX: set_pair(t, i->reg, pair(t, AX)); break;
    case OP_XCHW_RP:
        value = pair(t, i->reg);
        set_pair(t, i->reg, pair(t, AX));
        set_pair(t, AX, value);
        break;
    case OP_LDW_RP_ABS: set_pair(t, i->reg, load(t, i, ABS, 2)); break;
    LOAD_WORDS(DE, AT_DE) LOAD_WORDS(HL, AT_HL) LOAD_WORDS(B, AT_B) LOAD_WORDS(C, AT_C)
    LOAD_WORDS(BC, AT_BC) LOAD_WORDS(SP, AT_SP)
    STORE_WORDS(ABS, ABS) STORE_WORDS(DE, AT_DE) STORE_WORDS(HL, AT_HL) STORE_WORDS(B, AT_B)
    STORE_WORDS(C, AT_C) STORE_WORDS(BC, AT_BC) STORE_WORDS(SP, AT_SP)

    ALU(ADD) ALU(ADDC) ALU(SUB) ALU(SUBC) ALU(AND) ALU(OR) ALU(XOR) ALU(CMP)
    case OP_CMP0_R:
        set_zero(t, reg(t, i->reg));
        set_flag(t, PSW_CY | PSW_AC, 0);
        break;
    case OP_CMPS_HL: operate(t, CMP, reg(t, X), load(t, i, AT_HL, 1), 0); break;
    ALU_WORDS(ADD) ALU_WORDS(SUB) ALU_WORDS(CMP)
    STEPS(INC, 1) STEPS(DEC, -1)
    default: move_data(t, i, c);
    }
}

static void move_data(Taint *t, const Insn *i, Condition *c)
{
    const Bits carry = flag(t, PSW_CY);
    switch (i->op) {
    case OP_MULU: set_pair(t, AX, bits_mul(reg(t, A), reg(t, X), 0xFFFF)); break;
    case OP_MULHU: multiply(t, 0); break;
    case OP_MULH: multiply(t, 1); break;
    case OP_DIVHU: divide(t, 16); break;
    case OP_DIVWU: divide(t, 32); break;
    case OP_MACHU: accumulate(t, 0); break;
    case OP_MACH: accumulate(t, 1); break;

    case OP_SHR: set_reg(t, A, shifted_right(t, reg(t, A), i->arg, 8, 0)); break;
    case OP_SAR: set_reg(t, A, shifted_right(t, reg(t, A), i->arg, 8, 1)); break;
    case OP_SHRW: set_pair(t, AX, shifted_right(t, pair(t, AX), i->arg, 16, 0)); break;
    case OP_SARW: set_pair(t, AX, shifted_right(t, pair(t, AX), i->arg, 16, 1)); break;
    case OP_SHL_R: set_reg(t, i->reg, shifted_left(t, reg(t, i->reg), i->arg, 8)); break;
    case OP_SHLW_RP: set_pair(t, i->reg, shifted_left(t, pair(t, i->reg), i->arg, 16)); break;
    case OP_ROR: set_reg(t, A, rotated_right(t, part(reg(t, A), 0, 1))); break;
    case OP_RORC: set_reg(t, A, rotated_right(t, carry)); break;
    case OP_ROL: set_reg(t, A, rotated_left(t, reg(t, A), part(reg(t, A), 7, 1), 8)); break;
    case OP_ROLC: set_reg(t, A, rotated_left(t, reg(t, A), carry, 8)); break;
    case OP_ROLWC_RP: set_pair(t, i->reg, rotated_left(t, pair(t, i->reg), carry, 16)); break;

    BIT_READS(MOV1C) BIT_READS(AND1) BIT_READS(OR1) BIT_READS(XOR1)
    BIT_WRITES(MOV1B) BIT_WRITES(SET1) BIT_WRITES(CLR1)
    case OP_SET1_CY: case OP_CLR1_CY: set_flag(t, PSW_CY, 0); break;
    case OP_NOT1_CY: break;
    default: move_control(t, i, c);
    }
}

static void move_control(Taint *t, const Insn *i, Condition *c)
{
    switch (i->op) {
    case OP_CALL: case OP_CALLT: push_return(t); break;
    case OP_CALL_RP: computed(t, i->reg, TAINT_CALL); push_return(t); break;
    case OP_BR_AX: computed(t, AX, TAINT_JUMP); break;
    case OP_RET: pop_return(t); break;
    case OP_RETI: pop_return(t); set_psw(t, (uint32_t)taint_load(t, stack(t, 3)).taint); break;
    case OP_PUSH_RP:
        taint_store(t, stack(t, -2), reg(t, i->reg));
        taint_store(t, stack(t, -1), reg(t, i->reg + 1u));
        break;
    case OP_POP_RP:
        set_pair(t, i->reg, joined(taint_load(t, stack(t, 0)), taint_load(t, stack(t, 1)), 8));
        break;
    case OP_PUSH_PSW:
        taint_store(t, stack(t, -2), known(0));
        taint_store(t, stack(t, -1), bits(0, t->reg[PSW]));
        break;
    case OP_POP_PSW: set_psw(t, (uint32_t)taint_load(t, stack(t, 1)).taint); break;
    case OP_ADDW_SP: case OP_SUBW_SP: use_stack(t); break;

    case OP_BC: case OP_BNC: branch(t, i, c, flag(t, PSW_CY).taint); break;
    case OP_BZ: case OP_BNZ: branch(t, i, c, flag(t, PSW_Z).taint); break;
    case OP_BH: case OP_BNH: branch(t, i, c, higher_taint(t)); break;
    case OP_BT_A: case OP_BF_A: branch_on_bit(t, i, c, reg(t, A), 0); break;
    case OP_BT_ABS: case OP_BF_ABS: branch_on_memory(t, i, c, ABS); break;
    case OP_BT_HL: case OP_BF_HL: branch_on_memory(t, i, c, AT_HL); break;
    case OP_BTCLR_A:
        branch_on_bit(t, i, c, reg(t, A), 0);
        c->apart = 1;
        set_reg(t, A, with_bit(t, i, CLR1, reg(t, A)));
        break;
    case OP_BTCLR_ABS: branch_and_clear(t, i, c, ABS); break;
    case OP_BTCLR_HL: branch_and_clear(t, i, c, AT_HL); break;
    case OP_SKC: case OP_SKNC: skip(t, c, flag(t, PSW_CY).taint); break;
    case OP_SKZ: case OP_SKNZ: skip(t, c, flag(t, PSW_Z).taint); break;
    case OP_SKH: case OP_SKNH: skip(t, c, higher_taint(t)); break;

    case OP_BR: case OP_SEL: case OP_NOP: case OP_ENDLESS: case OP_HALT: case OP_STOP: case OP_BRK: break;
    default: t->unknown = 1;
    }
}

static void move(Taint *t, Condition *condition)
{
    Rl78 *c = (Rl78 *)t->sim;
    uint32_t at = t->pc - c->low;
    if (at < c->span && (c->code[at].op != OP_DECODE || rl78_decode(c, t->pc, &c->code[at]) >= 0))
        move_insn(t, &c->code[at], condition);
}

/* PMC decides what the mirror shows: it is no place for a secret. */
static int special(const Taint *t, uint32_t a)
{
    switch (a) {
    case ADDR_SP: return t->reg[SP] & 0xFF;
    case ADDR_SP + 1: return t->reg[SP] >> 8 & 0xFF;
    case ADDR_PSW: return (int)t->reg[PSW];
    case ADDR_CS: return (int)t->reg[CS];
    case ADDR_ES: return (int)t->reg[ES];
    case ADDR_PMC: return 0;
    default: return -1;
    }
}

static int set_special(Taint *t, uint32_t a, uint8_t mask)
{
    switch (a) {
    case ADDR_SP: t->reg[SP] = (t->reg[SP] & 0xFF00) | (mask & 0xFEu); return 0;
    case ADDR_SP + 1: t->reg[SP] = (t->reg[SP] & 0x00FF) | (uint32_t)mask << 8; return 0;
    case ADDR_PSW: set_psw(t, mask); return 0;
    case ADDR_CS: t->reg[CS] = mask & 15; return 0;
    case ADDR_ES: t->reg[ES] = mask & 15; return 0;
    case ADDR_PMC:
        if (mask || t->trial)
            taint_record(t, TAINT_CONTROL);
        return 0;
    default: return -1;
    }
}

/* Bytes and pairs of the current bank, or of a bank that is named. */
static int place(const Taint *t, uint32_t id, uint32_t *address)
{
    static const char *const names[] = {
        "x", "a", "c", "b", "e", "d", "l", "h", "ax", "bc", "de", "hl",
    };
    for (int bank = -1; bank < 4; bank++)
        for (uint32_t n = 0; n < 12; n++) {
            char name[4] = { names[n][0], names[n][1], 0, 0 };
            if (bank >= 0)
                name[n < 8 ? 1 : 2] = (char)('0' + bank);
            if (sim_register_id(t->sim, name) != (int)id)
                continue;
            uint32_t base = bank < 0 ? rl78_bank(machine(t)) : BANK0 - 8 * (uint32_t)bank;
            *address = base + (n < 8 ? n : 2 * (n - 8));
            return n < 8 ? 1 : 2;
        }
    return 0;
}

/* The register that the next instruction may wait for, and the bank. */
static uint32_t timing(const Sim *sim)
{
    const Rl78 *c = (const Rl78 *)sim;
    return c->wrote | (uint32_t)c->psw << 16;
}

const TaintCore taint_rl78 = {
    .registers = registers, .move = move, .special = special, .set_special = set_special, .place = place,
    .timing = timing, .first = BANK0, .bytes = 8, .waits = 1, .hazards = 1,
};
