/*
 * SHA-512 and SHA-384 (FIPS 180-4) in portable C11, on 64-bit words; the message schedule turns in sixteen of them.
 *
 * DIGEST_BYTES is the length of the digest: 64 for SHA-512, 48 for SHA-384.
 */

#include <stdint.h>

enum { BLOCK = 128, COUNT = BLOCK - 16, FIRST = 1, LAST = 2 };

typedef struct {
    uint64_t state[8];      /* kept between calls; in the end its bytes are the digest */
    uint64_t bits;          /* kept: bits of the message so far, fewer than 2^64 */
    uint8_t message[BLOCK]; /* a block; undefined on return */
    uint8_t flags;          /* FIRST block of a message, LAST block */
    uint8_t length;         /* bytes of the message in its last block */
} sha512_block;

/* Sections 5.3.5 and 5.3.4. */
static const uint64_t INITIAL[8] = {
#if DIGEST_BYTES == 64
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
#else
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
#endif
};

/* Section 4.2.3. */
static const uint64_t CONSTANTS[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

/* A word turned right (3.2). */
static uint64_t turn(uint64_t word, uint8_t count)
{
    return word >> count | word << (64 - count);
}

/* The functions of section 4.1.3. */
static uint64_t choose(uint64_t x, uint64_t y, uint64_t z)
{
    return (x & y) ^ (~x & z);
}

static uint64_t majority(uint64_t x, uint64_t y, uint64_t z)
{
    return (x & y) ^ (x & z) ^ (y & z);
}

static uint64_t large_sigma0(uint64_t x)
{
    return turn(x, 28) ^ turn(x, 34) ^ turn(x, 39);
}

static uint64_t large_sigma1(uint64_t x)
{
    return turn(x, 14) ^ turn(x, 18) ^ turn(x, 41);
}

static uint64_t small_sigma0(uint64_t x)
{
    return turn(x, 1) ^ turn(x, 8) ^ x >> 7;
}

static uint64_t small_sigma1(uint64_t x)
{
    return turn(x, 19) ^ turn(x, 61) ^ x >> 6;
}

/* Words have their highest byte first (3.1). */
static uint64_t load(const uint8_t *bytes)
{
    uint64_t word = 0;

    for (uint8_t i = 0; i < 8; i++)
        word = word << 8 | bytes[i];
    return word;
}

static void store(uint8_t *bytes, uint64_t word)
{
    for (uint8_t i = 8; i > 0; word >>= 8)
        bytes[--i] = (uint8_t)word;
}

/* Word t of the message schedule, in the place of word t - 16 (6.4.2, step 1). */
static uint64_t schedule(uint64_t *w, uint8_t t)
{
    return w[t % 16] += small_sigma1(w[(t + 14) % 16]) + w[(t + 9) % 16] + small_sigma0(w[(t + 1) % 16]);
}

/* The chaining value after one more block (6.4.2). */
static void compress(uint64_t *state, const uint8_t *message)
{
    uint64_t w[16], s[8];

    for (uint8_t i = 0; i < 16; i++)
        w[i] = load(message + 8 * i);
    for (uint8_t i = 0; i < 8; i++)
        s[i] = state[i];
    for (uint8_t t = 0; t < 80; t++) {
        uint64_t word = t < 16 ? w[t] : schedule(w, t);
        uint64_t first = s[7] + large_sigma1(s[4]) + choose(s[4], s[5], s[6]) + CONSTANTS[t] + word;
        uint64_t second = large_sigma0(s[0]) + majority(s[0], s[1], s[2]);

        for (uint8_t i = 7; i > 0; i--)
            s[i] = s[i - 1];
        s[4] += first;
        s[0] = first + second;
    }
    for (uint8_t i = 0; i < 8; i++)
        state[i] += s[i];
}

/* The message ends here: a one, zeros, and its length in bits in the last 16 bytes of a block (5.1.2). */
static void finish(sha512_block *block)
{
    uint8_t end = block->length;

    block->message[end++] = 0x80;
    if (end > COUNT) {
        while (end < BLOCK)
            block->message[end++] = 0;
        compress(block->state, block->message);
        end = 0;
    }
    while (end < BLOCK - 8)
        block->message[end++] = 0;
    store(block->message + BLOCK - 8, block->bits);
    compress(block->state, block->message);
    for (uint8_t i = 0; i < 8; i++)
        store((uint8_t *)&block->state[i], block->state[i]);
}

void sha512_hash(sha512_block *block)
{
    if (block->flags & FIRST) {
        for (uint8_t i = 0; i < 8; i++)
            block->state[i] = INITIAL[i];
        block->bits = 0;
    }
    if (block->flags & LAST) {
        block->bits += 8u * block->length;
        finish(block);
    } else {
        block->bits += 8 * BLOCK;
        compress(block->state, block->message);
    }
}
