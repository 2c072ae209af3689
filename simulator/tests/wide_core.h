/* A core for tests alone: addresses, registers and words of 32 bits, calls that keep the return address in a
 * register. What cores of 32 bits share is tested on it. */
#ifndef TIGHTFIT_WIDE_CORE_H
#define TIGHTFIT_WIDE_CORE_H

#include "../sim.h"

enum { WIDE_RA = 1, WIDE_SP = 2, WIDE_REGISTERS = 32, WIDE_WAITS = 2, WIDE_READ = 1 };

#define WIDE_OPS(X) \
    X(DECODE) X(STOPPED) \
    X(SET) X(SET_HIGH) X(ADD) X(LOAD) X(STORE) X(PUSH) X(POP) X(CALL) X(JUMP_TO) X(RETURN)

enum {
#define X(name) WIDE_##name,
    WIDE_OPS(X)
#undef X
};

/* Four bytes an instruction: the operation; a register; another, and a byte, or a constant of 16 bits. */
#define WIDE_RI(op, a, imm) (WIDE_##op | (a) << 8 | ((uint32_t)(imm) & 0xFFFF) << 16)
#define WIDE_RR(op, a, b, imm) (WIDE_##op | (a) << 8 | (b) << 16 | (uint32_t)(imm) << 24)

extern const Core sim_core_wide;

#endif
