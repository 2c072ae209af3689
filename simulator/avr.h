/* The AVR core's state, predecoded instructions and the two instances of its interpreter. */
#ifndef TIGHTFIT_AVR_H
#define TIGHTFIT_AVR_H

#include "sim.h"

/* Flash lies at 0, the data space at DATA, as GNU ld has it. Its first 32 bytes are the registers, and IO is
 * behind them; but on AVRxt I/O comes first, and the registers are where no address of the program leads. */
enum {
    DATA = 0x800000, SPACE = 0x810000, MAX_WORDS = 0x10000, WRAP_WORDS = 0x1000, LPM_WORDS = 0x8000,
    IO = DATA + 0x20, XT_IO = DATA, XT_REGISTERS = SPACE, XT_SPACE = XT_REGISTERS + 32
};

enum { RAMPZ = 0x3B, SPL = 0x3D, SPH = 0x3E, SREG = 0x3F };     /* I/O addresses */

enum { SREG_C = 1, SREG_Z = 2, SREG_N = 4, SREG_V = 8, SREG_S = 16, SREG_H = 32, SREG_T = 64, SREG_I = 128 };

enum { AVR_FLASH = 0, AVR_SKIP = 3 };               /* kinds of waits */

enum { XL = 26, YL = 28, ZL = 30 };

/* One predecoded instruction; a zero op means not decoded yet. 8 bytes, one for every word of flash. */
typedef struct {
    uint8_t op;
    uint8_t d;          /* first register, upper bits of a 22-bit target */
    uint8_t r;          /* second register, bit number */
    uint8_t length;     /* in words */
    uint16_t imm;       /* constant, data address, displacement, target in words */
    uint8_t clocks;
    uint8_t taken;      /* further clocks when a branch is taken */
} Insn;

/* What is a core's own. */
typedef struct {
    uint32_t registers, io;         /* addresses of r0 and of I/O 0 */
    int mul;                        /* MUL and its like */
    int jump;                       /* JMP and CALL; ELPM where LPM does not reach all flash */
    int xt;                         /* AVRxt: it has clocks of its own */
} Kind;

typedef struct {
    Sim sim;
    const Kind *kind;
    Insn *code;                     /* of words 0 .. span */
    uint32_t span;
    uint32_t pc;                    /* in bytes, as every address here */
    uint16_t sp;
    uint8_t it;                     /* SREG without the flags below */
    uint8_t n, v, s, h;             /* N, V, S in bit 7, H in bit 4 */
    uint8_t cy;
    uint16_t zr;                    /* Z is set when zr is zero */
    uint8_t half;                   /* the half of SP that was written without the other: 1 SPL, 2 SPH */
} Avr;

int avr_decode(Avr *c, uint32_t pc, Insn *insn);            /* form index, or -1 and the run has failed */
int avr_check_sp(Avr *c);                                   /* 0, or -1 when SP is outside its region */
uint8_t avr_sreg(const Avr *c);
void avr_set_sreg(Avr *c, uint8_t value);

Interpreter avr_run_fast, avr_run_traced, avrxt_run_fast, avrxt_run_traced;

extern const TaintCore taint_avr, taint_avrxt;
extern const Behaviour avre_plus_behaviour, avre_behaviour, avrxt_behaviour, avrxt_8k_behaviour;

#endif
