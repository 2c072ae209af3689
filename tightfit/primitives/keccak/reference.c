/*
 * Keccak (SHA-3 candidate and FIPS 202) in portable C11, on 64-bit lanes in place.
 *
 * BLOCK_BYTES is the rate, DIGEST_BYTES the length of the digest, PADDING the byte that follows the message:
 * 0x01 for the candidate, 0x06 for SHA-3.
 */

#include <stdint.h>

enum { ROUNDS = 24, FIRST = 1, LAST = 2 };

typedef struct {
    uint64_t state[25];           /* kept, lane (x, y) at x + 5 y; in the end its bytes are the digest */
    uint8_t message[BLOCK_BYTES]; /* a block; undefined on return */
    uint8_t flags;                /* FIRST block of a message, LAST block */
    uint8_t length;               /* bytes of the message in its last block */
} keccak_block;

/* Section 3.2.5. */
static const uint64_t CONSTANTS[ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

/* The walk of pi (3.2.3) from lane (1, 0): where each lane goes, and how far rho (3.2.2) turns it. */
static const uint8_t PLACES[24] = {
    10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1,
};
static const uint8_t TURNS[24] = {
    1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44,
};

/* A lane turned left. */
static uint64_t turn(uint64_t lane, uint8_t count)
{
    return lane << count | lane >> (64 - count);
}

/* Every bit plus the parities of two columns (3.2.1). */
static void theta(uint64_t *state)
{
    uint64_t parities[5];

    for (uint8_t x = 0; x < 5; x++)
        parities[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
    for (uint8_t x = 0; x < 5; x++) {
        uint64_t added = parities[(x + 4) % 5] ^ turn(parities[(x + 1) % 5], 1);

        for (uint8_t y = 0; y < 25; y += 5)
            state[x + y] ^= added;
    }
}

/* Lanes turned and moved to their places, each pushing out the next (3.2.2, 3.2.3). */
static void rho_pi(uint64_t *state)
{
    uint64_t moving = state[1];

    for (uint8_t t = 0; t < 24; t++) {
        uint64_t displaced = state[PLACES[t]];

        state[PLACES[t]] = turn(moving, TURNS[t]);
        moving = displaced;
    }
}

/* Every lane plus the product of the two after it in its row, the first of them negated (3.2.4). */
static void chi(uint64_t *state)
{
    for (uint64_t *row = state; row < state + 25; row += 5) {
        uint64_t first = row[0], second = row[1];

        row[0] ^= ~row[1] & row[2];
        row[1] ^= ~row[2] & row[3];
        row[2] ^= ~row[3] & row[4];
        row[3] ^= ~row[4] & first;
        row[4] ^= ~first & second;
    }
}

/* Keccak-f[1600] (3.3, 3.4). */
static void permute(uint64_t *state)
{
    for (uint8_t round = 0; round < ROUNDS; round++) {
        theta(state);
        rho_pi(state);
        chi(state);
        state[0] ^= CONSTANTS[round];
    }
}

/* Lanes have their lowest byte first (3.1.2). */
static uint64_t load(const uint8_t *bytes)
{
    uint64_t lane = 0;

    for (uint8_t i = 8; i-- > 0;)
        lane = lane << 8 | bytes[i];
    return lane;
}

static void store(uint8_t *bytes, uint64_t lane)
{
    for (uint8_t i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)lane;
        lane >>= 8;
    }
}

/* The message ends here: the padding's first byte, zeros, and bit 7 of the block's last byte (5.1, B.2). */
static void pad(keccak_block *block)
{
    block->message[block->length] = PADDING;
    for (uint8_t i = block->length + 1; i < BLOCK_BYTES; i++)
        block->message[i] = 0;
    block->message[BLOCK_BYTES - 1] ^= 0x80;
}

/* The sponge (section 4), a block a call. */
void keccak_hash(keccak_block *block)
{
    if (block->flags & FIRST)
        for (uint8_t i = 0; i < 25; i++)
            block->state[i] = 0;
    if (block->flags & LAST)
        pad(block);
    for (uint8_t i = 0; i < BLOCK_BYTES / 8; i++)
        block->state[i] ^= load(block->message + 8 * i);
    permute(block->state);
    if (block->flags & LAST)
        for (uint8_t i = 0; i < DIGEST_BYTES / 8; i++)
            store((uint8_t *)&block->state[i], block->state[i]);
}
