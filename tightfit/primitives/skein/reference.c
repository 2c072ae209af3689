/*
 * Skein 1.3 in portable C11, on 64-bit words, where block, state and digest are as long as each other.
 *
 * BLOCK_BYTES is 32 or 64. A last block may be full; only that of the empty message is empty.
 */

#include <stdint.h>

enum { WORDS = BLOCK_BYTES / 8, ROUNDS = 72, FIRST = 1, LAST = 2, MESSAGE = 0x30, OUTPUT = 0x3f };

typedef struct {
    uint64_t state[WORDS];        /* kept: the chaining value; in the end its bytes are the digest */
    uint64_t position;            /* kept: bytes of the message so far */
    uint8_t message[BLOCK_BYTES]; /* a block; undefined on return */
    uint8_t flags;                /* FIRST block of a message, LAST block */
    uint8_t length;               /* bytes of the message in its last block */
} skein_block;

#if BLOCK_BYTES == 32
/* The chaining value after the configuration (appendix B). */
static const uint64_t INITIAL[WORDS] = {
    0xfc9da860d048b449, 0x2fca66479fa7d833, 0xb33bc3896656840f, 0x6a54e920fde8da69,
};
/* Rotations of eight rounds (table 4), and the new places of words (table 3). */
static const uint8_t ROTATIONS[8][WORDS / 2] = {
    {14, 16}, {52, 57}, {23, 40}, {5, 37}, {25, 33}, {46, 12}, {58, 22}, {32, 32},
};
static const uint8_t PLACES[WORDS] = {0, 3, 2, 1};
#else
static const uint64_t INITIAL[WORDS] = {
    0x4903adff749c51ce, 0x0d95de399746df03, 0x8fd1934127c79bce, 0x9a255629ff352cb1,
    0x5db62599df6ca7b0, 0xeabe394ca9d5c3f4, 0x991112c71a75b523, 0xae18a40b660fcc33,
};
static const uint8_t ROTATIONS[8][WORDS / 2] = {
    {46, 36, 19, 37}, {33, 27, 14, 42}, {17, 49, 36, 39}, {44, 9, 54, 56},
    {39, 30, 34, 24}, {13, 50, 10, 17}, {25, 29, 39, 43}, {8, 35, 56, 22},
};
static const uint8_t PLACES[WORDS] = {2, 1, 4, 7, 6, 5, 0, 3};
#endif

/* A word turned left. */
static uint64_t turn(uint64_t word, uint8_t count)
{
    return word << count | word >> (64 - count);
}

/* Words have their lowest byte first. */
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

/* A subkey (3.3.2) of the key and the tweak, each with the sum of its words. */
static void add_subkey(uint64_t *v, const uint64_t *key, const uint64_t *tweak, uint8_t number)
{
    for (uint8_t i = 0; i < WORDS; i++)
        v[i] += key[(number + i) % (WORDS + 1)];
    v[WORDS - 3] += tweak[number % 3];
    v[WORDS - 2] += tweak[(number + 1) % 3];
    v[WORDS - 1] += number;
}

/* A round (3.3): MIX on pairs of words, and their new places. */
static void mix(uint64_t *v, const uint8_t *rotations)
{
    uint64_t mixed[WORDS];

    for (uint8_t j = 0; j < WORDS; j += 2) {
        mixed[j] = v[j] + v[j + 1];
        mixed[j + 1] = turn(v[j + 1], rotations[j / 2]) ^ mixed[j];
    }
    for (uint8_t i = 0; i < WORDS; i++)
        v[i] = mixed[PLACES[i]];
}

/* A block of UBI (3.4): the state is the key of Threefish. */
static void chain(uint64_t *state, const uint8_t *message, uint64_t position, uint8_t kind)
{
    uint64_t key[WORDS + 1], tweak[3], v[WORDS];

    key[WORDS] = 0x1bd11bdaa9fc1a22;
    for (uint8_t i = 0; i < WORDS; i++) {
        key[i] = state[i];
        key[WORDS] ^= state[i];
        v[i] = load(message + 8 * i);
    }
    tweak[0] = position;
    tweak[1] = (uint64_t)kind << 56;
    tweak[2] = tweak[0] ^ tweak[1];
    for (uint8_t d = 0; d < ROUNDS; d++) {
        if (d % 4 == 0)
            add_subkey(v, key, tweak, d / 4);
        mix(v, ROTATIONS[d % 8]);
    }
    add_subkey(v, key, tweak, ROUNDS / 4);
    for (uint8_t i = 0; i < WORDS; i++)
        state[i] = v[i] ^ load(message + 8 * i);
}

void skein_hash(skein_block *block)
{
    uint8_t flags = block->flags & (FIRST | LAST), length = BLOCK_BYTES;

    if (flags & FIRST) {
        for (uint8_t i = 0; i < WORDS; i++)
            block->state[i] = INITIAL[i];
        block->position = 0;
    }
    if (flags & LAST) {
        length = block->length;
        for (uint8_t i = length; i < BLOCK_BYTES; i++)
            block->message[i] = 0;
    }
    block->position += length;
    chain(block->state, block->message, block->position, (uint8_t)(flags << 6) | MESSAGE);
    if (flags & LAST) {
        for (uint8_t i = 0; i < BLOCK_BYTES; i++)
            block->message[i] = 0;
        chain(block->state, block->message, 8, (FIRST | LAST) << 6 | OUTPUT);
        for (uint8_t i = 0; i < WORDS; i++)
            store((uint8_t *)&block->state[i], block->state[i]);
    }
}
