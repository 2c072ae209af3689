/* The RISC-V operations, in the middle of the interpreter (sim_run.h); rv32e_run.c has what they are made of. */

#define X(name, value) \
    OP(name) { r[i->d] = (value); NEXT_AFTER(2); } \
    OP(C_##name) { r[i->d] = (value); NEXT_AFTER(1); }
    RV32E_COMMON(X)
#undef X
#define X(name, value) OP(name) { r[i->d] = (value); NEXT_AFTER(2); }
    RV32E_LONG(X)
#undef X
#define X(name, value) OP(name) { DIVISION_CLOCKS(); r[i->d] = (value); NEXT_AFTER(2); }
    RV32E_DIVISIONS(X)
#undef X
#define X(name, bits, type) OP(name) { type v; READ##bits(v, A + IMM); r[i->d] = (uint32_t)v; NEXT_AFTER(2); }
    RV32E_LOADS(X)
#undef X
    OP(C_LW) { uint32_t v; READ32(v, A + IMM); r[i->d] = v; NEXT_AFTER(1); }
    OP(SB) { WRITE8(A + IMM, B); NEXT_AFTER(2); }
    OP(SH) { WRITE16(A + IMM, B); NEXT_AFTER(2); }
    OP(SW) { WRITE32(A + IMM, B); NEXT_AFTER(2); }
    OP(C_SW) { WRITE32(A + IMM, B); NEXT_AFTER(1); }

    /* jump, branch */
    OP(J) { WAIT_AT(IMM); JUMP(IMM); }
    OP(ENDLESS) FAIL(SIM_ENDLESS, PC(i));
    OP(JAL) {
        r[i->d] = AFTER(i);
        WAIT_AT(IMM);
        if (rv32e_links(i->d)) TRACE_CALL(IMM);
        JUMP(IMM);
    }
    OP(JALR) {
        const uint32_t to = COMPUTED;
        r[i->d] = AFTER(i);
        GO_COMPUTED(to);
        if (rv32e_links(i->d)) TRACE_CALL(to);
        JUMP(to);
    }
    OP(JR) { const uint32_t to = COMPUTED; GO_COMPUTED(to); JUMP(to); }
    OP(RET) { const uint32_t to = COMPUTED; GO_COMPUTED(to); TRACE_RETURN(to); JUMP(to); }
    OP(BEQ) BRANCH_IF(A == B, 2);
    OP(C_BEQ) BRANCH_IF(A == B, 1);
    OP(BNE) BRANCH_IF(A != B, 2);
    OP(C_BNE) BRANCH_IF(A != B, 1);
    OP(BLT) BRANCH_IF((int32_t)A < (int32_t)B, 2);
    OP(BGE) BRANCH_IF((int32_t)A >= (int32_t)B, 2);
    OP(BLTU) BRANCH_IF(A < B, 2);
    OP(BGEU) BRANCH_IF(A >= B, 2);

    /* control */
#define X(name, value) \
    OP(name) { const uint32_t before = STATUS; rv32e_set_status(c, value); r[i->d] = before; NEXT_AFTER(2); }
    RV32E_STATUS(X)
#undef X
    OP(FENCE) NEXT_AFTER(2);
    OP(ECALL) FAIL(SIM_HALT, PC(i));
    OP(EBREAK) FAIL(SIM_BRK, PC(i));

    /* every move of the stack is checked */
    OP(TO_SP) {
        uint32_t result, to = AFTER(i);
        switch (i->second) {
#define X(name, value) case OP_##name: result = (value); break;
        RV32E_COMMON(X)
        RV32E_LONG(X)
#undef X
#define X(name, value) case OP_##name: DIVISION_CLOCKS(); result = (value); break;
        RV32E_DIVISIONS(X)
#undef X
#define X(name, bits, type) case OP_##name: { type v; READ##bits(v, A + IMM); result = (uint32_t)v; break; }
        RV32E_LOADS(X)
#undef X
#define X(name, value) case OP_##name: result = STATUS; rv32e_set_status(c, value); break;
        RV32E_STATUS(X)
#undef X
        case OP_JAL:
            result = to;
            to = IMM;
            WAIT_AT(to);
            break;
        default:            /* JALR */
            result = to;
            to = COMPUTED;
            GO_COMPUTED(to);
        }
        r[R_SP] = result;
        if (UNLIKELY(sim_set_stack_pointer(sim, result, result) < 0)) goto fault;
        JUMP(to);
    }
