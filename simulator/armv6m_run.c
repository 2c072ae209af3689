/* The ARMv6-M interpreter, compiled twice: fast, and traced (profile by call path, instruction limit).
 *
 * Flags are locals: SYNC writes those that other code looks at, RELOAD takes them back. */
#include "armv6m.h"
#include "armv6m_ops.h"

typedef Armv6m Machine;

#define OPS ARMV6M_OPS
#define OPERATIONS "armv6m_run.h"
#define DECODE armv6m_decode
#define LOW c->low
#define UNIT 2
#define LENGTH 1                    /* of all but BL, MRS, MSR and barriers, which say so */
#define CODE_MASK 0xFFFFFFFEu
#define TARGET i->imm
#define TAKEN i->taken
#define STACK_POINTER r[R_SP]
#define STACK_MASK 0xFFFFFFFFu
#define STACK_BASE 0
#define FLASH_WAITS 0
#define SIDE_EFFECTS TRACED         /* only a watched write goes on after sim.c saw it */
#define WRITE_WORD sim_write16

#define LOCALS \
    uint32_t cy = c->cy, zr = c->zr, nr = c->nr, vr = c->vr; \
    uint32_t *const r = c->r;
#define SYNC() (c->cy = cy, c->zr = zr, c->nr = nr, c->vr = vr)
#define RELOAD() (cy = c->cy, zr = c->zr, nr = c->nr, vr = c->vr)
#define HEAD() (void)0
#define FINISH() (void)0

#include "sim_core.h"

#define RD r[i->d]
#define RN r[i->n]
#define RM r[i->m]

/* ---- flags: N and V in bit 31, Z is zr == 0; C is 1 where a difference borrows nothing ---- */

#define RESULT(to, value) (to = nr = zr = (value))
#define LOGIC(value) RESULT(RD, value)

#define SUM(to, x, y, carry) \
    do { \
        const uint32_t x_ = (x), y_ = (y); \
        const uint64_t s_ = (uint64_t)x_ + y_ + (carry); \
        cy = (uint32_t)(s_ >> 32); \
        vr = (x_ ^ (uint32_t)s_) & (y_ ^ (uint32_t)s_); \
        RESULT(to, (uint32_t)s_); \
    } while (0)
#define ADD(to, x, y) SUM(to, x, y, 0u)
#define SUBTRACT(to, x, y) SUM(to, x, ~(uint32_t)(y), 1u)

/* By 1 to 31; the carry is the last bit that leaves. */
#define LEFT(x, by) (cy = (x) >> (32 - (by)) & 1, (x) << (by))
#define RIGHT(x, by) (cy = (x) >> ((by) - 1) & 1, (x) >> (by))
#define RIGHT_SIGNED(x, by) (cy = (x) >> ((by) - 1) & 1, (uint32_t)((int32_t)(x) >> (by)))

/* By the low byte of a register: 0 leaves the carry, from 32 on only the carry knows of the value. */
#define SHIFT_BY(within, at_32, beyond) \
    do { \
        const uint32_t x_ = RD, by_ = RM & 0xFF; \
        uint32_t y_ = x_; \
        if (by_ > 32) \
            y_ = (beyond); \
        else if (by_ == 32) \
            y_ = (at_32); \
        else if (by_) \
            y_ = (within); \
        RESULT(RD, y_); \
    } while (0)
#define ALL_SIGN(x) (cy = (x) >> 31, (uint32_t)((int32_t)(x) >> 31))

#define ROTATE() \
    do { \
        const uint32_t x_ = RD, by_ = RM & 0xFF, in_ = by_ & 31; \
        const uint32_t y_ = in_ ? x_ >> in_ | x_ << (32 - in_) : x_; \
        if (by_) \
            cy = y_ >> 31; \
        RESULT(RD, y_); \
    } while (0)

/* ---- memory ---- */

#define LOAD32(where) do { uint32_t w_; READ32(w_, where); RD = w_; NEXT(); } while (0)
#define LOAD16(where, as) do { uint16_t h_; READ16(h_, where); RD = (uint32_t)(as)h_; NEXT(); } while (0)
#define LOAD8(where, as) do { uint8_t b_; READ8(b_, where); RD = (uint32_t)(as)b_; NEXT(); } while (0)

#define LOWEST(list) ((unsigned)__builtin_ctz(list))
#define EACH(list, body) \
    for (uint32_t left_ = (list); left_; left_ &= left_ - 1) { \
        const unsigned n_ = LOWEST(left_); \
        body \
    }

/* ---- jumps: bit 0 of an address says that Thumb code is there ---- */

#define TO_THUMB(to) do { if (UNLIKELY(!((to) & 1))) FAIL(SIM_FETCH, to); } while (0)

/* SP as a whole. */
#define SET_SP(value) \
    do { \
        if (UNLIKELY(armv6m_set_sp(c, value) < 0)) \
            goto fault; \
        NEXT(); \
    } while (0)

#define LINK() (r[R_LR] = AFTER(i) | 1)

#define RUN_NAME armv6m_run_fast
#define TRACED 0
#include "sim_run.h"

#define RUN_NAME armv6m_run_traced
#define TRACED 1
#include "sim_run.h"
