/* The RL78 interpreter, compiled twice: fast, and traced (profile by call path, instruction limit).
 *
 * Registers stay in simulated memory, where the program can also reach them by address; flags and stack
 * pointer are locals. SYNC writes the locals that memory with side effects looks at, RELOAD takes them
 * back. */
#include "rl78.h"
#include "rl78_ops.h"

typedef Rl78 Machine;

#define OPS RL78_OPS
#define OPERATIONS "rl78_run.h"
#define DECODE rl78_decode
#define LOW c->low
#define UNIT 1
#define LENGTH i->length
#define CODE_MASK (SPACE - 1)
#define TARGET (i->imm | (uint32_t)i->arg << 16)
#define TAKEN i->taken
#define SKIP_WAITS (1u + i->es)     /* it runs as a NOP */
#define SKIP_KIND RL78_SKIP
#define STACK_POINTER sp
#define STACK_MASK 0xFFFF
#define STACK_BASE DATA
#define FLASH_WAITS 3
#define FLASH_KIND RL78_FLASH
#define SIDE_EFFECTS 1
#define WRITE_WORD rl78_write16

#define LOCALS \
    uint32_t cy = c->cy, zr = c->zr, acx = c->acx; \
    uint16_t sp = c->sp, wrote = c->wrote; \
    uint8_t *r = mem + rl78_bank(c); \
    uint32_t segment[2] = { DATA, (uint32_t)c->es << 16 };
#define SYNC() \
    (c->cy = (uint8_t)cy, c->zr = (uint16_t)zr, c->acx = (uint16_t)acx, c->sp = sp, c->wrote = wrote)
#define RELOAD() \
    (cy = c->cy, zr = c->zr, acx = c->acx, sp = c->sp, wrote = c->wrote, r = mem + rl78_bank(c), \
     segment[1] = (uint32_t)c->es << 16)

/* The address hazard. */
#define HEAD() \
    do { \
        const unsigned wait_ = (i->uses & wrote) != 0; \
        WAIT(RL78_HAZARD, wait_); \
        wrote = i->writes; \
    } while (0)
#define FINISH() (void)0

#include "sim_core.h"

/* Operands in registers. */
#define X_ r[0]
#define A_ r[1]
#define C_ r[2]
#define B_ r[3]
#define AX load16(r)
#define BC load16(r + 2)
#define DE load16(r + 4)
#define HL load16(r + 6)

/* Effective addresses. Those that take ES: count its clock. */
#define SEG (waits[RL78_ES] += i->es, segment[i->es])
#define EA_ABS (SEG | i->imm)
#define EA_DE (SEG | ((DE + i->imm) & 0xFFFF))
#define EA_HL (SEG | ((HL + i->imm) & 0xFFFF))
#define EA_HLB (SEG | ((HL + B_) & 0xFFFF))
#define EA_HLC (SEG | ((HL + C_) & 0xFFFF))
#define EA_B (SEG | ((i->imm + (uint32_t)B_) & 0xFFFF))
#define EA_C (SEG | ((i->imm + (uint32_t)C_) & 0xFFFF))
#define EA_BC (SEG | ((i->imm + BC) & 0xFFFF))
#define EA_SP (DATA | ((sp + (uint32_t)i->imm) & 0xFFFF))
#define STACK(offset) (DATA | ((sp + (uint32_t)(offset)) & 0xFFFF))

#define SET_SP(value) \
    do { \
        SYNC(); \
        if (rl78_set_sp(c, (value)) < 0) goto fault; \
        sp = c->sp; \
        wrote = c->wrote; \
    } while (0)

/* The spare byte of a return address holds what was there, and may be read. */
#define PUSH_PC() \
    do { \
        uint32_t back_ = AFTER(i); \
        GROW_STACK(4); \
        WRITE16(STACK(0), back_); \
        WRITE8(STACK(2), back_ >> 16 & 15); \
        if (attr[STACK(3)] & A_WRITE) \
            attr[STACK(3)] |= A_READ | A_TOUCHED; \
        else if (TRACED && sim->watch) \
            sim_write8(sim, STACK(3), mem[STACK(3)]); \
    } while (0)

#define CALL_TO(to) do { uint32_t to_ = (to); PUSH_PC(); TRACE_CALL(to_); JUMP(to_); } while (0)

/* A branch on a bit: the target is relative, the operand fields hold the address and the bit. */
#define COND_BIT(condition) BRANCH(condition, AFTER(i) + (uint32_t)(int32_t)i->disp)

/* Arithmetic. acx keeps the half carry in bit 4, in words the carry between the bytes. */
#define ADD8(to, x, y, carry) \
    do { \
        uint32_t x_ = (x), y_ = (y), s_ = x_ + y_ + (carry); \
        cy = s_ >> 8; \
        zr = s_ & 0xFF; \
        acx = x_ ^ y_ ^ s_; \
        to = (uint8_t)s_; \
    } while (0)

#define SUB8(to, x, y, borrow) \
    do { \
        uint32_t x_ = (x), y_ = (y), s_ = x_ - y_ - (borrow); \
        cy = s_ >> 8 & 1; \
        zr = s_ & 0xFF; \
        acx = x_ ^ y_ ^ s_; \
        to = (uint8_t)s_; \
    } while (0)

#define ADD16(to, y) \
    do { \
        uint32_t x_ = AX, y_ = (y), s_ = x_ + y_; \
        cy = s_ >> 16; \
        zr = s_ & 0xFFFF; \
        acx = (x_ ^ y_ ^ s_) >> 4; \
        to(s_); \
    } while (0)

#define SUB16(to, y) \
    do { \
        uint32_t x_ = AX, y_ = (y), s_ = x_ - y_; \
        cy = s_ >> 16 & 1; \
        zr = s_ & 0xFFFF; \
        acx = (x_ ^ y_ ^ s_) >> 4; \
        to(s_); \
    } while (0)

#define TO_AX(v) store16(r, v)
#define TO_NONE(v) (void)(v)

#define DO_ADD(to, x, y) ADD8(to, x, y, 0)
#define DO_ADDC(to, x, y) ADD8(to, x, y, cy)
#define DO_SUB(to, x, y) SUB8(to, x, y, 0)
#define DO_SUBC(to, x, y) SUB8(to, x, y, cy)
#define DO_CMP(to, x, y) do { uint8_t unused_; SUB8(unused_, x, y, 0); (void)unused_; } while (0)
#define DO_AND(to, x, y) (zr = (to) = (uint8_t)((x) & (y)))
#define DO_OR(to, x, y) (zr = (to) = (uint8_t)((x) | (y)))
#define DO_XOR(to, x, y) (zr = (to) = (uint8_t)((x) ^ (y)))

/* One operation of A with every operand it takes. */
#define ALU_MEM(name, mode) \
    OP(name##_##mode) { uint8_t v; READ8(v, EA_##mode); DO_##name(A_, A_, v); NEXT(); }
#define ALU(name) \
    OP(name##_I) { DO_##name(A_, A_, i->arg); NEXT(); } \
    OP(name##_R) { uint8_t v = r[i->reg]; DO_##name(A_, A_, v); NEXT(); } \
    OP(name##_RA) { uint8_t v = A_; uint8_t w = r[i->reg]; DO_##name(r[i->reg], w, v); NEXT(); } \
    ALU_MEM(name, ABS) ALU_MEM(name, HL) ALU_MEM(name, HLB) ALU_MEM(name, HLC)
#define ALU_STORE(name) \
    OP(name##_ABSI) { \
        uint8_t v; \
        uint32_t a = EA_ABS; \
        READ8(v, a); \
        DO_##name(v, v, i->arg); \
        WRITE8(a, v); \
        NEXT(); \
    }

#define ALUW(name, how, to) \
    OP(name##_I) { how(to, i->imm); NEXT(); } \
    OP(name##_RP) { uint32_t v = load16(r + i->reg); how(to, v); NEXT(); } \
    OP(name##_ABS) { uint16_t v; READ16(v, EA_ABS); how(to, v); NEXT(); } \
    OP(name##_HL) { uint16_t v; READ16(v, EA_HL); how(to, v); NEXT(); }

#define LD(mode) OP(LD_A_##mode) { uint8_t v; READ8(v, EA_##mode); A_ = v; NEXT(); }
#define ST(mode) OP(ST_A_##mode) { WRITE8(EA_##mode, A_); NEXT(); }
#define STI(mode) OP(STI_##mode) { WRITE8(EA_##mode, i->arg); NEXT(); }
#define LDW(mode) OP(LDW_AX_##mode) { uint16_t v; READ16(v, EA_##mode); store16(r, v); NEXT(); }
#define STW(mode) OP(STW_##mode##_AX) { WRITE16(EA_##mode, AX); NEXT(); }
#define XCH(mode) \
    OP(XCH_A_##mode) { \
        uint8_t v, old = A_; \
        uint32_t a = EA_##mode; \
        READ8(v, a); \
        WRITE8(a, old); \
        A_ = v; \
        NEXT(); \
    }

/* INC and DEC keep CY; INCW and DECW keep every flag. */
#define STEP8(to, x, by) \
    do { uint8_t x_ = (x), s_ = (uint8_t)(x_ + (by)); zr = s_; acx = x_ ^ s_; to = s_; } while (0)
#define INC_DEC(name, by) \
    OP(name##_R) { STEP8(r[i->reg], r[i->reg], by); NEXT(); } \
    OP(name##_ABS) { uint8_t v; uint32_t a = EA_ABS; READ8(v, a); STEP8(v, v, by); WRITE8(a, v); NEXT(); } \
    OP(name##_HL) { uint8_t v; uint32_t a = EA_HL; READ8(v, a); STEP8(v, v, by); WRITE8(a, v); NEXT(); } \
    OP(name##W_RP) { store16(r + i->reg, load16(r + i->reg) + (uint32_t)(by)); NEXT(); } \
    OP(name##W_ABS) { uint16_t v; uint32_t a = EA_ABS; READ16(v, a); WRITE16(a, v + (by)); NEXT(); } \
    OP(name##W_HL) { uint16_t v; uint32_t a = EA_HL; READ16(v, a); WRITE16(a, v + (by)); NEXT(); }

/* Bits: of A, of a byte at an address, of [HL]. */
#define BIT(v) ((unsigned)(v) >> i->arg & 1)
#define BIT_READ(name, set) \
    OP(name##_A) { unsigned b = BIT(A_); set; NEXT(); } \
    OP(name##_ABS) { uint8_t v; READ8(v, EA_ABS); unsigned b = BIT(v); set; NEXT(); } \
    OP(name##_HL) { uint8_t v; READ8(v, EA_HL); unsigned b = BIT(v); set; NEXT(); }
#define BIT_WRITE(name, change) \
    OP(name##_A) { uint8_t v = A_; change; A_ = v; NEXT(); } \
    OP(name##_ABS) { uint8_t v; uint32_t a = EA_ABS; READ8(v, a); change; WRITE8(a, v); NEXT(); } \
    OP(name##_HL) { uint8_t v; uint32_t a = EA_HL; READ8(v, a); change; WRITE8(a, v); NEXT(); }
#define SET_BIT v = (uint8_t)(v | 1u << i->arg)
#define CLEAR_BIT v = (uint8_t)(v & ~(1u << i->arg))

/* A taken branch on a bit in flash costs one clock less than its parts. */
#define BIT_BRANCH(name, wanted) \
    OP(name##_A) COND_BIT(BIT(A_) == wanted); \
    OP(name##_ABS) { uint8_t v; READ8(v, EA_ABS); COND_BIT(BIT(v) == wanted); } \
    OP(name##_HL) { \
        uint8_t v; \
        uint64_t before = waits[RL78_FLASH]; \
        READ8(v, EA_HL); \
        if (waits[RL78_FLASH] != before && BIT(v) == wanted) { waits[RL78_FLASH]--; cycles--; } \
        COND_BIT(BIT(v) == wanted); \
    }
#define BIT_BRANCH_CLEAR(mode) \
    OP(BTCLR_##mode) { \
        uint8_t v; \
        uint32_t a = EA_##mode; \
        READ8(v, a); \
        unsigned set = BIT(v); \
        if (set) { CLEAR_BIT; WRITE8(a, v); } \
        COND_BIT(set); \
    }

#define RUN_NAME rl78_run_fast
#define TRACED 0
#include "sim_run.h"

#define RUN_NAME rl78_run_traced
#define TRACED 1
#include "sim_run.h"
