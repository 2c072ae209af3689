/*
 * Simon64/128 (ePrint 2013/404) in portable C11, on words of 32 bits.
 *
 * Words are little-endian, the low one first. ENCRYPT, DECRYPT, SETUP, ENCRYPT_NEXT and DECRYPT_NEXT say which
 * entries are wanted. Encryption with a fresh key computes its round keys on the way; decryption computes them
 * forward and then back; SETUP keeps all of them for the blocks that follow.
 */

#include <stdint.h>

enum { TEXT = 8, KEY = 16, ROUNDS = 44 };

typedef struct {
    uint8_t text[TEXT]; /* replaced in place */
    uint8_t key[KEY];
#ifdef SETUP
    uint32_t round_keys[ROUNDS]; /* kept between calls */
#endif
} simon64128_block;

static uint32_t left(uint32_t word, uint8_t bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t load(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

#if defined ENCRYPT || defined DECRYPT || defined ENCRYPT_NEXT || defined DECRYPT_NEXT

static void store(uint8_t *bytes, uint32_t word)
{
    for (uint8_t i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)word;
        word >>= 8;
    }
}

static uint32_t f(uint32_t word)
{
    return (left(word, 1) & left(word, 8)) ^ left(word, 2);
}

#endif

#if defined ENCRYPT || defined DECRYPT || defined SETUP

/* The first 40 bits of the sequence z3, the first one lowest. */
static const uint8_t z3[5] = {0xdb, 0x35, 0xa6, 0x07, 0x12};

/* What round key `i` + 4 and round key `i` differ by, from the two between them. */
static uint32_t difference(uint32_t second, uint32_t last, uint8_t i)
{
    uint32_t t = left(last, 29) ^ second;

    return t ^ left(t, 31) ^ (0xfffffffcu | (z3[i >> 3] >> (i & 7) & 1));
}

#endif

#if defined ENCRYPT || defined DECRYPT

static void load_key(uint32_t *k, const uint8_t *bytes)
{
    for (uint8_t i = 0; i < 4; i++)
        k[i] = load(bytes + 4 * i);
}

#endif

#ifdef ENCRYPT

void simon64128_encrypt(simon64128_block *block)
{
    uint32_t y = load(block->text), x = load(block->text + 4), k[4];

    load_key(k, block->key);
    for (uint8_t i = 0; i < ROUNDS; i++) {
        uint32_t old = x;

        x = y ^ f(x) ^ k[i & 3];
        y = old;
        if (i < ROUNDS - 4)
            k[i & 3] ^= difference(k[(i + 1) & 3], k[(i + 3) & 3], i);
    }
    store(block->text, y);
    store(block->text + 4, x);
}

#endif

#ifdef DECRYPT

void simon64128_decrypt(simon64128_block *block)
{
    uint32_t y = load(block->text), x = load(block->text + 4), k[4];

    load_key(k, block->key);
    for (uint8_t i = 0; i < ROUNDS - 4; i++)
        k[i & 3] ^= difference(k[(i + 1) & 3], k[(i + 3) & 3], i);
    for (uint8_t i = ROUNDS; i-- > 0;) {
        uint32_t old = y;

        if (i < ROUNDS - 4)
            k[i & 3] ^= difference(k[(i + 1) & 3], k[(i + 3) & 3], i);
        y = x ^ f(y) ^ k[i & 3];
        x = old;
    }
    store(block->text, y);
    store(block->text + 4, x);
}

#endif

#ifdef SETUP

void simon64128_setup(simon64128_block *block)
{
    uint32_t *k = block->round_keys;

    for (uint8_t i = 0; i < 4; i++)
        k[i] = load(block->key + 4 * i);
    for (uint8_t i = 0; i < ROUNDS - 4; i++)
        k[i + 4] = k[i] ^ difference(k[i + 1], k[i + 3], i);
}

#endif

#ifdef ENCRYPT_NEXT

void simon64128_encrypt_next(simon64128_block *block)
{
    uint32_t y = load(block->text), x = load(block->text + 4);

    for (uint8_t i = 0; i < ROUNDS; i++) {
        uint32_t old = x;

        x = y ^ f(x) ^ block->round_keys[i];
        y = old;
    }
    store(block->text, y);
    store(block->text + 4, x);
}

#endif

#ifdef DECRYPT_NEXT

void simon64128_decrypt_next(simon64128_block *block)
{
    uint32_t y = load(block->text), x = load(block->text + 4);

    for (uint8_t i = ROUNDS; i-- > 0;) {
        uint32_t old = y;

        y = x ^ f(y) ^ block->round_keys[i];
        x = old;
    }
    store(block->text, y);
    store(block->text + 4, x);
}

#endif
