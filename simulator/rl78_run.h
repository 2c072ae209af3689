/* The RL78 operations, in the middle of the interpreter (sim_run.h); rl78_run.c has what they are made of. */

    /* 8-bit transfer */
    OP(LDI_R) { r[i->reg] = i->arg; NEXT(); }
    OP(MOV_A_R) { A_ = r[i->reg]; NEXT(); }
    OP(MOV_R_A) { r[i->reg] = A_; NEXT(); }
    OP(LD_R_ABS) { uint8_t v; READ8(v, EA_ABS); r[i->reg] = v; NEXT(); }
    LD(DE) LD(HL) LD(HLB) LD(HLC) LD(B) LD(C) LD(BC) LD(SP)
    ST(ABS) ST(DE) ST(HL) ST(HLB) ST(HLC) ST(B) ST(C) ST(BC) ST(SP)
    STI(ABS) STI(DE) STI(HL) STI(B) STI(C) STI(BC) STI(SP)
    OP(MOV_ES_ABS) {
        uint8_t v;
        READ8(v, EA_ABS);
        c->es = v & 15;
        segment[1] = (uint32_t)c->es << 16;
        NEXT();
    }
    OP(XCH_A_R) { uint8_t v = r[i->reg]; r[i->reg] = A_; A_ = v; NEXT(); }
    XCH(ABS) XCH(DE) XCH(HL) XCH(HLB) XCH(HLC)
    OP(MOVS_HL) { WRITE8(EA_HL, X_); zr = X_; cy = A_ == 0 || X_ == 0; NEXT(); }

    /* 16-bit transfer */
    OP(LDWI_RP) { store16(r + i->reg, i->imm); NEXT(); }
    OP(STWI_ABS) { WRITE16(EA_ABS, i->disp); NEXT(); }
    OP(MOVW_AX_RP) { store16(r, load16(r + i->reg)); NEXT(); }
    OP(MOVW_RP_AX) { store16(r + i->reg, AX); NEXT(); }
    OP(XCHW_RP) { uint32_t v = load16(r + i->reg); store16(r + i->reg, AX); store16(r, v); NEXT(); }
    OP(LDW_RP_ABS) { uint16_t v; READ16(v, EA_ABS); store16(r + i->reg, v); NEXT(); }
    LDW(DE) LDW(HL) LDW(B) LDW(C) LDW(BC) LDW(SP)
    STW(ABS) STW(DE) STW(HL) STW(B) STW(C) STW(BC) STW(SP)

    /* 8-bit and 16-bit operation */
    ALU(ADD) ALU(ADDC) ALU(SUB) ALU(SUBC) ALU(AND) ALU(OR) ALU(XOR) ALU(CMP)
    ALU_STORE(ADD) ALU_STORE(ADDC) ALU_STORE(SUB) ALU_STORE(SUBC) ALU_STORE(AND) ALU_STORE(OR) ALU_STORE(XOR)
    OP(CMP_ABSI) { uint8_t v; READ8(v, EA_ABS); DO_CMP(v, v, i->arg); NEXT(); }
    OP(CMP0_R) { zr = r[i->reg]; cy = 0; acx = 0; NEXT(); }
    OP(CMPS_HL) { uint8_t v; READ8(v, EA_HL); DO_CMP(v, X_, v); NEXT(); }
    ALUW(ADDW, ADD16, TO_AX)
    ALUW(SUBW, SUB16, TO_AX)
    ALUW(CMPW, SUB16, TO_NONE)

    /* multiply, divide: division by zero gives all ones and leaves the dividend as rest (as GNU sim) */
    OP(MULU) { store16(r, (uint32_t)A_ * X_); NEXT(); }
    OP(MULHU) { uint32_t v = AX * BC; store16(r, v); store16(r + 2, v >> 16); NEXT(); }
    OP(MULH) {
        uint32_t v = (uint32_t)((int32_t)(int16_t)AX * (int16_t)BC);
        store16(r, v);
        store16(r + 2, v >> 16);
        NEXT();
    }
    OP(DIVHU) {
        uint32_t n = AX, d = DE;
        store16(r, d ? n / d : 0xFFFF);
        store16(r + 4, d ? n % d : n);
        NEXT();
    }
    OP(DIVWU) {
        uint32_t n = AX | BC << 16, d = DE | HL << 16;
        uint32_t q = d ? n / d : 0xFFFFFFFF, rest = d ? n % d : n;
        store16(r, q);
        store16(r + 2, q >> 16);
        store16(r + 4, rest);
        store16(r + 6, rest >> 16);
        NEXT();
    }
    OP(MACHU) {
        uint64_t v = (uint64_t)(load16(mem + MACRL) | load16(mem + MACRL + 2) << 16) + (uint64_t)AX * BC;
        store16(mem + MACRL, (uint32_t)v);
        store16(mem + MACRL + 2, (uint32_t)v >> 16);
        cy = v >> 32 & 1;
        acx = 0;
        NEXT();
    }
    OP(MACH) {
        int64_t v = (int32_t)(load16(mem + MACRL) | load16(mem + MACRL + 2) << 16);
        v += (int32_t)(int16_t)AX * (int16_t)BC;
        store16(mem + MACRL, (uint32_t)v);
        store16(mem + MACRL + 2, (uint32_t)v >> 16);
        cy = v != (int32_t)v;
        acx = (uint32_t)v >> 31 << 4;
        NEXT();
    }

    INC_DEC(INC, 1)
    INC_DEC(DEC, -1)

    /* shift, rotate */
    OP(SHR) { cy = (unsigned)A_ >> (i->arg - 1) & 1; A_ = (uint8_t)(A_ >> i->arg); NEXT(); }
    OP(SAR) { cy = (unsigned)A_ >> (i->arg - 1) & 1; A_ = (uint8_t)((int8_t)A_ >> i->arg); NEXT(); }
    OP(SHL_R) {
        unsigned v = (unsigned)r[i->reg] << i->arg;
        cy = v >> 8 & 1;
        r[i->reg] = (uint8_t)v;
        NEXT();
    }
    OP(SHRW) { uint32_t v = AX; cy = v >> (i->arg - 1) & 1; store16(r, v >> i->arg); NEXT(); }
    OP(SARW) {
        int16_t v = (int16_t)AX;
        cy = (uint32_t)v >> (i->arg - 1) & 1;
        store16(r, (uint32_t)(v >> i->arg));
        NEXT();
    }
    OP(SHLW_RP) {
        uint32_t v = load16(r + i->reg) << i->arg;
        cy = v >> 16 & 1;
        store16(r + i->reg, v);
        NEXT();
    }
    OP(ROR) { cy = A_ & 1; A_ = (uint8_t)(A_ >> 1 | cy << 7); NEXT(); }
    OP(ROL) { cy = A_ >> 7; A_ = (uint8_t)(A_ << 1 | cy); NEXT(); }
    OP(RORC) { unsigned v = A_; A_ = (uint8_t)(v >> 1 | cy << 7); cy = v & 1; NEXT(); }
    OP(ROLC) { unsigned v = A_; A_ = (uint8_t)(v << 1 | cy); cy = v >> 7; NEXT(); }
    OP(ROLWC_RP) { uint32_t v = load16(r + i->reg); store16(r + i->reg, v << 1 | cy); cy = v >> 15; NEXT(); }

    /* bits */
    BIT_READ(MOV1C, cy = b)
    BIT_READ(AND1, cy &= b)
    BIT_READ(OR1, cy |= b)
    BIT_READ(XOR1, cy ^= b)
    BIT_WRITE(MOV1B, CLEAR_BIT; v = (uint8_t)(v | cy << i->arg))
    BIT_WRITE(SET1, SET_BIT)
    BIT_WRITE(CLR1, CLEAR_BIT)
    OP(SET1_CY) { cy = 1; NEXT(); }
    OP(CLR1_CY) { cy = 0; NEXT(); }
    OP(NOT1_CY) { cy ^= 1; NEXT(); }

    /* call, return, stack */
    OP(CALL) CALL_TO(i->imm | (uint32_t)i->arg << 16);
    OP(CALL_RP) {
        uint32_t to = load16(r + i->reg) | (uint32_t)c->cs << 16;
        MIX(to);
        CALL_TO(to);
    }
    OP(CALLT) {
        uint32_t entry = CALLT_TABLE + ((i->arg & 3u) << 4 | (i->arg >> 4 & 7u) << 1);
        CALL_TO(load16(mem + entry));
    }
    OP(RET) {
        uint16_t v;
        uint8_t top;
        READ16(v, STACK(0));
        READ8(top, STACK(2));
        TRACE_RETURN(v | (uint32_t)(top & 15) << 16);
        SHRINK_STACK(4);
        MIX(v | (uint32_t)(top & 15) << 16);
        JUMP(v | (uint32_t)(top & 15) << 16);
    }
    OP(RETI) {
        uint16_t v;
        uint8_t top, psw;
        READ16(v, STACK(0));
        READ8(top, STACK(2));
        READ8(psw, STACK(3));
        TRACE_RETURN(v | (uint32_t)(top & 15) << 16);
        SHRINK_STACK(4);
        SYNC();
        rl78_set_psw(c, psw);
        RELOAD();
        MIX(v | (uint32_t)(top & 15) << 16);
        JUMP(v | (uint32_t)(top & 15) << 16);
    }
    OP(PUSH_RP) { GROW_STACK(2); WRITE16(STACK(0), load16(r + i->reg)); NEXT(); }
    OP(POP_RP) { uint16_t v; READ16(v, STACK(0)); SHRINK_STACK(2); store16(r + i->reg, v); NEXT(); }
    OP(PUSH_PSW) {
        SYNC();
        uint32_t v = (uint32_t)rl78_psw(c) << 8;
        GROW_STACK(2);
        WRITE16(STACK(0), v);
        NEXT();
    }
    OP(POP_PSW) {
        uint16_t v;
        READ16(v, STACK(0));
        SHRINK_STACK(2);
        SYNC();
        rl78_set_psw(c, (uint8_t)(v >> 8));
        RELOAD();
        NEXT();
    }
    OP(ADDW_SP) { SET_SP(sp + (uint32_t)i->arg); NEXT(); }
    OP(SUBW_SP) { SET_SP(sp - (uint32_t)i->arg); NEXT(); }

    /* branch, skip */
    OP(BR) JUMP(i->imm | (uint32_t)i->arg << 16);
    OP(ENDLESS) FAIL(SIM_ENDLESS, PC(i));
    OP(BR_AX) { uint32_t to = AX | (uint32_t)c->cs << 16; MIX(to); JUMP(to); }
    OP(BC) COND(cy != 0);
    OP(BNC) COND(cy == 0);
    OP(BZ) COND(zr == 0);
    OP(BNZ) COND(zr != 0);
    OP(BH) COND(zr != 0 && cy == 0);
    OP(BNH) COND(zr == 0 || cy != 0);
    BIT_BRANCH(BT, 1)
    BIT_BRANCH(BF, 0)
    OP(BTCLR_A) { unsigned set = BIT(A_); A_ = (uint8_t)(A_ & ~(1u << i->arg)); COND_BIT(set); }
    BIT_BRANCH_CLEAR(ABS)
    BIT_BRANCH_CLEAR(HL)
    OP(SKC) SKIP(cy != 0);
    OP(SKNC) SKIP(cy == 0);
    OP(SKZ) SKIP(zr == 0);
    OP(SKNZ) SKIP(zr != 0);
    OP(SKH) SKIP(zr != 0 && cy == 0);
    OP(SKNH) SKIP(zr == 0 || cy != 0);

    /* control */
    OP(SEL) {
        SYNC();
        rl78_set_psw(c, (uint8_t)((rl78_psw(c) & ~(PSW_RBS0 | PSW_RBS1)) | (i->arg & 1 ? PSW_RBS0 : 0)
                                  | (i->arg & 2 ? PSW_RBS1 : 0)));
        RELOAD();
        NEXT();
    }
    OP(NOP) NEXT();
    OP(HALT) FAIL(SIM_HALT, PC(i));
    OP(STOP) FAIL(SIM_STOP, PC(i));
    OP(BRK) FAIL(SIM_BRK, PC(i));
