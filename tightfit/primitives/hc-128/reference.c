/*
 * HC-128 (eSTREAM portfolio) in portable C11.
 *
 * Set-up keeps 16 words of the expansion of key and initial value, of whose 1280 words the last 1024 go to the tables.
 */

#include <stdint.h>

enum { HALF = 512, SKIPPED = 256, STEPS = BLOCK_BYTES / 4 };

typedef struct {
    uint8_t key[KEY_BYTES];
    uint8_t iv[IV_BYTES];
    uint8_t text[BLOCK_BYTES]; /* replaced in place */
    uint8_t length;            /* bytes of the text that count; all of them are replaced */
    uint16_t at;               /* steps so far, modulo 1024; kept between calls */
    uint32_t p[HALF], q[HALF]; /* the tables */
} hc128_block;

static uint32_t right(uint32_t word, uint8_t bits)
{
    return word >> bits | word << (32 - bits);
}

static uint32_t load(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The next word of the expansion from the 16 before it, which move on. */
static uint32_t expand(uint32_t w[16], uint16_t count)
{
    const uint32_t near = w[14], far = w[1];
    const uint32_t f2 = right(near, 17) ^ right(near, 19) ^ near >> 10;
    const uint32_t f1 = right(far, 7) ^ right(far, 18) ^ far >> 3;
    const uint32_t fresh = f2 + w[9] + f1 + w[0] + count;

    for (uint8_t i = 1; i < 16; i++)
        w[i - 1] = w[i];
    return w[15] = fresh;
}

/* A step on the table whose turn it is; returns a word of keystream. */
static uint32_t step(hc128_block *block)
{
    const uint16_t j = block->at & (HALF - 1);
    const uint8_t second = block->at >= HALF;
    uint32_t *one = second ? block->q : block->p;
    const uint32_t *other = second ? block->p : block->q;
    const uint32_t a = one[(j - 3) & (HALF - 1)];
    const uint32_t b = one[(j - 10) & (HALF - 1)];
    const uint32_t c = one[(j + 1) & (HALF - 1)];
    const uint32_t x = one[(j - 12) & (HALF - 1)];

    if (second)
        one[j] += (right(a, 22) ^ right(c, 9)) + right(b, 24);
    else
        one[j] += (right(a, 10) ^ right(c, 23)) + right(b, 8);
    block->at = (block->at + 1) & (2 * HALF - 1);
    return (other[x & 0xff] + other[256 + (x >> 16 & 0xff)]) ^ one[j];
}

void hc128_setup(hc128_block *block)
{
    uint32_t w[16];

    for (uint8_t i = 0; i < 4; i++) {
        w[i] = w[4 + i] = load(block->key + 4 * i);
        w[8 + i] = w[12 + i] = load(block->iv + 4 * i);
    }
    for (uint16_t i = 16; i < SKIPPED; i++)
        expand(w, i);
    for (uint16_t i = 0; i < HALF; i++)
        block->p[i] = expand(w, SKIPPED + i);
    for (uint16_t i = 0; i < HALF; i++)
        block->q[i] = expand(w, SKIPPED + HALF + i);
    block->at = 0;
    for (uint16_t i = 0; i < 2 * HALF; i++) {
        const uint32_t word = step(block);
        if (i < HALF)
            block->p[i] = word;
        else
            block->q[i - HALF] = word;
    }
}

void hc128_next(hc128_block *block)
{
    for (uint8_t i = 0; i < STEPS; i++) {
        const uint32_t word = step(block);
        for (uint8_t j = 0; j < 4; j++)
            block->text[4 * i + j] ^= (uint8_t)(word >> 8 * j);
    }
}
