/*
 * BLAKE-256 (final submission, version 1.3) and BLAKE2s (RFC 7693) in portable C11, on 32-bit words.
 *
 * VERSION is 1 for BLAKE-256, with a salt of zero, and 2 for BLAKE2s, without a key. A last block
 * of BLAKE2s may be full; only that of the empty message is empty.
 */

#include <stdint.h>

enum { ROUNDS = VERSION == 1 ? 14 : 10, FIRST = 1, LAST = 2 };

typedef struct {
    uint32_t state[8];            /* kept between calls; in the end its bytes are the digest */
    uint32_t count[2];            /* kept: bits (version 1) or bytes (2) of the message so far, the low word first */
    uint8_t message[BLOCK_BYTES]; /* a block; undefined on return */
    uint8_t flags;                /* FIRST block of a message, LAST block */
    uint8_t length;               /* bytes of the message in its last block */
} blake_block;

static const uint32_t INITIAL[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

#if VERSION == 1
static const uint32_t CONSTANTS[16] = {
    0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89,
    0x452821e6, 0x38d01377, 0xbe5466cf, 0x34e90c6c, 0xc0ac29b7, 0xc97c50dd, 0x3f84d5b5, 0xb5470917,
};
#endif

/* Which words of the message a round adds: two of them in a byte, the first in its upper half. */
static const uint8_t SIGMA[10][8] = {
    {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef}, {0xea, 0x48, 0x9f, 0xd6, 0x1c, 0x02, 0xb7, 0x53},
    {0xb8, 0xc0, 0x52, 0xfd, 0xae, 0x36, 0x71, 0x94}, {0x79, 0x31, 0xdc, 0xbe, 0x26, 0x5a, 0x40, 0xf8},
    {0x90, 0x57, 0x24, 0xaf, 0xe1, 0xbc, 0x68, 0x3d}, {0x2c, 0x6a, 0x0b, 0x83, 0x4d, 0x75, 0xfe, 0x19},
    {0xc5, 0x1f, 0xed, 0x4a, 0x07, 0x63, 0x92, 0x8b}, {0xdb, 0x7e, 0xc1, 0x39, 0x50, 0xf4, 0x86, 0x2a},
    {0x6f, 0xe9, 0xb3, 0x08, 0xc2, 0xd7, 0x14, 0xa5}, {0xa2, 0x84, 0x76, 0x15, 0xfb, 0x9e, 0x3c, 0xd0},
};

/* A word turned right. */
static uint32_t turn(uint32_t word, uint8_t count)
{
    return word >> count | word << (32 - count);
}

/* Words have their highest byte first in version 1, their lowest in version 2. */
static uint32_t load(const uint8_t *bytes)
{
#if VERSION == 1
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
#else
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
#endif
}

static void store(uint8_t *bytes, uint32_t word)
{
    for (uint8_t i = 0; i < 4; i++)
        bytes[VERSION == 1 ? 3 - i : i] = (uint8_t)(word >> 8 * i);
}

/* G, the words that it adds being x and y. */
static void mix(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d, uint32_t x, uint32_t y)
{
    *a += *b + x;
    *d = turn(*d ^ *a, 16);
    *c += *d;
    *b = turn(*b ^ *c, 12);
    *a += *b + y;
    *d = turn(*d ^ *a, 8);
    *c += *d;
    *b = turn(*b ^ *c, 7);
}

/* G number i of a round: four columns, then four diagonals. */
static void mix_next(uint32_t *v, uint8_t i, const uint32_t *m, uint8_t words)
{
    uint8_t one = words >> 4, other = words & 15, slant = i >= 4;
    uint32_t x = m[one], y = m[other];

#if VERSION == 1
    x ^= CONSTANTS[other];
    y ^= CONSTANTS[one];
#endif
    mix(v + i % 4, v + 4 + (i + slant) % 4, v + 8 + (i + 2 * slant) % 4, v + 12 + (i + 3 * slant) % 4, x, y);
}

/* The chaining value after one more block. */
static void compress(uint32_t *state, const uint8_t *message, const uint32_t *count, uint8_t last)
{
    uint32_t v[16], m[16];

    for (uint8_t i = 0; i < 16; i++)
        m[i] = load(message + 4 * i);
    for (uint8_t i = 0; i < 8; i++) {
        v[i] = state[i];
#if VERSION == 1
        v[8 + i] = CONSTANTS[i];
#else
        v[8 + i] = INITIAL[i];
#endif
    }
#if VERSION == 1
    v[12] ^= count[0];
    v[13] ^= count[0];
    v[14] ^= count[1];
    v[15] ^= count[1];
    (void)last;
#else
    v[12] ^= count[0];
    v[13] ^= count[1];
    if (last)
        v[14] = ~v[14];
#endif
    for (uint8_t round = 0; round < ROUNDS; round++)
        for (uint8_t i = 0; i < 8; i++)
            mix_next(v, i, m, SIGMA[round % 10][i]);
    for (uint8_t i = 0; i < 8; i++)
        state[i] ^= v[i] ^ v[8 + i];
}

static void add_bytes(uint32_t *count, uint8_t bytes)
{
    uint16_t more = VERSION == 1 ? (uint16_t)(8 * bytes) : bytes;

    count[0] += more;
    if (count[0] < more)
        count[1]++;
}

static void start(blake_block *block)
{
    for (uint8_t i = 0; i < 8; i++)
        block->state[i] = INITIAL[i];
    if (VERSION == 2)
        block->state[0] ^= 0x01010000 ^ DIGEST_BYTES;
    block->count[0] = block->count[1] = 0;
}

static void store_digest(blake_block *block)
{
    for (uint8_t i = 0; i < 8; i++)
        store((uint8_t *)&block->state[i], block->state[i]);
}

#if VERSION == 1

/* The message ends here: a one, zeros, a one, and its length in bits; a block without a bit of it counts none. */
static void finish(blake_block *block)
{
    static const uint32_t ZERO[2] = {0, 0};
    const uint32_t *count = block->length ? block->count : ZERO;
    uint8_t end = block->length;

    block->message[end++] = 0x80;
    if (end > BLOCK_BYTES - 8) {
        while (end < BLOCK_BYTES)
            block->message[end++] = 0;
        compress(block->state, block->message, count, 0);
        count = ZERO;
        end = 0;
    }
    while (end < BLOCK_BYTES - 8)
        block->message[end++] = 0;
    block->message[BLOCK_BYTES - 9] |= 1;
    store(block->message + BLOCK_BYTES - 8, block->count[1]);
    store(block->message + BLOCK_BYTES - 4, block->count[0]);
    compress(block->state, block->message, count, 0);
    store_digest(block);
}

void blake_hash(blake_block *block)
{
    if (block->flags & FIRST)
        start(block);
    if (block->flags & LAST) {
        add_bytes(block->count, block->length);
        finish(block);
    } else {
        add_bytes(block->count, BLOCK_BYTES);
        compress(block->state, block->message, block->count, 0);
    }
}

#else

void blake_hash(blake_block *block)
{
    uint8_t last = block->flags & LAST, length = last ? block->length : BLOCK_BYTES;

    if (block->flags & FIRST)
        start(block);
    for (uint8_t i = length; i < BLOCK_BYTES; i++)
        block->message[i] = 0;
    add_bytes(block->count, length);
    compress(block->state, block->message, block->count, last);
    if (last)
        store_digest(block);
}

#endif
