; Start-up code: stack, initialised and zeroed data, main, whose value stays in R12, and the end of the run.

        .section .start, "ax"
        .global _start, finish
_start:
        mov     #__stack, r1
        mov     #__data_load, r14
        mov     #__data_start, r15
1:      cmp     #__data_end, r15
        jeq     2f
        mov     @r14+, 0(r15)
        incd    r15
        jmp     1b
2:      mov     #__bss_start, r15
3:      cmp     #__bss_end, r15
        jeq     4f
        mov     #0, 0(r15)
        incd    r15
        jmp     3b
4:      call    #main
finish:
        call    #0x181                  ; exit, to the GNU simulator; ours is stopped at `finish`
        jmp     finish
