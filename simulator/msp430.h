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
    uint16_t second;    /* operation that follows a TAKE or STATUS */
    uint8_t words, clocks;
    uint8_t src, dst;   /* registers; of PUSHM and POPM the last one */
    uint32_t imm;       /* immediate, index, target, count, or what an auto-increment adds */
    uint32_t disp;      /* index of the destination, or which operation on a special register */
} Msp430Insn;

typedef struct {
    Sim sim;
    Msp430Insn *code;           /* of addresses low .. low + span, two bytes each */
    uint32_t low, span;
    int extended;               /* CPUX: 20-bit registers */
    uint32_t mask;              /* of a register */
    uint32_t r[R_COUNT];        /* PC and SR are kept elsewhere during a run */
    uint32_t pc;
    uint16_t sr;                /* without V, N, Z, C */
    uint32_t cy, zr, nr, vr;    /* C; Z is set when zr is zero; N and V are bits 15 of nr and vr */
    uint32_t start_sp, lowest;  /* stack pointer at the start of the run, and the lowest since */
    uint8_t sp_known;           /* it was set since the reset */
} Msp430;

int msp430_decode(Msp430 *c, uint32_t pc, Msp430Insn *insn);  /* form index, or -1 and the run has failed */
int msp430_form(int extended, uint32_t index, SimForm *form);
int msp430_read8(Msp430 *c, uint32_t address);                /* any byte, or -1 */
int msp430_read16(Msp430 *c, uint32_t address);
int msp430_write8(Msp430 *c, uint32_t address, uint32_t value);   /* 0, or -1 */
int msp430_write16(Msp430 *c, uint32_t address, uint32_t value);
uint16_t msp430_sr(const Msp430 *c);
void msp430_set_sr(Msp430 *c, uint32_t value);
int msp430_set_sp(Msp430 *c, uint32_t value);

void msp430_run(Sim *sim, uint32_t stop, uint64_t cycle_limit);
void msp430_run_traced(Sim *sim, uint32_t stop, uint64_t cycle_limit, uint64_t instructions);
void msp430x_run(Sim *sim, uint32_t stop, uint64_t cycle_limit);
void msp430x_run_traced(Sim *sim, uint32_t stop, uint64_t cycle_limit, uint64_t instructions);

#endif
