/*
 * Ascon-Hash256 (NIST SP 800-232) in portable C11, on words of 64 bits in place.
 *
 * BLOCK_BYTES is the rate, DIGEST_BYTES the length of the digest.
 */

#include <stdint.h>

enum { ROUNDS = 12, FIRST = 1, LAST = 2 };

typedef struct {
    uint64_t state[3 + 5];        /* kept: five words, and before them three of the digest; in the end its bytes */
    uint8_t message[BLOCK_BYTES]; /* a block; undefined on return */
    uint8_t flags;                /* FIRST block of a message, LAST block */
    uint8_t length;               /* bytes of the message in its last block */
} ascon_block;

/* Section 3.4: to the right, of each word. */
static const uint8_t ROTATIONS[5][2] = {{19, 28}, {61, 39}, {1, 6}, {10, 17}, {7, 41}};

static uint64_t right(uint64_t word, uint8_t count)
{
    return word >> count | word << (64 - count);
}

/* Section 3.3. */
static void substitute(uint64_t *x)
{
    uint64_t first, second;

    x[0] ^= x[4];
    x[4] ^= x[3];
    x[2] ^= x[1];
    first = x[0];
    second = x[1];
    x[0] ^= ~x[1] & x[2];
    x[1] ^= ~x[2] & x[3];
    x[2] ^= ~x[3] & x[4];
    x[3] ^= ~x[4] & first;
    x[4] ^= ~first & second;
    x[1] ^= x[0];
    x[0] ^= x[4];
    x[3] ^= x[2];
    x[2] = ~x[2];
}

/* Section 3, the last of twelve rounds. */
static void permute(uint64_t *x, uint8_t rounds)
{
    for (uint8_t round = ROUNDS - rounds; round < ROUNDS; round++) {
        x[2] ^= (uint64_t)0xf0 - 0x0f * (uint64_t)round;
        substitute(x);
        for (uint8_t i = 0; i < 5; i++)
            x[i] ^= right(x[i], ROTATIONS[i][0]) ^ right(x[i], ROTATIONS[i][1]);
    }
}

/* Words have their lowest byte first (section 2.1). */
static uint64_t load(const uint8_t *bytes)
{
    uint64_t word = 0;

    for (uint8_t i = 8; i-- > 0;)
        word = word << 8 | bytes[i];
    return word;
}

static void store(uint8_t *bytes, uint64_t word)
{
    for (uint8_t i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)word;
        word >>= 8;
    }
}

/* The sponge (5.1), a block a call. */
void ascon_hash(ascon_block *block)
{
    uint64_t *x = block->state + 3;

    if (block->flags & FIRST) {
        x[0] = 0x0000080100cc0002;
        for (uint8_t i = 1; i < 5; i++)
            x[i] = 0;
        permute(x, ROUNDS);
    }
    if (block->flags & LAST) {
        block->message[block->length] = 1;
        for (uint8_t i = block->length + 1; i < BLOCK_BYTES; i++)
            block->message[i] = 0;
    }
    x[0] ^= load(block->message);
    permute(x, ROUNDS);
    if (block->flags & LAST) {
        for (uint8_t i = 0; i < 3; i++) {
            store((uint8_t *)&block->state[i], x[0]);
            permute(x, ROUNDS);
        }
        store((uint8_t *)x, x[0]);
    }
}
