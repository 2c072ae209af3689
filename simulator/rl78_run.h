/* Body of the interpreter; rl78_run.c includes it with RUN_NAME and TRACED set.
 *
 * Registers stay in simulated memory, where the program can also reach them by address; flags, stack pointer,
 * counters are locals. SYNC writes the locals that memory with side effects looks at, RELOAD takes
 * them back. */

#ifndef RL78_RUN_MACROS
#define RL78_RUN_MACROS

#if defined(__GNUC__) && !defined(RL78_SWITCH)
#define DISPATCH() goto *labels[i->op]
#else
#define DISPATCH() goto dispatch
#endif

#define STACK_POINTER sp
#define PC(insn) (low + (uint32_t)((insn) - code))

#define SYNC() \
    (c->cy = (uint8_t)cy, c->zr = (uint16_t)zr, c->acx = (uint16_t)acx, c->sp = sp, c->wrote = wrote)
#define RELOAD() \
    (cy = c->cy, zr = c->zr, acx = c->acx, sp = c->sp, wrote = c->wrote, r = mem + rl78_bank(c), \
     segment[1] = (uint32_t)c->es << 16)

/* Head and tail of an instruction: clocks, hazard, where it runs; then the next one. */
#define OP(name) \
    L_##name: { \
        unsigned hazard_ = (i->uses & wrote) != 0; \
        TRACE_BEGIN(); \
        hazard += hazard_; \
        cycles += i->clocks + hazard_; \
        wrote = i->writes; \
        instructions++; \
    }

#define NEXT() do { i += i->length; TRACE_END(); DISPATCH(); } while (0)

#define JUMP(to) \
    do { \
        target = (to) & (SPACE - 1); \
        if (UNLIKELY(cycles > cycle_limit)) goto over_limit; \
        if (UNLIKELY(target - low >= span)) goto wild; \
        i = code + (target - low); \
        TRACE_END(); \
        DISPATCH(); \
    } while (0)

/* Operands in registers. */
#define X_ r[0]
#define A_ r[1]
#define C_ r[2]
#define B_ r[3]
#define AX load16(r)
#define BC load16(r + 2)
#define DE load16(r + 4)
#define HL load16(r + 6)

/* Effective addresses. Those that take ES: count its clock. */
#define SEG (es_waits += i->es, segment[i->es])
#define EA_ABS (SEG | i->imm)
#define EA_DE (SEG | ((DE + i->imm) & 0xFFFF))
#define EA_HL (SEG | ((HL + i->imm) & 0xFFFF))
#define EA_HLB (SEG | ((HL + B_) & 0xFFFF))
#define EA_HLC (SEG | ((HL + C_) & 0xFFFF))
#define EA_B (SEG | ((i->imm + (uint32_t)B_) & 0xFFFF))
#define EA_C (SEG | ((i->imm + (uint32_t)C_) & 0xFFFF))
#define EA_BC (SEG | ((i->imm + BC) & 0xFFFF))
#define EA_SP (DATA | ((sp + (uint32_t)i->imm) & 0xFFFF))
#define STACK(offset) (DATA | ((sp + (uint32_t)(offset)) & 0xFFFF))

#define FLASH_WAIT(n) (flash += (n), cycles += (n))

#define READ8(to, where) \
    do { \
        uint32_t a_ = (where); \
        uint8_t t_ = attr[a_]; \
        if (LIKELY(t_ & A_READ)) { \
            to = mem[a_]; \
        } else if (LIKELY(t_ & A_WAIT)) { \
            to = mem[a_]; \
            FLASH_WAIT(3); \
        } else { \
            SYNC(); \
            int v_ = rl78_read8(c, a_); \
            if (v_ < 0) goto fault; \
            to = (uint8_t)v_; \
        } \
    } while (0)

#define READ16(to, where) \
    do { \
        uint32_t a_ = (where); \
        uint32_t t_ = a_ & 1 ? 0 : load16(attr + a_); \
        if (LIKELY((t_ & (A_READ * 0x101)) == A_READ * 0x101)) { \
            to = (uint16_t)load16(mem + a_); \
        } else if (LIKELY((t_ & (A_WAIT * 0x101)) == A_WAIT * 0x101)) { \
            to = (uint16_t)load16(mem + a_); \
            FLASH_WAIT(3); \
        } else { \
            SYNC(); \
            c->waited = 0; \
            int v_ = rl78_read16(c, a_); \
            if (v_ < 0) goto fault; \
            FLASH_WAIT(c->waited); \
            to = (uint16_t)v_; \
        } \
    } while (0)

#define WRITE8(where, value) \
    do { \
        uint32_t a_ = (where); \
        uint8_t b_ = (uint8_t)(value); \
        uint8_t t_ = attr[a_]; \
        if (LIKELY(t_ & A_WRITE)) { \
            mem[a_] = b_; \
            attr[a_] = t_ | A_READ | A_TOUCHED; \
        } else { \
            SYNC(); \
            if (rl78_write8(c, a_, b_) < 0) goto fault; \
            RELOAD(); \
        } \
    } while (0)

#define WRITE16(where, value) \
    do { \
        uint32_t a_ = (where); \
        uint16_t w_ = (uint16_t)(value); \
        uint32_t t_ = a_ & 1 ? 0 : load16(attr + a_); \
        if (LIKELY((t_ & (A_WRITE * 0x101)) == A_WRITE * 0x101)) { \
            store16(mem + a_, w_); \
            store16(attr + a_, t_ | (A_READ | A_TOUCHED) * 0x101); \
        } else { \
            SYNC(); \
            if (rl78_write16(c, a_, w_) < 0) goto fault; \
            RELOAD(); \
        } \
    } while (0)

#define GROW_STACK(n) \
    do { \
        sp = (uint16_t)(sp - (n)); \
        if (sp < c->lowest) { \
            c->lowest = sp; \
            if (UNLIKELY(sp < sim->stack_limit)) FAIL(SIM_STACK_LOW, DATA + sp); \
        } \
    } while (0)

#define SHRINK_STACK(n) \
    do { \
        sp = (uint16_t)(sp + (n)); \
        if (UNLIKELY(sp > sim->stack_top)) FAIL(SIM_STACK_HIGH, DATA + sp); \
    } while (0)

#define SET_SP(value) \
    do { \
        SYNC(); \
        if (rl78_set_sp(c, (value)) < 0) goto fault; \
        sp = c->sp; \
        wrote = c->wrote; \
    } while (0)

/* The spare byte of a return address holds what was there, and may be read. */
#define PUSH_PC() \
    do { \
        uint32_t back_ = PC(i) + i->length; \
        GROW_STACK(4); \
        WRITE16(STACK(0), back_); \
        WRITE8(STACK(2), back_ >> 16 & 15); \
        if (attr[STACK(3)] & A_WRITE) attr[STACK(3)] |= A_READ | A_TOUCHED; \
    } while (0)

#define CALL_TO(to) do { uint32_t to_ = (to); PUSH_PC(); TRACE_CALL(to_); JUMP(to_); } while (0)

#define MIX(value) (hash = sim_mix(hash, value))

#define COND(condition) \
    do { \
        unsigned taken_ = (condition); \
        MIX((uint64_t)PC(i) << 1 | taken_); \
        if (taken_) { \
            cycles += i->taken; \
            JUMP(i->imm | (uint32_t)i->arg << 16); \
        } \
        NEXT(); \
    } while (0)

/* A branch on a bit: the target is relative, the operand fields hold the address and the bit. */
#define COND_BIT(condition) \
    do { \
        unsigned taken_ = (condition); \
        MIX((uint64_t)PC(i) << 1 | taken_); \
        if (taken_) { \
            cycles += i->taken; \
            JUMP(PC(i) + i->length + (uint32_t)(int32_t)i->disp); \
        } \
        NEXT(); \
    } while (0)

#define SKIP(condition) \
    do { \
        unsigned skip_ = (condition); \
        MIX((uint64_t)PC(i) << 1 | skip_); \
        if (skip_) goto skip_next; \
        NEXT(); \
    } while (0)

/* Arithmetic. acx keeps the half carry in bit 4, in words the carry between the bytes. */
#define ADD8(to, x, y, carry) \
    do { \
        uint32_t x_ = (x), y_ = (y), s_ = x_ + y_ + (carry); \
        cy = s_ >> 8; \
        zr = s_ & 0xFF; \
        acx = x_ ^ y_ ^ s_; \
        to = (uint8_t)s_; \
    } while (0)

#define SUB8(to, x, y, borrow) \
    do { \
        uint32_t x_ = (x), y_ = (y), s_ = x_ - y_ - (borrow); \
        cy = s_ >> 8 & 1; \
        zr = s_ & 0xFF; \
        acx = x_ ^ y_ ^ s_; \
        to = (uint8_t)s_; \
    } while (0)

#define ADD16(to, y) \
    do { \
        uint32_t x_ = AX, y_ = (y), s_ = x_ + y_; \
        cy = s_ >> 16; \
        zr = s_ & 0xFFFF; \
        acx = (x_ ^ y_ ^ s_) >> 4; \
        to(s_); \
    } while (0)

#define SUB16(to, y) \
    do { \
        uint32_t x_ = AX, y_ = (y), s_ = x_ - y_; \
        cy = s_ >> 16 & 1; \
        zr = s_ & 0xFFFF; \
        acx = (x_ ^ y_ ^ s_) >> 4; \
        to(s_); \
    } while (0)

#define TO_AX(v) store16(r, v)
#define TO_NONE(v) (void)(v)

#define DO_ADD(to, x, y) ADD8(to, x, y, 0)
#define DO_ADDC(to, x, y) ADD8(to, x, y, cy)
#define DO_SUB(to, x, y) SUB8(to, x, y, 0)
#define DO_SUBC(to, x, y) SUB8(to, x, y, cy)
#define DO_CMP(to, x, y) do { uint8_t unused_; SUB8(unused_, x, y, 0); (void)unused_; } while (0)
#define DO_AND(to, x, y) (zr = (to) = (uint8_t)((x) & (y)))
#define DO_OR(to, x, y) (zr = (to) = (uint8_t)((x) | (y)))
#define DO_XOR(to, x, y) (zr = (to) = (uint8_t)((x) ^ (y)))

/* One operation of A with every operand it takes. */
#define ALU_MEM(name, mode) \
    OP(name##_##mode) { uint8_t v; READ8(v, EA_##mode); DO_##name(A_, A_, v); NEXT(); }
#define ALU(name) \
    OP(name##_I) { DO_##name(A_, A_, i->arg); NEXT(); } \
    OP(name##_R) { uint8_t v = r[i->reg]; DO_##name(A_, A_, v); NEXT(); } \
    OP(name##_RA) { uint8_t v = A_; uint8_t w = r[i->reg]; DO_##name(r[i->reg], w, v); NEXT(); } \
    ALU_MEM(name, ABS) ALU_MEM(name, HL) ALU_MEM(name, HLB) ALU_MEM(name, HLC)
#define ALU_STORE(name) \
    OP(name##_ABSI) { \
        uint8_t v; \
        uint32_t a = EA_ABS; \
        READ8(v, a); \
        DO_##name(v, v, i->arg); \
        WRITE8(a, v); \
        NEXT(); \
    }

#define ALUW(name, how, to) \
    OP(name##_I) { how(to, i->imm); NEXT(); } \
    OP(name##_RP) { uint32_t v = load16(r + i->reg); how(to, v); NEXT(); } \
    OP(name##_ABS) { uint16_t v; READ16(v, EA_ABS); how(to, v); NEXT(); } \
    OP(name##_HL) { uint16_t v; READ16(v, EA_HL); how(to, v); NEXT(); }

#define LD(mode) OP(LD_A_##mode) { uint8_t v; READ8(v, EA_##mode); A_ = v; NEXT(); }
#define ST(mode) OP(ST_A_##mode) { WRITE8(EA_##mode, A_); NEXT(); }
#define STI(mode) OP(STI_##mode) { WRITE8(EA_##mode, i->arg); NEXT(); }
#define LDW(mode) OP(LDW_AX_##mode) { uint16_t v; READ16(v, EA_##mode); store16(r, v); NEXT(); }
#define STW(mode) OP(STW_##mode##_AX) { WRITE16(EA_##mode, AX); NEXT(); }
#define XCH(mode) \
    OP(XCH_A_##mode) { \
        uint8_t v, old = A_; \
        uint32_t a = EA_##mode; \
        READ8(v, a); \
        WRITE8(a, old); \
        A_ = v; \
        NEXT(); \
    }

/* INC and DEC keep CY; INCW and DECW keep every flag. */
#define STEP8(to, x, by) \
    do { uint8_t x_ = (x), s_ = (uint8_t)(x_ + (by)); zr = s_; acx = x_ ^ s_; to = s_; } while (0)
#define INC_DEC(name, by) \
    OP(name##_R) { STEP8(r[i->reg], r[i->reg], by); NEXT(); } \
    OP(name##_ABS) { uint8_t v; uint32_t a = EA_ABS; READ8(v, a); STEP8(v, v, by); WRITE8(a, v); NEXT(); } \
    OP(name##_HL) { uint8_t v; uint32_t a = EA_HL; READ8(v, a); STEP8(v, v, by); WRITE8(a, v); NEXT(); } \
    OP(name##W_RP) { store16(r + i->reg, load16(r + i->reg) + (uint32_t)(by)); NEXT(); } \
    OP(name##W_ABS) { uint16_t v; uint32_t a = EA_ABS; READ16(v, a); WRITE16(a, v + (by)); NEXT(); } \
    OP(name##W_HL) { uint16_t v; uint32_t a = EA_HL; READ16(v, a); WRITE16(a, v + (by)); NEXT(); }

/* Bits: of A, of a byte at an address, of [HL]. */
#define BIT(v) ((unsigned)(v) >> i->arg & 1)
#define BIT_READ(name, set) \
    OP(name##_A) { unsigned b = BIT(A_); set; NEXT(); } \
    OP(name##_ABS) { uint8_t v; READ8(v, EA_ABS); unsigned b = BIT(v); set; NEXT(); } \
    OP(name##_HL) { uint8_t v; READ8(v, EA_HL); unsigned b = BIT(v); set; NEXT(); }
#define BIT_WRITE(name, change) \
    OP(name##_A) { uint8_t v = A_; change; A_ = v; NEXT(); } \
    OP(name##_ABS) { uint8_t v; uint32_t a = EA_ABS; READ8(v, a); change; WRITE8(a, v); NEXT(); } \
    OP(name##_HL) { uint8_t v; uint32_t a = EA_HL; READ8(v, a); change; WRITE8(a, v); NEXT(); }
#define SET_BIT v = (uint8_t)(v | 1u << i->arg)
#define CLEAR_BIT v = (uint8_t)(v & ~(1u << i->arg))

/* A taken branch on a bit in flash costs one clock less than its parts. */
#define BIT_BRANCH(name, wanted) \
    OP(name##_A) COND_BIT(BIT(A_) == wanted); \
    OP(name##_ABS) { uint8_t v; READ8(v, EA_ABS); COND_BIT(BIT(v) == wanted); } \
    OP(name##_HL) { \
        uint8_t v; \
        uint64_t before = flash; \
        READ8(v, EA_HL); \
        if (flash != before && BIT(v) == wanted) { flash--; cycles--; } \
        COND_BIT(BIT(v) == wanted); \
    }
#define BIT_BRANCH_CLEAR(mode) \
    OP(BTCLR_##mode) { \
        uint8_t v; \
        uint32_t a = EA_##mode; \
        READ8(v, a); \
        unsigned set = BIT(v); \
        if (set) { CLEAR_BIT; WRITE8(a, v); } \
        COND_BIT(set); \
    }

#endif

#include "sim_run.h"

static void RUN_NAME(Rl78 *c, uint32_t stop, uint64_t cycle_limit, uint64_t instruction_limit)
{
#if defined(__GNUC__) && !defined(RL78_SWITCH)
    static const void *const labels[] = {
#define X(name) &&L_##name,
        RL78_OPS(X)
#undef X
    };
#endif
    Sim *sim = &c->sim;
    uint8_t *const mem = sim->mem, *const attr = sim->attr, *r = mem + rl78_bank(c);
    Insn *const code = c->code;
    const uint32_t low = c->low, span = c->span;
    uint32_t segment[2] = { DATA, (uint32_t)c->es << 16 };
    uint32_t cy = c->cy, zr = c->zr, acx = c->acx;
    uint16_t sp = c->sp, wrote = c->wrote;
    uint64_t cycles = 0, instructions = 0, flash = 0, es_waits = 0, hazard = 0, skips = 0, hash = 0;
    uint32_t target = c->pc, pc;
    Insn *i;

    c->start_sp = c->lowest = sp;
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
    i = code + (target - low);
    DISPATCH();

#if !defined(__GNUC__) || defined(RL78_SWITCH)
dispatch:
    switch (i->op) {
#define X(name) case OP_##name: goto L_##name;
        RL78_OPS(X)
#undef X
    }
#endif

L_DECODE:
    if (rl78_decode(c, PC(i), i) < 0)
        goto fault;
    DISPATCH();

L_STOPPED:
    pc = PC(i);
    goto end;

    /* 8-bit transfer */
    OP(LDI_R) { r[i->reg] = i->arg; NEXT(); }
    OP(MOV_A_R) { A_ = r[i->reg]; NEXT(); }
    OP(MOV_R_A) { r[i->reg] = A_; NEXT(); }
    OP(LD_R_ABS) { uint8_t v; READ8(v, EA_ABS); r[i->reg] = v; NEXT(); }
    LD(DE) LD(HL) LD(HLB) LD(HLC) LD(B) LD(C) LD(BC) LD(SP)
    ST(ABS) ST(DE) ST(HL) ST(HLB) ST(HLC) ST(B) ST(C) ST(BC) ST(SP)
    STI(ABS) STI(DE) STI(HL) STI(B) STI(C) STI(BC) STI(SP)
    OP(MOV_ES_ABS) {
        uint8_t v;
        READ8(v, EA_ABS);
        c->es = v & 15;
        segment[1] = (uint32_t)c->es << 16;
        NEXT();
    }
    OP(XCH_A_R) { uint8_t v = r[i->reg]; r[i->reg] = A_; A_ = v; NEXT(); }
    XCH(ABS) XCH(DE) XCH(HL) XCH(HLB) XCH(HLC)
    OP(MOVS_HL) { WRITE8(EA_HL, X_); zr = X_; cy = A_ == 0 || X_ == 0; NEXT(); }

    /* 16-bit transfer */
    OP(LDWI_RP) { store16(r + i->reg, i->imm); NEXT(); }
    OP(STWI_ABS) { WRITE16(EA_ABS, i->disp); NEXT(); }
    OP(MOVW_AX_RP) { store16(r, load16(r + i->reg)); NEXT(); }
    OP(MOVW_RP_AX) { store16(r + i->reg, AX); NEXT(); }
    OP(XCHW_RP) { uint32_t v = load16(r + i->reg); store16(r + i->reg, AX); store16(r, v); NEXT(); }
    OP(LDW_RP_ABS) { uint16_t v; READ16(v, EA_ABS); store16(r + i->reg, v); NEXT(); }
    LDW(DE) LDW(HL) LDW(B) LDW(C) LDW(BC) LDW(SP)
    STW(ABS) STW(DE) STW(HL) STW(B) STW(C) STW(BC) STW(SP)

    /* 8-bit and 16-bit operation */
    ALU(ADD) ALU(ADDC) ALU(SUB) ALU(SUBC) ALU(AND) ALU(OR) ALU(XOR) ALU(CMP)
    ALU_STORE(ADD) ALU_STORE(ADDC) ALU_STORE(SUB) ALU_STORE(SUBC) ALU_STORE(AND) ALU_STORE(OR) ALU_STORE(XOR)
    OP(CMP_ABSI) { uint8_t v; READ8(v, EA_ABS); DO_CMP(v, v, i->arg); NEXT(); }
    OP(CMP0_R) { zr = r[i->reg]; cy = 0; acx = 0; NEXT(); }
    OP(CMPS_HL) { uint8_t v; READ8(v, EA_HL); DO_CMP(v, X_, v); NEXT(); }
    ALUW(ADDW, ADD16, TO_AX)
    ALUW(SUBW, SUB16, TO_AX)
    ALUW(CMPW, SUB16, TO_NONE)

    /* multiply, divide: division by zero gives all ones and leaves the dividend as rest (as GNU sim) */
    OP(MULU) { store16(r, (uint32_t)A_ * X_); NEXT(); }
    OP(MULHU) { uint32_t v = AX * BC; store16(r, v); store16(r + 2, v >> 16); NEXT(); }
    OP(MULH) {
        uint32_t v = (uint32_t)((int32_t)(int16_t)AX * (int16_t)BC);
        store16(r, v);
        store16(r + 2, v >> 16);
        NEXT();
    }
    OP(DIVHU) {
        uint32_t n = AX, d = DE;
        store16(r, d ? n / d : 0xFFFF);
        store16(r + 4, d ? n % d : n);
        NEXT();
    }
    OP(DIVWU) {
        uint32_t n = AX | BC << 16, d = DE | HL << 16;
        uint32_t q = d ? n / d : 0xFFFFFFFF, rest = d ? n % d : n;
        store16(r, q);
        store16(r + 2, q >> 16);
        store16(r + 4, rest);
        store16(r + 6, rest >> 16);
        NEXT();
    }
    OP(MACHU) {
        uint64_t v = (uint64_t)(load16(mem + MACRL) | load16(mem + MACRL + 2) << 16) + (uint64_t)AX * BC;
        store16(mem + MACRL, (uint32_t)v);
        store16(mem + MACRL + 2, (uint32_t)v >> 16);
        cy = v >> 32 & 1;
        acx = 0;
        NEXT();
    }
    OP(MACH) {
        int64_t v = (int32_t)(load16(mem + MACRL) | load16(mem + MACRL + 2) << 16);
        v += (int32_t)(int16_t)AX * (int16_t)BC;
        store16(mem + MACRL, (uint32_t)v);
        store16(mem + MACRL + 2, (uint32_t)v >> 16);
        cy = v != (int32_t)v;
        acx = (uint32_t)v >> 31 << 4;
        NEXT();
    }

    INC_DEC(INC, 1)
    INC_DEC(DEC, -1)

    /* shift, rotate */
    OP(SHR) { cy = (unsigned)A_ >> (i->arg - 1) & 1; A_ = (uint8_t)(A_ >> i->arg); NEXT(); }
    OP(SAR) { cy = (unsigned)A_ >> (i->arg - 1) & 1; A_ = (uint8_t)((int8_t)A_ >> i->arg); NEXT(); }
    OP(SHL_R) {
        unsigned v = (unsigned)r[i->reg] << i->arg;
        cy = v >> 8 & 1;
        r[i->reg] = (uint8_t)v;
        NEXT();
    }
    OP(SHRW) { uint32_t v = AX; cy = v >> (i->arg - 1) & 1; store16(r, v >> i->arg); NEXT(); }
    OP(SARW) {
        int16_t v = (int16_t)AX;
        cy = (uint32_t)v >> (i->arg - 1) & 1;
        store16(r, (uint32_t)(v >> i->arg));
        NEXT();
    }
    OP(SHLW_RP) {
        uint32_t v = load16(r + i->reg) << i->arg;
        cy = v >> 16 & 1;
        store16(r + i->reg, v);
        NEXT();
    }
    OP(ROR) { cy = A_ & 1; A_ = (uint8_t)(A_ >> 1 | cy << 7); NEXT(); }
    OP(ROL) { cy = A_ >> 7; A_ = (uint8_t)(A_ << 1 | cy); NEXT(); }
    OP(RORC) { unsigned v = A_; A_ = (uint8_t)(v >> 1 | cy << 7); cy = v & 1; NEXT(); }
    OP(ROLC) { unsigned v = A_; A_ = (uint8_t)(v << 1 | cy); cy = v >> 7; NEXT(); }
    OP(ROLWC_RP) { uint32_t v = load16(r + i->reg); store16(r + i->reg, v << 1 | cy); cy = v >> 15; NEXT(); }

    /* bits */
    BIT_READ(MOV1C, cy = b)
    BIT_READ(AND1, cy &= b)
    BIT_READ(OR1, cy |= b)
    BIT_READ(XOR1, cy ^= b)
    BIT_WRITE(MOV1B, CLEAR_BIT; v = (uint8_t)(v | cy << i->arg))
    BIT_WRITE(SET1, SET_BIT)
    BIT_WRITE(CLR1, CLEAR_BIT)
    OP(SET1_CY) { cy = 1; NEXT(); }
    OP(CLR1_CY) { cy = 0; NEXT(); }
    OP(NOT1_CY) { cy ^= 1; NEXT(); }

    /* call, return, stack */
    OP(CALL) CALL_TO(i->imm | (uint32_t)i->arg << 16);
    OP(CALL_RP) {
        uint32_t to = load16(r + i->reg) | (uint32_t)c->cs << 16;
        MIX(to);
        CALL_TO(to);
    }
    OP(CALLT) {
        uint32_t entry = CALLT_TABLE + ((i->arg & 3u) << 4 | (i->arg >> 4 & 7u) << 1);
        CALL_TO(load16(mem + entry));
    }
    OP(RET) {
        uint16_t v;
        uint8_t top;
        READ16(v, STACK(0));
        READ8(top, STACK(2));
        TRACE_RETURN();
        SHRINK_STACK(4);
        MIX(v | (uint32_t)(top & 15) << 16);
        JUMP(v | (uint32_t)(top & 15) << 16);
    }
    OP(RETI) {
        uint16_t v;
        uint8_t top, psw;
        READ16(v, STACK(0));
        READ8(top, STACK(2));
        READ8(psw, STACK(3));
        TRACE_RETURN();
        SHRINK_STACK(4);
        SYNC();
        rl78_set_psw(c, psw);
        RELOAD();
        MIX(v | (uint32_t)(top & 15) << 16);
        JUMP(v | (uint32_t)(top & 15) << 16);
    }
    OP(PUSH_RP) { GROW_STACK(2); WRITE16(STACK(0), load16(r + i->reg)); NEXT(); }
    OP(POP_RP) { uint16_t v; READ16(v, STACK(0)); SHRINK_STACK(2); store16(r + i->reg, v); NEXT(); }
    OP(PUSH_PSW) {
        SYNC();
        uint32_t v = (uint32_t)rl78_psw(c) << 8;
        GROW_STACK(2);
        WRITE16(STACK(0), v);
        NEXT();
    }
    OP(POP_PSW) {
        uint16_t v;
        READ16(v, STACK(0));
        SHRINK_STACK(2);
        SYNC();
        rl78_set_psw(c, (uint8_t)(v >> 8));
        RELOAD();
        NEXT();
    }
    OP(ADDW_SP) { SET_SP(sp + (uint32_t)i->arg); NEXT(); }
    OP(SUBW_SP) { SET_SP(sp - (uint32_t)i->arg); NEXT(); }

    /* branch, skip */
    OP(BR) JUMP(i->imm | (uint32_t)i->arg << 16);
    OP(ENDLESS) FAIL(SIM_ENDLESS, PC(i));
    OP(BR_AX) { uint32_t to = AX | (uint32_t)c->cs << 16; MIX(to); JUMP(to); }
    OP(BC) COND(cy != 0);
    OP(BNC) COND(cy == 0);
    OP(BZ) COND(zr == 0);
    OP(BNZ) COND(zr != 0);
    OP(BH) COND(zr != 0 && cy == 0);
    OP(BNH) COND(zr == 0 || cy != 0);
    BIT_BRANCH(BT, 1)
    BIT_BRANCH(BF, 0)
    OP(BTCLR_A) { unsigned set = BIT(A_); A_ = (uint8_t)(A_ & ~(1u << i->arg)); COND_BIT(set); }
    BIT_BRANCH_CLEAR(ABS)
    BIT_BRANCH_CLEAR(HL)
    OP(SKC) SKIP(cy != 0);
    OP(SKNC) SKIP(cy == 0);
    OP(SKZ) SKIP(zr == 0);
    OP(SKNZ) SKIP(zr != 0);
    OP(SKH) SKIP(zr != 0 && cy == 0);
    OP(SKNH) SKIP(zr == 0 || cy != 0);

    /* control */
    OP(SEL) {
        SYNC();
        rl78_set_psw(c, (uint8_t)((rl78_psw(c) & ~(PSW_RBS0 | PSW_RBS1)) | (i->arg & 1 ? PSW_RBS0 : 0)
                                  | (i->arg & 2 ? PSW_RBS1 : 0)));
        RELOAD();
        NEXT();
    }
    OP(NOP) NEXT();
    OP(HALT) FAIL(SIM_HALT, PC(i));
    OP(STOP) FAIL(SIM_STOP, PC(i));
    OP(BRK) FAIL(SIM_BRK, PC(i));

skip_next: {        /* the skipped instruction runs as a NOP: 1 clock, 2 with ES:, and no hazard across it */
        i += i->length;
        if ((i->op == OP_DECODE || i->length == 0) && rl78_decode(c, PC(i), i) < 0)
            goto fault;
        unsigned waits = 1u + i->es;
#if TRACED
        sim_profile_add(sim, node, PC(i), 0, waits);
        mark += waits;
#endif
        skips += waits;
        cycles += waits;
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
    sim->run.stack = (uint16_t)(c->start_sp - c->lowest);
    sim->run.timing_not_verified = c->level == 1;
    sim->run.cycles = cycles;
    sim->run.base = cycles - flash - es_waits - hazard - skips;
    sim->run.flash_waits = flash;
    sim->run.es_waits = es_waits;
    sim->run.hazard_waits = hazard;
    sim->run.skip_waits = skips;
    sim->run.instructions = instructions;
    sim->run.path_hash = hash;
}
