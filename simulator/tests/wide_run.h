/* The operations of the core for tests, in the middle of the interpreter (sim_run.h). */

    OP(SET) { r[i->a] = i->imm; NEXT(); }
    OP(SET_HIGH) { r[i->a] = (r[i->a] & 0xFFFF) | (uint32_t)i->imm << 16; NEXT(); }
    OP(ADD) { r[i->a] += r[i->b]; NEXT(); }
    OP(LOAD) { READ32(r[i->a], r[i->b] + i->offset); NEXT(); }
    OP(STORE) { WRITE32(r[i->b] + i->offset, r[i->a]); NEXT(); }
    OP(PUSH) { GROW_STACK(4); WRITE32(r[WIDE_SP], r[i->a]); NEXT(); }
    OP(POP) { READ32(r[i->a], r[WIDE_SP]); SHRINK_STACK(4); NEXT(); }
    OP(CALL) {
        const uint32_t to = PC(i) + 4 * (uint32_t)(int16_t)i->imm;
        r[WIDE_RA] = AFTER(i);
        TRACE_CALL(to);
        JUMP(to);
    }
    OP(JUMP_TO) { MIX(r[i->a]); JUMP(r[i->a]); }
    OP(RETURN) { TRACE_RETURN(r[i->a]); MIX(r[i->a]); JUMP(r[i->a]); }
