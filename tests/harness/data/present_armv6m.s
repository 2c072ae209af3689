@ PRESENT-80 encryption on ARMv6-M that obeys every rule: what the tests of the gate break on purpose.
@ Parameter block: text 8, key 10, work 14 bytes. Plain, not fast: bits 79-48, 47-16 and 15-0 of the key register are three
@ words of the work area, from 20 on.
        .syntax unified
        .text
        .balign 2
        .global inner_encrypt
        .type   inner_encrypt, %function
inner_encrypt:
        push    {r4-r7, lr}
        mov     r4, r8
        push    {r4}
        ldr     r1, [r0, #8]
        rev     r1, r1
        str     r1, [r0, #20]
        ldr     r1, [r0, #12]
        rev     r1, r1
        str     r1, [r0, #24]
        ldrh    r1, [r0, #16]
        rev16   r1, r1
        str     r1, [r0, #28]
        ldr     r1, [r0]
        rev     r1, r1
        ldr     r2, [r0, #4]
        rev     r2, r2
        movs    r3, #1
        mov     r8, r3
.Lround:
        ldr     r3, [r0, #20]
        eors    r1, r3
        ldr     r3, [r0, #24]
        eors    r2, r3
        mov     r3, r8
        cmp     r3, #32
        beq     .Ldone
        bl      inner_layer
        ldr     r3, [r0, #20]       @ the register turns right by 19: a halfword
        ldr     r4, [r0, #24]
        ldr     r5, [r0, #28]
        lsls    r5, r5, #16
        lsrs    r6, r3, #16
        orrs    r5, r6
        lsls    r3, r3, #16
        lsrs    r6, r4, #16
        orrs    r3, r6
        uxth    r4, r4
        lsrs    r6, r5, #3          @ and three bits
        lsls    r7, r4, #29
        orrs    r6, r7
        lsrs    r7, r3, #3
        lsls    r5, r5, #29
        orrs    r7, r5
        lsrs    r4, r4, #3
        lsls    r3, r3, #13
        orrs    r4, r3
        uxth    r4, r4
        ldr     r3, =inner_sbox
        lsrs    r5, r6, #28
        ldrb    r5, [r3, r5]
        lsls    r5, r5, #28
        lsls    r6, r6, #4
        lsrs    r6, r6, #4
        orrs    r6, r5
        mov     r3, r8
        lsrs    r5, r3, #1
        eors    r7, r5
        lsls    r5, r3, #31
        lsrs    r5, r5, #16
        eors    r4, r5
        str     r6, [r0, #20]
        str     r7, [r0, #24]
        str     r4, [r0, #28]
        adds    r3, #1
        mov     r8, r3
        b       .Lround
.Ldone:
        rev     r1, r1
        str     r1, [r0]
        rev     r2, r2
        str     r2, [r0, #4]
        pop     {r4}
        mov     r8, r4
        pop     {r4-r7, pc}
inner_layer:                        @ r1:r2 through S-box and permutation: bit b of a nibble goes to the halfword of all bits b
        push    {r0}
        ldr     r3, =inner_sbox
        movs    r0, #16
        movs    r4, #0
        movs    r5, #0
.Lnibble:
        lsrs    r6, r1, #28
        ldrb    r6, [r3, r6]
        lsls    r1, r1, #4
        lsrs    r7, r2, #28
        orrs    r1, r7
        lsls    r2, r2, #4
        lsls    r4, r4, #1
        lsls    r5, r5, #1
        .irp    to, r4, r5
        lsls    r7, r6, #28
        lsrs    r7, r7, #31
        lsls    r7, r7, #16
        orrs    \to, r7
        lsls    r7, r6, #29
        lsrs    r7, r7, #31
        orrs    \to, r7
        lsls    r6, r6, #2
        .endr
        subs    r0, #1
        bne     .Lnibble
        mov     r1, r4
        mov     r2, r5
        pop     {r0}
        bx      lr
        .pool
        .size   inner_encrypt, . - inner_encrypt

        .section .rodata
        .type   inner_sbox, %object
inner_sbox:
        .byte   0xc, 0x5, 0x6, 0xb, 0x9, 0x0, 0xa, 0xd, 0x3, 0xe, 0xf, 0x8, 0x4, 0x7, 0x1, 0x2
        .size   inner_sbox, . - inner_sbox
        .text
