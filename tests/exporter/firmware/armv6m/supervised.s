@ uint8_t supervised(entry *routine, void *block, uint16_t stack), as c/check.h tells.
@
@ R0 routine, R1 block, R2 stack; the result is in R0. arm-none-eabi-gcc keeps R4-R11.

WATCHED = 16                            @ bytes below the stack that must stay as they were

        .syntax unified
        .macro fault unless, bit
        b\unless 1f
        movs    r2, #\bit
        orrs    r0, r2
1:
        .endm

        .text
        .balign 2
        .global supervised
        .type   supervised, %function
supervised:
        push    {r4-r7, lr}
        mov     r4, r8
        mov     r5, r9
        mov     r6, r10
        mov     r7, r11
        push    {r4-r7}
        ldr     r3, =0xc9c9c9c9
        push    {r3}
        ldr     r3, =stack_pointer
        mov     r4, sp
        str     r4, [r3]
        subs    r4, r4, r2
        str     r4, [r3, #4]            @ of the bytes it may use
        ldr     r5, =0x5a5a5a5a
        .rept   WATCHED / 4
        subs    r4, #4
        str     r5, [r4]
        .endr
        mov     r3, r0
        mov     r0, r1
        .irp    n, 8, 9, 10, 11
        ldr     r4, =0xa5a50000 + \n
        mov     r\n, r4
        .endr
        .irp    n, 4, 5, 6, 7
        ldr     r\n, =0xa5a50000 + \n
        .endr
        blx     r3                      @ nothing can interrupt, but PRIMASK must stay
        movs    r0, #0
        .irp    n, 4, 5, 6, 7, 8, 9, 10, 11
        ldr     r1, =0xa5a50000 + \n
        cmp     r\n, r1
        fault   eq, 8
        .endr
        mrs     r1, primask
        cmp     r1, #0
        fault   eq, 128
        ldr     r3, =stack_pointer
        ldr     r1, [r3]
        cmp     sp, r1
        fault   eq, 16
        mov     sp, r1
        pop     {r1}
        ldr     r2, =0xc9c9c9c9
        cmp     r1, r2
        fault   eq, 32
        ldr     r4, [r3, #4]
        ldr     r5, =0x5a5a5a5a
        .rept   WATCHED / 4
        subs    r4, #4
        ldr     r1, [r4]
        cmp     r1, r5
        fault   eq, 64
        .endr
        pop     {r4-r7}
        mov     r8, r4
        mov     r9, r5
        mov     r10, r6
        mov     r11, r7
        pop     {r4-r7, pc}
        .pool
        .size   supervised, . - supervised

        .section .bss
        .balign 4
stack_pointer:
        .skip   4
deepest:
        .skip   4
