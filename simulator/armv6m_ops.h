/* Operations of the ARMv6-M interpreter: I takes a constant, R a register; H leaves the flags alone, as what
 * works on any register does. DECODE is zero: a halfword not decoded yet; STOPPED ends a run; ENDLESS is a
 * jump to itself. */
#ifndef TIGHTFIT_ARMV6M_OPS_H
#define TIGHTFIT_ARMV6M_OPS_H

#define ARMV6M_OPS(X) \
    X(DECODE) X(STOPPED) X(ENDLESS) \
    X(MOVS) X(LSL_I) X(LSR_I) X(ASR_I) X(ADD_R) X(SUB_R) X(ADD_I) X(SUB_I) X(MOV_I) X(CMP_I) \
    X(AND) X(EOR) X(LSL_R) X(LSR_R) X(ASR_R) X(ADC) X(SBC) X(ROR_R) X(TST) X(RSB) X(CMP) X(CMN) X(ORR) \
    X(MUL) X(BIC) X(MVN) \
    X(MOV_H) X(SET_H) X(ADD_H) X(ADD_HI) X(MOV_SP) X(ADD_SP_R) X(ADD_SP_I) X(SUB_SP_I) X(MOV_PC) X(ADD_PC) \
    X(BX) X(BLX) X(BL) X(B) \
    X(LDR_L) X(LDR_R) X(LDRH_R) X(LDRB_R) X(LDRSB_R) X(LDRSH_R) X(STR_R) X(STRH_R) X(STRB_R) \
    X(LDR_I) X(LDRH_I) X(LDRB_I) X(STR_I) X(STRH_I) X(STRB_I) \
    X(SXTH) X(SXTB) X(UXTH) X(UXTB) X(REV) X(REV16) X(REVSH) \
    X(PUSH) X(POP) X(POP_PC) X(STM) X(LDM) \
    X(BEQ) X(BNE) X(BCS) X(BCC) X(BMI) X(BPL) X(BVS) X(BVC) X(BHI) X(BLS) X(BGE) X(BLT) X(BGT) X(BLE) \
    X(CPSIE) X(CPSID) X(MRS) X(MSR) X(NOP) X(WAIT_FOR) X(TRAP)

enum {
#define X(name) OP_##name,
    ARMV6M_OPS(X)
#undef X
};

#endif
