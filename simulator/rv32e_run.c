/* The RISC-V interpreter, compiled twice: fast, and traced (profile by call path, instruction limit). The cores
 * differ in what the decoder knows, and in nothing here. */
#include "rv32e.h"
#include "rv32e_ops.h"

typedef Rv32e Machine;

#define OPS RV32E_OPS
#define OPERATIONS "rv32e_run.h"
#define DECODE rv32e_decode
#define LOW c->low
#define UNIT 2
#define CODE_MASK 0xFFFFFFFEu
#define STACK_POINTER r[R_SP]
#define STACK_MASK 0xFFFFFFFFu
#define STACK_BASE 0
#define FLASH_WAITS 0               /* memory for code and memory for data do not compete */
#define SIDE_EFFECTS TRACED         /* only a watched write goes on after sim.c saw it */
#define WRITE_WORD sim_write16

#define LOCALS uint32_t *const r = c->r;
#define SYNC() (void)0
#define RELOAD() (void)0
#define HEAD() (void)0
#define FINISH() (void)0

#include "sim_core.h"

#define A r[i->a]
#define B r[i->b]
#define IMM i->imm
#define STATUS c->status
#define COMPUTED ((A + IMM) & ~1u)
#define OVERFLOWS (A == 0x80000000u && B == UINT32_MAX)
#define SHIFTED_SIGNED(value, by) ((uint32_t)((int32_t)(value) >> (by)))

#define WAIT_AT(to) WAIT(TARGET_WAIT, rv32e_wait(mem, attr, to))
#define GO_COMPUTED(to) do { MIX(to); WAIT_AT(to); } while (0)

#define BRANCH_IF(condition, length) \
    do { \
        const unsigned taken_ = (condition) != 0; \
        MIX((uint64_t)PC(i) << 1 | taken_); \
        if (taken_) { \
            cycles += i->taken; \
            WAIT_AT(IMM); \
            JUMP(IMM); \
        } \
        NEXT_AFTER(length); \
    } while (0)

/* A division by zero is a way of its own, since it takes less. */
#define DIVISION_CLOCKS() \
    do { \
        const unsigned divides_ = B != 0; \
        MIX((uint64_t)PC(i) << 1 | divides_); \
        if (divides_) cycles += i->taken; \
    } while (0)

#define RUN_NAME rv32e_run_fast
#define TRACED 0
#include "sim_run.h"

#define RUN_NAME rv32e_run_traced
#define TRACED 1
#include "sim_run.h"
