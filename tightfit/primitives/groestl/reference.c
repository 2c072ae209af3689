/*
 * Groestl (SHA-3 finalist, version 2.0.1) in portable C11, on the bytes of two matrices.
 *
 * BLOCK_BYTES is the length of a block, of a state and of a matrix, COLUMNS its columns, ROUNDS those of a
 * permutation, DIGEST_BYTES the length of the digest.
 */

#include <stdint.h>

enum { ROWS = 8, COUNT = BLOCK_BYTES - 8, FIRST = 1, LAST = 2, FAR = COLUMNS == 8 ? 7 : 11 };

typedef struct {
    uint8_t state[BLOCK_BYTES];   /* kept, column by column; in the end its first bytes are the digest */
    uint32_t blocks[2];           /* kept: blocks of the message so far, the low word first */
    uint8_t message[BLOCK_BYTES]; /* a block; undefined on return */
    uint8_t flags;                /* FIRST block of a message, LAST block */
    uint8_t length;               /* bytes of the message in its last block */
} groestl_block;

/* FIPS-197, 5.1.1; section 3.4.3. */
static const uint8_t SBOX[256] = {
    0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76,
    0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59, 0x47, 0xf0, 0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0,
    0xb7, 0xfd, 0x93, 0x26, 0x36, 0x3f, 0xf7, 0xcc, 0x34, 0xa5, 0xe5, 0xf1, 0x71, 0xd8, 0x31, 0x15,
    0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a, 0x07, 0x12, 0x80, 0xe2, 0xeb, 0x27, 0xb2, 0x75,
    0x09, 0x83, 0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0, 0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84,
    0x53, 0xd1, 0x00, 0xed, 0x20, 0xfc, 0xb1, 0x5b, 0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf,
    0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85, 0x45, 0xf9, 0x02, 0x7f, 0x50, 0x3c, 0x9f, 0xa8,
    0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5, 0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2,
    0xcd, 0x0c, 0x13, 0xec, 0x5f, 0x97, 0x44, 0x17, 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73,
    0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88, 0x46, 0xee, 0xb8, 0x14, 0xde, 0x5e, 0x0b, 0xdb,
    0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c, 0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79,
    0xe7, 0xc8, 0x37, 0x6d, 0x8d, 0xd5, 0x4e, 0xa9, 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08,
    0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6, 0xb4, 0xc6, 0xe8, 0xdd, 0x74, 0x1f, 0x4b, 0xbd, 0x8b, 0x8a,
    0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e, 0x61, 0x35, 0x57, 0xb9, 0x86, 0xc1, 0x1d, 0x9e,
    0xe1, 0xf8, 0x98, 0x11, 0x69, 0xd9, 0x8e, 0x94, 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf,
    0x8c, 0xa1, 0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68, 0x41, 0x99, 0x2d, 0x0f, 0xb0, 0x54, 0xbb, 0x16,
};

/* How far the rows turn, in P and in Q (3.4.4). */
static const uint8_t SHIFTS[2][ROWS] = {{0, 1, 2, 3, 4, 5, 6, FAR}, {1, 3, 5, FAR, 0, 2, 4, 6}};

static uint8_t doubled(uint8_t byte)
{
    return (uint8_t)(byte << 1 ^ (byte >> 7) * 0x1b);
}

/* A column times the circulant matrix of 2, 2, 3, 4, 5, 3, 5, 7 (3.4.5), as 4 y + 2 z + z'. */
static void mix(uint8_t *to, const uint8_t *column)
{
    uint8_t pairs[ROWS], y[ROWS], z[ROWS];

    for (uint8_t i = 0; i < ROWS; i++)
        pairs[i] = column[i] ^ column[(i + 1) % ROWS];
    for (uint8_t i = 0; i < ROWS; i++) {
        y[i] = pairs[i] ^ pairs[(i + 3) % ROWS];
        z[i] = pairs[i] ^ pairs[(i + 2) % ROWS] ^ column[(i + 6) % ROWS];
    }
    for (uint8_t i = 0; i < ROWS; i++)
        to[i] = doubled(doubled(y[(i + 3) % ROWS]) ^ z[(i + 7) % ROWS]) ^ z[(i + 4) % ROWS];
}

/* P, or Q if `second` is 1 (3.4). */
static void permute(uint8_t *matrix, uint8_t second)
{
    uint8_t other[BLOCK_BYTES], column[ROWS];

    for (uint8_t round = 0; round < ROUNDS; round++) {
        for (uint8_t j = 0; j < COLUMNS; j++)
            for (uint8_t i = 0; i < ROWS; i++) {
                uint8_t byte = matrix[ROWS * j + i];

                if (second)
                    byte ^= 0xff;
                if (i == (second ? ROWS - 1 : 0))
                    byte ^= (uint8_t)(j << 4 ^ round);
                other[ROWS * j + i] = SBOX[byte];
            }
        for (uint8_t j = 0; j < COLUMNS; j++) {
            for (uint8_t i = 0; i < ROWS; i++)
                column[i] = other[ROWS * ((j + SHIFTS[second][i]) % COLUMNS) + i];
            mix(matrix + ROWS * j, column);
        }
    }
}

/* The compression function (3.2). */
static void compress(uint8_t *state, uint8_t *message)
{
    uint8_t sum[BLOCK_BYTES];

    for (uint8_t i = 0; i < BLOCK_BYTES; i++)
        sum[i] = state[i] ^ message[i];
    permute(sum, 0);
    permute(message, 1);
    for (uint8_t i = 0; i < BLOCK_BYTES; i++)
        state[i] ^= sum[i] ^ message[i];
}

/* One more block. */
static void take(groestl_block *block)
{
    if (++block->blocks[0] == 0)
        block->blocks[1]++;
}

/* The message ends here: a one, zeros, and its blocks in the last 8 bytes of one (3.6); then the output (3.3). */
static void finish(groestl_block *block)
{
    uint8_t sum[BLOCK_BYTES], end = block->length;

    block->message[end++] = 0x80;
    if (end > COUNT) {
        while (end < BLOCK_BYTES)
            block->message[end++] = 0;
        compress(block->state, block->message);
        take(block);
        end = 0;
    }
    while (end < COUNT)
        block->message[end++] = 0;
    for (uint8_t i = 0; i < 8; i++)
        block->message[COUNT + i] = (uint8_t)(block->blocks[i < 4] >> (24 - 8 * (i % 4)));
    compress(block->state, block->message);
    for (uint8_t i = 0; i < BLOCK_BYTES; i++)
        sum[i] = block->state[i];
    permute(sum, 0);
    for (uint8_t i = 0; i < DIGEST_BYTES; i++)
        block->state[i] = sum[DIGEST_BYTES + i] ^ block->state[DIGEST_BYTES + i];
}

void groestl_hash(groestl_block *block)
{
    if (block->flags & FIRST) {
        for (uint8_t i = 0; i < BLOCK_BYTES; i++)
            block->state[i] = 0;
        block->state[BLOCK_BYTES - 2] = DIGEST_BYTES / 32;
        block->blocks[0] = block->blocks[1] = 0;
    }
    take(block);
    if (block->flags & LAST)
        finish(block);
    else
        compress(block->state, block->message);
}
