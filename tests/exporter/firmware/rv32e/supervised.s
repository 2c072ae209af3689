## uint8_t supervised(entry *routine, void *block, uint16_t stack), as c/check.h tells.
##
## a0 routine, a1 block, a2 stack; the result is in a0. The compiler keeps s0 and s1, and nobody may change gp and tp.

WATCHED = 16                            ## bytes below the stack that must stay as they were

        .macro keeps register, value, bit
        li      a1, \value
        beq     \register, a1, 1f
        ori     a0, a0, \bit
1:
        .endm

        .option arch, +zicsr
        .text
        .balign 4
        .global supervised
        .type   supervised, @function
supervised:
        addi    sp, sp, -16
        sw      ra, 0(sp)
        sw      s0, 4(sp)
        sw      s1, 8(sp)
        addi    sp, sp, -4
        li      t0, 0xc9c9c9c9
        sw      t0, 0(sp)
        la      t1, stack_pointer
        sw      sp, 0(t1)
        sub     t2, sp, a2
        sw      t2, 4(t1)               ## of the bytes it may use
        sw      gp, 8(t1)
        sw      tp, 12(t1)
        li      t0, 0x5a5a5a5a
        .rept   WATCHED / 4
        addi    t2, t2, -4
        sw      t0, 0(t2)
        .endr
        mv      t0, a0
        mv      a0, a1
        li      gp, 0xa5a50003
        li      tp, 0xa5a50004
        li      s0, 0xa5a50008
        li      s1, 0xa5a50009
        jalr    t0                      ## nothing can interrupt, but MIE must stay
        li      a0, 0
        keeps   gp, 0xa5a50003, 8
        keeps   tp, 0xa5a50004, 8
        keeps   s0, 0xa5a50008, 8
        keeps   s1, 0xa5a50009, 8
        csrr    a2, mstatus
        andi    a2, a2, 8
        keeps   a2, 0, 128
        la      t1, stack_pointer
        lw      gp, 8(t1)
        lw      tp, 12(t1)
        lw      a2, 0(t1)
        beq     sp, a2, 2f
        ori     a0, a0, 16
2:      mv      sp, a2
        lw      a2, 0(sp)
        addi    sp, sp, 4
        keeps   a2, 0xc9c9c9c9, 32
        lw      t2, 4(t1)
        .rept   WATCHED / 4
        addi    t2, t2, -4
        lw      a2, 0(t2)
        keeps   a2, 0x5a5a5a5a, 64
        .endr
        lw      ra, 0(sp)
        lw      s0, 4(sp)
        lw      s1, 8(sp)
        addi    sp, sp, 16
        ret
        .size   supervised, . - supervised

        .section .bss
        .balign 4
stack_pointer:
        .skip   16
