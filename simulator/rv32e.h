/* The RISC-V cores' state, predecoded instructions and the instances of their interpreter. */
#ifndef TIGHTFIT_RV32E_H
#define TIGHTFIT_RV32E_H

#include "sim.h"

/* Registers by number; one more place takes what is written to x0. */
enum { R_ZERO, R_RA, R_SP, R_GP, R_TP, R_T0, R_SINK = 32, R_COUNT };

enum { MIE = 8 };               /* the only bit of mstatus that is kept: interrupts are enabled */

enum { TARGET_WAIT = 0 };       /* kinds of waits */

/* One predecoded instruction; a zero op means not decoded yet. 16 bytes, one for every even code address. */
typedef struct {
    uint8_t op;
    uint8_t second;     /* of TO_SP: the operation whose result goes to the stack pointer */
    uint8_t length;     /* in halfwords */
    uint8_t clocks;
    uint8_t taken;      /* further clocks of a branch that is taken, and of a division not by zero */
    uint8_t d, a, b;    /* rd, rs1, rs2 */
    uint32_t imm;       /* constant, displacement, or target */
} Insn;

/* What is a core's own. */
typedef struct {
    uint32_t registers;         /* 16 or 32 */
    int multiplies;             /* M */
    int clocks;                 /* which column of the forms has them */
} Kind;

typedef struct {
    Sim sim;
    const Kind *kind;
    Insn *code;                 /* of `span` halfwords from `low` on */
    uint32_t low, span;
    uint32_t r[R_COUNT];
    uint32_t pc, status;
} Rv32e;

int rv32e_decode(Rv32e *c, uint32_t pc, Insn *insn);          /* form index, or -1 and the run has failed */
int rv32e_form(int clocks, uint32_t index, SimForm *form);
void rv32e_set_status(Rv32e *c, uint32_t value);

/* Clocks that a jump to `to` waits: an instruction of 32 bits that lies in two words is fetched by two accesses. */
static inline uint32_t rv32e_wait(const uint8_t *mem, const uint8_t *attr, uint32_t to)
{
    return to & 2 && attr[to] & A_EXEC && (mem[to] & 3) == 3;
}

/* Whether calls keep the return address there. */
static inline int rv32e_links(uint32_t r) { return r == R_RA || r == R_T0; }

Interpreter rv32e_run_fast, rv32e_run_traced;

extern const TaintCore taint_rv32e, taint_rv32i, taint_qingke;
extern const Behaviour rv32e_behaviour, rv32i_behaviour;

enum { CLOCKS_IBEX, CLOCKS_QINGKE };

#endif
