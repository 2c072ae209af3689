/* The MSP430 operations, in the middle of the interpreter (sim_run.h); msp430_run.c has what they are made
 * of. */

L_STATUS:
    SYNC();
    r[R_STATUS] = msp430_sr(c);
    DISPATCH_TO(i->second);

    DOUBLE(MOV, MOVE)
    DOUBLE(ADD, CHANGE)
    DOUBLE(ADDC, CHANGE)
    DOUBLE(SUBC, CHANGE)
    DOUBLE(SUB, CHANGE)
    DOUBLE(CMP, COMPARE)
    DOUBLE(DADD, CHANGE)
    DOUBLE(BIT, COMPARE)
    DOUBLE(BIC, CHANGE)
    DOUBLE(BIS, CHANGE)
    DOUBLE(XOR, CHANGE)
    DOUBLE(AND, CHANGE)

    FROM_ALL(, TAKE, W)
    FROM_ALL(, TAKE, B)
    OP(TAKE_STATUS) { SYNC(); operand = msp430_sr(c) & i->imm; DISPATCH_TO(i->second); }
    FROM_ALL(, SPECIAL, W)
    FROM_ALL(, SPECIAL, B)
    OPERATE(W)
    OPERATE(B)

    SINGLE(RRC, W)
    SINGLE(RRC, B)
    SINGLE(SWPB, W)
    SINGLE(RRA, W)
    SINGLE(RRA, B)
    SINGLE(SXT, W)

    PUSH(W, N) PUSH(W, R) PUSH(W, X) PUSH(W, I) PUSH(W, P)
    PUSH(B, N) PUSH(B, R) PUSH(B, X) PUSH(B, I) PUSH(B, P)

    OP(CALL_N) CALL_TO(i->imm);
    CALL_COMPUTED(R)
    CALL_COMPUTED(X)
    CALL_COMPUTED(I)
    CALL_COMPUTED(P)
    OP(RET) {
        uint32_t to;
        READ_W(to, r[R_SP]);
        TRACE_RETURN(to);
        SHRINK_STACK(2);
        MIX(to);
        JUMP(to);
    }
    OP(RETI) {
        uint32_t sr, to;
        READ_W(sr, r[R_SP]);
        READ_W(to, (r[R_SP] + 2) & REGISTER);
        SHRINK_STACK(2);
        TRACE_RETURN(to);
        SHRINK_STACK(2);
        to |= (sr & 0xF000) << 4 & REGISTER;
        msp430_set_sr(c, EXTENDED ? sr & 0xFFF : sr);
        RELOAD();
        if (sr & SR_CPUOFF)
            FAIL(SIM_HALT, PC(i));
        MIX(to);
        JUMP(to);
    }

    OP(BR) JUMP(i->imm);
    OP(ENDLESS) FAIL(SIM_ENDLESS, PC(i));
    OP(JMP) JUMP(i->imm);
    OP(JNE) COND(zr != 0);
    OP(JEQ) COND(zr == 0);
    OP(JNC) COND(cy == 0);
    OP(JC) COND(cy != 0);
    OP(JN) COND(nr & 0x8000);
    OP(JGE) COND(!LESS);
    OP(JL) COND(LESS);

#if EXTENDED
    MOVA(N) MOVA(R) MOVA(X) MOVA(I) MOVA(P)
    OP(MOVA_STORE) { WRITE_A(INDEXED(i->dst, i->disp), r[i->src]); NEXT(); }
    ADDRESS_ALU(N)
    ADDRESS_ALU(R)
    SHIFTS_BITS(A, 20)
    SHIFTS_BITS(W, 16)
    OP(CALLA_N) CALLA_TO(i->imm);
    CALLA_COMPUTED(R)
    CALLA_COMPUTED(X)
    CALLA_COMPUTED(I)
    CALLA_COMPUTED(P)
    OP(RETA) {
        uint32_t to;
        READ_A(to, r[R_SP]);
        TRACE_RETURN(to);
        SHRINK_STACK(4);
        MIX(to);
        JUMP(to);
    }
    TAKE(, W, L)
    TAKE(, B, L)
    TAKE_ADDRESS(N) TAKE_ADDRESS(R) TAKE_ADDRESS(L) TAKE_ADDRESS(I) TAKE_ADDRESS(P)
    LONG(W)
    LONG(B)
    LONG(A)
    OPERATE(A)
    REPEAT(W)
    REPEAT(B)
    REPEAT(A)
    SHIFT(W)
    SHIFT(B)
    SHIFT(A)
    SHIFT_MEMORY(W, L, LONG_INDEXED(i->src, i->imm), (void)0)
    SHIFT_MEMORY(B, L, LONG_INDEXED(i->src, i->imm), (void)0)
    SHIFT_MEMORY(A, L, LONG_INDEXED(i->src, i->imm), (void)0)
    SHIFT_MEMORY(A, I, r[i->src], (void)0)
    SHIFT_MEMORY(A, P, r[i->src], STEP_ADDRESS())
    PUSH(W, L)
    PUSH(B, L)
    PUSH_ADDRESS(N) PUSH_ADDRESS(R) PUSH_ADDRESS(L) PUSH_ADDRESS(I) PUSH_ADDRESS(P)
    PUSH_MANY(A, 4)
    PUSH_MANY(W, 2)
    POP_MANY(A, 4)
    POP_MANY(W, 2)
#endif

write_special:
    switch (i->dst) {
    case R_PC:
        MIX(result);
        JUMP(result);
    case R_SP:
        if (msp430_set_sp(c, result) < 0)
            goto fault;
        NEXT();
    case R_SR:
        msp430_set_sr(c, result);
        RELOAD();
        if (result & SR_CPUOFF)
            FAIL(SIM_HALT, PC(i));
        NEXT();
    default:
        NEXT();
    }
