/* The MSP430 interpreter, compiled four times: for the CPU and the CPUX (EXTENDED), each fast and traced
 * (profile by call path, instruction limit).
 *
 * Flags are locals: SYNC writes those that other code looks at, RELOAD takes them back. */
#include "msp430.h"
#include "msp430_ops.h"

typedef Msp430 Machine;

#define OPERATIONS "msp430_run.h"
#define DECODE msp430_decode
#define LOW c->low
#define UNIT 2
#define LENGTH i->length
#define REGISTER (EXTENDED ? 0xFFFFFu : 0xFFFFu)
#define CODE_MASK (REGISTER & ~1u)
#define TARGET i->imm
#define TAKEN 0                     /* a jump costs the same either way */
#define STACK_POINTER r[R_SP]
#define STACK_MASK REGISTER
#define STACK_BASE 0
#define FLASH_WAITS 0
#define SIDE_EFFECTS TRACED         /* only a watched write goes on after sim.c saw it */
#define WRITE_WORD sim_write16

#define LOCALS \
    uint32_t cy = c->cy, zr = c->zr, nr = c->nr, vr = c->vr, operand = 0, result; \
    uint32_t *const r = c->r;
#define SYNC() (c->cy = cy, c->zr = zr, c->nr = nr, c->vr = vr)
#define RELOAD() (cy = c->cy, zr = c->zr, nr = c->nr, vr = c->vr)
#define HEAD() (void)0
#define FINISH() (void)0

#include "sim_core.h"

/* CPUX: an index on a register below 64 KB stays there; above, it is signed. */
static inline uint32_t indexed_x(uint32_t base, uint32_t index, int absolute)
{
    if (absolute)
        return index;
    return base < 0x10000 ? (base + index) & 0xFFFF : (base + (index ^ 0x8000) - 0x8000) & 0xFFFFF;
}

#define INDEXED(base, index) \
    (EXTENDED ? indexed_x(r[base], index, (base) == R_ZERO) : (r[base] + (index)) & 0xFFFF)

/* ---- operands; bytes are the size B, words W ---- */

#define READ_B READ8
#define READ_W READ16
#define WRITE_B WRITE8
#define WRITE_W WRITE16

#define MASK_W 0xFFFFu
#define MASK_B 0xFFu
#define MASK_A 0xFFFFFu
#define UP_W 0              /* to the left until the sign is bit 15 or, of 20 bits, bit 19 */
#define UP_B 8
#define UP_A 0
#define WIDTH_W 16          /* bits then */
#define WIDTH_B 16
#define WIDTH_A 20
#define SIGN(z, value) ((value) >> (WIDTH_##z - 16))    /* to bit 15, where N and V are */

#define SOURCE_N(z, s) s = i->imm
#define SOURCE_R(z, s) s = r[i->src] & MASK_##z
#define SOURCE_X(z, s) READ_##z(s, INDEXED(i->src, i->imm))
#define SOURCE_I(z, s) READ_##z(s, r[i->src])
#define SOURCE_P(z, s) \
    do { \
        READ_##z(s, r[i->src]); \
        if (UNLIKELY(i->src == R_SP)) \
            SHRINK_STACK(2); \
        else \
            r[i->src] = (r[i->src] + i->imm) & REGISTER; \
    } while (0)

/* ---- operations: d becomes the result of d and s ---- */

#define SUM(z, d, s, carry) \
    do { \
        uint32_t d_ = (d) << UP_##z, s_ = (s) << UP_##z, t_ = d_ + s_ + ((carry) << UP_##z); \
        cy = t_ >> WIDTH_##z; \
        zr = t_ & ((1u << WIDTH_##z) - 1); \
        nr = SIGN(z, zr); \
        vr = SIGN(z, (d_ ^ t_) & (s_ ^ t_)); \
        d = zr >> UP_##z; \
    } while (0)
#define LOGIC(z, d, result, overflow) \
    do { \
        uint32_t v_ = (overflow), t_ = (result); \
        d = t_; \
        zr = t_ << UP_##z; \
        nr = SIGN(z, zr); \
        cy = t_ != 0; \
        vr = SIGN(z, v_ << UP_##z); \
    } while (0)
#define DO_MOV(z, d, s) d = (s)
#define DO_ADD(z, d, s) SUM(z, d, s, 0u)
#define DO_ADDC(z, d, s) SUM(z, d, s, cy)
#define DO_SUBC(z, d, s) SUM(z, d, (s) ^ MASK_##z, cy)
#define DO_SUB(z, d, s) SUM(z, d, (s) ^ MASK_##z, 1u)
#define DO_CMP DO_SUB
#define DO_DADD(z, d, s) \
    do { \
        d = msp430_decimal_sum(d, s, &cy, MASK_##z); \
        zr = d << UP_##z; \
        nr = SIGN(z, zr); \
    } while (0)
#define DO_BIT(z, d, s) LOGIC(z, d, d & (s), 0u)
#define DO_BIC(z, d, s) d &= ~(s)
#define DO_BIS(z, d, s) d |= (s)
#define DO_XOR(z, d, s) LOGIC(z, d, d ^ (s), d & (s))
#define DO_AND(z, d, s) LOGIC(z, d, d & (s), 0u)

/* The carry of the shifts is the bit that leaves; that of SXT says that the result is not zero. */
#define SHIFTED(z, d, result, carry) \
    do { \
        uint32_t t_ = (result), c_ = (carry); \
        d = t_; \
        zr = t_ << UP_##z; \
        nr = SIGN(z, zr); \
        cy = c_; \
        vr = 0; \
    } while (0)
#define DO_RRC(z, d) SHIFTED(z, d, d >> 1 | (cy ? MASK_##z / 2 + 1 : 0), d & 1)
#define DO_RRA(z, d) SHIFTED(z, d, d >> 1 | (d & (MASK_##z / 2 + 1)), d & 1)
#define DO_SWPB(z, d) d = (d >> 8 & 0xFF) | (d << 8 & 0xFF00) | (d & 0xF0000)
#define DO_SXT(z, d) SHIFTED(z, d, ((d & 0xFF) ^ 0x80) - 0x80, (d & 0xFF) != 0)

/* How an operation treats its destination: CHANGE reads and writes, COMPARE reads, MOVE writes. */
#define CHANGE(name, z, from) \
    OP(name##_##z##_##from) { \
        uint32_t s, d; \
        SOURCE_##from(z, s); \
        d = r[i->dst] & MASK_##z; \
        DO_##name(z, d, s); \
        r[i->dst] = d; \
        NEXT(); \
    }
#define COMPARE(name, z, from) \
    OP(name##_##z##_##from) { \
        uint32_t s, d; \
        SOURCE_##from(z, s); \
        d = r[i->dst] & MASK_##z; \
        DO_##name(z, d, s); \
        NEXT(); \
    }
#define MOVE(name, z, from) \
    OP(name##_##z##_##from) { \
        uint32_t s; \
        SOURCE_##from(z, s); \
        r[i->dst] = s; \
        NEXT(); \
    }

/* The same on memory, with the source in `operand`. */
#define TAKE(name, z, from) OP(TAKE_##z##_##from) { SOURCE_##from(z, operand); DISPATCH_TO(i->second); }
#define CHANGE_MEMORY(name, z) \
    L_##name##_##z##_M: { \
        uint32_t d, a = INDEXED(i->dst, i->disp); \
        READ_##z(d, a); \
        DO_##name(z, d, operand); \
        WRITE_##z(a, d); \
        NEXT(); \
    }
#define COMPARE_MEMORY(name, z) \
    L_##name##_##z##_M: { \
        uint32_t d; \
        READ_##z(d, INDEXED(i->dst, i->disp)); \
        DO_##name(z, d, operand); \
        NEXT(); \
    }
#define MOVE_MEMORY(name, z) L_##name##_##z##_M: { WRITE_##z(INDEXED(i->dst, i->disp), operand); NEXT(); }

#define FROM_ALL(name, how, z) how(name, z, N) how(name, z, R) how(name, z, X) how(name, z, I) how(name, z, P)
#define DOUBLE(name, how) \
    FROM_ALL(name, how, W) \
    how##_MEMORY(name, W) \
    FROM_ALL(name, how, B) \
    how##_MEMORY(name, B)

/* PC, SP, SR or R3 as the destination of any operation; `operation` is the opcode's first digit. */
#define SPECIAL(name, z, from) OP(SPECIAL_##z##_##from) { SOURCE_##from(z, operand); goto special_##z; }
#define SPECIAL_VALUE() \
    (i->dst == R_PC ? AFTER(i) : i->dst == R_SP ? r[R_SP] : i->dst == R_SR ? (SYNC(), msp430_sr(c)) : 0u)
#define TWELVE(z, d, s, changed, compared) \
    case 0x4: DO_MOV(z, d, s); changed; \
    case 0x5: DO_ADD(z, d, s); changed; \
    case 0x6: DO_ADDC(z, d, s); changed; \
    case 0x7: DO_SUBC(z, d, s); changed; \
    case 0x8: DO_SUB(z, d, s); changed; \
    case 0x9: DO_CMP(z, d, s); compared; \
    case 0xA: DO_DADD(z, d, s); changed; \
    case 0xB: DO_BIT(z, d, s); compared; \
    case 0xC: DO_BIC(z, d, s); changed; \
    case 0xD: DO_BIS(z, d, s); changed; \
    case 0xE: DO_XOR(z, d, s); changed; \
    default: DO_AND(z, d, s); changed;
#define OPERATE(z) \
    special_##z: \
    result = SPECIAL_VALUE() & MASK_##z; \
    switch (i->disp) { \
    TWELVE(z, result, operand, goto write_special, NEXT()) \
    }

#define SINGLE_MEMORY(name, z, mode, where) \
    OP(name##_##z##_##mode) { \
        uint32_t d, a = (where); \
        READ_##z(d, a); \
        DO_##name(z, d); \
        WRITE_##z(a, d); \
        NEXT(); \
    }
#define SINGLE(name, z) \
    OP(name##_##z##_R) { \
        uint32_t d = r[i->dst] & MASK_##z; \
        DO_##name(z, d); \
        r[i->dst] = d & REGISTER; \
        NEXT(); \
    } \
    SINGLE_MEMORY(name, z, X, INDEXED(i->src, i->imm)) \
    SINGLE_MEMORY(name, z, I, r[i->src]) \
    OP(name##_##z##_P) { \
        uint32_t d, a = r[i->src]; \
        READ_##z(d, a); \
        DO_##name(z, d); \
        WRITE_##z(a, d & MASK_##z); \
        if (i->src == R_SP) SHRINK_STACK(2); else r[i->src] = (a + i->imm) & REGISTER; \
        NEXT(); \
    } \
    OP(name##_##z##_S) { result = SPECIAL_VALUE() & MASK_##z; DO_##name(z, result); goto write_special; }

/* The operand sees the stack pointer that PUSH has already moved. */
#define PUSH(z, from) \
    OP(PUSH_##z##_##from) { uint32_t s; GROW_STACK(2); SOURCE_##from(z, s); WRITE_##z(r[R_SP], s); NEXT(); }
#define CALL_TO(to) \
    do { \
        uint32_t to_ = (to) & ~1u, back_ = AFTER(i); \
        GROW_STACK(2); \
        WRITE_W(r[R_SP], back_); \
        TRACE_CALL(to_); \
        JUMP(to_); \
    } while (0)
#define CALL_COMPUTED(from) \
    OP(CALL_##from) { uint32_t s; SOURCE_##from(W, s); MIX(s); CALL_TO(s); }

/* ---- the CPUX: 20 bits, in memory two words ---- */

#define READ_A(to, where) \
    do { \
        uint32_t low_, high_, at_ = (where); \
        READ_W(low_, at_); \
        READ_W(high_, (at_ + 2) & REGISTER); \
        to = low_ | (high_ & 15) << 16; \
    } while (0)

#define WRITE_A(where, value) \
    do { \
        uint32_t at_ = (where), v_ = (value); \
        WRITE_W(at_, v_); \
        WRITE_W((at_ + 2) & REGISTER, v_ >> 16); \
    } while (0)

#define ADDRESS_N(s) s = i->imm
#define ADDRESS_R(s) s = r[i->src]
#define ADDRESS_X(s) READ_A(s, INDEXED(i->src, i->imm))
#define ADDRESS_I(s) READ_A(s, r[i->src])
#define ADDRESS_P(s) \
    do { \
        READ_A(s, r[i->src]); \
        if (i->src == R_SP) SHRINK_STACK(4); else r[i->src] = (r[i->src] + 4) & REGISTER; \
    } while (0)

/* ---- with an extension word: indexes of 20 bits on any register, operands of 20 bits ---- */

#define LONG_INDEXED(base, index) ((r[base] + (index)) & MASK_A)
#define SOURCE_L(z, s) READ_##z(s, LONG_INDEXED(i->src, i->imm))
#define ADDRESS_L(s) SOURCE_L(A, s)
#define TAKE_ADDRESS(from) OP(TAKE_A_##from) { ADDRESS_##from(operand); DISPATCH_TO(i->second); }
#define WHICH (i->disp >> DISP_OPERATION & 15)

#define LONG(z) \
    L_LONG_##z: { \
        uint32_t d = r[i->dst] & MASK_##z; \
        switch (WHICH) { TWELVE(z, d, operand, break, NEXT()) } \
        r[i->dst] = d; \
        NEXT(); \
    } \
    L_LONG_##z##_M: { \
        uint32_t d = operand, a = LONG_INDEXED(i->dst, i->disp & MASK_A); \
        if (WHICH != 4) { \
            READ_##z(d, a); \
            switch (WHICH) { TWELVE(z, d, operand, break, NEXT()) } \
        } \
        WRITE_##z(a, d); \
        NEXT(); \
    } \
    L_LONG_##z##_S: goto special_##z;

/* The count is of a register where `second` is one, and what it says beyond one is in no form's clocks. */
#define REPEATS(times, step) \
    do { \
        uint32_t more_ = i->imm; \
        if (i->second) { \
            more_ = r[i->second] & 15; \
            MIX(more_); \
            cycles += more_; \
        } \
        for (uint32_t times = 0; times <= more_; times++) { \
            if (i->disp & DISP_ZERO_CARRY) \
                cy = 0; \
            step \
        } \
    } while (0)
#define REPEAT(z) \
    OP(REPEAT_##z) { \
        uint32_t d = r[i->dst] & MASK_##z, s, kept = 0; \
        REPEATS(n, { \
            uint32_t before = d; \
            s = (i->src == i->dst ? d : r[i->src]) & MASK_##z; \
            switch (WHICH) { TWELVE(z, d, s, break, d = before; kept = 1; break) } \
        }); \
        if (!kept) \
            r[i->dst] = d; \
        NEXT(); \
    }
#define FOUR(z, d) \
    switch (WHICH) { \
    case 0: DO_RRC(z, d); break; \
    case 1: DO_SWPB(z, d); break; \
    case 2: DO_RRA(z, d); break; \
    default: DO_SXT(z, d); break; \
    }
#define SHIFT(z) \
    OP(SHIFT_##z) { \
        uint32_t d = r[i->dst] & MASK_##z; \
        REPEATS(n, { FOUR(z, d) }); \
        r[i->dst] = d & MASK_A; \
        NEXT(); \
    }
#define SHIFT_MEMORY(z, from, where, after) \
    OP(SHIFT_##z##_##from) { \
        uint32_t d, a = (where); \
        READ_##z(d, a); \
        FOUR(z, d) \
        WRITE_##z(a, d & MASK_##z); \
        after; \
        NEXT(); \
    }
#define STEP_ADDRESS() \
    do { if (i->src == R_SP) SHRINK_STACK(4); else r[i->src] = (a + 4) & REGISTER; } while (0)
#define PUSH_ADDRESS(from) \
    OP(PUSH_A_##from) { uint32_t s; GROW_STACK(4); ADDRESS_##from(s); WRITE_A(r[R_SP], s); NEXT(); }

#define TO_ADDRESS_REGISTER(value) \
    do { \
        result = (value); \
        if (i->dst <= R_CG) goto write_special; \
        r[i->dst] = result; \
        NEXT(); \
    } while (0)
#define MOVA(from) OP(MOVA_##from) { uint32_t s; ADDRESS_##from(s); TO_ADDRESS_REGISTER(s); }
#define SUM_A(to, s, carry) \
    do { \
        uint32_t d_ = i->dst == R_PC ? AFTER(i) : r[i->dst], s_ = (s), t_ = d_ + s_ + (carry); \
        cy = t_ >> 20; \
        zr = t_ & MASK_A; \
        nr = zr >> 4; \
        vr = ((d_ ^ t_) & (s_ ^ t_)) >> 4; \
        to = zr; \
    } while (0)
#define ADDRESS_ALU(from) \
    OP(ADDA_##from) { uint32_t s; ADDRESS_##from(s); SUM_A(s, s, 0u); TO_ADDRESS_REGISTER(s); } \
    OP(SUBA_##from) { uint32_t s; ADDRESS_##from(s); SUM_A(s, s ^ MASK_A, 1u); TO_ADDRESS_REGISTER(s); } \
    OP(CMPA_##from) { uint32_t s; ADDRESS_##from(s); SUM_A(s, s ^ MASK_A, 1u); (void)s; NEXT(); }

#define SHIFT_BITS(name, z, bits, step) \
    OP(name##_##z) { \
        uint32_t d = r[i->dst] & MASK_##z, c_ = cy; \
        const uint32_t top = (MASK_##z >> 1) + 1; \
        for (uint32_t n = i->imm; n; n--) { step; } \
        r[i->dst] = zr = d; \
        nr = d >> ((bits) - 16); \
        cy = c_; \
        vr = 0; \
        (void)top; \
        NEXT(); \
    }
#define SHIFTS_BITS(z, bits) \
    SHIFT_BITS(RRCM, z, bits, uint32_t out = d & 1; d = d >> 1 | (c_ ? top : 0); c_ = out) \
    SHIFT_BITS(RRAM, z, bits, c_ = d & 1; d = d >> 1 | (d & top)) \
    SHIFT_BITS(RLAM, z, bits, c_ = (d & top) != 0; d = d << 1 & MASK_##z) \
    SHIFT_BITS(RRUM, z, bits, c_ = d & 1; d >>= 1)

#define PUSH_MANY(z, size) \
    OP(PUSHM_##z) { \
        for (uint32_t n = 0; n < i->imm; n++) { GROW_STACK(size); WRITE_##z(r[R_SP], r[i->dst - n]); } \
        NEXT(); \
    }
#define POP_MANY(z, size) \
    OP(POPM_##z) { \
        for (uint32_t n = i->imm; n-- > 0;) { READ_##z(r[i->dst - n], r[R_SP]); SHRINK_STACK(size); } \
        NEXT(); \
    }

#define CALLA_TO(to) \
    do { \
        uint32_t to_ = (to) & MASK_A & ~1u, back_ = AFTER(i); \
        GROW_STACK(4); \
        WRITE_A(r[R_SP], back_); \
        TRACE_CALL(to_); \
        JUMP(to_); \
    } while (0)
#define CALLA_COMPUTED(from) OP(CALLA_##from) { uint32_t s; ADDRESS_##from(s); MIX(s); CALLA_TO(s); }

#define LESS ((nr ^ vr) & 0x8000)

static uint32_t msp430_decimal_sum(uint32_t d, uint32_t s, uint32_t *carry, uint32_t mask)
{
    uint32_t sum = 0;
    for (int shift = 0; mask >> shift; shift += 4) {
        uint32_t digit = (d >> shift & 15) + (s >> shift & 15) + *carry;
        *carry = digit > 9;
        sum |= (digit > 9 ? digit - 10 : digit) << shift;
    }
    return sum & mask;
}

#define EXTENDED 0
#define OPS MSP430_OPS

#define RUN_NAME msp430_run_fast
#define TRACED 0
#include "sim_run.h"

#define RUN_NAME msp430_run_traced
#define TRACED 1
#include "sim_run.h"

#undef EXTENDED
#undef OPS
#define EXTENDED 1
#define OPS(X) MSP430_OPS(X) MSP430X_OPS(X)

#define RUN_NAME msp430x_run_fast
#define TRACED 0
#include "sim_run.h"

#define RUN_NAME msp430x_run_traced
#define TRACED 1
#include "sim_run.h"
