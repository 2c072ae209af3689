@ Table look-ups in flash, xors and doublings of a 16-byte state, a subroutine, loops.
        .syntax unified
        .text
        .global _start
        .type _start, %function
_start: ldr     r0, =0x20001000
        mov     sp, r0
        ldr     r4, =0x20000200
        movs    r5, #18
fill:   strb    r5, [r4]
        adds    r4, #1
        subs    r5, #1
        bne     fill
        ldr     r6, =ROUNDS
        ldr     r2, =table
round:  ldr     r4, =0x20000200
        movs    r5, #16
byte:   ldrb    r0, [r4]
        ldrb    r1, [r2, r0]
        ldrb    r3, [r4, #1]
        eors    r1, r3
        bl      double
        eors    r1, r0
        strb    r1, [r4]
        adds    r4, #1
        subs    r5, #1
        bne     byte
        push    {r1}
        pop     {r1}
        subs    r6, #1
        bne     round
done:   b       done
        .type double, %function
double: lsls    r1, r1, #25
        bcc     reduced
        movs    r3, #0x1b
        lsls    r3, r3, #24
        eors    r1, r3
reduced:
        lsrs    r1, r1, #24
        bx      lr
        .ltorg
table:
        .set    n, 0
        .rept   256
        .byte   (167 * n + 99) & 255
        .set    n, n + 1
        .endr
