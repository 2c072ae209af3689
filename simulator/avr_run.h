/* The AVR operations, in the middle of the interpreter (sim_run.h); avr_run.c has what they are made of. */

    /* arithmetic, logic, shifts */
    OP(ADD) { ADD8(RD, RD, RR, 0); NEXT(); }
    OP(ADC) { ADD8(RD, RD, RR, cy); NEXT(); }
    OP(SUB) { SUB8(RD, RD, RR); NEXT(); }
    OP(SUBI) { SUB8(RD, RD, i->imm); NEXT(); }
    OP(SBC) { SBC8(RD, RD, RR); NEXT(); }
    OP(SBCI) { SBC8(RD, RD, i->imm); NEXT(); }
    OP(CP) { CP8(RD, RR); NEXT(); }
    OP(CPC) { CPC8(RD, RR); NEXT(); }
    OP(CPI) { CP8(RD, i->imm); NEXT(); }
    OP(AND) { LOGIC(RD, RD & RR); NEXT(); }
    OP(ANDI) { LOGIC(RD, RD & i->imm); NEXT(); }
    OP(OR) { LOGIC(RD, RD | RR); NEXT(); }
    OP(ORI) { LOGIC(RD, RD | i->imm); NEXT(); }
    OP(EOR) { LOGIC(RD, RD ^ RR); NEXT(); }
    OP(COM) { LOGIC(RD, ~RD); cy = 1; NEXT(); }
    OP(NEG) { SUB8(RD, 0, RD); NEXT(); }
    OP(INC) { STEP(x_ + 1, ~x_ & s_); NEXT(); }
    OP(DEC) { STEP(x_ - 1, x_ & ~s_); NEXT(); }
    OP(LSR) { SHIFT(RD, 0); NEXT(); }
    OP(ROR) { SHIFT(RD, cy << 7); NEXT(); }
    OP(ASR) { SHIFT(RD, x_ & 0x80); NEXT(); }
    OP(SWAP) { RD = (uint8_t)(RD << 4 | RD >> 4); NEXT(); }
    OP(ADIW) { WORD(x_ + i->imm, ~x_ & s_, x_ & ~s_); NEXT(); }
    OP(SBIW) { WORD(x_ - i->imm, x_ & ~s_, ~x_ & s_); NEXT(); }

    /* products go to r1:r0 */
    OP(MUL) { PRODUCT((uint32_t)RD * RR, 0); NEXT(); }
    OP(MULS) { PRODUCT((int8_t)RD * (int8_t)RR, 0); NEXT(); }
    OP(MULSU) { PRODUCT((int8_t)RD * RR, 0); NEXT(); }
    OP(FMUL) { PRODUCT((uint32_t)RD * RR, 1); NEXT(); }
    OP(FMULS) { PRODUCT((int8_t)RD * (int8_t)RR, 1); NEXT(); }
    OP(FMULSU) { PRODUCT((int8_t)RD * RR, 1); NEXT(); }

    /* transfer, bits */
    OP(MOV) { RD = RR; NEXT(); }
    OP(MOVW) { store16(&RD, load16(&RR)); NEXT(); }
    OP(LDI) { RD = (uint8_t)i->imm; NEXT(); }
    OP(BST) { it = (it & SREG_I) | (RD >> i->r & 1u) << 6; NEXT(); }
    OP(BLD) { RD = (uint8_t)((RD & ~(1u << i->r)) | (it >> 6 & 1) << i->r); NEXT(); }
    OP(BSET) { SYNC(); avr_set_sreg(c, (uint8_t)(avr_sreg(c) | 1u << i->r)); RELOAD(); NEXT(); }
    OP(BCLR) { SYNC(); avr_set_sreg(c, (uint8_t)(avr_sreg(c) & ~(1u << i->r))); RELOAD(); NEXT(); }
    OP(IN) { uint8_t value; READ8(value, DATA | i->imm); RD = value; NEXT(); }
    OP(OUT) { WRITE8(DATA | i->imm, RD); NEXT(); }
    OP(SBI) { uint8_t b; READ8(b, DATA | i->imm); WRITE8(DATA | i->imm, b | 1u << i->r); NEXT(); }
    OP(CBI) { uint8_t b; READ8(b, DATA | i->imm); WRITE8(DATA | i->imm, b & ~(1u << i->r)); NEXT(); }

    LOAD(LD_X, XL, 0, 0, 0) LOAD(LD_XP, XL, 0, 0, 1) LOAD(LD_MX, XL, 1, 0, 0)
    LOAD(LDD_Y, YL, 0, i->imm, 0) LOAD(LD_YP, YL, 0, 0, 1) LOAD(LD_MY, YL, 1, 0, 0)
    LOAD(LDD_Z, ZL, 0, i->imm, 0) LOAD(LD_ZP, ZL, 0, 0, 1) LOAD(LD_MZ, ZL, 1, 0, 0)
    STORE(ST_X, XL, 0, 0, 0) STORE(ST_XP, XL, 0, 0, 1) STORE(ST_MX, XL, 1, 0, 0)
    STORE(STD_Y, YL, 0, i->imm, 0) STORE(ST_YP, YL, 0, 0, 1) STORE(ST_MY, YL, 1, 0, 0)
    STORE(STD_Z, ZL, 0, i->imm, 0) STORE(ST_ZP, ZL, 0, 0, 1) STORE(ST_MZ, ZL, 1, 0, 0)
    OP(LDS) { uint8_t value; READ8(value, DATA | i->imm); RD = value; NEXT_AFTER(2); }
    OP(STS) { WRITE8(DATA | i->imm, RD); NEXT_AFTER(2); }
    OP(PUSH) { uint8_t value = RD; USE_SP(); GROW_STACK(1); WRITE8(AT(sp + 1u), value); NEXT(); }
    OP(POP) { uint8_t value; USE_SP(); READ8(value, AT(sp + 1u)); SHRINK_STACK(1); RD = value; NEXT(); }
    OP(LPM) { READ_FLASH(RD, Z_); NEXT(); }
    OP(LPMP) { uint32_t z = Z_; READ_FLASH(RD, z); store16(r + ZL, z + 1); NEXT(); }
    OP(ELPM) { READ_FLASH(RD, (uint32_t)RAMPZ_ << 16 | Z_); NEXT(); }
    OP(ELPMP) {
        uint32_t z = (uint32_t)RAMPZ_ << 16 | Z_;
        READ_FLASH(RD, z);
        store16(r + ZL, z + 1);
        RAMPZ_ = (uint8_t)((z + 1) >> 16);
        NEXT();
    }

    /* jump, call, return */
    OP(JMP) JUMP(2 * (i->imm | (uint32_t)i->d << 16));
    OP(ENDLESS) FAIL(SIM_ENDLESS, PC(i));
    OP(IJMP) { uint32_t to = Z_; MIX(to); JUMP(2 * to); }
    OP(CALL) CALL_TO(2 * (i->imm | (uint32_t)i->d << 16));
    OP(ICALL) { uint32_t to = Z_; MIX(to); CALL_TO(2 * to); }
    OP(RET) RETURN((void)0);
    OP(RETI) RETURN(it |= SREG_I);

    /* branch, skip */
    OP(BRCS) COND(cy != 0);
    OP(BRCC) COND(cy == 0);
    OP(BREQ) COND(zr == 0);
    OP(BRNE) COND(zr != 0);
    OP(BRMI) COND((n & 0x80) != 0);
    OP(BRPL) COND((n & 0x80) == 0);
    OP(BRVS) COND((v & 0x80) != 0);
    OP(BRVC) COND((v & 0x80) == 0);
    OP(BRLT) COND((s & 0x80) != 0);
    OP(BRGE) COND((s & 0x80) == 0);
    OP(BRHS) COND((h & 0x10) != 0);
    OP(BRHC) COND((h & 0x10) == 0);
    OP(BRTS) COND((it & SREG_T) != 0);
    OP(BRTC) COND((it & SREG_T) == 0);
    OP(BRIE) COND((it & SREG_I) != 0);
    OP(BRID) COND((it & SREG_I) == 0);
    OP(CPSE) SKIP(RD == RR);
    OP(SBRC) SKIP((RD >> i->r & 1) == 0);
    OP(SBRS) SKIP((RD >> i->r & 1) != 0);
    OP(SBIC) { uint8_t b; READ8(b, DATA | i->imm); SKIP((b >> i->r & 1) == 0); }
    OP(SBIS) { uint8_t b; READ8(b, DATA | i->imm); SKIP((b >> i->r & 1) != 0); }

    /* control */
    OP(NOP) NEXT();
    OP(SLEEP) FAIL(SIM_HALT, PC(i));
    OP(BREAK) FAIL(SIM_BRK, PC(i));
