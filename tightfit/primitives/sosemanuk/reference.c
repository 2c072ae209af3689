/*
 * SOSEMANUK (eSTREAM portfolio) in portable C11. Serpent with 24 rounds makes the state of key and iv, its round keys
 * as they are needed; then steps of LFSR and FSM, four to an S-box. Products with powers of beta are computed.
 */

#include <stdint.h>

enum { ROUNDS = 24, WORDS = 4, CELLS = 10 };

typedef struct {
    uint8_t key[KEY_BYTES];
    uint8_t iv[IV_BYTES];
    uint8_t text[BLOCK_BYTES]; /* replaced in place */
    uint8_t length;            /* bytes of the text that count; all of them are replaced */
    uint32_t s[CELLS];         /* the LFSR; kept between calls */
    uint32_t r1, r2;           /* the FSM */
} sosemanuk_block;

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

/* All 32 inputs through one S-box; the words turn once round under it. */
static void substitute(uint32_t *x, const uint8_t *box)
{
    for (uint8_t bit = 0; bit < 32; bit++) {
        uint8_t in = 0, out;

        for (uint8_t n = 0; n < WORDS; n++)
            in |= (uint8_t)((x[n] & 1) << n);
        out = box[in];
        for (uint8_t n = 0; n < WORDS; n++)
            x[n] = x[n] >> 1 | (uint32_t)(out >> n & 1) << 31;
    }
}

static void mix(uint32_t *x)
{
    x[0] = left(x[0], 13);
    x[2] = left(x[2], 3);
    x[1] = left(x[1] ^ x[0] ^ x[2], 1);
    x[3] = left(x[3] ^ x[2] ^ x[0] << 3, 7);
    x[0] = left(x[0] ^ x[1] ^ x[3], 5);
    x[2] = left(x[2] ^ x[3] ^ x[1] << 7, 22);
}

/* Adds the next round key to x; `line` holds the last eight words of the schedule, `made` how many it has made. */
static void add_key(uint32_t *x, uint32_t *line, uint8_t made)
{
    uint32_t key[WORDS];

    for (uint8_t n = 0; n < WORDS; n++, made++) {
        uint32_t *word = &line[made & 7];
        const uint32_t taps = *word ^ line[(made + 3) & 7] ^ line[(made + 5) & 7] ^ line[(made + 7) & 7];

        key[n] = *word = left(taps ^ 0x9e3779b9 ^ made, 11);
    }
    substitute(key, BOXES[(4 - made / WORDS) & 7]);
    for (uint8_t n = 0; n < WORDS; n++)
        x[n] ^= key[n];
}

static uint8_t times_beta(uint8_t c)
{
    return (uint8_t)(c << 1 ^ (0xa9 & -(c >> 7)));
}

/* c times the factors, the bytes of the result: each bit of c adds the factors times a power of beta. */
static uint32_t column(uint8_t c, const uint8_t *factors)
{
    uint32_t total = 0;

    for (uint8_t n = 0; n < 4; n++) {
        uint8_t factor = factors[n], sum = 0;

        for (uint8_t bit = 0; bit < 8; bit++) {
            sum ^= (uint8_t)(factor & -(c >> bit & 1));
            factor = times_beta(factor);
        }
        total = total << 8 | sum;
    }
    return total;
}

/* A step; returns what goes through the S-box, and in `old` what is added afterwards. */
static uint32_t step(sosemanuk_block *block, uint32_t *old)
{
    static const uint8_t alpha[4] = {0xe1, 0x9f, 0xcf, 0x13};   /* beta to 23, 245, 48, 239 */
    static const uint8_t inverse[4] = {0x18, 0x0f, 0x40, 0xcd}; /* beta to 16, 39, 6, 64 */
    uint32_t *s = block->s;
    const uint32_t before = block->r1;
    const uint32_t fresh = s[9] ^ s[0] << 8 ^ column((uint8_t)(s[0] >> 24), alpha) ^ s[3] >> 8
                           ^ column((uint8_t)s[3], inverse);
    uint32_t out;

    block->r1 = block->r2 + (s[1] ^ (s[8] & (uint32_t)-(before & 1)));
    block->r2 = left(before * 0x54655307, 7);
    out = (s[9] + block->r1) ^ block->r2;
    *old = s[0];
    for (uint8_t i = 1; i < CELLS; i++)
        s[i - 1] = s[i];
    s[CELLS - 1] = fresh;
    return out;
}

void sosemanuk_setup(sosemanuk_block *block)
{
    uint32_t line[8], x[WORDS];

    for (uint8_t i = 0; i < 8; i++)
        line[i] = load(block->key + 4 * i);
    for (uint8_t i = 0; i < WORDS; i++)
        x[i] = load(block->iv + 4 * i);
    for (uint8_t round = 0; round < ROUNDS; round++) {
        add_key(x, line, (uint8_t)(WORDS * round));
        substitute(x, BOXES[round & 7]);
        mix(x);
        if (round == 11)
            for (uint8_t i = 0; i < WORDS; i++)
                block->s[9 - i] = x[i];
        if (round == 17) {
            block->r1 = x[0];
            block->s[4] = x[1];
            block->r2 = x[2];
            block->s[5] = x[3];
        }
    }
    add_key(x, line, WORDS * ROUNDS);
    for (uint8_t i = 0; i < WORDS; i++)
        block->s[3 - i] = x[i];
}

void sosemanuk_next(sosemanuk_block *block)
{
    uint32_t x[WORDS], old[WORDS];

    for (uint8_t i = 0; i < WORDS; i++)
        x[i] = step(block, &old[i]);
    substitute(x, BOXES[2]);
    for (uint8_t i = 0; i < BLOCK_BYTES; i++)
        block->text[i] ^= (uint8_t)((x[i / 4] ^ old[i / 4]) >> 8 * (i % 4));
}
