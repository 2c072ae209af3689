; Start-up code: stack, initialised and zeroed data, main, whose value goes to A, and the end of the run.

        .section .start, "ax"
        .global _start, finish
_start:
        movw    sp, #%lo16(__stack)
        mov     es, #0
        movw    hl, #%lo16(__data_load)
        movw    de, #%lo16(__data_start)
1:      movw    ax, de
        cmpw    ax, #%lo16(__data_end)
        bz      $2f
        mov     a, es:[hl]
        mov     [de], a
        incw    hl
        incw    de
        br      $1b
2:      movw    de, #%lo16(__bss_start)
3:      movw    ax, de
        cmpw    ax, #%lo16(__bss_end)
        bz      $4f
        clrb    a
        mov     [de], a
        incw    de
        br      $3b
4:      call    !!_main
        mov     a, 0xffef0              ; r8
finish:
        halt
        br      $finish
