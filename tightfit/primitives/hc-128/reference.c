/*
 * HC-128 (eSTREAM portfolio) in portable C11. Key and iv are expanded within the tables: 16 words of the expansion
 * make the next one, so those in front of P are kept aside and those of P and Q stay where they are made.
 */

#include <stdint.h>

enum { SIZE = 512, MASK = SIZE - 1, SEED = 16, BEFORE = 256 };

typedef struct {
    uint8_t key[KEY_BYTES];
    uint8_t iv[IV_BYTES];
    uint8_t text[BLOCK_BYTES]; /* replaced in place */
    uint8_t length;            /* bytes of the text that count; all of them are replaced */
    uint32_t tables[2][SIZE];  /* P and Q; kept between calls */
    uint16_t step;             /* below 1024 */
} hc128_block;

static uint32_t right(uint32_t word, uint8_t bits)
{
    return word >> bits | word << (32 - bits);
}

static uint32_t load(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* A word of the expansion from the 16 before it, the one at `next` being the oldest of the ring. */
static uint32_t expand(const uint32_t *ring, uint16_t next)
{
    const uint32_t near = ring[(next + 14) % SEED], far = ring[(next + 1) % SEED];

    return (right(near, 17) ^ right(near, 19) ^ near >> 10) + ring[(next + 9) % SEED]
           + (right(far, 7) ^ right(far, 18) ^ far >> 3) + ring[next % SEED] + next;
}

/* A word of P or Q is new; returns the word of keystream that comes of it. */
static uint32_t make(hc128_block *block)
{
    const uint8_t second = block->step >= SIZE;
    const uint16_t j = block->step & MASK;
    uint32_t *own = block->tables[second];
    const uint32_t *other = block->tables[!second];
    const uint32_t x = own[(j - 3) & MASK], y = own[(j - 10) & MASK], z = own[(j + 1) & MASK];
    const uint32_t at = own[(j - 12) & MASK];

    own[j] += second ? (right(x, 22) ^ right(z, 9)) + right(y, 24) : (right(x, 10) ^ right(z, 23)) + right(y, 8);
    block->step = (block->step + 1) & (2 * SIZE - 1);
    return (other[at & 0xff] + other[256 + (at >> 16 & 0xff)]) ^ own[j];
}

void hc128_setup(hc128_block *block)
{
    uint32_t ring[SEED];

    for (uint8_t i = 0; i < 4; i++) {
        ring[i] = ring[i + 4] = load(block->key + 4 * i);
        ring[i + 8] = ring[i + 12] = load(block->iv + 4 * i);
    }
    for (uint16_t i = SEED; i < BEFORE + 2 * SIZE; i++) {
        ring[i % SEED] = expand(ring, i);
        if (i >= BEFORE)
            block->tables[(i - BEFORE) / SIZE][(i - BEFORE) & MASK] = ring[i % SEED];
    }
    block->step = 0;
    for (uint16_t i = 0; i < 2 * SIZE; i++) {
        const uint32_t word = make(block);

        block->tables[i / SIZE][i & MASK] = word;
    }
}

void hc128_next(hc128_block *block)
{
    for (uint8_t i = 0; i < BLOCK_BYTES; i += 4) {
        const uint32_t word = make(block);

        for (uint8_t n = 0; n < 4; n++)
            block->text[i + n] ^= (uint8_t)(word >> 8 * n);
    }
}
