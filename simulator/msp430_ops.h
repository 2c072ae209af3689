/* Operations of the MSP430 interpreter, named by operation, size (W, B) and source: N immediate, R register,
 * X indexed, I indirect, P indirect with increment, L indexed with 20 bits. Those on memory (M) follow a TAKE
 * that reads the source, and so do all that are LONG.
 * SPECIAL is any operation on PC, SP, SR or R3, S a shift of one of them. The decoder counts on the order.
 * DECODE is zero: an address not decoded yet; STOPPED ends a run; STATUS puts SR where the next operation
 * reads it; ENDLESS is a jump to itself. */
#ifndef TIGHTFIT_MSP430_OPS_H
#define TIGHTFIT_MSP430_OPS_H

#define MSP430_SOURCES(X, name) X(name##_N) X(name##_R) X(name##_X) X(name##_I) X(name##_P)
#define MSP430_DOUBLE(X, name) \
    MSP430_SOURCES(X, name##_W) X(name##_W_M) MSP430_SOURCES(X, name##_B) X(name##_B_M)
#define MSP430_LONG_SOURCES(X, name) X(name##_N) X(name##_R) X(name##_L) X(name##_I) X(name##_P)
#define MSP430_SINGLE(X, name) X(name##_R) X(name##_X) X(name##_I) X(name##_P) X(name##_S)

#define MSP430_OPS(X) \
    X(DECODE) X(STOPPED) X(STATUS) X(ENDLESS) \
    MSP430_DOUBLE(X, MOV) MSP430_DOUBLE(X, ADD) MSP430_DOUBLE(X, ADDC) MSP430_DOUBLE(X, SUBC) \
    MSP430_DOUBLE(X, SUB) MSP430_DOUBLE(X, CMP) MSP430_DOUBLE(X, DADD) MSP430_DOUBLE(X, BIT) \
    MSP430_DOUBLE(X, BIC) MSP430_DOUBLE(X, BIS) MSP430_DOUBLE(X, XOR) MSP430_DOUBLE(X, AND) \
    MSP430_SINGLE(X, RRC_W) MSP430_SINGLE(X, RRC_B) MSP430_SINGLE(X, SWPB_W) MSP430_SINGLE(X, RRA_W) \
    MSP430_SINGLE(X, RRA_B) MSP430_SINGLE(X, SXT_W) \
    MSP430_SOURCES(X, TAKE_W) MSP430_SOURCES(X, TAKE_B) X(TAKE_STATUS) \
    MSP430_SOURCES(X, SPECIAL_W) MSP430_SOURCES(X, SPECIAL_B) \
    MSP430_SOURCES(X, PUSH_W) MSP430_SOURCES(X, PUSH_B) MSP430_SOURCES(X, CALL) \
    X(RET) X(RETI) X(BR) X(JNE) X(JEQ) X(JNC) X(JC) X(JN) X(JGE) X(JL) X(JMP)

/* Those of the CPUX alone; size A: 20 bits. With an extension word, where no other does the same: LONG on a
 * register, on memory, on PC to R3 (S); REPEAT and SHIFT on registers several times; SHIFT on memory. */
#define MSP430X_OPS(X) \
    MSP430_SOURCES(X, MOVA) X(MOVA_STORE) X(RETA) \
    X(CMPA_N) X(CMPA_R) X(ADDA_N) X(ADDA_R) X(SUBA_N) X(SUBA_R) \
    X(RRCM_A) X(RRCM_W) X(RRAM_A) X(RRAM_W) X(RLAM_A) X(RLAM_W) X(RRUM_A) X(RRUM_W) \
    MSP430_SOURCES(X, CALLA) X(PUSHM_A) X(PUSHM_W) X(POPM_A) X(POPM_W) \
    X(TAKE_W_L) X(TAKE_B_L) MSP430_LONG_SOURCES(X, TAKE_A) \
    X(LONG_W) X(LONG_B) X(LONG_A) X(LONG_W_M) X(LONG_B_M) X(LONG_A_M) X(LONG_W_S) X(LONG_B_S) X(LONG_A_S) \
    X(REPEAT_W) X(REPEAT_B) X(REPEAT_A) X(SHIFT_W) X(SHIFT_B) X(SHIFT_A) \
    X(SHIFT_W_L) X(SHIFT_B_L) X(SHIFT_A_L) X(SHIFT_A_I) X(SHIFT_A_P) \
    X(PUSH_W_L) X(PUSH_B_L) MSP430_LONG_SOURCES(X, PUSH_A)

enum {
#define X(name) OP_##name,
    MSP430_OPS(X)
    MSP430X_OPS(X)
#undef X
};

#endif
