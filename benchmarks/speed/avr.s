; Table look-ups in flash, xors and doublings of a 16-byte state, a subroutine, loops.
        .text
        .global _start
_start: ldi r16, lo8(0x40ff)
        out 0x3d, r16
        ldi r16, hi8(0x40ff)
        out 0x3e, r16
        ldi r16, lo8(ROUNDS)
        ldi r17, hi8(ROUNDS)
        ldi r26, lo8(0x0200)
        ldi r27, hi8(0x0200)
        ldi r18, 18
.Lfill: st X+, r18
        dec r18
        brne .Lfill
.Lround:
        ldi r28, lo8(0x0200)
        ldi r29, hi8(0x0200)
        ldi r18, 16
        ldi r31, hi8(table)
.Lbyte: ld r20, Y
        mov r30, r20
        lpm r21, Z
        ldd r22, Y+1
        eor r21, r22
        rcall .Ldouble
        eor r21, r20
        st Y+, r21
        dec r18
        brne .Lbyte
        push r21
        pop r21
        subi r16, 1
        sbci r17, 0
        brne .Lround
done:   cli
        sleep
.Ldouble:
        lsl r21
        brcc .Lreduced
        ldi r23, 0x1b
        eor r21, r23
.Lreduced:
        ret

        .balign 256
table:
        .set n, 0
        .rept 256
        .byte (167 * n + 99) & 255
        .set n, n + 1
        .endr
