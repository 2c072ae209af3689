/* What the checks of all primitives share: a guarded parameter block, and calls under supervision. */
#ifndef CHECK_H
#define CHECK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What can be wrong with a routine. */
enum fault {
    ANSWER = 1,         /* another result than expected */
    KEY = 2,            /* the key is not intact */
    CANARY = 4,         /* a byte beside the parameter block was written */
    REGISTERS = 8,      /* a register that a routine must keep was not kept */
    STACK_POINTER = 16, /* the stack pointer came back as another */
    FRAME = 32,         /* the caller's part of the stack was written */
    DEPTH = 64,         /* more stack was used than claimed */
    STATUS = 128        /* interrupt flag, selected register bank, zero register, ES or CS changed */
};

typedef void entry(void *block);

/* Calls a routine as the compiler would, with a pattern in every register that it must keep, and tells what
 * came back otherwise. `stack` is what it claims to use, return address and passed argument included. */
uint8_t supervised(entry *routine, void *block, uint16_t stack);

#if defined __arm__ || defined __riscv
enum { GUARD = 16, FILL = 0xc9, ALIGNMENT = 4 };
#else
enum { GUARD = 16, FILL = 0xc9, ALIGNMENT = 2 };
#endif

static uint8_t arena[GUARD + BLOCK_BYTES + GUARD] __attribute__((aligned(ALIGNMENT)));
volatile uint8_t verdicts[WINNERS]; /* faults of each routine */

/* A parameter block between canaries; its bytes are no zeros either. */
static void *guarded(void)
{
    memset(arena, FILL, sizeof arena);
    return arena + GUARD;
}

/* CANARY if a byte beside a block of that size was written. */
static uint8_t beside(size_t size)
{
    for (size_t i = 0; i < sizeof arena; i++)
        if ((i < GUARD || i >= GUARD + size) && arena[i] != FILL)
            return CANARY;
    return 0;
}

static uint8_t wrong(const uint8_t *found, const uint8_t *expected, size_t size)
{
    return memcmp(found, expected, size) ? ANSWER : 0;
}

/* Calls a routine with `block`, under supervision where that is wanted. */
#define CALL(routine, watched, stack)                                \
    do {                                                             \
        if (watched)                                                 \
            faults |= supervised((entry *)(routine), block, stack);  \
        else                                                         \
            routine(block);                                          \
    } while (0)

#endif
