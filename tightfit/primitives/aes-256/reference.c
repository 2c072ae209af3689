/*
 * AES-256 (FIPS 197) in portable C11, byte by byte: the steps of the standard, its S-boxes as tables.
 *
 * ENCRYPT, DECRYPT, SETUP, ENCRYPT_NEXT and DECRYPT_NEXT say which entries are wanted. A block with a fresh
 * key computes its round keys on the way; SETUP keeps all of them for the blocks that follow.
 */

#include <stdint.h>

enum { BLOCK = 16, KEY = 32, ROUNDS = 14 };

typedef struct {
    uint8_t text[BLOCK]; /* replaced in place */
    uint8_t key[KEY];
#ifdef SETUP
    uint8_t round_keys[ROUNDS + 1][BLOCK]; /* kept between calls */
#endif
} aes256_block;

/* Section 5.1.1. */
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

/* Twice a byte in GF(2^8) (4.2.1). */
static uint8_t twice(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
}

static void copy(uint8_t *to, const uint8_t *from)
{
    for (uint8_t i = 0; i < BLOCK; i++)
        to[i] = from[i];
}

/* Section 5.1.4. */
static void add_round_key(uint8_t *state, const uint8_t *round_key)
{
    for (uint8_t i = 0; i < BLOCK; i++)
        state[i] ^= round_key[i];
}

/* Each byte through a table (5.1.1, 5.3.2). */
static void substitute(uint8_t *state, const uint8_t *table)
{
    for (uint8_t i = 0; i < BLOCK; i++)
        state[i] = table[state[i]];
}

/* Section 5.1.3; a column is four bytes in a row. */
static void mix_columns(uint8_t *state)
{
    for (uint8_t *column = state; column < state + BLOCK; column += 4) {
        uint8_t first = column[0];
        uint8_t sum = column[0] ^ column[1] ^ column[2] ^ column[3];

        column[0] ^= sum ^ twice(column[0] ^ column[1]);
        column[1] ^= sum ^ twice(column[1] ^ column[2]);
        column[2] ^= sum ^ twice(column[2] ^ column[3]);
        column[3] ^= sum ^ twice(column[3] ^ first);
    }
}

#if defined ENCRYPT || defined DECRYPT

/*
 * Two round keys stand in a row. The first word of one takes in the last of the other, substituted, and turned
 * where it is the first of the two (5.2).
 */
static void change_first_word(uint8_t *key, uint8_t half, uint8_t constant)
{
    uint8_t *to = key + half, *last = key + (half ^ BLOCK) + 12;

    for (uint8_t i = 0; i < 4; i++)
        to[i] ^= SBOX[half ? last[i] : last[(i + 1) % 4]];
    if (half == 0)
        to[0] ^= constant;
}

/* A round key in place of the one two before it (5.2). */
static void next_round_key(uint8_t *key, uint8_t half, uint8_t constant)
{
    change_first_word(key, half, constant);
    for (uint8_t i = 4; i < BLOCK; i++)
        key[half + i] ^= key[half + i - 4];
}

#endif

#if defined ENCRYPT || defined ENCRYPT_NEXT

/* Row r moves left by r columns (5.1.2). */
static void shift_rows(uint8_t *s)
{
    uint8_t t;

    t = s[1], s[1] = s[5], s[5] = s[9], s[9] = s[13], s[13] = t;
    t = s[2], s[2] = s[10], s[10] = t;
    t = s[6], s[6] = s[14], s[14] = t;
    t = s[15], s[15] = s[11], s[11] = s[7], s[7] = s[3], s[3] = t;
}

#endif

#ifdef ENCRYPT

/* The cipher (5.1). */
void aes256_encrypt(aes256_block *block)
{
    uint8_t *state = block->text, keys[KEY], half = 0, constant = 1;

    copy(keys, block->key);
    copy(keys + BLOCK, block->key + BLOCK);
    add_round_key(state, keys);
    for (uint8_t round = 1; round <= ROUNDS; round++) {
        substitute(state, SBOX);
        shift_rows(state);
        if (round < ROUNDS)
            mix_columns(state);
        half ^= BLOCK;
        if (round > 1)
            next_round_key(keys, half, constant);
        if (half == 0)
            constant = twice(constant);
        add_round_key(state, keys + half);
    }
}

#endif

#if defined DECRYPT || defined DECRYPT_NEXT

/* Section 5.3.2. */
static const uint8_t INVERSE_SBOX[256] = {
    0x52, 0x09, 0x6a, 0xd5, 0x30, 0x36, 0xa5, 0x38, 0xbf, 0x40, 0xa3, 0x9e, 0x81, 0xf3, 0xd7, 0xfb,
    0x7c, 0xe3, 0x39, 0x82, 0x9b, 0x2f, 0xff, 0x87, 0x34, 0x8e, 0x43, 0x44, 0xc4, 0xde, 0xe9, 0xcb,
    0x54, 0x7b, 0x94, 0x32, 0xa6, 0xc2, 0x23, 0x3d, 0xee, 0x4c, 0x95, 0x0b, 0x42, 0xfa, 0xc3, 0x4e,
    0x08, 0x2e, 0xa1, 0x66, 0x28, 0xd9, 0x24, 0xb2, 0x76, 0x5b, 0xa2, 0x49, 0x6d, 0x8b, 0xd1, 0x25,
    0x72, 0xf8, 0xf6, 0x64, 0x86, 0x68, 0x98, 0x16, 0xd4, 0xa4, 0x5c, 0xcc, 0x5d, 0x65, 0xb6, 0x92,
    0x6c, 0x70, 0x48, 0x50, 0xfd, 0xed, 0xb9, 0xda, 0x5e, 0x15, 0x46, 0x57, 0xa7, 0x8d, 0x9d, 0x84,
    0x90, 0xd8, 0xab, 0x00, 0x8c, 0xbc, 0xd3, 0x0a, 0xf7, 0xe4, 0x58, 0x05, 0xb8, 0xb3, 0x45, 0x06,
    0xd0, 0x2c, 0x1e, 0x8f, 0xca, 0x3f, 0x0f, 0x02, 0xc1, 0xaf, 0xbd, 0x03, 0x01, 0x13, 0x8a, 0x6b,
    0x3a, 0x91, 0x11, 0x41, 0x4f, 0x67, 0xdc, 0xea, 0x97, 0xf2, 0xcf, 0xce, 0xf0, 0xb4, 0xe6, 0x73,
    0x96, 0xac, 0x74, 0x22, 0xe7, 0xad, 0x35, 0x85, 0xe2, 0xf9, 0x37, 0xe8, 0x1c, 0x75, 0xdf, 0x6e,
    0x47, 0xf1, 0x1a, 0x71, 0x1d, 0x29, 0xc5, 0x89, 0x6f, 0xb7, 0x62, 0x0e, 0xaa, 0x18, 0xbe, 0x1b,
    0xfc, 0x56, 0x3e, 0x4b, 0xc6, 0xd2, 0x79, 0x20, 0x9a, 0xdb, 0xc0, 0xfe, 0x78, 0xcd, 0x5a, 0xf4,
    0x1f, 0xdd, 0xa8, 0x33, 0x88, 0x07, 0xc7, 0x31, 0xb1, 0x12, 0x10, 0x59, 0x27, 0x80, 0xec, 0x5f,
    0x60, 0x51, 0x7f, 0xa9, 0x19, 0xb5, 0x4a, 0x0d, 0x2d, 0xe5, 0x7a, 0x9f, 0x93, 0xc9, 0x9c, 0xef,
    0xa0, 0xe0, 0x3b, 0x4d, 0xae, 0x2a, 0xf5, 0xb0, 0xc8, 0xeb, 0xbb, 0x3c, 0x83, 0x53, 0x99, 0x61,
    0x17, 0x2b, 0x04, 0x7e, 0xba, 0x77, 0xd6, 0x26, 0xe1, 0x69, 0x14, 0x63, 0x55, 0x21, 0x0c, 0x7d,
};

/* Row r moves right by r columns (5.3.1). */
static void inverse_shift_rows(uint8_t *s)
{
    uint8_t t;

    t = s[13], s[13] = s[9], s[9] = s[5], s[5] = s[1], s[1] = t;
    t = s[2], s[2] = s[10], s[10] = t;
    t = s[6], s[6] = s[14], s[14] = t;
    t = s[3], s[3] = s[7], s[7] = s[11], s[11] = s[15], s[15] = t;
}

/* Section 5.3.3: the matrix is that of MixColumns times one with 5 and 4, which is applied first. */
static void inverse_mix_columns(uint8_t *state)
{
    for (uint8_t *column = state; column < state + BLOCK; column += 4) {
        uint8_t even = twice(twice(column[0] ^ column[2]));
        uint8_t odd = twice(twice(column[1] ^ column[3]));

        column[0] ^= even;
        column[1] ^= odd;
        column[2] ^= even;
        column[3] ^= odd;
    }
    mix_columns(state);
}

#endif

#ifdef DECRYPT

/* The byte whose double this is. */
static uint8_t half_of(uint8_t a)
{
    return (uint8_t)(a >> 1 ^ (a & 1 ? 0x8d : 0));
}

/* The round key two before, in place of one (5.2). */
static void previous_round_key(uint8_t *key, uint8_t half, uint8_t constant)
{
    for (uint8_t i = BLOCK - 1; i >= 4; i--)
        key[half + i] ^= key[half + i - 4];
    change_first_word(key, half, constant);
}

/* The inverse cipher (5.3), from the last round key back to the key. */
void aes256_decrypt(aes256_block *block)
{
    uint8_t *state = block->text, keys[KEY], half = 0, constant = 1;

    copy(keys, block->key);
    copy(keys + BLOCK, block->key + BLOCK);
    for (uint8_t round = 2; round <= ROUNDS; round++) {
        next_round_key(keys, half, constant);
        if (half == 0)
            constant = twice(constant);
        half ^= BLOCK;
    }
    half = 0;
    add_round_key(state, keys);
    for (uint8_t round = ROUNDS; round > 0; round--) {
        inverse_shift_rows(state);
        substitute(state, INVERSE_SBOX);
        half ^= BLOCK;
        add_round_key(state, keys + half);
        if (round > 1) {
            inverse_mix_columns(state);
            if (half)
                constant = half_of(constant);
            previous_round_key(keys, half ^ BLOCK, constant);
        }
    }
}

#endif

#ifdef SETUP

/* The key schedule (5.2). */
void aes256_setup(aes256_block *block)
{
    uint8_t constant = 1;

    copy(block->round_keys[0], block->key);
    copy(block->round_keys[1], block->key + BLOCK);
    for (uint8_t round = 2; round <= ROUNDS; round++) {
        uint8_t *key = block->round_keys[round], *last = key - 4;

        copy(key, block->round_keys[round - 2]);
        for (uint8_t i = 0; i < 4; i++)
            key[i] ^= SBOX[round % 2 ? last[i] : last[(i + 1) % 4]];
        if (round % 2 == 0) {
            key[0] ^= constant;
            constant = twice(constant);
        }
        for (uint8_t i = 4; i < BLOCK; i++)
            key[i] ^= key[i - 4];
    }
}

#endif

#ifdef ENCRYPT_NEXT

/* The cipher (5.1) with the round keys that are kept. */
void aes256_encrypt_next(aes256_block *block)
{
    uint8_t *state = block->text;

    add_round_key(state, block->round_keys[0]);
    for (uint8_t round = 1; round <= ROUNDS; round++) {
        substitute(state, SBOX);
        shift_rows(state);
        if (round < ROUNDS)
            mix_columns(state);
        add_round_key(state, block->round_keys[round]);
    }
}

#endif

#ifdef DECRYPT_NEXT

/* The inverse cipher (5.3) with the round keys that are kept. */
void aes256_decrypt_next(aes256_block *block)
{
    uint8_t *state = block->text;

    add_round_key(state, block->round_keys[ROUNDS]);
    for (uint8_t round = ROUNDS; round > 0; round--) {
        inverse_shift_rows(state);
        substitute(state, INVERSE_SBOX);
        add_round_key(state, block->round_keys[round - 1]);
        if (round > 1)
            inverse_mix_columns(state);
    }
}

#endif
