/*
 * Salsa20 (D. J. Bernstein's specification) and ChaCha20 (RFC 8439) in portable C11, on words of 32 bits.
 *
 * Words are little-endian. `setup` begins a stream at block 0, `next` adds a block of keystream to the text.
 */

#include <stdint.h>

enum { WORDS = 16, COUNTER_BYTES = 16 - IV_BYTES };

typedef struct {
    uint8_t key[KEY_BYTES];
    uint8_t iv[IV_BYTES];
    uint8_t text[BLOCK_BYTES]; /* replaced in place */
    uint8_t length;            /* bytes of the text that count; all of them are replaced */
    uint8_t counter[COUNTER_BYTES]; /* kept between calls */
} salsa_block;

static uint32_t left(uint32_t word, uint8_t bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t load(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Words of the quarter rounds of a double round. */
static const uint8_t rounds[8][4] = {
#if CHACHA
    {0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
    {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14},
#else
    {0, 4, 8, 12}, {5, 9, 13, 1}, {10, 14, 2, 6}, {15, 3, 7, 11},
    {0, 1, 2, 3}, {5, 6, 7, 4}, {10, 11, 8, 9}, {15, 12, 13, 14},
#endif
};

static void quarter_round(uint32_t *x, const uint8_t *words)
{
    const uint8_t a = words[0], b = words[1], c = words[2], d = words[3];

#if CHACHA
    x[a] += x[b];
    x[d] = left(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = left(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = left(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = left(x[b] ^ x[c], 7);
#else
    x[b] ^= left(x[a] + x[d], 7);
    x[c] ^= left(x[b] + x[a], 9);
    x[d] ^= left(x[c] + x[b], 13);
    x[a] ^= left(x[d] + x[c], 18);
#endif
}

/* The words that a block begins with (RFC 8439, 2.3; Salsa20 specification, 9). */
static uint32_t initial(const salsa_block *block, uint8_t i)
{
#if CHACHA
    static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

    if (i < 4)
        return constants[i];
    if (i < 12)
        return load(block->key + 4 * (i - 4));
    return load(i == 12 ? block->counter : block->iv + 4 * (i - 13));
#else
    static const uint32_t constants[4] = {0x61707865, 0x3120646e, 0x79622d36, 0x6b206574};

    if (i % 5 == 0)
        return constants[i / 5];
    if (i < 5)
        return load(block->key + 4 * (i - 1));
    if (i > 10)
        return load(block->key + 4 * (i - 11));
    return load(i < 8 ? block->iv + 4 * (i - 6) : block->counter + 4 * (i - 8));
#endif
}

void salsa_setup(salsa_block *block)
{
    for (uint8_t i = 0; i < COUNTER_BYTES; i++)
        block->counter[i] = 0;
}

void salsa_next(salsa_block *block)
{
    uint32_t x[WORDS];

    for (uint8_t i = 0; i < WORDS; i++)
        x[i] = initial(block, i);
    for (uint8_t round = 0; round < DOUBLE_ROUNDS; round++) {
        for (uint8_t i = 0; i < 8; i++)
            quarter_round(x, rounds[i]);
    }
    for (uint8_t i = 0; i < WORDS; i++) {
        uint32_t word = x[i] + initial(block, i);

        for (uint8_t byte = 0; byte < 4; byte++) {
            block->text[4 * i + byte] ^= (uint8_t)word;
            word >>= 8;
        }
    }
    for (uint8_t i = 0; i < COUNTER_BYTES; i++) {
        if (++block->counter[i] != 0)
            break;
    }
}
