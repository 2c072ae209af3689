; Table look-ups in flash through the mirror, xors and doublings of a 16-byte state, a subroutine, loops.
        .section .table, "a"
        .set n, 0
        .rept 256
        .byte (167 * n + 99) & 255
        .set n, n + 1
        .endr

        .text
        .global _start
_start: movw sp, #0xfe20
        movw hl, #0xf000
        mov a, #18
.fill:  mov [hl], a
        incw hl
        dec a
        bnz $.fill
        movw de, #ROUNDS
.round: movw hl, #0xf000
        mov c, #16
.byte:  mov a, [hl]
        mov b, a
        mov a, 0x2000[b]
        xor a, [hl+1]
        call !!.double
        xor a, b
        mov [hl], a
        incw hl
        dec c
        bnz $.byte
        movw ax, [hl]
        xchw ax, bc
        push bc
        pop bc
        decw de
        movw ax, de
        or a, x
        cmp0 a
        bnz $.round
done:   halt
.double:
        shl a, 1
        sknc
        xor a, #0x1b
        ret
