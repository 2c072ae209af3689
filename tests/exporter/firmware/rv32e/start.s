## Start-up code: stack, initialised and zeroed data, main, whose value stays in a0, and the end of the run.

        .section .start, "ax"
        .global _start, finish
        .type   _start, @function
        .type   finish, @function
_start:
        la      sp, __stack
        la      a1, __data_load
        la      a2, __data_start
        la      a3, __data_end
1:      beq     a2, a3, 2f
        lw      a0, 0(a1)
        sw      a0, 0(a2)
        addi    a1, a1, 4
        addi    a2, a2, 4
        j       1b
2:      la      a2, __bss_start
        la      a3, __bss_end
3:      beq     a2, a3, 4f
        sw      zero, 0(a2)
        addi    a2, a2, 4
        j       3b
4:      call    main
finish: j       finish
