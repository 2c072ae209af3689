/* The AVR interpreter, compiled four times: fast, and traced (profile by call path, instruction limit), both for
 * the classic cores and for AVRxt.
 *
 * Registers stay in simulated memory; flags and stack pointer are locals. SYNC writes the
 * locals that the data space shows, RELOAD takes them back. */
#include "avr.h"
#include "avr_ops.h"

typedef Avr Machine;

#define OPS AVR_OPS
#define OPERATIONS "avr_run.h"
#define DECODE avr_decode
#define LOW 0
#define UNIT 2
#define LENGTH 1                    /* of all but LDS, STS, JMP and CALL, which say so */
#define CODE_MASK 0xFFFFFFFF
#define TARGET (2u * i->imm)
#define TAKEN i->taken
#define SKIP_WAITS i->length        /* one clock a word */
#define SKIP_KIND AVR_SKIP
#define STACK_POINTER sp            /* the free byte below the stack */
#define STACK_MASK 0xFFFF
#define STACK_BASE DATA
#define FLASH_WAITS 0
#define FLASH_KIND AVR_FLASH
#define SIDE_EFFECTS 1

#define LOCALS \
    uint32_t cy = c->cy, zr = c->zr, n = c->n, v = c->v, s = c->s, h = c->h, it = c->it; \
    uint16_t sp = c->sp; \
    uint8_t *const r = mem + REGISTERS;
#define SYNC() \
    (c->cy = (uint8_t)cy, c->zr = (uint16_t)zr, c->n = (uint8_t)n, c->v = (uint8_t)v, c->s = (uint8_t)s, \
     c->h = (uint8_t)h, c->it = (uint8_t)it, c->sp = sp)
#define RELOAD() (cy = c->cy, zr = c->zr, n = c->n, v = c->v, s = c->s, h = c->h, it = c->it, sp = c->sp)

#define HEAD() (void)0
/* A lone half of SP counts when the run ends, too. */
#define FINISH() do { if (c->half && sim->run.status == SIM_OK) avr_check_sp(c); } while (0)

#include "sim_core.h"

#define RD r[i->d]
#define RR r[i->r]
#define X_ load16(r + XL)
#define Y_ load16(r + YL)
#define Z_ load16(r + ZL)
#define RAMPZ_ mem[IO_START + RAMPZ]
#define AT(offset) (DATA | ((offset) & 0xFFFF))

#define READ_FLASH(to, where) \
    do { \
        uint32_t a_ = (where); \
        if (UNLIKELY(a_ >= DATA || !(attr[a_] & A_WAIT))) FAIL(SIM_READ_UNMAPPED, a_); \
        to = mem[a_]; \
    } while (0)

/* A lone half of SP counts when SP is used. */
#define USE_SP() do { if (UNLIKELY(c->half)) { SYNC(); if (avr_check_sp(c) < 0) goto fault; } } while (0)

/* Two bytes, the high one at the lower address, as a word address. */
#define CALL_TO(to) \
    do { \
        const uint32_t to_ = (to), back_ = AFTER(i) / 2; \
        USE_SP(); \
        GROW_STACK(2); \
        WRITE8(AT(sp + 2u), back_); \
        WRITE8(AT(sp + 1u), back_ >> 8); \
        TRACE_CALL(to_); \
        JUMP(to_); \
    } while (0)

#define RETURN(before) \
    do { \
        uint8_t low_, high_; \
        USE_SP(); \
        READ8(high_, AT(sp + 1u)); \
        READ8(low_, AT(sp + 2u)); \
        TRACE_RETURN(2 * (low_ | (uint32_t)high_ << 8)); \
        SHRINK_STACK(2); \
        before; \
        MIX(low_ | (uint32_t)high_ << 8); \
        JUMP(2 * (low_ | (uint32_t)high_ << 8)); \
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

#define REGISTERS DATA
#define IO_START IO

#define RUN_NAME avr_run_fast
#define TRACED 0
#include "sim_run.h"

#define RUN_NAME avr_run_traced
#define TRACED 1
#include "sim_run.h"

/* AVRxt: registers and I/O elsewhere, and flash that is read as data. */
#undef REGISTERS
#undef IO_START
#undef FLASH_WAITS
#define REGISTERS XT_REGISTERS
#define IO_START XT_IO
#define FLASH_WAITS 1

#define RUN_NAME avrxt_run_fast
#define TRACED 0
#include "sim_run.h"

#define RUN_NAME avrxt_run_traced
#define TRACED 1
#include "sim_run.h"
