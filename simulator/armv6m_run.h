/* The ARMv6-M operations, in the middle of the interpreter (sim_run.h); armv6m_run.c has what they are made
 * of. */

    /* arithmetic, logic */
    OP(MOVS) { LOGIC(RM); NEXT(); }
    OP(ADD_R) { ADD(RD, RN, RM); NEXT(); }
    OP(SUB_R) { SUBTRACT(RD, RN, RM); NEXT(); }
    OP(ADD_I) { ADD(RD, RN, i->imm); NEXT(); }
    OP(SUB_I) { SUBTRACT(RD, RN, i->imm); NEXT(); }
    OP(MOV_I) { LOGIC(i->imm); NEXT(); }
    OP(CMP_I) { uint32_t none; SUBTRACT(none, RN, i->imm); (void)none; NEXT(); }
    OP(CMP) { uint32_t none; SUBTRACT(none, RN, RM); (void)none; NEXT(); }
    OP(CMN) { uint32_t none; ADD(none, RN, RM); (void)none; NEXT(); }
    OP(ADC) { SUM(RD, RN, RM, cy); NEXT(); }
    OP(SBC) { SUM(RD, RN, ~RM, cy); NEXT(); }
    OP(RSB) { SUBTRACT(RD, 0, RN); NEXT(); }
    OP(AND) { LOGIC(RN & RM); NEXT(); }
    OP(EOR) { LOGIC(RN ^ RM); NEXT(); }
    OP(ORR) { LOGIC(RN | RM); NEXT(); }
    OP(BIC) { LOGIC(RN & ~RM); NEXT(); }
    OP(MVN) { LOGIC(~RM); NEXT(); }
    OP(TST) { nr = zr = RN & RM; NEXT(); }
    OP(MUL) { LOGIC(RN * RM); NEXT(); }

    /* shifts */
    OP(LSL_I) { const uint32_t x = RM; LOGIC(LEFT(x, i->imm)); NEXT(); }
    OP(LSR_I) {
        const uint32_t x = RM;
        if (i->imm < 32)
            LOGIC(RIGHT(x, i->imm));
        else
            LOGIC((cy = x >> 31, 0u));
        NEXT();
    }
    OP(ASR_I) {
        const uint32_t x = RM;
        if (i->imm < 32)
            LOGIC(RIGHT_SIGNED(x, i->imm));
        else
            LOGIC(ALL_SIGN(x));
        NEXT();
    }
    OP(LSL_R) { SHIFT_BY(LEFT(x_, by_), (cy = x_ & 1, 0u), (cy = 0, 0u)); NEXT(); }
    OP(LSR_R) { SHIFT_BY(RIGHT(x_, by_), (cy = x_ >> 31, 0u), (cy = 0, 0u)); NEXT(); }
    OP(ASR_R) { SHIFT_BY(RIGHT_SIGNED(x_, by_), ALL_SIGN(x_), ALL_SIGN(x_)); NEXT(); }
    OP(ROR_R) { ROTATE(); NEXT(); }

    /* any register, no flags */
    OP(MOV_H) { RD = RM; NEXT(); }
    OP(SET_H) { RD = i->imm; NEXT(); }
    OP(ADD_H) { RD = RN + RM; NEXT(); }
    OP(ADD_HI) { RD = RN + i->imm; NEXT(); }
    OP(MOV_SP) SET_SP(RM);
    OP(ADD_SP_R) SET_SP(r[R_SP] + RM);
    OP(ADD_SP_I) { SHRINK_STACK(i->imm); NEXT(); }
    OP(SUB_SP_I) { GROW_STACK(i->imm); NEXT(); }
    OP(SXTH) { RD = (uint32_t)(int16_t)RM; NEXT(); }
    OP(SXTB) { RD = (uint32_t)(int8_t)RM; NEXT(); }
    OP(UXTH) { RD = RM & 0xFFFF; NEXT(); }
    OP(UXTB) { RD = RM & 0xFF; NEXT(); }
    OP(REV) { RD = __builtin_bswap32(RM); NEXT(); }
    OP(REV16) { const uint32_t x = RM; RD = (x & 0x00FF00FF) << 8 | (x >> 8 & 0x00FF00FF); NEXT(); }
    OP(REVSH) { const uint32_t x = RM; RD = (uint32_t)(int16_t)((x & 0xFF) << 8 | (x >> 8 & 0xFF)); NEXT(); }

    /* memory */
    OP(LDR_L) LOAD32(i->imm);
    OP(LDR_R) LOAD32(RN + RM);
    OP(LDRH_R) LOAD16(RN + RM, uint16_t);
    OP(LDRB_R) LOAD8(RN + RM, uint8_t);
    OP(LDRSH_R) LOAD16(RN + RM, int16_t);
    OP(LDRSB_R) LOAD8(RN + RM, int8_t);
    OP(STR_R) { WRITE32(RN + RM, RD); NEXT(); }
    OP(STRH_R) { WRITE16(RN + RM, RD); NEXT(); }
    OP(STRB_R) { WRITE8(RN + RM, RD); NEXT(); }
    OP(LDR_I) LOAD32(RN + i->imm);
    OP(LDRH_I) LOAD16(RN + i->imm, uint16_t);
    OP(LDRB_I) LOAD8(RN + i->imm, uint8_t);
    OP(STR_I) { WRITE32(RN + i->imm, RD); NEXT(); }
    OP(STRH_I) { WRITE16(RN + i->imm, RD); NEXT(); }
    OP(STRB_I) { WRITE8(RN + i->imm, RD); NEXT(); }

    /* lists: the lowest register at the lowest address */
    OP(PUSH) {
        const uint32_t bytes = 4 * (uint32_t)__builtin_popcount(i->imm);
        GROW_STACK(bytes);
        uint32_t a = r[R_SP];
        EACH(i->imm, WRITE32(a, r[n_]); a += 4;)
        NEXT();
    }
    OP(POP) {
        uint32_t a = r[R_SP], w;
        EACH(i->imm, READ32(w, a); r[n_] = w; a += 4;)
        SHRINK_STACK(a - r[R_SP]);
        NEXT();
    }
    OP(POP_PC) {
        uint32_t a = r[R_SP], w;
        EACH(i->imm, READ32(w, a); r[n_] = w; a += 4;)
        READ32(w, a);
        SHRINK_STACK(a + 4 - r[R_SP]);
        TO_THUMB(w);
        TRACE_RETURN(w & ~1u);
        MIX(w);
        JUMP(w);
    }
    OP(STM) {
        uint32_t a = RN;
        EACH(i->imm, WRITE32(a, r[n_]); a += 4;)
        RN = a;
        NEXT();
    }
    OP(LDM) {               /* the base keeps what is loaded into it */
        uint32_t a = RN, w;
        const int steps = !(i->imm >> i->n & 1);
        EACH(i->imm, READ32(w, a); r[n_] = w; a += 4;)
        if (steps)
            RN = a;
        NEXT();
    }

    /* jumps, calls, returns */
    OP(B) JUMP(i->imm);
    OP(ENDLESS) FAIL(SIM_ENDLESS, PC(i));
    OP(MOV_PC) { const uint32_t to = RM; MIX(to); JUMP(to); }
    OP(ADD_PC) { const uint32_t to = i->imm + RM; MIX(to); JUMP(to); }
    OP(BX) {
        const uint32_t to = RM;
        TO_THUMB(to);
        TRACE_RETURN(to & ~1u);
        MIX(to);
        JUMP(to);
    }
    OP(BLX) {
        const uint32_t to = RM;
        TO_THUMB(to);
        LINK();
        TRACE_CALL(to & ~1u);
        MIX(to);
        JUMP(to);
    }
    OP(BL) { LINK(); TRACE_CALL(i->imm); JUMP(i->imm); }

    OP(BEQ) COND(zr == 0);
    OP(BNE) COND(zr != 0);
    OP(BCS) COND(cy != 0);
    OP(BCC) COND(cy == 0);
    OP(BMI) COND(nr >> 31);
    OP(BPL) COND(!(nr >> 31));
    OP(BVS) COND(vr >> 31);
    OP(BVC) COND(!(vr >> 31));
    OP(BHI) COND(cy && zr);
    OP(BLS) COND(!cy || !zr);
    OP(BGE) COND(!((nr ^ vr) >> 31));
    OP(BLT) COND((nr ^ vr) >> 31);
    OP(BGT) COND(zr && !((nr ^ vr) >> 31));
    OP(BLE) COND(!zr || (nr ^ vr) >> 31);

    /* control */
    OP(CPSIE) { armv6m_set_primask(c, 0); NEXT(); }
    OP(CPSID) { armv6m_set_primask(c, 1); NEXT(); }
    OP(MRS) { SYNC(); RD = armv6m_read_special(c, i->imm); NEXT_AFTER(2); }
    OP(MSR) {
        SYNC();
        if (armv6m_write_special(c, i->imm, RN) < 0)
            goto fault;
        RELOAD();
        NEXT_AFTER(2);
    }
    OP(NOP) NEXT_AFTER(i->length);
    OP(WAIT_FOR) FAIL(SIM_HALT, PC(i));
    OP(TRAP) FAIL(SIM_BRK, PC(i));
