; uint8_t supervised(entry *routine, void *block, uint16_t stack), as c/check.h tells.
;
; R12 routine, R13 block, R14 stack; the result is in R12. msp430-elf-gcc keeps R4-R10.

WATCHED = 16                            ; bytes below the stack that must stay as they were
FRAME = 4                               ; bytes above it

        .macro saved registers:vararg
        .irp    n, 4, 5, 6, 7, 8, 9, 10
        \registers \n
        .endr
        .endm
        .macro keep n
        push    r\n
        .endm
        .macro fill n
        mov     #0xa5a0 + \n, r\n
        .endm
        .macro compare n
        cmp     #0xa5a0 + \n, r\n
        jeq     1f
        bis     #8, r12
1:
        .endm

        .text
        .balign 2
        .global supervised
        .type   supervised, @function
supervised:
        saved   keep
        .rept   FRAME / 2
        push    #0xc9c9
        .endr
        mov     r12, r15
        mov     r13, r12
        mov     r1, &stack_pointer
        mov     r1, r13
        sub     r14, r13
        mov     r13, &deepest           ; of the bytes it may use
        mov     #WATCHED / 2, r14
1:      decd    r13
        mov     #0x5a5a, 0(r13)
        dec     r14
        jnz     1b
        saved   fill
        nop
        eint                            ; nothing can interrupt, but the flag must stay
        nop
        call    r15
        mov     r2, r15
        dint
        nop
        mov     #0, r12
        saved   compare
        and     #0x0078, r15            ; CPU, clocks, interrupts: only the last is on; GNU has V in bit 7
        cmp     #8, r15
        jeq     2f
        bis     #128, r12
2:      cmp     &stack_pointer, r1
        jeq     3f
        bis     #16, r12
        mov     &stack_pointer, r1
3:      .rept   FRAME / 2
        pop     r14
        cmp     #0xc9c9, r14
        jeq     4f
        bis     #32, r12
4:
        .endr
        mov     &deepest, r13
        mov     #WATCHED / 2, r14
5:      decd    r13
        cmp     #0x5a5a, 0(r13)
        jeq     6f
        bis     #64, r12
6:      dec     r14
        jnz     5b
        .irp    n, 10, 9, 8, 7, 6, 5, 4
        pop     r\n
        .endr
        ret
        .size   supervised, . - supervised

        .section .bss
        .balign 2
stack_pointer:
        .skip   2
deepest:
        .skip   2
