/* What the interpreters of all cores are made of; the function itself is in sim_run.h. Before a core's
 * *_run.c includes this file, it defines what is the core's own:
 *
 *   Machine, Insn         the core's state, which begins with a Sim; a predecoded instruction
 *   OPS(X), OPERATIONS    X(name) for every operation; the file with their code
 *   LOCALS, SYNC, RELOAD  what a run keeps in local variables; write it to the state; read it from there
 *   DECODE                the function that fills an Insn
 *   LOW, UNIT             address of the first Insn of the code, and the bytes that each stands for
 *   LENGTH                of the instruction at i, in Insns
 *   CODE_MASK             bits of a code address
 *   TARGET, TAKEN         where the branch at i goes, and its further clocks when it is taken
 *   STACK_POINTER, STACK_MASK, STACK_BASE   the register, its bits, the address of what it calls 0
 *   FLASH_WAITS           clocks that a read of flash waits; FLASH_KIND is the kind of these waits
 *   SIDE_EFFECTS          1 where a write to memory can change what is kept in locals, else 0
 *   HEAD, FINISH          what the core does before each instruction, and after the last
 *   WRITE_WORD            the function that writes a word, if the core has words
 *   SKIP_WAITS            clocks of the skipped instruction at i, if the core skips; SKIP_KIND is their kind
 *
 * Two operations are everywhere: DECODE, which is zero, of an Insn not decoded yet, and STOPPED, which ends a
 * run. */
#ifndef TIGHTFIT_SIM_CORE_H
#define TIGHTFIT_SIM_CORE_H

#include "sim.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#ifndef FLASH_KIND
#define FLASH_KIND 0
#endif

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- from one instruction to the next ---- */

#if defined(__GNUC__) && !defined(SIM_SWITCH)
#define COMPUTED_JUMPS 1
#define DISPATCH_TO(operation) goto *labels[operation]
#else
#define COMPUTED_JUMPS 0
#define DISPATCH_TO(operation) do { next = (operation); goto dispatch; } while (0)
#endif
#define DISPATCH() DISPATCH_TO(i->op)

#define PC(insn) (low + UNIT * (uint32_t)((insn) - code))
#define AFTER(insn) PC((insn) + (insn)->length)

#define OP(name) \
    L_##name: { \
        TRACE_BEGIN(); \
        HEAD(); \
        cycles += i->clocks; \
        instructions++; \
    }

#define NEXT_AFTER(length) do { i += (length); TRACE_END(); DISPATCH(); } while (0)
#define NEXT() NEXT_AFTER(LENGTH)

#define JUMP(to) \
    do { \
        target = (((to) & CODE_MASK) - low) / UNIT; \
        if (UNLIKELY(cycles > cycle_limit)) goto over_limit; \
        if (UNLIKELY(target >= span)) goto wild; \
        i = code + target; \
        TRACE_END(); \
        DISPATCH(); \
    } while (0)

#define FAIL(what, where) do { sim_fail(sim, what, where); goto fault; } while (0)

/* Clocks beside the base. */
#define WAIT(kind, clocks) (waits[kind] += (clocks), cycles += (clocks))

/* ---- conditions and skips ---- */

#define MIX(value) (hash = sim_mix(hash, value))

#define BRANCH(condition, to) \
    do { \
        const unsigned taken_ = (condition) != 0; \
        MIX((uint64_t)PC(i) << 1 | taken_); \
        if (taken_) { \
            cycles += TAKEN; \
            JUMP(to); \
        } \
        NEXT(); \
    } while (0)
#define COND(condition) BRANCH(condition, TARGET)

#define SKIP(condition) \
    do { \
        const unsigned skip_ = (condition) != 0; \
        MIX((uint64_t)PC(i) << 1 | skip_); \
        if (skip_) goto skip_next; \
        NEXT(); \
    } while (0)

/* ---- memory: what needs no further thought here, the rest in sim.c ---- */

#define FLASH_WAIT() WAIT(FLASH_KIND, FLASH_WAITS)
/* Of two bytes, and of four; A_WAIT is the bit left of A_READ. */
#define BOTH(attributes, wanted) (((attributes) & (wanted) * 0x101) == (wanted) * 0x101)
#define ALL_FOUR(attributes, wanted) (((attributes) & (wanted) * 0x1010101u) == (wanted) * 0x1010101u)

#define READ8(to, where) \
    do { \
        const uint32_t a_ = (where); \
        const uint8_t t_ = attr[a_]; \
        if (LIKELY(t_ & (FLASH_WAITS ? A_READ : A_READ | A_WAIT))) { \
            to = mem[a_]; \
        } else if (FLASH_WAITS && LIKELY(t_ & A_WAIT)) { \
            to = mem[a_]; \
            FLASH_WAIT(); \
        } else { \
            SYNC(); \
            const int v_ = sim_read8(sim, a_); \
            if (v_ < 0) goto fault; \
            to = (uint8_t)v_; \
        } \
    } while (0)

#define READ16(to, where) \
    do { \
        const uint32_t a_ = (where), t_ = a_ & 1 ? 0 : load16(attr + a_); \
        if (LIKELY(BOTH(FLASH_WAITS ? t_ : t_ | t_ >> 1, A_READ))) { \
            to = (uint16_t)load16(mem + a_); \
        } else if (FLASH_WAITS && LIKELY(BOTH(t_, A_WAIT))) { \
            to = (uint16_t)load16(mem + a_); \
            FLASH_WAIT(); \
        } else { \
            SYNC(); \
            const int v_ = sim_read16(sim, a_); \
            if (v_ < 0) goto fault; \
            if (FLASH_WAITS && t_ & A_WAIT * 0x101) FLASH_WAIT(); \
            to = (uint16_t)v_; \
        } \
    } while (0)

#define READ32(to, where) \
    do { \
        const uint32_t a_ = (where), t_ = a_ & 3 ? 0 : load32(attr + a_); \
        if (LIKELY(ALL_FOUR(FLASH_WAITS ? t_ : t_ | t_ >> 1, A_READ))) { \
            to = load32(mem + a_); \
        } else if (FLASH_WAITS && LIKELY(ALL_FOUR(t_, A_WAIT))) { \
            to = load32(mem + a_); \
            FLASH_WAIT(); \
        } else { \
            SYNC(); \
            const int64_t v_ = sim_read32(sim, a_); \
            if (v_ < 0) goto fault; \
            if (FLASH_WAITS && t_ & A_WAIT * 0x1010101u) FLASH_WAIT(); \
            to = (uint32_t)v_; \
        } \
    } while (0)

#define WRITE8(where, value) \
    do { \
        const uint32_t a_ = (where); \
        const uint8_t b_ = (uint8_t)(value), t_ = attr[a_]; \
        if (LIKELY(t_ & A_WRITE)) { \
            mem[a_] = b_; \
            attr[a_] = t_ | A_READ | A_TOUCHED; \
        } else { \
            SYNC(); \
            if (sim_write8(sim, a_, b_) < 0 || !SIDE_EFFECTS) goto fault; \
            RELOAD(); \
        } \
    } while (0)

#define WRITE16(where, value) \
    do { \
        const uint32_t a_ = (where), t_ = a_ & 1 ? 0 : load16(attr + a_); \
        const uint16_t w_ = (uint16_t)(value); \
        if (LIKELY(BOTH(t_, A_WRITE))) { \
            store16(mem + a_, w_); \
            store16(attr + a_, t_ | (A_READ | A_TOUCHED) * 0x101); \
        } else { \
            SYNC(); \
            if (WRITE_WORD(sim, a_, w_) < 0 || !SIDE_EFFECTS) goto fault; \
            RELOAD(); \
        } \
    } while (0)

#define WRITE32(where, value) \
    do { \
        const uint32_t a_ = (where), w_ = (value), t_ = a_ & 3 ? 0 : load32(attr + a_); \
        if (LIKELY(ALL_FOUR(t_, A_WRITE))) { \
            store32(mem + a_, w_); \
            store32(attr + a_, t_ | (A_READ | A_TOUCHED) * 0x1010101u); \
        } else { \
            SYNC(); \
            if (sim_write32(sim, a_, w_) < 0 || !SIDE_EFFECTS) goto fault; \
            RELOAD(); \
        } \
    } while (0)

/* ---- the stack ---- */

#define GROW_STACK(bytes) \
    do { \
        STACK_POINTER = (STACK_POINTER - (bytes)) & STACK_MASK; \
        if (STACK_POINTER < sim->lowest) { \
            sim->lowest = STACK_POINTER; \
            if (UNLIKELY(STACK_POINTER < sim->stack_limit)) FAIL(SIM_STACK_LOW, STACK_BASE + STACK_POINTER); \
        } \
    } while (0)

#define SHRINK_STACK(bytes) \
    do { \
        STACK_POINTER = (STACK_POINTER + (bytes)) & STACK_MASK; \
        if (UNLIKELY(STACK_POINTER > sim->stack_top)) FAIL(SIM_STACK_HIGH, STACK_BASE + STACK_POINTER); \
    } while (0)

/* ---- tracing: the profile, a limit of instructions, what a watched run pauses for ---- */

#define PAUSED (sim->watch && (sim->pause || STACK_POINTER != sim->start_sp))

#define CHARGE() do { if (TRACED) sim_profile_add(sim, node, at, 1, cycles - mark); } while (0)
#define TRACE_BEGIN() \
    do { \
        if (TRACED) { \
            at = PC(i); \
            node = sim->profile.node; \
            mark = cycles; \
        } \
    } while (0)
#define TRACE_END() \
    do { \
        CHARGE(); \
        if (TRACED && (instructions >= instruction_limit || PAUSED)) goto steps; \
    } while (0)
#define TRACE_CALL(to) do { if (TRACED) sim_profile_call(sim, at, to, AFTER(i), STACK_POINTER); } while (0)
#define TRACE_RETURN(to) do { if (TRACED) sim_profile_return(sim, to, STACK_POINTER); } while (0)

/* ---- the end ---- */

/* A run ends by an operation put in place of the instruction at `stop`; NULL where none can be. */
static Insn *place_stop(Machine *c, uint32_t stop, unsigned *kept)
{
    const uint32_t at = (stop - LOW) / UNIT;
    if (stop % UNIT || at >= c->span)
        return NULL;
    Insn *insn = &c->code[at];
    if (insn->op == OP_DECODE && DECODE(c, stop, insn) < 0)
        c->sim.run.status = SIM_OK;
    *kept = insn->op;
    insn->op = OP_STOPPED;
    return insn;
}

#endif
