; PRESENT-80 encryption on AVR that obeys every rule: what the tests of the gate break on purpose.
; Parameter block: text 8, key 10, work 4 bytes. Plain, not fast: the key register is r2-r11, the round r12.
        .text
        .global inner_encrypt
        .type   inner_encrypt, @function
inner_encrypt:
        .irp    n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 17, 28, 29
        push    r\n
        .endr
        movw    r28, r24
        .irp    n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        ldd     r\n, Y+\n+6
        .endr
        clr     r12
.Lround:
        inc     r12
        .irp    n, 2, 3, 4, 5, 6, 7, 8, 9
        ldd     r16, Y+\n-2
        eor     r16, r\n
        std     Y+\n-2, r16
        .endr
        ldi     r16, 32
        cp      r12, r16
        brne    .Lgo_on
        rjmp    .Ldone
.Lgo_on:
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        ldd     r16, Y+\n
        rcall   inner_sub
        rcall   inner_spread
        .endr
        .irp    n, 18, 19, 20, 21, 22, 23, 24, 25
        std     Y+\n-18, r\n
        .endr
        movw    r30, r10            ; the register turns right by 19: two bytes
        movw    r10, r8
        movw    r8, r6
        movw    r6, r4
        movw    r4, r2
        movw    r2, r30
        .rept   3                   ; and three bits
        bst     r11, 0
        lsr     r2
        .irp    n, 3, 4, 5, 6, 7, 8, 9, 10, 11
        ror     r\n
        .endr
        bld     r2, 7
        .endr
        mov     r16, r2
        rcall   inner_sub
        andi    r16, 0xf0
        ldi     r17, 0x0f
        and     r2, r17
        or      r2, r16
        mov     r16, r12
        lsr     r16
        eor     r9, r16
        brcc    .Leven
        ldi     r16, 0x80
        eor     r10, r16
.Leven: rjmp    .Lround
.Ldone:
        .irp    n, 29, 28, 17, 16, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
        pop     r\n
        .endr
        ret
inner_sub:                          ; both nibbles of r16 through the S-box
        .rept   2
        mov     r30, r16
        andi    r30, 0x0f
        ldi     r31, hi8(inner_sbox)
        subi    r30, lo8(-(inner_sbox))
        lpm     r17, Z
        andi    r16, 0xf0
        or      r16, r17
        swap    r16
        .endr
        ret
inner_spread:                       ; bit b of a nibble goes to the word of all bits b
        .rept   2
        lsl     r16
        rol     r19
        rol     r18
        lsl     r16
        rol     r21
        rol     r20
        lsl     r16
        rol     r23
        rol     r22
        lsl     r16
        rol     r25
        rol     r24
        .endr
        ret
        .size   inner_encrypt, . - inner_encrypt

        .section .progmem.data, "a", @progbits
        .balign 16
        .type   inner_sbox, @object
inner_sbox:
        .byte   0xc, 0x5, 0x6, 0xb, 0x9, 0x0, 0xa, 0xd, 0x3, 0xe, 0xf, 0x8, 0x4, 0x7, 0x1, 0x2
        .size   inner_sbox, . - inner_sbox
        .text
