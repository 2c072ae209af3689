/*
 * SOSEMANUK (eSTREAM portfolio) in portable C11.
 *
 * An S-box of Serpent takes a nibble from four words, a bit of each, and goes by a table.
 * Multiplication by alpha and its inverse goes bit by bit, so that all tables together have 64 bytes.
 */

#include <stdint.h>

enum { ROUNDS = 24, WORDS = 10 };

typedef struct {
    uint8_t key[KEY_BYTES];
    uint8_t iv[IV_BYTES];
    uint8_t text[BLOCK_BYTES]; /* replaced in place */
    uint8_t length;            /* bytes of the text that count; all of them are replaced */
    uint32_t s[WORDS];         /* the register, the oldest word first; kept between calls */
    uint32_t r1, r2;           /* the machine of two words */
} sosemanuk_block;

/* Two nibbles a byte, the lower one first. */
static const uint8_t boxes[8][8] = {
    {0x83, 0x1f, 0x6a, 0xb5, 0xde, 0x24, 0x07, 0xc9}, {0xcf, 0x72, 0x09, 0xa5, 0xb1, 0x8e, 0xd6, 0x43},
    {0x68, 0x97, 0xc3, 0xfa, 0x1d, 0x4e, 0xb0, 0x25}, {0xf0, 0x8b, 0x9c, 0x36, 0x1d, 0x42, 0x7a, 0xe5},
    {0xf1, 0x38, 0x0c, 0x6b, 0x52, 0xa4, 0xe9, 0xd7}, {0x5f, 0xb2, 0xa4, 0xc9, 0x30, 0x8e, 0x6d, 0x17},
    {0x27, 0x5c, 0x48, 0xb6, 0x9e, 0xf1, 0x3d, 0x0a}, {0xd1, 0x0f, 0x8e, 0xb2, 0x47, 0xac, 0x39, 0x65},
};

static uint32_t left(uint32_t word, uint8_t bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t load(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* An S-box on the 32 nibbles whose bits are those of four words. */
static void substitute(uint32_t x[4], uint8_t number)
{
    for (uint8_t i = 0; i < 32; i++) {
        uint32_t nibble = 0;
        for (uint8_t j = 4; j-- > 0;)
            nibble = nibble << 1 | (x[j] & 1);
        const uint8_t pair = boxes[number][nibble / 2];
        const uint32_t image = nibble & 1 ? pair >> 4 : pair & 15;
        for (uint8_t j = 0; j < 4; j++)
            x[j] = x[j] >> 1 | (image >> j & 1) << 31;
    }
}

/* The linear transformation of Serpent. */
static void mix(uint32_t x[4])
{
    x[0] = left(x[0], 13);
    x[2] = left(x[2], 3);
    x[1] = left(x[1] ^ x[0] ^ x[2], 1);
    x[3] = left(x[3] ^ x[2] ^ x[0] << 3, 7);
    x[0] = left(x[0] ^ x[1] ^ x[3], 5);
    x[2] = left(x[2] ^ x[3] ^ x[1] << 7, 22);
}

/* A round key to x, from the last eight words of the schedule, which move on by four. */
static void add_key(uint32_t x[4], uint32_t w[8], uint8_t number)
{
    uint32_t k[4];

    for (uint8_t i = 0; i < 4; i++) {
        const uint32_t fresh =
            left(w[0] ^ w[3] ^ w[5] ^ w[7] ^ 0x9e3779b9 ^ (uint32_t)(4 * number + i), 11);
        for (uint8_t j = 1; j < 8; j++)
            w[j - 1] = w[j];
        k[i] = w[7] = fresh;
    }
    substitute(k, (uint8_t)(3 - number) & 7);
    for (uint8_t i = 0; i < 4; i++)
        x[i] ^= k[i];
}

void sosemanuk_setup(sosemanuk_block *block)
{
    uint32_t x[4], w[8];

    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load(block->iv + 4 * i);
        w[i] = load(block->key + 4 * i);
        w[4 + i] = i == 0; /* the one that ends the key */
    }
    for (uint8_t round = 0; round < ROUNDS; round++) {
        add_key(x, w, round);
        substitute(x, round & 7);
        mix(x);
        if (round == 11)
            for (uint8_t i = 0; i < 4; i++)
                block->s[9 - i] = x[i];
        if (round == 17) {
            block->r1 = x[0];
            block->s[4] = x[1];
            block->r2 = x[2];
            block->s[5] = x[3];
        }
    }
    add_key(x, w, ROUNDS);
    for (uint8_t i = 0; i < 4; i++)
        block->s[3 - i] = x[i];
}

/* A byte times a word over GF(2^8). */
static uint32_t times(uint8_t byte, uint32_t constant)
{
    uint32_t product = 0;

    for (uint8_t i = 0; i < 8; i++) {
        if (byte & 1)
            product ^= constant;
        byte >>= 1;
        /* beta times each byte of the constant */
        constant = (constant << 1 & 0xfefefefe) ^ (constant >> 7 & 0x01010101) * 0xa9;
    }
    return product;
}

/* A step of register and machine; returns the word that goes to the S-box. */
static uint32_t step(sosemanuk_block *block)
{
    uint32_t *s = block->s;
    const uint32_t old = block->r1;

    block->r1 = block->r2 + (s[1] ^ (old & 1 ? s[8] : 0));
    block->r2 = left(old * 0x54655307, 7);
    const uint32_t f = (s[9] + block->r1) ^ block->r2;
    const uint32_t up = s[0] << 8 ^ times((uint8_t)(s[0] >> 24), 0xe19fcf13);
    const uint32_t down = s[3] >> 8 ^ times((uint8_t)s[3], 0x180f40cd);
    const uint32_t fresh = s[9] ^ up ^ down;
    for (uint8_t i = 1; i < WORDS; i++)
        s[i - 1] = s[i];
    s[9] = fresh;
    return f;
}

void sosemanuk_next(sosemanuk_block *block)
{
    uint32_t x[4], dropped[4];

    for (uint8_t i = 0; i < 4; i++) {
        dropped[i] = block->s[0];
        x[i] = step(block);
    }
    substitute(x, 2);
    for (uint8_t i = 0; i < BLOCK_BYTES; i++)
        block->text[i] ^= (uint8_t)((x[i / 4] ^ dropped[i / 4]) >> 8 * (i % 4));
}
