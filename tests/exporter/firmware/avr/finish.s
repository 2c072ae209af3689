; Where start-up code goes when main has returned: its value is in r25:r24.

        .text
        .global exit, finish
exit:
finish:
        cli
        sleep                           ; with interrupts off this ends a run on every simulator
        rjmp    finish
