/* Body of the interpreter; msp430_run.c includes it with RUN_NAME, TRACED and EXTENDED (CPUX) set.
 *
 * Flags and counters are locals: SYNC writes those that other code looks at, RELOAD takes them back. */

#ifndef MSP430_RUN_MACROS
#define MSP430_RUN_MACROS

#if defined(__GNUC__) && !defined(MSP430_SWITCH)
#define DISPATCH_TO(op) goto *labels[op]
#else
#define DISPATCH_TO(op) do { next = (op); goto dispatch; } while (0)
#endif
#define DISPATCH() DISPATCH_TO(i->op)

#define STACK_POINTER r[R_SP]
#define PC(insn) (low + 2 * (uint32_t)((insn) - code))
#define AFTER(insn) (PC(insn) + 2u * (insn)->words)

#define SYNC() (c->cy = cy, c->zr = zr, c->nr = nr, c->vr = vr)
#define RELOAD() (cy = c->cy, zr = c->zr, nr = c->nr, vr = c->vr)

#define OP(name) \
    L_##name: { \
        TRACE_BEGIN(); \
        cycles += i->clocks; \
        instructions++; \
    }

#define NEXT() do { i += i->words; TRACE_END(); DISPATCH(); } while (0)

#define JUMP(to) \
    do { \
        target = (to) & REGISTER & ~1u; \
        if (UNLIKELY(cycles > cycle_limit)) goto over_limit; \
        if (UNLIKELY(target - low >= span)) goto wild; \
        i = code + (target - low) / 2; \
        TRACE_END(); \
        DISPATCH(); \
    } while (0)

#define MIX(value) (hash = sim_mix(hash, value))

/* ---- memory ---- */

#define READ_B(to, where) \
    do { \
        uint32_t a_ = (where); \
        if (LIKELY(attr[a_] & (A_READ | A_WAIT))) { \
            to = mem[a_]; \
        } else { \
            int v_ = msp430_read8(c, a_); \
            if (v_ < 0) goto fault; \
            to = (uint32_t)v_; \
        } \
    } while (0)

#define READ_W(to, where) \
    do { \
        uint32_t a_ = (where); \
        uint32_t t_ = a_ & 1 ? 0 : load16(attr + a_); \
        if (LIKELY(((t_ | t_ >> 1) & 0x101) == 0x101)) { \
            to = load16(mem + a_); \
        } else { \
            int v_ = msp430_read16(c, a_); \
            if (v_ < 0) goto fault; \
            to = (uint32_t)v_; \
        } \
    } while (0)

#define WRITE_B(where, value) \
    do { \
        uint32_t a_ = (where); \
        uint8_t t_ = attr[a_]; \
        if (LIKELY(t_ & A_WRITE)) { \
            mem[a_] = (uint8_t)(value); \
            attr[a_] = t_ | A_READ | A_TOUCHED; \
        } else { \
            msp430_write8(c, a_, (value)); \
            goto fault; \
        } \
    } while (0)

#define WRITE_W(where, value) \
    do { \
        uint32_t a_ = (where); \
        uint32_t t_ = a_ & 1 ? 0 : load16(attr + a_); \
        if (LIKELY((t_ & (A_WRITE * 0x101)) == A_WRITE * 0x101)) { \
            store16(mem + a_, (value)); \
            store16(attr + a_, t_ | (A_READ | A_TOUCHED) * 0x101); \
        } else { \
            msp430_write16(c, a_, (value)); \
            goto fault; \
        } \
    } while (0)

#define GROW_STACK(n) \
    do { \
        uint32_t sp_ = r[R_SP] = (r[R_SP] - (n)) & REGISTER; \
        if (sp_ < c->lowest) { \
            c->lowest = sp_; \
            if (UNLIKELY(sp_ < sim->stack_limit)) FAIL(SIM_STACK_LOW, sp_); \
        } \
    } while (0)

#define SHRINK_STACK(n) \
    do { \
        uint32_t sp_ = r[R_SP] = (r[R_SP] + (n)) & REGISTER; \
        if (UNLIKELY(sp_ > sim->stack_top)) FAIL(SIM_STACK_HIGH, sp_); \
    } while (0)

/* ---- operands; bytes are the size B, words W ---- */

#define MASK_W 0xFFFFu
#define MASK_B 0xFFu
#define MASK_A 0xFFFFFu
#define UP_W 0              /* to the left until the sign is bit 15 */
#define UP_B 8

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
        cy = t_ >> 16; \
        zr = nr = t_ & 0xFFFF; \
        vr = (d_ ^ t_) & (s_ ^ t_); \
        d = zr >> UP_##z; \
    } while (0)
#define LOGIC(z, d, result, overflow) \
    do { \
        uint32_t v_ = (overflow), t_ = (result); \
        d = t_; \
        zr = nr = t_ << UP_##z; \
        cy = t_ != 0; \
        vr = v_ << UP_##z; \
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
        zr = nr = d << UP_##z; \
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
        zr = nr = t_ << UP_##z; \
        cy = c_; \
        vr = 0; \
    } while (0)
#define DO_RRC(z, d) SHIFTED(z, d, d >> 1 | (cy ? MASK_##z / 2 + 1 : 0), d & 1)
#define DO_RRA(z, d) SHIFTED(z, d, d >> 1 | (d & (MASK_##z / 2 + 1)), d & 1)
#define DO_SWPB(z, d) d = (d >> 8 | d << 8) & 0xFFFF
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
#define OPERATE(z) \
    special_##z: \
    result = SPECIAL_VALUE() & MASK_##z; \
    switch (i->disp) { \
    case 0x4: DO_MOV(z, result, operand); goto write_special; \
    case 0x5: DO_ADD(z, result, operand); goto write_special; \
    case 0x6: DO_ADDC(z, result, operand); goto write_special; \
    case 0x7: DO_SUBC(z, result, operand); goto write_special; \
    case 0x8: DO_SUB(z, result, operand); goto write_special; \
    case 0x9: DO_CMP(z, result, operand); NEXT(); \
    case 0xA: DO_DADD(z, result, operand); goto write_special; \
    case 0xB: DO_BIT(z, result, operand); NEXT(); \
    case 0xC: DO_BIC(z, result, operand); goto write_special; \
    case 0xD: DO_BIS(z, result, operand); goto write_special; \
    case 0xE: DO_XOR(z, result, operand); goto write_special; \
    default: DO_AND(z, result, operand); goto write_special; \
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

#define COND(condition) \
    do { \
        unsigned taken_ = (condition) != 0; \
        MIX((uint64_t)PC(i) << 1 | taken_); \
        if (taken_) \
            JUMP(i->imm); \
        NEXT(); \
    } while (0)
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

#endif

#undef REGISTER
#undef INDEXED
#undef EVERY_OP
#if EXTENDED
#define EVERY_OP(X) MSP430_OPS(X) MSP430X_OPS(X)
#define REGISTER 0xFFFFFu
#define INDEXED(base, index) indexed_x(r[base], index, (base) == R_ZERO)
#else
#define EVERY_OP MSP430_OPS
#define REGISTER 0xFFFFu
#define INDEXED(base, index) ((r[base] + (index)) & 0xFFFF)
#endif

#include "sim_run.h"

static void RUN_NAME(Msp430 *c, uint32_t stop, uint64_t cycle_limit, uint64_t instruction_limit)
{
#if defined(__GNUC__) && !defined(MSP430_SWITCH)
    static const void *const labels[] = {
#define X(name) &&L_##name,
        EVERY_OP(X)
#undef X
    };
#else
    int next;
#endif
    Sim *sim = &c->sim;
    uint8_t *const mem = sim->mem, *const attr = sim->attr;
    uint32_t *const r = c->r;
    Msp430Insn *const code = c->code;
    const uint32_t low = c->low, span = c->span;
    uint32_t cy = c->cy, zr = c->zr, nr = c->nr, vr = c->vr;
    uint64_t cycles = 0, instructions = 0, hash = 0;
    uint32_t target = c->pc, pc, operand = 0, result;
    Msp430Insn *i;

    c->start_sp = c->lowest = r[R_SP];
#if TRACED
    uint32_t at = 0, node = 0;
    uint64_t mark = 0;
    int charged = 1;
    if (instruction_limit == 0) {
        pc = c->pc;
        sim->run.status = SIM_STEPS;
        goto end;
    }
#else
    (void)instruction_limit;
#endif
    if (target - low >= span)
        goto wild;
    i = code + (target - low) / 2;
    DISPATCH();

#if !defined(__GNUC__) || defined(MSP430_SWITCH)
dispatch:
    switch (next) {
#define X(name) case OP_##name: goto L_##name;
        EVERY_OP(X)
#undef X
    }
#endif

L_DECODE:
    if (msp430_decode(c, PC(i), i) < 0)
        goto fault;
    DISPATCH();

L_STOPPED:
    pc = PC(i);
    goto end;

L_STATUS:
    SYNC();
    r[R_STATUS] = msp430_sr(c);
    DISPATCH_TO(i->second);

    DOUBLE(MOV, MOVE)
    DOUBLE(ADD, CHANGE)
    DOUBLE(ADDC, CHANGE)
    DOUBLE(SUBC, CHANGE)
    DOUBLE(SUB, CHANGE)
    DOUBLE(CMP, COMPARE)
    DOUBLE(DADD, CHANGE)
    DOUBLE(BIT, COMPARE)
    DOUBLE(BIC, CHANGE)
    DOUBLE(BIS, CHANGE)
    DOUBLE(XOR, CHANGE)
    DOUBLE(AND, CHANGE)

    FROM_ALL(, TAKE, W)
    FROM_ALL(, TAKE, B)
    OP(TAKE_STATUS) { SYNC(); operand = msp430_sr(c) & i->imm; DISPATCH_TO(i->second); }
    FROM_ALL(, SPECIAL, W)
    FROM_ALL(, SPECIAL, B)
    OPERATE(W)
    OPERATE(B)

    SINGLE(RRC, W)
    SINGLE(RRC, B)
    SINGLE(SWPB, W)
    SINGLE(RRA, W)
    SINGLE(RRA, B)
    SINGLE(SXT, W)

    PUSH(W, N) PUSH(W, R) PUSH(W, X) PUSH(W, I) PUSH(W, P)
    PUSH(B, N) PUSH(B, R) PUSH(B, X) PUSH(B, I) PUSH(B, P)

    OP(CALL_N) CALL_TO(i->imm);
    CALL_COMPUTED(R)
    CALL_COMPUTED(X)
    CALL_COMPUTED(I)
    CALL_COMPUTED(P)
    OP(RET) {
        uint32_t to;
        READ_W(to, r[R_SP]);
        TRACE_RETURN();
        SHRINK_STACK(2);
        MIX(to);
        JUMP(to);
    }
    OP(RETI) {
        uint32_t sr, to;
        READ_W(sr, r[R_SP]);
        READ_W(to, (r[R_SP] + 2) & REGISTER);
        SHRINK_STACK(2);
        TRACE_RETURN();
        SHRINK_STACK(2);
        to |= (sr & 0xF000) << 4 & REGISTER;
        msp430_set_sr(c, EXTENDED ? sr & 0xFFF : sr);
        RELOAD();
        if (sr & SR_CPUOFF)
            FAIL(SIM_HALT, PC(i));
        MIX(to);
        JUMP(to);
    }

    OP(BR) JUMP(i->imm);
    OP(ENDLESS) FAIL(SIM_ENDLESS, PC(i));
    OP(JMP) JUMP(i->imm);
    OP(JNE) COND(zr != 0);
    OP(JEQ) COND(zr == 0);
    OP(JNC) COND(cy == 0);
    OP(JC) COND(cy != 0);
    OP(JN) COND(nr & 0x8000);
    OP(JGE) COND(!LESS);
    OP(JL) COND(LESS);

#if EXTENDED
    MOVA(N) MOVA(R) MOVA(X) MOVA(I) MOVA(P)
    OP(MOVA_STORE) { WRITE_A(INDEXED(i->dst, i->disp), r[i->src]); NEXT(); }
    ADDRESS_ALU(N)
    ADDRESS_ALU(R)
    SHIFTS_BITS(A, 20)
    SHIFTS_BITS(W, 16)
    OP(CALLA_N) CALLA_TO(i->imm);
    CALLA_COMPUTED(R)
    CALLA_COMPUTED(X)
    CALLA_COMPUTED(I)
    CALLA_COMPUTED(P)
    OP(RETA) {
        uint32_t to;
        READ_A(to, r[R_SP]);
        TRACE_RETURN();
        SHRINK_STACK(4);
        MIX(to);
        JUMP(to);
    }
    PUSH_MANY(A, 4)
    PUSH_MANY(W, 2)
    POP_MANY(A, 4)
    POP_MANY(W, 2)
#endif

write_special:
    switch (i->dst) {
    case R_PC:
        MIX(result);
        JUMP(result);
    case R_SP:
        if (msp430_set_sp(c, result) < 0)
            goto fault;
        NEXT();
    case R_SR:
        msp430_set_sr(c, result);
        RELOAD();
        if (result & SR_CPUOFF)
            FAIL(SIM_HALT, PC(i));
        NEXT();
    default:
        NEXT();
    }

over_limit:
    sim_fail(sim, SIM_CYCLE_LIMIT, target);
fault:
    pc = PC(i);
    goto end;

wild:
    pc = target;
    if (target != stop)
        sim_fail(sim, SIM_FETCH, target);
    goto end;

#if TRACED
steps:
    pc = PC(i);
    sim->run.status = SIM_STEPS;
#endif

end:
#if TRACED
    if (!charged)
        CHARGE();
#endif
    SYNC();
    c->pc = pc;
    sim->run.pc = pc;
    if (sim->run.status == SIM_OK || sim->run.status == SIM_STEPS)
        sim->run.address = pc;
    sim->run.stack = c->start_sp - c->lowest;
    sim->run.timing_not_verified = EXTENDED;
    sim->run.cycles = sim->run.base = cycles;
    sim->run.instructions = instructions;
    sim->run.path_hash = hash;
}
