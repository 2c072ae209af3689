/*
 * SHA-256 and SHA-224 (FIPS 180-4) in portable C11, on 32-bit words; the message schedule turns in sixteen of them.
 *
 * DIGEST_BYTES is the length of the digest: 28 for SHA-224, else that of SHA-256.
 */

#include <stdint.h>

enum { BLOCK = 64, COUNT = BLOCK - 8, FIRST = 1, LAST = 2 };

typedef struct {
    uint32_t state[8];      /* kept between calls; in the end its bytes are the digest */
    uint32_t bits[2];       /* kept: bits of the message so far, the low word first */
    uint8_t message[BLOCK]; /* a block; undefined on return */
    uint8_t flags;          /* FIRST block of a message, LAST block */
    uint8_t length;         /* bytes of the message in its last block */
} sha256_block;

/* Sections 5.3.3 and 5.3.2. */
static const uint32_t INITIAL[8] = {
#if DIGEST_BYTES == 28
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
#else
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
#endif
};

/* Section 4.2.2. */
static const uint32_t CONSTANTS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* A word turned right (3.2). */
static uint32_t turn(uint32_t word, uint8_t count)
{
    return word >> count | word << (32 - count);
}

/* The functions of section 4.1.2. */
static uint32_t choose(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) ^ (~x & z);
}

static uint32_t majority(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) ^ (x & z) ^ (y & z);
}

static uint32_t large_sigma0(uint32_t x)
{
    return turn(x, 2) ^ turn(x, 13) ^ turn(x, 22);
}

static uint32_t large_sigma1(uint32_t x)
{
    return turn(x, 6) ^ turn(x, 11) ^ turn(x, 25);
}

static uint32_t small_sigma0(uint32_t x)
{
    return turn(x, 7) ^ turn(x, 18) ^ x >> 3;
}

static uint32_t small_sigma1(uint32_t x)
{
    return turn(x, 17) ^ turn(x, 19) ^ x >> 10;
}

/* Words have their highest byte first (3.1). */
static uint32_t load(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void store(uint8_t *bytes, uint32_t word)
{
    bytes[0] = (uint8_t)(word >> 24);
    bytes[1] = (uint8_t)(word >> 16);
    bytes[2] = (uint8_t)(word >> 8);
    bytes[3] = (uint8_t)word;
}

/* Word t of the message schedule, in the place of word t - 16 (6.2.2, step 1). */
static uint32_t schedule(uint32_t *w, uint8_t t)
{
    return w[t % 16] += small_sigma1(w[(t + 14) % 16]) + w[(t + 9) % 16] + small_sigma0(w[(t + 1) % 16]);
}

/* The chaining value after one more block (6.2.2). */
static void compress(uint32_t *state, const uint8_t *message)
{
    uint32_t w[16], s[8];

    for (uint8_t i = 0; i < 16; i++)
        w[i] = load(message + 4 * i);
    for (uint8_t i = 0; i < 8; i++)
        s[i] = state[i];
    for (uint8_t t = 0; t < 64; t++) {
        uint32_t word = t < 16 ? w[t] : schedule(w, t);
        uint32_t first = s[7] + large_sigma1(s[4]) + choose(s[4], s[5], s[6]) + CONSTANTS[t] + word;
        uint32_t second = large_sigma0(s[0]) + majority(s[0], s[1], s[2]);

        for (uint8_t i = 7; i > 0; i--)
            s[i] = s[i - 1];
        s[4] += first;
        s[0] = first + second;
    }
    for (uint8_t i = 0; i < 8; i++)
        state[i] += s[i];
}

static void count(uint32_t *bits, uint8_t bytes)
{
    uint16_t more = (uint16_t)(8 * bytes);

    bits[0] += more;
    if (bits[0] < more)
        bits[1]++;
}

/* The message ends here: a one, zeros, and its length in bits in the last 8 bytes of a block (5.1.1). */
static void finish(sha256_block *block)
{
    uint8_t end = block->length;

    block->message[end++] = 0x80;
    if (end > COUNT) {
        while (end < BLOCK)
            block->message[end++] = 0;
        compress(block->state, block->message);
        end = 0;
    }
    while (end < COUNT)
        block->message[end++] = 0;
    store(block->message + COUNT, block->bits[1]);
    store(block->message + COUNT + 4, block->bits[0]);
    compress(block->state, block->message);
    for (uint8_t i = 0; i < 8; i++)
        store((uint8_t *)&block->state[i], block->state[i]);
}

void sha256_hash(sha256_block *block)
{
    if (block->flags & FIRST) {
        for (uint8_t i = 0; i < 8; i++)
            block->state[i] = INITIAL[i];
        block->bits[0] = block->bits[1] = 0;
    }
    if (block->flags & LAST) {
        count(block->bits, block->length);
        finish(block);
    } else {
        count(block->bits, BLOCK);
        compress(block->state, block->message);
    }
}
