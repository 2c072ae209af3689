/*
 * Rabbit (RFC 4503) in portable C11.
 *
 * Key, iv and block are little-endian: byte 0 holds bits 7 to 0.
 */

#include <stdint.h>

enum { WORDS = 8, ROUNDS = 4 };

typedef struct {
    uint8_t key[KEY_BYTES];
    uint8_t iv[IV_BYTES];
    uint8_t text[BLOCK_BYTES]; /* replaced in place */
    uint8_t length;            /* bytes of the text that count; all of them are replaced */
    uint8_t carry;             /* of the counters; kept between calls, as are: */
    uint32_t x[WORDS];         /* the state */
    uint32_t c[WORDS];         /* the counters */
} rabbit_block;

static const uint32_t constants[WORDS] = {
    0x4d34d34d, 0xd34d34d3, 0x34d34d34, 0x4d34d34d, 0xd34d34d3, 0x34d34d34, 0x4d34d34d, 0xd34d34d3,
};

static uint16_t half(const uint8_t *bytes, uint8_t n)
{
    return (uint16_t)(bytes[2 * n] | (uint16_t)bytes[2 * n + 1] << 8);
}

static uint32_t word(uint16_t high, uint16_t low)
{
    return (uint32_t)high << 16 | low;
}

static uint32_t rotated(uint32_t x, uint8_t bits)
{
    return x << bits | x >> (32 - bits);
}

/* The square of x, its upper half added to its lower one. */
static uint32_t g(uint32_t x)
{
    const uint64_t square = (uint64_t)x * x;

    return (uint32_t)square ^ (uint32_t)(square >> 32);
}

static void iterate(rabbit_block *block)
{
    uint32_t *x = block->x, *c = block->c;
    uint32_t gs[WORDS];

    for (uint8_t j = 0; j < WORDS; j++) {
        const uint32_t sum = c[j] + constants[j] + block->carry;

        block->carry = block->carry ? sum <= c[j] : sum < c[j];
        c[j] = sum;
        gs[j] = g(x[j] + sum);
    }
    for (uint8_t j = 0; j < WORDS; j += 2) {
        x[j] = gs[j] + rotated(gs[(j + 7) % WORDS], 16) + rotated(gs[(j + 6) % WORDS], 16);
        x[j + 1] = gs[j + 1] + rotated(gs[j], 8) + gs[(j + 7) % WORDS];
    }
}

void rabbit_setup(rabbit_block *block)
{
    uint32_t *x = block->x, *c = block->c;
    const uint8_t *key = block->key, *iv = block->iv;

    block->carry = 0;
    for (uint8_t j = 0; j < WORDS; j++) {
        const uint8_t low = 5 * j % WORDS, high = (uint8_t)(5 * j + 1) % WORDS;

        x[j] = word(half(key, high), half(key, low));
        c[(j + 4) % WORDS] = rotated(x[j], 16);
    }
    for (uint8_t i = 0; i < ROUNDS; i++)
        iterate(block);
    for (uint8_t j = 0; j < WORDS; j += 4) {
        c[j] ^= x[(j + 4) % WORDS] ^ word(half(iv, 1), half(iv, 0));
        c[j + 1] ^= x[(j + 5) % WORDS] ^ word(half(iv, 3), half(iv, 1));
        c[j + 2] ^= x[(j + 6) % WORDS] ^ word(half(iv, 3), half(iv, 2));
        c[j + 3] ^= x[(j + 7) % WORDS] ^ word(half(iv, 2), half(iv, 0));
    }
    for (uint8_t i = 0; i < ROUNDS; i++)
        iterate(block);
}

void rabbit_next(rabbit_block *block)
{
    const uint32_t *x = block->x;

    iterate(block);
    for (uint8_t i = 0; i < 4; i++) {
        const uint32_t stream = x[2 * i] ^ x[(2 * i + 5) % WORDS] >> 16 ^ x[(2 * i + 3) % WORDS] << 16;

        for (uint8_t n = 0; n < 4; n++)
            block->text[4 * i + n] ^= (uint8_t)(stream >> 8 * n);
    }
}
