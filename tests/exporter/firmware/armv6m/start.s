@ Start-up code: stack, initialised and zeroed data, main, whose value stays in R0, and the end of the run.

        .syntax unified
        .section .start, "ax"
        .global _start, finish
        .type   _start, %function
        .type   finish, %function
_start:
        ldr     r0, =__stack
        mov     sp, r0
        ldr     r1, =__data_load
        ldr     r2, =__data_start
        ldr     r3, =__data_end
1:      cmp     r2, r3
        beq     2f
        ldm     r1!, {r0}
        stm     r2!, {r0}
        b       1b
2:      ldr     r2, =__bss_start
        ldr     r3, =__bss_end
        movs    r0, #0
3:      cmp     r2, r3
        beq     4f
        stm     r2!, {r0}
        b       3b
4:      bl      main
finish: b       finish
        .pool
