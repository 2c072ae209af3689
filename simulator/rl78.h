/* The RL78 core's state, predecoded instructions and the two instances of its interpreter. */
#ifndef TIGHTFIT_RL78_H
#define TIGHTFIT_RL78_H

#include "sim.h"

/* Registers in code order are bits 0-7 of the hazard masks. */
enum {
    H_X = 1, H_A = 2, H_C = 4, H_B = 8, H_E = 16, H_D = 32, H_L = 64, H_H = 128, H_SP = 256, H_CS = 512,
    ALL = 255, FIELD = 1024     /* FIELD: the register named by the opcode's free bits */
};

enum {
    SPACE = 0x100000, DATA = 0xF0000,
    BANKS = 0xFFEE0, BANKS_END = 0xFFF00, BANK0 = 0xFFEF8,
    MACRL = 0xFFFF0, ADDR_SP = 0xFFFF8, ADDR_PSW = 0xFFFFA, ADDR_CS = 0xFFFFC, ADDR_ES = 0xFFFFD,
    ADDR_PMC = 0xFFFFE, CALLT_TABLE = 0x80
};

enum {
    PSW_CY = 0x01, PSW_ISP0 = 0x02, PSW_ISP1 = 0x04, PSW_RBS0 = 0x08, PSW_AC = 0x10, PSW_RBS1 = 0x20,
    PSW_Z = 0x40, PSW_IE = 0x80, PSW_RESET = 0x06, ES_RESET = 0x0F
};

enum { RL78_FLASH, RL78_ES, RL78_HAZARD, RL78_SKIP };    /* kinds of waits */

/* One predecoded instruction; a zero op means not decoded yet. 16 bytes, one for every code address. */
typedef struct {
    uint16_t op;
    uint16_t imm;       /* address, word operand or low half of a branch target */
    uint16_t uses;      /* registers used as an address */
    uint16_t writes;
    int16_t disp;       /* branch displacement beside another operand; second word of a store */
    uint8_t length;
    uint8_t clocks;     /* the ES: prefix included */
    uint8_t es;         /* 1 with an ES: prefix */
    uint8_t reg;        /* register or first of a pair */
    uint8_t arg;        /* byte operand, bit, count, bank; upper bits of a branch target */
    uint8_t taken;      /* further clocks when a branch is taken */
} Insn;

typedef struct {
    Sim sim;
    Insn *code;                     /* of addresses low .. low + span */
    uint32_t low, span;
    int level;                      /* 1, 2, 3: S1, S2, S3 */
    uint32_t pc;
    uint16_t sp;
    uint8_t psw, cs, es, pmc;       /* psw without Z, AC, CY */
    uint8_t cy;
    uint16_t zr;                    /* Z is set when zr is zero */
    uint16_t acx;                   /* AC is bit 4 */
    uint16_t wrote;                 /* hazard: registers the last instruction wrote */
} Rl78;

static inline uint32_t rl78_bank(const Rl78 *c)             /* address of the current register bank */
{
    return BANK0 - 8 * ((c->psw & PSW_RBS0 ? 1u : 0u) + (c->psw & PSW_RBS1 ? 2u : 0u));
}
static inline uint8_t rl78_psw(const Rl78 *c)
{
    return (uint8_t)(c->psw | (c->zr ? 0 : PSW_Z) | (c->acx & 0x10 ? PSW_AC : 0) | (c->cy ? PSW_CY : 0));
}

int rl78_decode(Rl78 *c, uint32_t pc, Insn *insn);          /* form index, or -1 and the run has failed */
int rl78_write16(Sim *sim, uint32_t address, uint16_t value);   /* as sim_write16; also SP as a whole */
void rl78_set_psw(Rl78 *c, uint8_t value);
int rl78_set_sp(Rl78 *c, uint32_t value);

Interpreter rl78_run_fast, rl78_run_traced;

extern const TaintCore taint_rl78;
extern const Behaviour rl78_behaviour;

#endif
