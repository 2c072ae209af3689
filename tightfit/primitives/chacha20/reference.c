/*
 * ChaCha20 (RFC 8439) in portable C11, on words of 32 bits.
 *
 * Words are little-endian. `setup` begins a stream at block 0, `next` adds a block of keystream to the text.
 */

#include <stdint.h>

enum { WORDS = 16, DOUBLE_ROUNDS = 10 };

typedef struct {
    uint8_t key[KEY_BYTES];
    uint8_t iv[IV_BYTES];
    uint8_t text[BLOCK_BYTES]; /* replaced in place */
    uint8_t length;            /* bytes of the text that count; all of them are replaced */
    uint32_t counter;          /* kept between calls */
} chacha20_block;

static uint32_t left(uint32_t word, uint8_t bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t load(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Words of the quarter rounds of a double round: columns, then diagonals (section 2.3). */
static const uint8_t rounds[8][4] = {
    {0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
    {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14},
};

static void quarter_round(uint32_t *x, const uint8_t *words)
{
    const uint8_t a = words[0], b = words[1], c = words[2], d = words[3];

    x[a] += x[b];
    x[d] = left(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = left(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = left(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = left(x[b] ^ x[c], 7);
}

/* The words that the block function begins with (section 2.3). */
static uint32_t initial(const chacha20_block *block, uint8_t i)
{
    static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

    if (i < 4)
        return constants[i];
    if (i < 12)
        return load(block->key + 4 * (i - 4));
    return i == 12 ? block->counter : load(block->iv + 4 * (i - 13));
}

void chacha20_setup(chacha20_block *block)
{
    block->counter = 0;
}

void chacha20_next(chacha20_block *block)
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
    block->counter++;
}
