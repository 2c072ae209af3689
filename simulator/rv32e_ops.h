/* Operations of the RISC-V interpreter. DECODE is zero: an address not decoded yet; STOPPED ends a run; ENDLESS is
 * a jump to itself; TO_SP is any operation whose result goes to the stack pointer. J, JR and RET keep no return
 * address. */
#ifndef TIGHTFIT_RV32E_OPS_H
#define TIGHTFIT_RV32E_OPS_H

/* Operations that make one value of A and B, which are rs1 and rs2, and of IMM. The first have a form of 16 bits,
 * too. */
#define RV32E_COMMON(X) \
    X(ADDI, A + IMM) \
    X(ANDI, A & IMM) \
    X(SLLI, A << IMM) \
    X(SRLI, A >> IMM) \
    X(SRAI, SHIFTED_SIGNED(A, IMM)) \
    X(LUI, IMM) \
    X(ADD, A + B) \
    X(SUB, A - B) \
    X(XOR, A ^ B) \
    X(OR, A | B) \
    X(AND, A & B)

#define RV32E_LONG(X) \
    X(SLTI, (int32_t)A < (int32_t)IMM) \
    X(SLTIU, A < IMM) \
    X(XORI, A ^ IMM) \
    X(ORI, A | IMM) \
    X(SLL, A << (B & 31)) \
    X(SLT, (int32_t)A < (int32_t)B) \
    X(SLTU, A < B) \
    X(SRL, A >> (B & 31)) \
    X(SRA, SHIFTED_SIGNED(A, B & 31)) \
    X(MUL, A * B) \
    X(MULH, (uint32_t)((uint64_t)((int64_t)(int32_t)A * (int32_t)B) >> 32)) \
    X(MULHSU, (uint32_t)((uint64_t)((int64_t)(int32_t)A * (int64_t)B) >> 32)) \
    X(MULHU, (uint32_t)((uint64_t)A * B >> 32))

/* Those of divisions, of which one by zero takes less; that of the least number by -1 overflows. */
#define RV32E_DIVISIONS(X) \
    X(DIV, B == 0 ? UINT32_MAX : OVERFLOWS ? A : (uint32_t)((int32_t)A / (int32_t)B)) \
    X(DIVU, B == 0 ? UINT32_MAX : A / B) \
    X(REM, B == 0 ? A : OVERFLOWS ? 0 : (uint32_t)((int32_t)A % (int32_t)B)) \
    X(REMU, B == 0 ? A : A % B)

/* Loads: of how many bits, and of what type. */
#define RV32E_LOADS(X) X(LB, 8, int8_t) X(LH, 16, int16_t) X(LW, 32, uint32_t) X(LBU, 8, uint8_t) X(LHU, 16, uint16_t)

/* Operations on mstatus, whose value before is the result: what they leave there. */
#define RV32E_STATUS(X) \
    X(CSRRW, A) X(CSRRS, STATUS | A) X(CSRRC, STATUS & ~A) \
    X(CSRRWI, IMM) X(CSRRSI, STATUS | IMM) X(CSRRCI, STATUS & ~IMM)

/* Of those with two lengths, C_ADDI to C_BNE are of 16 bits, in the same order. */
#define RV32E_TWICE(X, C) \
    X(C##ADDI) X(C##ANDI) X(C##SLLI) X(C##SRLI) X(C##SRAI) X(C##LUI) \
    X(C##ADD) X(C##SUB) X(C##XOR) X(C##OR) X(C##AND) X(C##LW) X(C##SW) X(C##BEQ) X(C##BNE)

#define RV32E_OPS(X) \
    X(DECODE) X(STOPPED) X(ENDLESS) X(TO_SP) RV32E_TWICE(X, C_) RV32E_TWICE(X, ) \
    X(SLTI) X(SLTIU) X(XORI) X(ORI) X(SLL) X(SLT) X(SLTU) X(SRL) X(SRA) X(MUL) X(MULH) X(MULHSU) X(MULHU) \
    X(DIV) X(DIVU) X(REM) X(REMU) X(LB) X(LH) X(LBU) X(LHU) X(SB) X(SH) \
    X(JAL) X(JALR) X(J) X(JR) X(RET) X(BLT) X(BGE) X(BLTU) X(BGEU) \
    X(CSRRW) X(CSRRS) X(CSRRC) X(CSRRWI) X(CSRRSI) X(CSRRCI) X(FENCE) X(ECALL) X(EBREAK)

enum {
#define X(name) OP_##name,
    RV32E_OPS(X)
#undef X
};

#endif
