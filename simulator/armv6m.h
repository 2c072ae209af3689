/* The ARMv6-M cores' state, predecoded instructions and the two instances of their interpreter. */
#ifndef TIGHTFIT_ARMV6M_H
#define TIGHTFIT_ARMV6M_H

#include "sim.h"

enum { R_SP = 13, R_LR, R_PC, R_COUNT };

enum { APSR_N = 1u << 31, APSR_Z = 1 << 30, APSR_C = 1 << 29, APSR_V = 1 << 28 };
#define APSR_FLAGS ((uint32_t)APSR_N | APSR_Z | APSR_C | APSR_V)

/* Registers by number after r0 to r15. ENABLED is PRIMASK upside down: 1 where interrupts are enabled. */
enum { ID_APSR = R_COUNT, ID_PRIMASK, ID_ENABLED };

/* Special registers of MRS and MSR. */
enum { SPEC_FLAGS = 4, SPEC_MSP = 8, SPEC_PRIMASK = 16, SPEC_CONTROL = 20 };

/* One predecoded instruction; a zero op means not decoded yet. 12 bytes, one for every halfword of code. */
typedef struct {
    uint8_t op, d, n, m;
    uint8_t length, clocks;     /* length in halfwords */
    uint8_t taken;              /* further clocks when a branch is taken */
    uint32_t imm;               /* constant, offset, target, list of registers */
} Insn;

typedef struct {
    Sim sim;
    Insn *code;                 /* of `span` halfwords from `low` on */
    uint32_t low, span;
    int zero;                   /* 1: Cortex-M0, with its three stages; 0: Cortex-M0+ */
    int multiply;               /* clocks of MULS */
    uint32_t r[R_COUNT];        /* PC is kept elsewhere */
    uint32_t pc, primask;
    uint32_t cy, zr, nr, vr;    /* C; Z is set when zr is zero; N and V are bits 31 of nr and vr */
} Armv6m;

int armv6m_decode(Armv6m *c, uint32_t pc, Insn *insn);     /* form index, or -1 and the run has failed */
int armv6m_form(int zero, int multiply, uint32_t index, SimForm *form);
uint32_t armv6m_apsr(const Armv6m *c);
void armv6m_set_apsr(Armv6m *c, uint32_t value);
int armv6m_set_sp(Armv6m *c, uint32_t value);              /* 0, or -1 when SP is outside its region */
void armv6m_set_primask(Armv6m *c, uint32_t value);
uint32_t armv6m_read_special(const Armv6m *c, uint32_t which);
int armv6m_write_special(Armv6m *c, uint32_t which, uint32_t value);     /* as armv6m_set_sp */

Interpreter armv6m_run_fast, armv6m_run_traced;

extern const TaintCore taint_armv6m;
extern const Behaviour armv6m_behaviour;

#endif
