# Table look-ups in flash, xors and doublings of a 16-byte state, a subroutine, loops.
        .text
        .global _start
_start: li      sp, 0x20000800
        li      a0, 0x20000200
        li      a1, 18
fill:   sb      a1, 0(a0)
        addi    a0, a0, 1
        addi    a1, a1, -1
        bnez    a1, fill
        li      a2, ROUNDS
        lui     a5, %hi(table)
        addi    a5, a5, %lo(table)
round:  li      a0, 0x20000200
        li      a1, 16
byte:   lbu     a3, 0(a0)
        add     a4, a5, a3
        lbu     a4, 0(a4)
        lbu     t0, 1(a0)
        xor     a4, a4, t0
        jal     double
        xor     a4, a4, a3
        sb      a4, 0(a0)
        addi    a0, a0, 1
        addi    a1, a1, -1
        bnez    a1, byte
        addi    sp, sp, -4
        sw      a4, 0(sp)
        lw      a4, 0(sp)
        addi    sp, sp, 4
        addi    a2, a2, -1
        bnez    a2, round
done:   ebreak
double: slli    a4, a4, 1
        andi    t0, a4, 0x100
        beqz    t0, reduced
        xori    a4, a4, 0x11b
reduced:
        ret

table:
        .set n, 0
        .rept 256
        .byte (167 * n + 99) & 255
        .set n, n + 1
        .endr
