/*
 * Serpent with keys of 128 bits (submission to AES) in portable C11, on four words of 32 bits: bit i of each
 * makes one input of an S-box. A set-up, and blocks under the keys that it keeps.
 */

#include <stdint.h>

enum { BLOCK = 16, KEY = 16, ROUNDS = 32, WORDS = 4 };

typedef struct {
    uint8_t text[BLOCK]; /* replaced in place */
    uint8_t key[KEY];
    uint32_t round_keys[ROUNDS + 1][WORDS]; /* kept between calls */
} serpent_block;

/* An S-box in a row, the outputs for 0 to 15. */
static const uint8_t BOXES[8][16] = {
    {3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12},
    {15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4},
    {8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2},
    {0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14},
    {1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13},
    {15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1},
    {7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0},
    {1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6},
};

static uint32_t left(uint32_t word, uint8_t bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t load(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void store(uint8_t *bytes, uint32_t word)
{
    for (uint8_t i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)word;
        word >>= 8;
    }
}

/* All 32 inputs of a round through one S-box, byte by byte; words turn right under it, once round. */
static void substitute(uint32_t *x, const uint8_t *box)
{
    for (uint8_t byte = 0; byte < 4; byte++) {
        uint8_t a = (uint8_t)x[0], b = (uint8_t)x[1], c = (uint8_t)x[2], d = (uint8_t)x[3];

        for (uint8_t bit = 0; bit < 8; bit++) {
            uint8_t out = box[(a & 1) | (b & 1) << 1 | (c & 1) << 2 | (d & 1) << 3];

            a = (uint8_t)(a >> 1 | (out & 1) << 7);
            b = (uint8_t)(b >> 1 | (out & 2) << 6);
            c = (uint8_t)(c >> 1 | (out & 4) << 5);
            d = (uint8_t)(d >> 1 | (out & 8) << 4);
        }
        x[0] = x[0] >> 8 | (uint32_t)a << 24;
        x[1] = x[1] >> 8 | (uint32_t)b << 24;
        x[2] = x[2] >> 8 | (uint32_t)c << 24;
        x[3] = x[3] >> 8 | (uint32_t)d << 24;
    }
}

static void mix(uint32_t *x, const uint32_t *key)
{
    for (uint8_t i = 0; i < WORDS; i++)
        x[i] ^= key[i];
}

/* The linear transformation. */
static void transform(uint32_t *x)
{
    x[0] = left(x[0], 13);
    x[2] = left(x[2], 3);
    x[1] = left(x[1] ^ x[0] ^ x[2], 1);
    x[3] = left(x[3] ^ x[2] ^ x[0] << 3, 7);
    x[0] = left(x[0] ^ x[1] ^ x[3], 5);
    x[2] = left(x[2] ^ x[3] ^ x[1] << 7, 22);
}

/* The key schedule: a key is followed by one bit that is 1, and zeros up to 256 bits. */
void serpent_setup(serpent_block *block)
{
    uint32_t w[8] = {0}; /* the last eight words, round and round */

    for (uint8_t i = 0; i < KEY / 4; i++)
        w[i] = load(block->key + 4 * i);
    w[KEY / 4] = 1;
    for (uint8_t round = 0; round <= ROUNDS; round++) {
        uint32_t *keys = block->round_keys[round];

        for (uint8_t n = 0; n < WORDS; n++) {
            uint8_t i = (uint8_t)(4 * round + n), at = i & 7;
            uint32_t sum = w[at] ^ w[(at + 3) & 7] ^ w[(at + 5) & 7] ^ w[(at + 7) & 7];

            w[at] = keys[n] = left(sum ^ 0x9e3779b9 ^ i, 11);
        }
        substitute(keys, BOXES[(3 - round) & 7]);
    }
}

void serpent_encrypt_next(serpent_block *block)
{
    uint32_t x[WORDS];

    for (uint8_t i = 0; i < WORDS; i++)
        x[i] = load(block->text + 4 * i);
    for (uint8_t round = 0; round < ROUNDS; round++) {
        mix(x, block->round_keys[round]);
        substitute(x, BOXES[round & 7]);
        if (round < ROUNDS - 1)
            transform(x);
    }
    mix(x, block->round_keys[ROUNDS]);
    for (uint8_t i = 0; i < WORDS; i++)
        store(block->text + 4 * i, x[i]);
}
