# PRESENT-80 encryption on RISC-V that obeys every rule: what the tests of the gate break on purpose.
# Parameter block: text 8, key 10, work 22 bytes. Plain, not fast: all of it is bytes.
        .text
        .balign 2
        .global inner_encrypt
        .type   inner_encrypt, @function
inner_encrypt:
        addi    sp, sp, -8
        sw      ra, 0(sp)
        sw      s0, 4(sp)
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
        lbu     a1, 8+\n(a0)
        sb      a1, 18+\n(a0)
        .endr
        li      s0, 0
.Lround:
        addi    s0, s0, 1
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        lbu     a1, 18+\n(a0)
        lbu     a2, \n(a0)
        xor     a1, a1, a2
        sb      a1, \n(a0)
        .endr
        li      a1, 32
        bne     s0, a1, .Lgo_on
        j       .Ldone
.Lgo_on:
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        lbu     a1, \n(a0)
        jal     inner_sub
        jal     inner_spread
        .endr
        .irp    n, 0, 1, 2
        srli    a1, t\n, 8
        sb      a1, 2*\n(a0)
        sb      t\n, 2*\n+1(a0)
        .endr
        srli    a1, a5, 8
        sb      a1, 6(a0)
        sb      a5, 7(a0)
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9     # the register turns right by 19: two bytes and three bits
        lbu     a1, 18 + (\n + 8) % 10(a0)
        lbu     a2, 18 + (\n + 7) % 10(a0)
        srli    a1, a1, 3
        slli    a2, a2, 5
        or      a1, a1, a2
        sb      a1, 28+\n(a0)
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
        lbu     a1, 28+\n(a0)
        sb      a1, 18+\n(a0)
        .endr
        lbu     a1, 18(a0)
        andi    a4, a1, 0x0f
        jal     inner_sub
        andi    a1, a1, 0xf0
        or      a1, a1, a4
        sb      a1, 18(a0)
        lbu     a1, 25(a0)
        srli    a2, s0, 1
        xor     a1, a1, a2
        sb      a1, 25(a0)
        lbu     a1, 26(a0)
        slli    a2, s0, 7
        xor     a1, a1, a2
        sb      a1, 26(a0)
        j       .Lround
.Ldone:
        lw      ra, 0(sp)
        lw      s0, 4(sp)
        addi    sp, sp, 8
        ret
inner_sub:                          # both nibbles of a1 through the S-box
        lui     a3, %hi(inner_sbox)
        addi    a3, a3, %lo(inner_sbox)
        andi    a2, a1, 0x0f
        add     a2, a2, a3
        lbu     a2, 0(a2)
        srli    a1, a1, 4
        add     a1, a1, a3
        lbu     a1, 0(a1)
        slli    a1, a1, 4
        or      a1, a1, a2
        ret
inner_spread:                       # bit b of a nibble goes to the register of all bits b
        .rept   2
        .irp    r, t0, t1, t2, a5
        slli    \r, \r, 1
        srli    a2, a1, 7
        andi    a2, a2, 1
        or      \r, \r, a2
        slli    a1, a1, 1
        .endr
        .endr
        ret
        .size   inner_encrypt, . - inner_encrypt

        .section .rodata
        .type   inner_sbox, @object
inner_sbox:
        .byte   0xc, 0x5, 0x6, 0xb, 0x9, 0x0, 0xa, 0xd, 0x3, 0xe, 0xf, 0x8, 0x4, 0x7, 0x1, 0x2
        .size   inner_sbox, . - inner_sbox
        .text
