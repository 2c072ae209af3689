/* How the instructions of the MSP430 and the CPUX move taint. */
#include "msp430.h"
#include "msp430_ops.h"
#include "taint.h"

/* Places in `reg`: SP, SR, R4 to R15. */
enum { SP, SR, FIRST };

static const char *const registers[] = {
    "sp", "sr", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", NULL,
};

/* Operations of two operands in the order of the opcodes. */
enum { MOV, ADD, ADDC, SUBC, SUB, CMP, DADD, BIT, BIC, BIS, XOR, AND };

enum { N, R, X, I, P, MEMORY, KINDS, L = KINDS };   /* where a source is; L: an index of 20 bits */

/* Of operands of 1, 2 and 4 bytes; the four hold 20 bits. */
static int sign_of(int bytes) { return bytes == 4 ? 19 : 8 * bytes - 1; }
static uint64_t mask_of(int bytes) { return (UINT64_C(2) << sign_of(bytes)) - 1; }

static const Msp430 *machine(const Taint *t) { return (const Msp430 *)t->sim; }

/* ---- registers and flags ---- */

static Bits reg(const Taint *t, unsigned n)
{
    switch (n) {
    case R_PC: case R_CG: case R_ZERO: return known(0);
    case R_SP: return bits(machine(t)->r[R_SP], t->reg[SP]);
    case R_SR: case R_STATUS: return bits(msp430_sr(machine(t)), t->reg[SR]);
    default: return bits(machine(t)->r[n], t->reg[FIRST + n - 4]);
    }
}

static void set_reg(Taint *t, unsigned n, Bits value)
{
    uint32_t taint = (uint32_t)value.taint & machine(t)->mask;
    switch (n) {
    case R_PC:
        if (taint & ~1u)
            taint_record(t, TAINT_JUMP);
        break;
    case R_SP: t->reg[SP] = taint & ~1u; break;
    case R_SR:
        if (taint & SR_CPUOFF)
            taint_record(t, TAINT_CONTROL);
        t->reg[SR] = taint & 0xFFFF & ~(uint32_t)SR_CPUOFF;
        break;
    case R_CG: break;
    default: t->reg[FIRST + n - 4] = taint;
    }
}

static Bits flag(const Taint *t, uint32_t mask)
{
    return bits((msp430_sr(machine(t)) & mask) != 0, (t->reg[SR] & mask) != 0);
}

static void set_flag(Taint *t, uint32_t mask, uint64_t taint)
{
    t->reg[SR] = (t->reg[SR] & ~mask) | (taint & 1 ? mask : 0);
}

static void set_result_flags(Taint *t, Bits result, int sign)
{
    set_flag(t, SR_Z, zero_taint(result));
    set_flag(t, SR_N, result.taint >> sign);
}

/* ---- operands ---- */

static Address memory(const Taint *t, Bits b, unsigned base, uint32_t index)
{
    if (base == R_ZERO)
        return at(known(index & machine(t)->mask));
    if (!machine(t)->extended)
        return indexed(b, known(index), 0xFFFF, known(0));
    if (most(b) < 0x10000)
        return indexed(b, known(index), 0xFFFF, known(0));
    Bits sum = bits_add(b, known(((index ^ 0x8000) - 0x8000) & 0xFFFFF), known(0)).sum;
    if (least(b) < 0x10000)         /* below 64 KB or above: both are possible */
        sum.taint = 0xFFFFF;
    uint64_t v = b.value < 0x10000 ? (b.value + index) & 0xFFFF : sum.value & 0xFFFFF;
    return at(bits(v, sum.taint & 0xFFFFF));
}

/* With an extension word an index has 20 bits, and its sum with any register too. */
static Address memory_long(const Taint *t, Bits b, unsigned base, uint32_t index)
{
    if (base == R_ZERO)
        return at(known(index & machine(t)->mask));
    return indexed(b, known(index), machine(t)->mask, known(0));
}

/* PC is clean, and where it is read the decoder has put its value into the instruction. */
static void use_stack(Taint *t, unsigned base)
{
    if (base == R_SP && t->reg[SP])
        taint_record(t, TAINT_STACK);
}

static void step_register(Taint *t, unsigned n, uint32_t by)
{
    if (n != R_SP)
        set_reg(t, n, bits_add(reg(t, n), known(by), known(0)).sum);
}

/* Where the source is in memory. */
static Address source_address(Taint *t, const Insn *i, int kind)
{
    use_stack(t, i->src);
    if (kind == L)
        return memory_long(t, reg(t, i->src), i->src, i->imm);
    return kind == X ? memory(t, reg(t, i->src), i->src, i->imm) : at(reg(t, i->src));
}

/* Two reads of 16 bits make one of 20. */
static Bits read_operand(Taint *t, Address a, int bytes)
{
    if (bytes < 4)
        return taint_read(t, a, bytes);
    Bits low = taint_read(t, a, 2), next = part(bits_add(a.bits, known(2), known(0)).sum, 0, machine(t)->mask);
    return joined(low, part(taint_read(t, at(next), 2), 0, 15), 16);
}

static void write_operand(Taint *t, Address a, Bits value, int bytes)
{
    if (bytes < 4) {
        taint_write(t, a, value, bytes);
        return;
    }
    taint_write(t, a, part(value, 0, 0xFFFF), 2);
    Bits next = part(bits_add(a.bits, known(2), known(0)).sum, 0, machine(t)->mask);
    taint_write(t, at(next), part(value, 16, 15), 2);
}

static Bits source(Taint *t, const Insn *i, int kind, int bytes)
{
    if (kind == N)
        return known(i->imm);
    if (kind == R)
        return part(reg(t, i->src), 0, mask_of(bytes));
    Bits value = read_operand(t, source_address(t, i, kind), bytes);
    if (kind == P)
        step_register(t, i->src, bytes == 4 ? 4 : i->imm);
    return value;
}

/* ---- operations ---- */

static Bits sum(Taint *t, Bits a, Bits b, Sum s, int sign)
{
    Bits result = part(s.sum, 0, (UINT64_C(2) << sign) - 1);
    set_result_flags(t, result, sign);
    set_flag(t, SR_C, s.carry.taint >> (sign + 1));
    set_flag(t, SR_V, overflow_taint(s, a, b, sign));
    return result;
}

static Bits add(Taint *t, Bits a, Bits b, Bits carry, int sign, int same)
{
    return sum(t, a, b, same ? bits_twice(a, carry) : bits_add(a, b, carry), sign);
}

/* d - s as d + ~s + carry; a register less itself leaves only the carry. */
static Bits subtract(Taint *t, Bits d, Bits s, Bits carry, int sign, int same)
{
    uint64_t mask = (UINT64_C(2) << sign) - 1;
    if (same)
        d = s = known(0);
    s = bits_not(s, mask);
    return sum(t, d, s, bits_add(d, s, carry), sign);
}

/* Flags of BIT, AND, XOR, SXT: C says that the result is not zero. */
static Bits logic(Taint *t, Bits result, int sign, uint64_t overflow)
{
    set_result_flags(t, result, sign);
    set_flag(t, SR_C, zero_taint(result));
    set_flag(t, SR_V, overflow >> sign);
    return result;
}

/* A digit depends on the digits below it, which it does not show bit by bit. */
static Bits decimal(Taint *t, Bits d, Bits s, Bits carry, int sign)
{
    Bits result = known(0);
    for (int shift = 0; shift <= sign; shift += 4) {
        uint64_t digit = (d.value >> shift & 15) + (s.value >> shift & 15) + carry.value;
        carry.taint |= (d.taint | s.taint) >> shift & 15;
        carry.value = digit > 9;
        result = joined(result, bits((digit > 9 ? digit - 10 : digit) & 31, carry.taint ? 15 : 0), shift);
    }
    result = part(result, 0, (UINT64_C(2) << sign) - 1);
    set_result_flags(t, result, sign);
    set_flag(t, SR_C, carry.taint != 0);
    return result;
}

static Bits operate_with(Taint *t, int operation, Bits d, Bits s, int sign, int same, Bits carry)
{
    switch (operation) {
    case MOV: return s;
    case ADD: return add(t, d, s, known(0), sign, same);
    case ADDC: return add(t, d, s, carry, sign, same);
    case SUBC: return subtract(t, d, s, carry, sign, same);
    case SUB: case CMP: return subtract(t, d, s, known(1), sign, same);
    case DADD: return decimal(t, d, s, carry, sign);
    case BIT: case AND: return logic(t, bits_and(d, s), sign, 0);
    case BIC: return same ? known(0) : bits_and(d, bits_not(s, (UINT64_C(2) << sign) - 1));
    case BIS: return bits_or(d, s);
    default: return logic(t, same ? known(0) : bits_xor(d, s), sign, bits_and(d, s).taint);
    }
}

static Bits operate(Taint *t, int operation, Bits d, Bits s, int sign, int same)
{
    return operate_with(t, operation, d, s, sign, same, flag(t, SR_C));
}

static int writes(int operation) { return operation != CMP && operation != BIT; }

/* ---- instructions ---- */

/* As a destination, PC is the next address, and a register that the source has incremented has its new value:
 * its mask is that already. */
static Bits destination(const Taint *t, const Insn *i, int kind)
{
    if (i->dst == R_PC)
        return known(t->pc + 2u * i->length);
    Bits d = reg(t, i->dst);
    if (kind == P && i->dst == i->src)
        d.value = (d.value + i->imm) & machine(t)->mask;
    return d;
}

static void two_operands(Taint *t, const Insn *i, int operation, int kind, int bytes)
{
    Bits s = source(t, i, kind, bytes), d = part(destination(t, i, kind), 0, mask_of(bytes));
    Bits result = operate(t, operation, d, s, sign_of(bytes), kind == R && i->src == i->dst);
    if (writes(operation))
        set_reg(t, i->dst, result);
}

static void operate_at(Taint *t, Address a, int operation, Bits s, int bytes)
{
    Bits d = operation == MOV ? known(0) : read_operand(t, a, bytes);
    Bits result = operate(t, operation, d, s, sign_of(bytes), 0);
    if (writes(operation))
        write_operand(t, a, result, bytes);
}

static void to_memory(Taint *t, const Insn *i, int operation, Bits s, int kind, int bytes)
{
    use_stack(t, i->dst);
    operate_at(t, memory(t, destination(t, i, kind), i->dst, i->disp), operation, s, bytes);
}

/* PC, SP, SR or R3 as the destination; the value written to SR stays, whatever the flags would be. */
static void to_special(Taint *t, const Insn *i, int kind, int bytes)
{
    int operation = (int)i->disp - 4;
    Bits s = source(t, i, kind, bytes), d = part(destination(t, i, kind), 0, mask_of(bytes));
    Bits result = operate(t, operation, d, s, sign_of(bytes), kind == R && i->src == i->dst && i->dst != R_PC);
    if (writes(operation))
        set_reg(t, i->dst, result);
}

enum { RRC, RRC_BYTE, SWPB, RRA, RRA_BYTE, SXT };

static Bits shift_sized(Taint *t, int operation, Bits d, int sign, Bits top)
{
    Bits result;
    switch (operation) {
    case SWPB:
        result = joined(part(d, 8, 0xFF), part(d, 0, 0xFF), 8);
        return sign > 15 ? joined(result, part(d, 16, 15), 16) : result;
    case SXT: {
        Bits low = part(d, 0, 0xFF);
        result = bits_signed(low, 7, 0xFFFFF);
        set_result_flags(t, part(result, 0, (UINT64_C(2) << sign) - 1), sign);
        set_flag(t, SR_C, zero_taint(low));
        set_flag(t, SR_V, 0);
        return result;
    }
    case RRA: case RRA_BYTE: top = part(d, sign, 1); break;
    default: break;
    }
    result = joined(part(d, 1, (UINT64_C(1) << sign) - 1), top, sign);
    set_result_flags(t, result, sign);
    set_flag(t, SR_C, d.taint);
    set_flag(t, SR_V, 0);
    return result;
}

static Bits shift_one(Taint *t, int operation, Bits d)
{
    const int sign = operation == RRC_BYTE || operation == RRA_BYTE ? 7 : 15;
    return shift_sized(t, operation, d, sign, flag(t, SR_C));
}

/* place: R, X, I, P, or a special register */
static void one_operand(Taint *t, const Insn *i, int operation, int place)
{
    int bytes = operation == RRC_BYTE || operation == RRA_BYTE ? 1 : 2;
    uint64_t mask = bytes == 1 ? 0xFF : 0xFFFF;
    if (place == 0 || place == 4) {
        set_reg(t, i->dst, shift_one(t, operation, part(destination(t, i, R), 0, mask)));
        return;
    }
    Address a = source_address(t, i, place + R);
    Bits result = shift_one(t, operation, taint_read(t, a, bytes));
    taint_write(t, a, part(result, 0, mask), bytes);
    if (place + R == P)
        step_register(t, i->src, i->imm);
}

/* ---- stack ---- */

static Address stack(Taint *t, int offset)
{
    use_stack(t, R_SP);
    return at(known((machine(t)->r[R_SP] + (uint32_t)offset) & machine(t)->mask));
}

/* The operand of PUSH and CALL sees the stack pointer as it is then: of PUSH already moved. */
static void push(Taint *t, const Insn *i, int kind, int bytes)
{
    const int moved = bytes == 4 ? 4 : 2;
    Bits s;
    if (i->src == R_SP && kind != N) {
        use_stack(t, R_SP);
        Bits sp = known((machine(t)->r[R_SP] - (uint32_t)moved) & machine(t)->mask);
        uint32_t index = kind == X || kind == L ? i->imm : 0;
        s = kind == R ? part(sp, 0, mask_of(bytes))
            : read_operand(t, indexed(sp, known(index), machine(t)->mask, known(0)), bytes);
    } else {
        s = source(t, i, kind, bytes);
    }
    if (kind == P && i->src == R_SP)
        write_operand(t, stack(t, 0), s, bytes);
    else
        write_operand(t, stack(t, -moved), s, bytes);
}

static void call(Taint *t, const Insn *i, int kind, int bytes)
{
    Bits to = source(t, i, kind, bytes);
    if (to.taint & ~UINT64_C(1))
        taint_record(t, TAINT_CALL);
    int moved = kind == P && i->src == R_SP ? bytes : 0;
    write_operand(t, stack(t, moved - bytes), known(0), bytes);
}

static void pop_return(Taint *t, int offset, int bytes)
{
    if (read_operand(t, stack(t, offset), bytes).taint & ~UINT64_C(1))
        taint_record(t, TAINT_RETURN);
}

static void return_from_interrupt(Taint *t)
{
    Bits sr = taint_read(t, stack(t, 0), 2);
    pop_return(t, 2, 2);
    if (machine(t)->extended && sr.taint & 0xF000)
        taint_record(t, TAINT_RETURN);
    set_reg(t, R_SR, machine(t)->extended ? part(sr, 0, 0xFFF) : sr);
}

static void push_many(Taint *t, const Insn *i, int bytes)
{
    for (uint32_t n = 0; n < i->imm; n++) {
        uint64_t mask = bytes == 2 ? 0xFFFF : 0xFFFFF;
        write_operand(t, stack(t, -bytes * (int)(n + 1)), part(reg(t, i->dst - n), 0, mask), bytes);
    }
}

static void pop_many(Taint *t, const Insn *i, int bytes)
{
    for (uint32_t n = 0; n < i->imm; n++)
        set_reg(t, i->dst - (i->imm - 1 - n), read_operand(t, stack(t, bytes * (int)n), bytes));
}

/* ---- the CPUX ---- */

static void address_sum(Taint *t, const Insn *i, int kind, int subtracts, int keeps)
{
    Bits s = source(t, i, kind, 4), d = destination(t, i, kind);
    int same = kind == R && i->src == i->dst && i->dst != R_PC;
    Bits result = subtracts ? subtract(t, d, s, known(1), 19, same) : add(t, d, s, known(0), 19, same);
    if (keeps)
        set_reg(t, i->dst, result);
}

static void shift_many(Taint *t, const Insn *i, int op)
{
    int sign = op == OP_RRCM_A || op == OP_RRAM_A || op == OP_RLAM_A || op == OP_RRUM_A ? 19 : 15;
    uint64_t mask = (UINT64_C(2) << sign) - 1;
    Bits d = part(reg(t, i->dst), 0, mask), carry = flag(t, SR_C);
    for (uint32_t n = i->imm; n; n--) {
        Bits out = part(d, op == OP_RLAM_A || op == OP_RLAM_W ? sign : 0, 1), top = known(0);
        if (op == OP_RRCM_A || op == OP_RRCM_W)
            top = carry;
        else if (op == OP_RRAM_A || op == OP_RRAM_W)
            top = part(d, sign, 1);
        if (op == OP_RLAM_A || op == OP_RLAM_W)
            d = part(up(d, 1), 0, mask);
        else
            d = joined(part(d, 1, mask), top, sign);
        carry = out;
    }
    set_result_flags(t, d, sign);
    set_flag(t, SR_C, carry.taint);
    set_flag(t, SR_V, 0);
    set_reg(t, i->dst, d);
}

/* ---- with an extension word ---- */

static const int sizes[] = { 2, 1, 4 };     /* bytes, in the order of the operations: W, B, A */

static int which(const Insn *i) { return (int)(i->disp >> DISP_OPERATION & 15); }

/* What follows a TAKE. */
static void move_long(Taint *t, const Insn *i, int kind)
{
    const int where = i->second - OP_LONG_W, bytes = sizes[where % 3];
    if (where >= OP_LONG_W_S - OP_LONG_W) {
        to_special(t, i, kind, bytes);
    } else if (where < OP_LONG_W_M - OP_LONG_W) {
        two_operands(t, i, which(i) - 4, kind, bytes);
    } else {
        Bits s = source(t, i, kind, bytes);
        use_stack(t, i->dst);
        Address a = memory_long(t, destination(t, i, kind), i->dst, i->disp & 0xFFFFF);
        operate_at(t, a, which(i) - 4, s, bytes);
    }
}

/* The carry that the next repetition finds. */
static uint64_t carry_after(int operation, uint64_t d, uint64_t s, uint64_t carry, int sign)
{
    const uint64_t mask = (UINT64_C(2) << sign) - 1;
    switch (operation) {
    case ADD: return (d + s) >> (sign + 1);
    case ADDC: return (d + s + carry) >> (sign + 1);
    case SUBC: return (d + (~s & mask) + carry) >> (sign + 1);
    case SUB: case CMP: return (d + (~s & mask) + 1) >> (sign + 1);
    case DADD:
        for (int shift = 0; shift <= sign; shift += 4)
            carry = (d >> shift & 15) + (s >> shift & 15) + carry > 9;
        return carry;
    case BIT: case AND: return (d & s) != 0;
    case XOR: return d != s;
    default: return carry;
    }
}

static void repeat_double(Taint *t, const Insn *i, uint32_t more, int bytes)
{
    const int operation = which(i) - 4, sign = sign_of(bytes), same = i->src == i->dst;
    Bits d = part(reg(t, i->dst), 0, mask_of(bytes)), carry = flag(t, SR_C);
    for (uint32_t n = 0; n <= more; n++) {
        const Bits s = same ? d : part(reg(t, i->src), 0, mask_of(bytes));
        if (i->disp & DISP_ZERO_CARRY)
            carry = known(0);
        const uint64_t next = carry_after(operation, d.value, s.value, carry.value, sign);
        const Bits result = operate_with(t, operation, d, s, sign, same, carry);
        carry = bits(next, (t->reg[SR] & SR_C) != 0);
        if (writes(operation))
            d = result;
    }
    if (writes(operation))
        set_reg(t, i->dst, d);
}

static void repeat_shift(Taint *t, const Insn *i, uint32_t more, int bytes)
{
    const int operation = 2 * which(i) - which(i) / 2;      /* RRC SWPB RRA SXT, without those of bytes */
    Bits d = part(reg(t, i->dst), 0, mask_of(bytes)), carry = flag(t, SR_C);
    for (uint32_t n = 0; n <= more; n++) {
        if (i->disp & DISP_ZERO_CARRY)
            carry = known(0);
        const Bits out = part(d, 0, 1);
        d = shift_sized(t, operation, d, sign_of(bytes), carry);
        carry = out;
    }
    set_reg(t, i->dst, d);
}

/* Where a secret says how often, the time is of that secret, and so is all that comes out. */
static void repeat(Taint *t, const Insn *i, int shifts, int bytes)
{
    const Bits more = i->second ? part(reg(t, i->second), 0, 15) : known(i->imm);
    const int operation = which(i) - 4;
    if (!more.taint) {
        (shifts ? repeat_shift : repeat_double)(t, i, (uint32_t)more.value, bytes);
        return;
    }
    taint_record(t, TAINT_BRANCH);
    t->reg[SR] |= SR_FLAGS;
    if (shifts || writes(operation))
        set_reg(t, i->dst, bits(0, 0xFFFFF));
}

static void shift_at(Taint *t, const Insn *i, int kind, int bytes)
{
    Address a = source_address(t, i, kind);
    const int operation = 2 * which(i) - which(i) / 2;
    Bits result = shift_sized(t, operation, read_operand(t, a, bytes), sign_of(bytes), flag(t, SR_C));
    write_operand(t, a, part(result, 0, mask_of(bytes)), bytes);
    if (kind == P)
        step_register(t, i->src, 4);
}

static int kind_of(int place) { return place == X ? L : place; }

static int move_prefixed(Taint *t, const Insn *i, int op)
{
    if (op >= OP_TAKE_W_L && op <= OP_TAKE_A_P) {
        move_long(t, i, op < OP_TAKE_A_N ? L : kind_of(op - OP_TAKE_A_N));
        return 1;
    }
    if (op >= OP_REPEAT_W && op <= OP_SHIFT_A) {
        repeat(t, i, op >= OP_SHIFT_W, sizes[(op - OP_REPEAT_W) % 3]);
        return 1;
    }
    if (op >= OP_SHIFT_W_L && op <= OP_SHIFT_A_P) {
        const int n = op - OP_SHIFT_W_L;
        shift_at(t, i, n < 3 ? L : n - 3 + I, n < 3 ? sizes[n] : 4);
        return 1;
    }
    if (op >= OP_PUSH_W_L) {
        const int n = op - OP_PUSH_W_L;
        push(t, i, n < 2 ? L : kind_of(n - 2), n < 2 ? sizes[n] : 4);
        return 1;
    }
    return 0;
}

static int move_extended(Taint *t, const Insn *i, int op)
{
    if (move_prefixed(t, i, op))
        return 1;
    if (op >= OP_MOVA_N && op <= OP_MOVA_P) {
        set_reg(t, i->dst, source(t, i, op - OP_MOVA_N, 4));
        return 1;
    }
    if (op >= OP_CALLA_N && op <= OP_CALLA_P) {
        call(t, i, op - OP_CALLA_N, 4);
        return 1;
    }
    if (op >= OP_RRCM_A && op <= OP_RRUM_W) {
        shift_many(t, i, op);
        return 1;
    }
    switch (op) {
    case OP_MOVA_STORE:
        use_stack(t, i->dst);
        write_operand(t, memory(t, reg(t, i->dst), i->dst, i->disp), reg(t, i->src), 4);
        return 1;
    case OP_RETA: pop_return(t, 0, 4); return 1;
    case OP_CMPA_N: case OP_CMPA_R: address_sum(t, i, op - OP_CMPA_N, 1, 0); return 1;
    case OP_ADDA_N: case OP_ADDA_R: address_sum(t, i, op - OP_ADDA_N, 0, 1); return 1;
    case OP_SUBA_N: case OP_SUBA_R: address_sum(t, i, op - OP_SUBA_N, 1, 1); return 1;
    case OP_PUSHM_A: push_many(t, i, 4); return 1;
    case OP_PUSHM_W: push_many(t, i, 2); return 1;
    case OP_POPM_A: pop_many(t, i, 4); return 1;
    case OP_POPM_W: pop_many(t, i, 2); return 1;
    default: return 0;
    }
}

/* ---- one instruction ---- */

static void jump(Taint *t, const Insn *i, Condition *c, uint32_t flags)
{
    if (t->reg[SR] & flags)
        *c = (Condition){ TAINT_BRANCH, i->imm, t->pc + 2, 0, 0 };
}

static int move_grouped(Taint *t, const Insn *i, int op)
{
    if (op >= OP_MOV_W_N && op <= OP_AND_B_M) {
        int place = (op - OP_MOV_W_N) % (2 * KINDS);
        two_operands(t, i, (op - OP_MOV_W_N) / (2 * KINDS), place % KINDS, place < KINDS ? 2 : 1);
        return 1;
    }
    if (op >= OP_TAKE_W_N && op <= OP_TAKE_STATUS && i->second >= OP_LONG_W) {
        const int place = (op - OP_TAKE_W_N) % 5;
        move_long(t, i, op == OP_TAKE_STATUS ? R : place);
        return 1;
    }
    if (op >= OP_TAKE_W_N && op <= OP_TAKE_STATUS) {
        int second = i->second - OP_MOV_W_N, bytes = second % (2 * KINDS) < KINDS ? 2 : 1;
        int kind = op == OP_TAKE_STATUS ? R : (op - OP_TAKE_W_N) % 5;
        to_memory(t, i, second / (2 * KINDS), source(t, i, kind, bytes), kind, bytes);
        return 1;
    }
    if (op >= OP_SPECIAL_W_N && op <= OP_SPECIAL_B_P) {
        to_special(t, i, (op - OP_SPECIAL_W_N) % 5, op < OP_SPECIAL_B_N ? 2 : 1);
        return 1;
    }
    if (op >= OP_RRC_W_R && op <= OP_SXT_W_S) {
        one_operand(t, i, (op - OP_RRC_W_R) / 5, (op - OP_RRC_W_R) % 5);
        return 1;
    }
    if (op >= OP_PUSH_W_N && op <= OP_PUSH_B_P) {
        push(t, i, (op - OP_PUSH_W_N) % 5, op < OP_PUSH_B_N ? 2 : 1);
        return 1;
    }
    if (op >= OP_CALL_N && op <= OP_CALL_P) {
        call(t, i, op - OP_CALL_N, 2);
        return 1;
    }
    return 0;
}

static void move_insn(Taint *t, const Insn *i, Condition *c)
{
    int op = i->op == OP_STATUS ? i->second : i->op;
    if (move_grouped(t, i, op))
        return;
    switch (op) {
    case OP_RET: pop_return(t, 0, 2); break;
    case OP_RETI: return_from_interrupt(t); break;
    case OP_JNE: case OP_JEQ: jump(t, i, c, SR_Z); break;
    case OP_JNC: case OP_JC: jump(t, i, c, SR_C); break;
    case OP_JN: jump(t, i, c, SR_N); break;
    case OP_JGE: case OP_JL: jump(t, i, c, SR_N | SR_V); break;
    case OP_BR: case OP_JMP: case OP_ENDLESS: break;
    default: t->unknown = !move_extended(t, i, op);
    }
}

static void move(Taint *t, Condition *condition)
{
    Msp430 *c = (Msp430 *)t->sim;
    uint32_t word = (t->pc - c->low) / 2;
    if (word < c->span && (c->code[word].op != OP_DECODE || msp430_decode(c, t->pc, &c->code[word]) >= 0))
        move_insn(t, &c->code[word], condition);
}

static uint32_t timing(const Sim *sim) { return ((const Msp430 *)sim)->sr; }

const TaintCore taint_msp430 = { .registers = registers, .move = move, .timing = timing };
