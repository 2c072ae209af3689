; uint8_t supervised(entry *routine, void *block, uint16_t stack), as c/check.h tells.
;
; r25:r24 routine, r23:r22 block, r21:r20 stack. avr-gcc keeps r2-r17, r28, r29, and r1 is zero.

SPL = 0x3d
SPH = 0x3e
SREG = 0x3f
WATCHED = 16                            ; bytes below the stack that must stay as they were
FRAME = 4                               ; bytes above it

        .macro saved registers:vararg
        .irp    n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
        \registers \n
        .endr
        .endm
        .macro fill n
        ldi     r18, 0xa0 + \n
        mov     r\n, r18
        .endm
        .macro compare n
        ldi     r18, 0xa0 + \n
        cpse    r\n, r18
        ori     r24, 8
        .endm
        .macro keep n
        push    r\n
        .endm

        .text
        .global supervised
        .type   supervised, @function
supervised:
        saved   keep
        ldi     r18, 0xc9
        .rept   FRAME
        push    r18
        .endr
        movw    r30, r24
        movw    r24, r22
        in      r26, SPL
        in      r27, SPH
        sts     stack_pointer, r26
        sts     stack_pointer + 1, r27
        sub     r26, r20                ; one below the deepest byte it may use
        sbc     r27, r21
        adiw    r26, 1
        sts     deepest, r26
        sts     deepest + 1, r27
        ldi     r18, 0x5a
        .rept   WATCHED
        st      -X, r18
        .endr
        saved   fill
        sei                             ; nothing can interrupt, but the flag must stay
        icall
        in      r19, SREG
        cli
        ldi     r24, 0
        saved   compare
        sbrs    r19, 7
        ori     r24, 128
        tst     r1
        breq    1f
        ori     r24, 128
        clr     r1
1:      lds     r30, stack_pointer
        lds     r31, stack_pointer + 1
        in      r26, SPL
        in      r27, SPH
        cp      r26, r30
        cpc     r27, r31
        breq    2f
        ori     r24, 16
        out     SPH, r31
        out     SPL, r30
2:      .rept   FRAME
        pop     r18
        cpi     r18, 0xc9
        breq    3f
        ori     r24, 32
3:
        .endr
        lds     r26, deepest
        lds     r27, deepest + 1
        .rept   WATCHED
        ld      r18, -X
        cpi     r18, 0x5a
        breq    4f
        ori     r24, 64
4:
        .endr
        .irp    n, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
        pop     r\n
        .endr
        ret
        .size   supervised, . - supervised

        .section .bss
stack_pointer:
        .skip   2
deepest:
        .skip   2
