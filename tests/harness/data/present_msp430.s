; PRESENT-80 encryption on MSP430 that obeys every rule: what the tests of the gate break on purpose.
; Parameter block: text 8, key 10, work 12 bytes. Plain, not fast: the key register is five words of the work area.
        .text
        .balign 2
        .global inner_encrypt
        .type   inner_encrypt, @function
inner_encrypt:
        .irp    n, 4, 5, 6, 7, 10
        push    r\n
        .endr
        .irp    n, 0, 2, 4, 6, 8
        mov     8+\n(r12), r13
        swpb    r13
        mov     r13, 18+\n(r12)
        .endr
        clr     r10
.Lround:
        inc     r10
        .irp    n, 0, 2, 4, 6
        mov     18+\n(r12), r13
        swpb    r13
        xor     r13, \n(r12)
        .endr
        cmp     #32, r10
        jne     .Lgo_on
        br      #.Ldone
.Lgo_on:
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        mov.b   \n(r12), r13
        call    #inner_sub
        call    #inner_spread
        .endr
        .irp    n, 4, 5, 6, 7
        swpb    r\n
        mov     r\n, 2*(\n-4)(r12)
        .endr
        mov     26(r12), r13        ; the register turns right by 19: a word
        mov     24(r12), 26(r12)
        mov     22(r12), 24(r12)
        mov     20(r12), 22(r12)
        mov     18(r12), 20(r12)
        mov     r13, 18(r12)
        .rept   3                   ; and three bits
        bit     #1, 26(r12)
        rrc     18(r12)
        rrc     20(r12)
        rrc     22(r12)
        rrc     24(r12)
        rrc     26(r12)
        .endr
        mov.b   19(r12), r13
        call    #inner_sub
        and.b   #0xf0, r13
        bic.b   #0xf0, 19(r12)
        bis.b   r13, 19(r12)
        mov     r10, r13
        rra     r13
        xor     r13, 24(r12)
        bit     #1, r10
        jz      .Leven
        xor     #0x8000, 26(r12)
.Leven: br      #.Lround
.Ldone:
        .irp    n, 10, 7, 6, 5, 4
        pop     r\n
        .endr
        ret
inner_sub:                          ; both nibbles of r13 through the S-box
        mov     r13, r14
        and     #0x0f, r14
        mov.b   inner_sbox(r14), r14
        rra     r13
        rra     r13
        rra     r13
        rra     r13
        mov.b   inner_sbox(r13), r13
        rla     r13
        rla     r13
        rla     r13
        rla     r13
        bis     r14, r13
        ret
inner_spread:                       ; bit b of a nibble goes to the word of all bits b
        .rept   2
        .irp    n, 4, 5, 6, 7
        rla.b   r13
        rlc     r\n
        .endr
        .endr
        ret
        .size   inner_encrypt, . - inner_encrypt

        .section .rodata
        .type   inner_sbox, @object
inner_sbox:
        .byte   0xc, 0x5, 0x6, 0xb, 0x9, 0x0, 0xa, 0xd, 0x3, 0xe, 0xf, 0x8, 0x4, 0x7, 0x1, 0x2
        .size   inner_sbox, . - inner_sbox
        .text
