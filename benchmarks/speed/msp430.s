; Table look-ups in flash, xors and doublings of a 16-byte state, a subroutine, loops. To the GNU simulator a call
; of 0181 is the end.
        .text
        .global _start
_start: mov.w #0x3900, sp
        mov.w #0x1200, r4
        mov.w #18, r5
fill:   mov.b r5, 0(r4)
        inc.w r4
        dec.w r5
        jnz fill
        mov.w #ROUNDS, r6
round:  mov.w #0x1200, r4
        mov.w #16, r5
byte:   mov.b @r4, r7
        mov.b table(r7), r8
        xor.b 1(r4), r8
        call #double
        xor.b r7, r8
        mov.b r8, 0(r4)
        inc.w r4
        dec.w r5
        jnz byte
        push.w r8
        pop.w r8
        dec.w r6
        jnz round
done:   mov.w #0, r12
        call #0x181
double: rla.b r8
        jnc reduced
        xor.b #0x1b, r8
reduced:
        ret

table:
        .set n, 0
        .rept 256
        .byte (167 * n + 99) & 255
        .set n, n + 1
        .endr
