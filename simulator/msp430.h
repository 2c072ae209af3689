/* The MSP430 cores' state, predecoded instructions and the instances of their interpreter. */
#ifndef TIGHTFIT_MSP430_H
#define TIGHTFIT_MSP430_H

#include "sim.h"

/* Registers by number; two more places make addressing uniform: one is always zero, one holds SR when an
 * instruction reads it. */
enum { R_PC, R_SP, R_SR, R_CG, R_ZERO = 16, R_STATUS, R_COUNT };

enum {
    SR_C = 0x001, SR_Z = 0x002, SR_N = 0x004, SR_GIE = 0x008, SR_CPUOFF = 0x010, SR_V = 0x100,
    SR_FLAGS = SR_C | SR_Z | SR_N | SR_V
};

/* One predecoded instruction; a zero op means not decoded yet. 16 bytes, one for every even code address. */
typedef struct {
    uint16_t op;
    uint16_t second;    /* operation that follows a TAKE or STATUS; the register with a count, or 0 */
    uint8_t length, clocks;     /* length in words */
    uint8_t src, dst;   /* registers; of PUSHM and POPM the last one */
    uint32_t imm;       /* immediate, index, target, count, or what an auto-increment adds */
    uint32_t disp;      /* index of the destination, or which operation on a special register */
} Insn;

/* In `disp` of an instruction with an extension word: which operation, above an index of 20 bits; and that
 * the carry before it is zero. */
enum { DISP_OPERATION = 20, DISP_ZERO_CARRY = 1 << 24 };

typedef struct {
    Sim sim;
    Insn *code;                 /* of `span` words from `low` on */
    uint32_t low, span;
    int extended;               /* CPUX: 20-bit registers */
    int clocks;                 /* which column of the forms has them */
    uint32_t mask;              /* of a register */
    uint32_t r[R_COUNT];        /* PC and SR are kept elsewhere during a run */
    uint32_t pc;
    uint16_t sr;                /* without V, N, Z, C */
    uint32_t cy, zr, nr, vr;    /* C; Z is set when zr is zero; N and V are bits 15 of nr and vr */
} Msp430;

int msp430_decode(Msp430 *c, uint32_t pc, Insn *insn);        /* form index, or -1 and the run has failed */
int msp430_form(int clocks, uint32_t index, SimForm *form);
uint16_t msp430_sr(const Msp430 *c);
void msp430_set_sr(Msp430 *c, uint32_t value);
int msp430_set_sp(Msp430 *c, uint32_t value);

Interpreter msp430_run_fast, msp430_run_traced, msp430x_run_fast, msp430x_run_traced;

extern const TaintCore taint_msp430;
extern const Behaviour msp430_behaviour, msp430x_behaviour;

enum { CLOCKS_CPU, CLOCKS_CPUX, CLOCKS_CPUX2, CLOCKS_COUNT };

#endif
