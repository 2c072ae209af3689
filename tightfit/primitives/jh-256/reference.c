/*
 * JH-256 (SHA-3 candidate, final round) in portable C11: two elements of 4 bits in a byte, round constants made on
 * the way.
 */

#include <stdint.h>

enum { BLOCK = 64, STATE = 128, CONSTANT = 32, DIGEST = 32, ROUNDS = 42, FIRST = 1, LAST = 2 };

typedef struct {
    uint8_t state[STATE];   /* kept between calls; in the end its first bytes are the digest */
    uint32_t bits[2];       /* kept: bits of the message so far, the low word first */
    uint8_t message[BLOCK]; /* a block; undefined on return */
    uint8_t flags;          /* FIRST block of a message, LAST block */
    uint8_t length;         /* bytes of the message in its last block */
} jh256_block;

static const uint8_t BOXES[2][16] = {
    {9, 0, 4, 11, 13, 12, 3, 15, 1, 10, 2, 6, 7, 5, 8, 14},
    {3, 12, 6, 13, 5, 7, 1, 9, 15, 2, 0, 4, 11, 10, 14, 8},
};

/* The first round constant: the fraction of the root of 2. */
static const uint8_t ROOT[CONSTANT] = {
    0x6a, 0x09, 0xe6, 0x67, 0xf3, 0xbc, 0xc9, 0x08, 0xb2, 0xfb, 0x13, 0x66, 0xea, 0x95, 0x7d, 0x3e,
    0x3a, 0xde, 0xc1, 0x75, 0x12, 0x77, 0x50, 0x99, 0xda, 0x2f, 0x59, 0x0b, 0x06, 0x67, 0x32, 0x2a,
};

/* The product by x in GF(2^4). */
static uint8_t twice(uint8_t a)
{
    return (uint8_t)((a << 1 & 15) ^ (a >> 3) * 3);
}

/* S-boxes that two bits choose, and the linear transformation, on a pair of elements. */
static uint8_t substitute(uint8_t pair, uint8_t choice)
{
    uint8_t a = BOXES[choice >> 1 & 1][pair >> 4];
    uint8_t b = BOXES[choice & 1][pair & 15];

    b ^= twice(a);
    a ^= twice(b);
    return (uint8_t)(a << 4 | b);
}

/* A round on so many bytes; the permutation takes two neighbours to the same place of both halves. */
static void round_of(uint8_t *data, uint8_t bytes, const uint8_t *constant)
{
    uint8_t old[STATE], half = bytes / 2;

    for (uint8_t i = 0; i < bytes; i++)
        old[i] = data[i];
    for (uint8_t i = 0; i < half; i++) {
        uint8_t two = constant ? constant[i / 2] : 0, choice = i % 2 ? two : two >> 4;
        uint8_t one = substitute(old[2 * i], choice >> 2);
        uint8_t other = substitute(old[2 * i + 1], choice);

        data[i] = (uint8_t)((one & 0xf0) | (other & 0x0f));
        data[half + i] = (uint8_t)((other & 0xf0) | (one & 0x0f));
    }
}

/* Where bit `row` of element i is in the state. */
static uint16_t place(uint8_t i, uint8_t row)
{
    return (uint16_t)(256 * row + 128 * (i % 2) + i / 2);
}

/* E_8 with its grouping of bits to elements. */
static void permute(uint8_t *state)
{
    uint8_t elements[STATE], constant[CONSTANT];

    for (uint16_t i = 0; i < 256; i++) {
        uint8_t element = 0;

        for (uint8_t row = 0; row < 4; row++) {
            uint16_t bit = place((uint8_t)i, row);

            element = (uint8_t)(element << 1 | (state[bit / 8] >> (7 - bit % 8) & 1));
        }
        elements[i / 2] = (uint8_t)(elements[i / 2] << 4 | element);
    }
    for (uint8_t i = 0; i < CONSTANT; i++)
        constant[i] = ROOT[i];
    for (uint8_t round = 0; round < ROUNDS; round++) {
        round_of(elements, STATE, constant);
        round_of(constant, CONSTANT, 0);
    }
    for (uint8_t i = 0; i < STATE; i++)
        state[i] = 0;
    for (uint16_t i = 0; i < 256; i++)
        for (uint8_t row = 0; row < 4; row++) {
            uint16_t bit = place((uint8_t)i, row);
            uint8_t value = elements[i / 2] >> (i % 2 ? 3 - row : 7 - row) & 1;

            state[bit / 8] |= (uint8_t)(value << (7 - bit % 8));
        }
}

/* F_8. */
static void compress(uint8_t *state, const uint8_t *message)
{
    for (uint8_t i = 0; i < BLOCK; i++)
        state[i] ^= message[i];
    permute(state);
    for (uint8_t i = 0; i < BLOCK; i++)
        state[BLOCK + i] ^= message[i];
}

static void count(uint32_t *bits, uint16_t more)
{
    bits[0] += more;
    if (bits[0] < more)
        bits[1]++;
}

/* A one, zeros and the length in bits take 512 bits at least: two blocks, but where the message fills its last. */
static void finish(jh256_block *block)
{
    uint8_t *message = block->message, end = block->length, first = 0x80;

    if (end) {
        message[end++] = 0x80;
        while (end < BLOCK)
            message[end++] = 0;
        compress(block->state, message);
        first = 0;
    }
    message[0] = first;
    for (uint8_t i = 1; i < BLOCK; i++)
        message[i] = 0;
    for (uint8_t i = 0; i < 8; i++)
        message[BLOCK - 1 - i] = (uint8_t)(block->bits[i / 4] >> 8 * (i % 4));
    compress(block->state, message);
    for (uint8_t i = 0; i < DIGEST; i++)
        block->state[i] = block->state[STATE - DIGEST + i];
}

void jh256_hash(jh256_block *block)
{
    if (block->flags & FIRST) {
        for (uint8_t i = 0; i < STATE; i++)
            block->state[i] = 0;
        block->state[0] = 1; /* 256, the length of the digest */
        permute(block->state);
        block->bits[0] = block->bits[1] = 0;
    }
    if (block->flags & LAST) {
        count(block->bits, (uint16_t)(8 * block->length));
        finish(block);
    } else {
        count(block->bits, 8 * BLOCK);
        compress(block->state, block->message);
    }
}
