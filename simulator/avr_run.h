/* Body of the interpreter; avr_run.c includes it with RUN_NAME and TRACED set.
 *
 * Registers are the first 32 bytes of the data space; flags, stack pointer, counters are locals. SYNC writes
 * the locals that the data space shows, RELOAD takes them back. */

#ifndef AVR_RUN_MACROS
#define AVR_RUN_MACROS

#if defined(__GNUC__) && !defined(AVR_SWITCH)
#define DISPATCH() goto *labels[i->op]
#else
#define DISPATCH() goto dispatch
#endif

#define STACK_POINTER sp
#define PC(insn) (2u * (uint32_t)((insn) - code))

#define SYNC() \
    (c->cy = (uint8_t)cy, c->zr = (uint16_t)zr, c->n = (uint8_t)n, c->v = (uint8_t)v, c->s = (uint8_t)s, \
     c->h = (uint8_t)h, c->it = (uint8_t)it, c->sp = sp)
#define RELOAD() (cy = c->cy, zr = c->zr, n = c->n, v = c->v, s = c->s, h = c->h, it = c->it, sp = c->sp)

/* Head and tail of an instruction: clocks, where it runs; then the next one. */
#define OP(name) \
    L_##name: \
        TRACE_BEGIN(); \
        cycles += i->clocks; \
        instructions++;

#define NEXT_WORDS(words) do { i += (words); TRACE_END(); DISPATCH(); } while (0)
#define NEXT() NEXT_WORDS(1)

#define JUMP(to) \
    do { \
        target = (to); \
        if (UNLIKELY(cycles > cycle_limit)) goto over_limit; \
        if (UNLIKELY(target >= span)) goto wild; \
        i = code + target; \
        TRACE_END(); \
        DISPATCH(); \
    } while (0)

#define RD r[i->d]
#define RR r[i->r]
#define X_ load16(r + XL)
#define Y_ load16(r + YL)
#define Z_ load16(r + ZL)
#define AT(offset) (DATA | ((offset) & 0xFFFF))

#define READ8(to, where) \
    do { \
        uint32_t a_ = (where); \
        if (LIKELY(attr[a_] & A_READ)) { \
            to = mem[a_]; \
        } else { \
            SYNC(); \
            int v_ = avr_read8(c, a_); \
            if (v_ < 0) goto fault; \
            to = (uint8_t)v_; \
        } \
    } while (0)

#define WRITE8(where, value) \
    do { \
        uint32_t a_ = (where); \
        uint8_t b_ = (uint8_t)(value), t_ = attr[a_]; \
        if (LIKELY(t_ & A_WRITE)) { \
            mem[a_] = b_; \
            attr[a_] = t_ | A_READ | A_TOUCHED; \
        } else { \
            SYNC(); \
            if (avr_write8(c, a_, b_) < 0) goto fault; \
            RELOAD(); \
        } \
    } while (0)

#define READ_FLASH(to, where) \
    do { \
        uint32_t a_ = (where); \
        if (UNLIKELY(a_ >= DATA || !(attr[a_] & A_WAIT))) FAIL(SIM_READ_UNMAPPED, a_); \
        to = mem[a_]; \
    } while (0)

/* SP points at the free byte below the stack. */
#define USE_SP() do { if (UNLIKELY(c->half)) { SYNC(); if (avr_check_sp(c) < 0) goto fault; } } while (0)

#define GROW_STACK(bytes) \
    do { \
        USE_SP(); \
        sp = (uint16_t)(sp - (bytes)); \
        if (sp < c->lowest) { \
            c->lowest = sp; \
            if (UNLIKELY(sp < sim->stack_limit)) FAIL(SIM_STACK_LOW, AT(sp)); \
        } \
    } while (0)

#define SHRINK_STACK(bytes) \
    do { \
        sp = (uint16_t)(sp + (bytes)); \
        if (UNLIKELY(sp > sim->stack_top)) FAIL(SIM_STACK_HIGH, AT(sp)); \
    } while (0)

/* Two bytes, the high one at the lower address, as a word address. */
#define CALL_TO(to, words) \
    do { \
        uint32_t to_ = (to), back_ = (uint32_t)(i - code) + (words); \
        GROW_STACK(2); \
        WRITE8(AT(sp + 2u), back_); \
        WRITE8(AT(sp + 1u), back_ >> 8); \
        TRACE_CALL(2 * to_); \
        JUMP(to_); \
    } while (0)

#define RETURN(before) \
    do { \
        uint8_t low_, high_; \
        USE_SP(); \
        READ8(high_, AT(sp + 1u)); \
        READ8(low_, AT(sp + 2u)); \
        TRACE_RETURN(); \
        SHRINK_STACK(2); \
        before; \
        MIX(low_ | (uint32_t)high_ << 8); \
        JUMP(low_ | (uint32_t)high_ << 8); \
    } while (0)

#define MIX(value) (hash = sim_mix(hash, value))

#define COND(condition) \
    do { \
        unsigned taken_ = (condition); \
        MIX((uint64_t)PC(i) << 1 | taken_); \
        if (taken_) { \
            cycles += i->taken; \
            JUMP(i->imm); \
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

/* Flags. N, V and S lie in bit 7, H in bit 4; Z is zr == 0. S can differ from N ^ V after a write to SREG. */
#define ADD8(to, x, y, carry) \
    do { \
        uint32_t x_ = (x), y_ = (y), s_ = x_ + y_ + (carry); \
        cy = s_ >> 8; \
        n = zr = s_ & 0xFF; \
        v = (x_ ^ s_) & (y_ ^ s_); \
        h = x_ ^ y_ ^ s_; \
        s = n ^ v; \
        to = (uint8_t)s_; \
    } while (0)

#define SUBTRACT(x, y, borrow, zero) \
        uint32_t x_ = (x), y_ = (y), s_ = x_ - y_ - (borrow); \
        cy = s_ >> 8 & 1; \
        n = s_ & 0xFF; \
        zr = (zero) | n; \
        v = (x_ ^ y_) & (x_ ^ s_); \
        h = x_ ^ y_ ^ s_; \
        s = n ^ v

#define SUB8(to, x, y) do { SUBTRACT(x, y, 0, 0); to = (uint8_t)s_; } while (0)
#define SBC8(to, x, y) do { SUBTRACT(x, y, cy, zr); to = (uint8_t)s_; } while (0)
#define CP8(x, y) do { SUBTRACT(x, y, 0, 0); } while (0)
#define CPC8(x, y) do { SUBTRACT(x, y, cy, zr); } while (0)

#define LOGIC(to, value) \
    do { \
        uint32_t s_ = (uint8_t)(value); \
        n = zr = s = s_; \
        v = 0; \
        to = (uint8_t)s_; \
    } while (0)

/* Right shifts: V is N ^ C. */
#define SHIFT(value, top) \
    do { \
        uint32_t x_ = (value); \
        n = zr = x_ >> 1 | (top); \
        cy = x_ & 1; \
        v = n ^ cy << 7; \
        s = n ^ v; \
        RD = (uint8_t)n; \
    } while (0)

#define STEP(value, overflow) \
    do { \
        uint32_t x_ = RD, s_ = (value) & 0xFF; \
        n = zr = s_; \
        v = (overflow); \
        s = n ^ v; \
        RD = (uint8_t)s_; \
    } while (0)

#define WORD(value, overflow, carry) \
    do { \
        uint32_t x_ = load16(&RD), s_ = (value) & 0xFFFF; \
        zr = s_; \
        n = s_ >> 8; \
        v = (overflow) >> 8; \
        cy = (carry) >> 15 & 1; \
        s = n ^ v; \
        store16(&RD, s_); \
    } while (0)

#define PRODUCT(value, shift) \
    do { \
        uint32_t p_ = (uint32_t)(value) & 0xFFFF; \
        cy = p_ >> 15; \
        zr = (p_ << (shift)) & 0xFFFF; \
        store16(r, zr); \
    } while (0)

#define LOAD(name, pair, before, offset, after) \
    OP(name) { \
        uint32_t p = load16(r + pair) - (before); \
        uint8_t value; \
        READ8(value, AT(p + (offset))); \
        if ((before) || (after)) store16(r + pair, p + (after)); \
        RD = value; \
        NEXT(); \
    }

#define STORE(name, pair, before, offset, after) \
    OP(name) { \
        uint32_t p = load16(r + pair) - (before); \
        WRITE8(AT(p + (offset)), RD); \
        if ((before) || (after)) store16(r + pair, p + (after)); \
        NEXT(); \
    }

#endif

#include "sim_run.h"

static void RUN_NAME(Avr *c, uint32_t stop, uint64_t cycle_limit, uint64_t instruction_limit)
{
#if defined(__GNUC__) && !defined(AVR_SWITCH)
    static const void *const labels[] = {
#define X(name) &&L_##name,
        AVR_OPS(X)
#undef X
    };
#endif
    Sim *sim = &c->sim;
    uint8_t *const mem = sim->mem, *const attr = sim->attr, *const r = mem + DATA;
    Insn *const code = c->code;
    const uint32_t span = c->span;
    uint32_t cy, zr, n, v, s, h, it;
    uint16_t sp;
    uint64_t cycles = 0, instructions = 0, skips = 0, hash = 0;
    uint32_t target = c->pc / 2, pc;
    Insn *i;

    RELOAD();
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
    if (c->pc & 1 || target >= span) {
        pc = c->pc;
        goto outside;
    }
    i = code + target;
    DISPATCH();

#if !defined(__GNUC__) || defined(AVR_SWITCH)
dispatch:
    switch (i->op) {
#define X(name) case OP_##name: goto L_##name;
        AVR_OPS(X)
#undef X
    }
#endif

L_DECODE:
    if (avr_decode(c, (uint32_t)(i - code), i) < 0)
        goto fault;
    DISPATCH();

L_STOPPED:
    pc = PC(i);
    goto end;

    /* arithmetic, logic, shifts */
    OP(ADD) { ADD8(RD, RD, RR, 0); NEXT(); }
    OP(ADC) { ADD8(RD, RD, RR, cy); NEXT(); }
    OP(SUB) { SUB8(RD, RD, RR); NEXT(); }
    OP(SUBI) { SUB8(RD, RD, i->imm); NEXT(); }
    OP(SBC) { SBC8(RD, RD, RR); NEXT(); }
    OP(SBCI) { SBC8(RD, RD, i->imm); NEXT(); }
    OP(CP) { CP8(RD, RR); NEXT(); }
    OP(CPC) { CPC8(RD, RR); NEXT(); }
    OP(CPI) { CP8(RD, i->imm); NEXT(); }
    OP(AND) { LOGIC(RD, RD & RR); NEXT(); }
    OP(ANDI) { LOGIC(RD, RD & i->imm); NEXT(); }
    OP(OR) { LOGIC(RD, RD | RR); NEXT(); }
    OP(ORI) { LOGIC(RD, RD | i->imm); NEXT(); }
    OP(EOR) { LOGIC(RD, RD ^ RR); NEXT(); }
    OP(COM) { LOGIC(RD, ~RD); cy = 1; NEXT(); }
    OP(NEG) { SUB8(RD, 0, RD); NEXT(); }
    OP(INC) { STEP(x_ + 1, ~x_ & s_); NEXT(); }
    OP(DEC) { STEP(x_ - 1, x_ & ~s_); NEXT(); }
    OP(LSR) { SHIFT(RD, 0); NEXT(); }
    OP(ROR) { SHIFT(RD, cy << 7); NEXT(); }
    OP(ASR) { SHIFT(RD, x_ & 0x80); NEXT(); }
    OP(SWAP) { RD = (uint8_t)(RD << 4 | RD >> 4); NEXT(); }
    OP(ADIW) { WORD(x_ + i->imm, ~x_ & s_, x_ & ~s_); NEXT(); }
    OP(SBIW) { WORD(x_ - i->imm, x_ & ~s_, ~x_ & s_); NEXT(); }

    /* products go to r1:r0 */
    OP(MUL) { PRODUCT((uint32_t)RD * RR, 0); NEXT(); }
    OP(MULS) { PRODUCT((int8_t)RD * (int8_t)RR, 0); NEXT(); }
    OP(MULSU) { PRODUCT((int8_t)RD * RR, 0); NEXT(); }
    OP(FMUL) { PRODUCT((uint32_t)RD * RR, 1); NEXT(); }
    OP(FMULS) { PRODUCT((int8_t)RD * (int8_t)RR, 1); NEXT(); }
    OP(FMULSU) { PRODUCT((int8_t)RD * RR, 1); NEXT(); }

    /* transfer, bits */
    OP(MOV) { RD = RR; NEXT(); }
    OP(MOVW) { store16(&RD, load16(&RR)); NEXT(); }
    OP(LDI) { RD = (uint8_t)i->imm; NEXT(); }
    OP(BST) { it = (it & SREG_I) | (RD >> i->r & 1u) << 6; NEXT(); }
    OP(BLD) { RD = (uint8_t)((RD & ~(1u << i->r)) | (it >> 6 & 1) << i->r); NEXT(); }
    OP(BSET) { SYNC(); avr_set_sreg(c, (uint8_t)(avr_sreg(c) | 1u << i->r)); RELOAD(); NEXT(); }
    OP(BCLR) { SYNC(); avr_set_sreg(c, (uint8_t)(avr_sreg(c) & ~(1u << i->r))); RELOAD(); NEXT(); }
    OP(IN) { uint8_t value; READ8(value, DATA | i->imm); RD = value; NEXT(); }
    OP(OUT) { WRITE8(DATA | i->imm, RD); NEXT(); }
    OP(SBI) { uint8_t b; READ8(b, DATA | i->imm); WRITE8(DATA | i->imm, b | 1u << i->r); NEXT(); }
    OP(CBI) { uint8_t b; READ8(b, DATA | i->imm); WRITE8(DATA | i->imm, b & ~(1u << i->r)); NEXT(); }

    LOAD(LD_X, XL, 0, 0, 0) LOAD(LD_XP, XL, 0, 0, 1) LOAD(LD_MX, XL, 1, 0, 0)
    LOAD(LDD_Y, YL, 0, i->imm, 0) LOAD(LD_YP, YL, 0, 0, 1) LOAD(LD_MY, YL, 1, 0, 0)
    LOAD(LDD_Z, ZL, 0, i->imm, 0) LOAD(LD_ZP, ZL, 0, 0, 1) LOAD(LD_MZ, ZL, 1, 0, 0)
    STORE(ST_X, XL, 0, 0, 0) STORE(ST_XP, XL, 0, 0, 1) STORE(ST_MX, XL, 1, 0, 0)
    STORE(STD_Y, YL, 0, i->imm, 0) STORE(ST_YP, YL, 0, 0, 1) STORE(ST_MY, YL, 1, 0, 0)
    STORE(STD_Z, ZL, 0, i->imm, 0) STORE(ST_ZP, ZL, 0, 0, 1) STORE(ST_MZ, ZL, 1, 0, 0)
    OP(LDS) { uint8_t value; READ8(value, DATA | i->imm); RD = value; NEXT_WORDS(2); }
    OP(STS) { WRITE8(DATA | i->imm, RD); NEXT_WORDS(2); }
    OP(PUSH) { uint8_t value = RD; GROW_STACK(1); WRITE8(AT(sp + 1u), value); NEXT(); }
    OP(POP) { uint8_t value; USE_SP(); READ8(value, AT(sp + 1u)); SHRINK_STACK(1); RD = value; NEXT(); }
    OP(LPM) { READ_FLASH(RD, Z_); NEXT(); }
    OP(LPMP) { uint32_t z = Z_; READ_FLASH(RD, z); store16(r + ZL, z + 1); NEXT(); }
    OP(ELPM) { READ_FLASH(RD, (uint32_t)mem[RAMPZ] << 16 | Z_); NEXT(); }
    OP(ELPMP) {
        uint32_t z = (uint32_t)mem[RAMPZ] << 16 | Z_;
        READ_FLASH(RD, z);
        store16(r + ZL, z + 1);
        mem[RAMPZ] = (uint8_t)((z + 1) >> 16);
        NEXT();
    }

    /* jump, call, return */
    OP(JMP) JUMP(i->imm | (uint32_t)i->d << 16);
    OP(ENDLESS) FAIL(SIM_ENDLESS, PC(i));
    OP(IJMP) { uint32_t to = Z_; MIX(to); JUMP(to); }
    OP(CALL) CALL_TO(i->imm | (uint32_t)i->d << 16, i->words);
    OP(ICALL) { uint32_t to = Z_; MIX(to); CALL_TO(to, 1u); }
    OP(RET) RETURN((void)0);
    OP(RETI) RETURN(it |= SREG_I);

    /* branch, skip */
    OP(BRCS) COND(cy != 0);
    OP(BRCC) COND(cy == 0);
    OP(BREQ) COND(zr == 0);
    OP(BRNE) COND(zr != 0);
    OP(BRMI) COND((n & 0x80) != 0);
    OP(BRPL) COND((n & 0x80) == 0);
    OP(BRVS) COND((v & 0x80) != 0);
    OP(BRVC) COND((v & 0x80) == 0);
    OP(BRLT) COND((s & 0x80) != 0);
    OP(BRGE) COND((s & 0x80) == 0);
    OP(BRHS) COND((h & 0x10) != 0);
    OP(BRHC) COND((h & 0x10) == 0);
    OP(BRTS) COND((it & SREG_T) != 0);
    OP(BRTC) COND((it & SREG_T) == 0);
    OP(BRIE) COND((it & SREG_I) != 0);
    OP(BRID) COND((it & SREG_I) == 0);
    OP(CPSE) SKIP(RD == RR);
    OP(SBRC) SKIP((RD >> i->r & 1) == 0);
    OP(SBRS) SKIP((RD >> i->r & 1) != 0);
    OP(SBIC) { uint8_t b; READ8(b, DATA | i->imm); SKIP((b >> i->r & 1) == 0); }
    OP(SBIS) { uint8_t b; READ8(b, DATA | i->imm); SKIP((b >> i->r & 1) != 0); }

    /* control */
    OP(NOP) NEXT();
    OP(SLEEP) FAIL(SIM_HALT, PC(i));
    OP(BREAK) FAIL(SIM_BRK, PC(i));

skip_next: {        /* a skipped instruction costs one clock a word */
        i++;
        if ((i->op == OP_DECODE || i->words == 0) && avr_decode(c, (uint32_t)(i - code), i) < 0)
            goto fault;
        unsigned waits = i->words;
#if TRACED
        sim_profile_add(sim, node, PC(i), 0, waits);
        mark += waits;
#endif
        skips += waits;
        cycles += waits;
        NEXT_WORDS(waits);
    }

over_limit:
    sim_fail(sim, SIM_CYCLE_LIMIT, 2 * target);
fault:
    pc = PC(i);
    goto end;

wild:
    pc = 2 * target;
outside:
    if (pc != stop)
        sim_fail(sim, SIM_FETCH, pc);
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
    if (c->half && sim->run.status == SIM_OK)
        avr_check_sp(c);
    c->pc = pc;
    sim->run.pc = pc;
    if (sim->run.status == SIM_OK || sim->run.status == SIM_STEPS)
        sim->run.address = pc;
    sim->run.stack = (uint16_t)(c->start_sp - c->lowest);
    sim->run.cycles = cycles;
    sim->run.base = cycles - skips;
    sim->run.skip_waits = skips;
    sim->run.instructions = instructions;
    sim->run.path_hash = hash;
}
