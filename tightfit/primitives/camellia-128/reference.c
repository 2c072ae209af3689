/*
 * Camellia-128 (RFC 3713) in portable C11, byte by byte: the first S-box as a table, the others its rotations.
 *
 * ENCRYPT, DECRYPT, SETUP, ENCRYPT_NEXT and DECRYPT_NEXT say which entries are wanted. A block with a fresh key takes
 * every subkey from KL and KA when it is due; SETUP keeps all of them for the blocks that follow.
 */

#include <stdint.h>

enum { HALF = 8, BLOCK = 16, SUBKEYS = 26 };

typedef struct {
    uint8_t text[BLOCK]; /* replaced in place */
    uint8_t key[BLOCK];
#ifdef SETUP
    uint8_t subkeys[SUBKEYS][HALF]; /* kept between calls, in the order of encryption */
#endif
} camellia128_block;

/* Section 2.4.1. */
static const uint8_t SBOX1[256] = {
    0x70, 0x82, 0x2c, 0xec, 0xb3, 0x27, 0xc0, 0xe5, 0xe4, 0x85, 0x57, 0x35, 0xea, 0x0c, 0xae, 0x41,
    0x23, 0xef, 0x6b, 0x93, 0x45, 0x19, 0xa5, 0x21, 0xed, 0x0e, 0x4f, 0x4e, 0x1d, 0x65, 0x92, 0xbd,
    0x86, 0xb8, 0xaf, 0x8f, 0x7c, 0xeb, 0x1f, 0xce, 0x3e, 0x30, 0xdc, 0x5f, 0x5e, 0xc5, 0x0b, 0x1a,
    0xa6, 0xe1, 0x39, 0xca, 0xd5, 0x47, 0x5d, 0x3d, 0xd9, 0x01, 0x5a, 0xd6, 0x51, 0x56, 0x6c, 0x4d,
    0x8b, 0x0d, 0x9a, 0x66, 0xfb, 0xcc, 0xb0, 0x2d, 0x74, 0x12, 0x2b, 0x20, 0xf0, 0xb1, 0x84, 0x99,
    0xdf, 0x4c, 0xcb, 0xc2, 0x34, 0x7e, 0x76, 0x05, 0x6d, 0xb7, 0xa9, 0x31, 0xd1, 0x17, 0x04, 0xd7,
    0x14, 0x58, 0x3a, 0x61, 0xde, 0x1b, 0x11, 0x1c, 0x32, 0x0f, 0x9c, 0x16, 0x53, 0x18, 0xf2, 0x22,
    0xfe, 0x44, 0xcf, 0xb2, 0xc3, 0xb5, 0x7a, 0x91, 0x24, 0x08, 0xe8, 0xa8, 0x60, 0xfc, 0x69, 0x50,
    0xaa, 0xd0, 0xa0, 0x7d, 0xa1, 0x89, 0x62, 0x97, 0x54, 0x5b, 0x1e, 0x95, 0xe0, 0xff, 0x64, 0xd2,
    0x10, 0xc4, 0x00, 0x48, 0xa3, 0xf7, 0x75, 0xdb, 0x8a, 0x03, 0xe6, 0xda, 0x09, 0x3f, 0xdd, 0x94,
    0x87, 0x5c, 0x83, 0x02, 0xcd, 0x4a, 0x90, 0x33, 0x73, 0x67, 0xf6, 0xf3, 0x9d, 0x7f, 0xbf, 0xe2,
    0x52, 0x9b, 0xd8, 0x26, 0xc8, 0x37, 0xc6, 0x3b, 0x81, 0x96, 0x6f, 0x4b, 0x13, 0xbe, 0x63, 0x2e,
    0xe9, 0x79, 0xa7, 0x8c, 0x9f, 0x6e, 0xbc, 0x8e, 0x29, 0xf5, 0xf9, 0xb6, 0x2f, 0xfd, 0xb4, 0x59,
    0x78, 0x98, 0x06, 0x6a, 0xe7, 0x46, 0x71, 0xba, 0xd4, 0x25, 0xab, 0x42, 0x88, 0xa2, 0x8d, 0xfa,
    0x72, 0x07, 0xb9, 0x55, 0xf8, 0xee, 0xac, 0x0a, 0x36, 0x49, 0x2a, 0x68, 0x3c, 0x38, 0xf1, 0xa4,
    0x40, 0x28, 0xd3, 0x7b, 0xbb, 0xc9, 0x43, 0xc1, 0x15, 0xe3, 0xad, 0xf4, 0x77, 0xc7, 0x80, 0x9e,
};

/* Section 2.2. */
static const uint8_t SIGMA[4][HALF] = {
    {0xa0, 0x9e, 0x66, 0x7f, 0x3b, 0xcc, 0x90, 0x8b},
    {0xb6, 0x7a, 0xe8, 0x58, 0x4c, 0xaa, 0x73, 0xb2},
    {0xc6, 0xef, 0x37, 0x2f, 0xe9, 0x4f, 0x82, 0xbe},
    {0x54, 0xff, 0x53, 0xa5, 0xf1, 0xd3, 0x6f, 0x1c},
};

/*
 * Section 2.2: where a subkey begins, in bits of KL, or of KA from 128 on. In the order of encryption: kw1, kw2,
 * k1 to k6, ke1, ke2, k7 to k12, ke3, ke4, k13 to k18, and kw4 before kw3, so that decryption goes back.
 */
static const uint8_t FIRST_BIT[SUBKEYS] = {
    0, 64, 128 + 0, 128 + 64, 15, 79, 128 + 15, 128 + 79,
    128 + 30, 128 + 94, 45, 109, 128 + 45, 124, 128 + 60, 128 + 124,
    77, 13, 94, 30, 128 + 94, 128 + 30, 111, 47,
    128 + 47, 128 + 111,
};

static uint8_t left(uint8_t a)
{
    return (uint8_t)(a << 1 | a >> 7);
}

static uint8_t right(uint8_t a)
{
    return (uint8_t)(a >> 1 | a << 7);
}

static void copy(uint8_t *to, const uint8_t *from, uint8_t bytes)
{
    for (uint8_t i = 0; i < bytes; i++)
        to[i] = from[i];
}

static void add(uint8_t *to, const uint8_t *from)
{
    for (uint8_t i = 0; i < HALF; i++)
        to[i] ^= from[i];
}

/* Eight bytes of KL or KA from a bit on. */
static void take_subkey(uint8_t *subkey, const uint8_t *kl, const uint8_t *ka, uint8_t first)
{
    const uint8_t *key = first & 128 ? ka : kl;
    uint8_t byte = first / 8 % BLOCK, bits = first % 8;

    for (uint8_t i = 0; i < HALF; i++) {
        uint8_t next = (uint8_t)((byte + 1) % BLOCK);

        subkey[i] = (uint8_t)(key[byte] << bits | key[next] >> (8 - bits));
        byte = next;
    }
}

/* The F-function (2.4.1) of one half, added to the other. */
static void add_f(uint8_t *other, const uint8_t *half, const uint8_t *subkey)
{
    uint8_t t[HALF], sum = 0;

    copy(t, half, HALF);
    add(t, subkey);
    t[0] = SBOX1[t[0]];
    t[1] = left(SBOX1[t[1]]);
    t[2] = right(SBOX1[t[2]]);
    t[3] = SBOX1[left(t[3])];
    t[4] = left(SBOX1[t[4]]);
    t[5] = right(SBOX1[t[5]]);
    t[6] = SBOX1[left(t[6])];
    t[7] = SBOX1[t[7]];
    for (uint8_t i = 0; i < HALF; i++)
        sum ^= t[i];
    for (uint8_t i = 0; i < 4; i++) {
        other[i] ^= sum ^ t[4 + i] ^ t[(i + 1) % 4];
        other[4 + i] ^= sum ^ t[4 + i] ^ t[(i + 2) % 4] ^ t[(i + 3) % 4];
    }
}

/* Sections 2.4.2 and 2.4.3: the right word takes in the left one, with AND and a rotation ... */
static void add_and(uint8_t *half, const uint8_t *subkey)
{
    uint8_t carry = (half[0] & subkey[0]) >> 7;

    for (uint8_t i = 4; i-- > 0;) {
        uint8_t both = half[i] & subkey[i];

        half[4 + i] ^= (uint8_t)(both << 1 | carry);
        carry = both >> 7;
    }
}

/* ... and the left word the right one, with OR. */
static void add_or(uint8_t *half, const uint8_t *subkey)
{
    for (uint8_t i = 0; i < 4; i++)
        half[i] ^= half[4 + i] | subkey[4 + i];
}

/* Sections 2.3.1 and 2.3.2; `subkeys` are all of them in order. */
static void add_subkey(uint8_t *text, uint8_t step, const uint8_t *subkey)
{
    uint8_t *half = text + HALF * (step % 2);

    if (step % 8 > 1)
        add_f(text + HALF * (1 - step % 2), half, subkey);
    else if (step < 2 || step >= 24)
        add(half, subkey);
    else if (step % 2 == 0)
        add_and(half, subkey), add_or(half, subkey);
    else
        add_or(half, subkey), add_and(half, subkey);
}

static void exchange_halves(uint8_t *text)
{
    uint8_t high[HALF];

    copy(high, text, HALF);
    copy(text, text + HALF, HALF);
    copy(text + HALF, high, HALF);
}

/* Section 2.2. */
static void make_ka(uint8_t *ka, const uint8_t *kl)
{
    copy(ka, kl, BLOCK);
    add_f(ka + HALF, ka, SIGMA[0]);
    add_f(ka, ka + HALF, SIGMA[1]);
    add(ka, kl);
    add(ka + HALF, kl + HALF);
    add_f(ka + HALF, ka, SIGMA[2]);
    add_f(ka, ka + HALF, SIGMA[3]);
}

#if defined ENCRYPT || defined DECRYPT

static void crypt(camellia128_block *block, uint8_t inverse)
{
    uint8_t ka[BLOCK], subkey[HALF];

    make_ka(ka, block->key);
    for (uint8_t step = 0; step < SUBKEYS; step++) {
        take_subkey(subkey, block->key, ka, FIRST_BIT[inverse ? SUBKEYS - 1 - step : step]);
        add_subkey(block->text, step, subkey);
    }
    exchange_halves(block->text);
}

#endif

#ifdef ENCRYPT

void camellia128_encrypt(camellia128_block *block)
{
    crypt(block, 0);
}

#endif

#ifdef DECRYPT

void camellia128_decrypt(camellia128_block *block)
{
    crypt(block, 1);
}

#endif

#ifdef SETUP

void camellia128_setup(camellia128_block *block)
{
    uint8_t ka[BLOCK];

    make_ka(ka, block->key);
    for (uint8_t step = 0; step < SUBKEYS; step++)
        take_subkey(block->subkeys[step], block->key, ka, FIRST_BIT[step]);
}

#endif

#ifdef ENCRYPT_NEXT

void camellia128_encrypt_next(camellia128_block *block)
{
    for (uint8_t step = 0; step < SUBKEYS; step++)
        add_subkey(block->text, step, block->subkeys[step]);
    exchange_halves(block->text);
}

#endif

#ifdef DECRYPT_NEXT

void camellia128_decrypt_next(camellia128_block *block)
{
    for (uint8_t step = 0; step < SUBKEYS; step++)
        add_subkey(block->text, step, block->subkeys[SUBKEYS - 1 - step]);
    exchange_halves(block->text);
}

#endif
