/*
 * Trivium (ISO/IEC 29192-3) in portable C11, 8 clocks at a time.
 *
 * Each register is a run of bytes in the order of time: the youngest byte is the last, and in a byte the highest bit
 * is the youngest. All taps lie more than 8 bits back, so a step makes a byte of each register from older ones.
 */

#include <stdint.h>

enum { A_BYTES = 12, B_BYTES = 11, C_BYTES = 14, STEPS = 1152 / 8 };

typedef struct {
    uint8_t key[KEY_BYTES];
    uint8_t iv[IV_BYTES];
    uint8_t text[BLOCK_BYTES]; /* replaced in place */
    uint8_t length;            /* bytes of the text that count; all of them are replaced */
    uint8_t a[A_BYTES];        /* s1 to s93; kept between calls */
    uint8_t b[B_BYTES];        /* s94 to s177 */
    uint8_t c[C_BYTES];        /* s178 to s288 */
} trivium_block;

/* The 8 bits of which the first is `back` bits back from where the register ends. */
static uint8_t tap(const uint8_t *end, uint8_t back)
{
    const uint8_t *from = end - (back + 7) / 8;
    const uint16_t pair = (uint16_t)(from[0] | (uint16_t)from[1] << 8);

    return (uint8_t)(pair >> ((8 - back % 8) % 8));
}

static void push(uint8_t *bytes, uint8_t count, uint8_t byte)
{
    for (uint8_t i = 1; i < count; i++)
        bytes[i - 1] = bytes[i];
    bytes[count - 1] = byte;
}

/* 8 clocks; returns a byte of keystream. */
static uint8_t step(trivium_block *block)
{
    const uint8_t *a = block->a + A_BYTES, *b = block->b + B_BYTES, *c = block->c + C_BYTES;
    const uint8_t t1 = tap(a, 66) ^ tap(a, 93);
    const uint8_t t2 = tap(b, 69) ^ tap(b, 84);
    const uint8_t t3 = tap(c, 66) ^ tap(c, 111);
    const uint8_t to_a = (uint8_t)(t3 ^ (tap(c, 110) & tap(c, 109)) ^ tap(a, 69));
    const uint8_t to_b = (uint8_t)(t1 ^ (tap(a, 92) & tap(a, 91)) ^ tap(b, 78));
    const uint8_t to_c = (uint8_t)(t2 ^ (tap(b, 83) & tap(b, 82)) ^ tap(c, 87));

    push(block->a, A_BYTES, to_a);
    push(block->b, B_BYTES, to_b);
    push(block->c, C_BYTES, to_c);
    return (uint8_t)(t1 ^ t2 ^ t3);
}

void trivium_setup(trivium_block *block)
{
    for (uint8_t i = 0; i < C_BYTES; i++)
        block->c[i] = 0;
    block->c[0] = 0x0e; /* s286 to s288 */
    block->a[0] = block->a[1] = block->b[0] = 0;
    for (uint8_t i = 0; i < KEY_BYTES; i++) {
        block->a[A_BYTES - KEY_BYTES + i] = block->key[i];
        block->b[B_BYTES - IV_BYTES + i] = block->iv[i];
    }
    for (uint8_t i = 0; i < STEPS; i++)
        step(block);
}

void trivium_next(trivium_block *block)
{
    for (uint8_t i = 0; i < BLOCK_BYTES; i++)
        block->text[i] ^= step(block);
}
