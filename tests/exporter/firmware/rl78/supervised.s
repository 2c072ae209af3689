; uint8_t supervised(entry *routine, void *block, uint16_t stack), as c/check.h tells.
;
; [sp+4] routine, [sp+6] block, [sp+8] stack; the result is in r8. rl78-elf-gcc keeps r16-r23, which are bank
; 2, and bank 0 is selected. ES and CS are to be kept too.

WATCHED = 16                            ; bytes below the stack that must stay as they were
SAVED = 8                               ; bytes of r16-r23
FRAME = 4                               ; bytes above the stack
ARGUMENT = 2

        .macro kept registers:vararg
        .irp    address, 0xffee8, 0xffeea, 0xffeec, 0xffeee
        \registers \address
        .endr
        .endm
        .macro keep address
        movw    ax, \address
        push    ax
        .endm
        .macro fill address
        movw    ax, #(\address * 0x101 + 0x5a00) & 0xffff
        movw    \address, ax
        .endm
        .macro compare address
        movw    ax, \address
        cmpw    ax, #(\address * 0x101 + 0x5a00) & 0xffff
        bz      $1f
        set1    !faults.3
1:
        .endm

        .text
        .global _supervised
        .type   _supervised, @function
_supervised:
        kept    keep
        movw    ax, #0xc9c9
        .rept   FRAME / 2
        push    ax
        .endr
        movw    ax, sp
        movw    !stack_pointer, ax
        movw    bc, ax
        movw    ax, [sp+SAVED+FRAME+8]
        xchw    ax, bc
        subw    ax, bc
        movw    !deepest, ax            ; of the bytes it may use
        movw    hl, ax
        mov     b, #WATCHED
        mov     a, #0x5a
1:      decw    hl
        mov     [hl], a
        dec     b
        bnz     $1b
        clrb    !faults
        movw    ax, [sp+SAVED+FRAME+4]
        movw    bc, ax
        movw    ax, [sp+SAVED+FRAME+6]
        push    ax
        kept    fill
        mov     es, #0x0d
        ei                              ; nothing can interrupt, but the flag must stay
        movw    ax, bc
        call    ax
        mov     a, psw                  ; in whatever bank
        mov     !status, a
        sel     rb0
        di
        kept    compare
        mov     a, !status
        and     a, #0xa8                ; interrupts enabled, register bank
        cmp     a, #0x80
        bnz     $2f
        mov     a, es
        cmp     a, #0x0d
        bnz     $2f
        mov     a, cs
        cmp0    a
        bz      $3f
2:      set1    !faults.7
3:      mov     es, #0
        mov     cs, #0
        movw    ax, !stack_pointer
        movw    bc, ax
        movw    ax, sp
        addw    ax, #ARGUMENT
        cmpw    ax, bc
        bz      $4f
        set1    !faults.4
4:      movw    ax, bc
        movw    sp, ax
        .rept   FRAME / 2
        pop     ax
        cmpw    ax, #0xc9c9
        bz      $5f
        set1    !faults.5
5:
        .endr
        movw    ax, !deepest
        movw    hl, ax
        mov     b, #WATCHED
6:      decw    hl
        mov     a, [hl]
        cmp     a, #0x5a
        bz      $7f
        set1    !faults.6
7:      dec     b
        bnz     $6b
        .irp    address, 0xffeee, 0xffeec, 0xffeea, 0xffee8
        pop     ax
        movw    \address, ax
        .endr
        mov     a, !faults
        mov     0xffef0, a
        ret
        .size   _supervised, . - _supervised

        .section .bss
        .balign 2
stack_pointer:
        .skip   2
deepest:
        .skip   2
faults:
        .skip   1
status:
        .skip   1
