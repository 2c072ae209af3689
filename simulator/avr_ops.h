/* Operations of the AVR interpreter. DECODE is zero: a word not decoded yet; STOPPED ends a run; ENDLESS is a
 * jump to itself. */
#ifndef TIGHTFIT_AVR_OPS_H
#define TIGHTFIT_AVR_OPS_H

#define AVR_OPS(X) \
    X(DECODE) X(STOPPED) X(ENDLESS) \
    X(ADD) X(ADC) X(SUB) X(SUBI) X(SBC) X(SBCI) X(CP) X(CPC) X(CPI) X(AND) X(ANDI) X(OR) X(ORI) X(EOR) \
    X(COM) X(NEG) X(INC) X(DEC) X(LSR) X(ROR) X(ASR) X(SWAP) X(ADIW) X(SBIW) \
    X(MUL) X(MULS) X(MULSU) X(FMUL) X(FMULS) X(FMULSU) \
    X(MOV) X(MOVW) X(LDI) X(BST) X(BLD) X(BSET) X(BCLR) X(IN) X(OUT) X(SBI) X(CBI) \
    X(LD_X) X(LD_XP) X(LD_MX) X(LD_YP) X(LD_MY) X(LDD_Y) X(LD_ZP) X(LD_MZ) X(LDD_Z) X(LDS) \
    X(ST_X) X(ST_XP) X(ST_MX) X(ST_YP) X(ST_MY) X(STD_Y) X(ST_ZP) X(ST_MZ) X(STD_Z) X(STS) \
    X(PUSH) X(POP) X(LPM) X(LPMP) X(ELPM) X(ELPMP) \
    X(JMP) X(IJMP) X(CALL) X(ICALL) X(RET) X(RETI) \
    X(BRCS) X(BREQ) X(BRMI) X(BRVS) X(BRLT) X(BRHS) X(BRTS) X(BRIE) \
    X(BRCC) X(BRNE) X(BRPL) X(BRVC) X(BRGE) X(BRHC) X(BRTC) X(BRID) \
    X(CPSE) X(SBRC) X(SBRS) X(SBIC) X(SBIS) X(NOP) X(SLEEP) X(BREAK)

enum {
#define X(name) OP_##name,
    AVR_OPS(X)
#undef X
};

#endif
