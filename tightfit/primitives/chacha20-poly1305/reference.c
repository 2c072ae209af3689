/*
 * ChaCha20-Poly1305 (RFC 8439, section 2.8) in portable C11: words of 32 bits, and digits of 8 bits.
 *
 * The first block of keystream is the key of Poly1305; its accumulator has 17 digits, the low one first.
 */

#include <stdint.h>

enum { FIRST = 1, LAST = 2, DATA = 4, PART = 16, DIGITS = 17, WORDS = 16, DOUBLE_ROUNDS = 10 };

typedef struct {
    uint8_t key[KEY_BYTES];
    uint8_t nonce[NONCE_BYTES];
    uint8_t data[BLOCK_BYTES]; /* associated data, or text that is replaced in place */
    uint8_t flags;             /* after the last call of open: 0 if the tag is right */
    uint8_t length;
    uint8_t tag[TAG_BYTES];
    uint8_t pair[2 * PART];      /* the key of Poly1305; all below is kept between calls */
    uint8_t accumulator[DIGITS];
    uint8_t counter;             /* of blocks, the low byte */
    uint8_t above[3];            /* the others */
    uint8_t sizes[2][8];         /* bytes of associated data and of text so far */
} chacha20poly1305_block;

static const uint8_t rounds[8][4] = {
    {0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
    {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14},
};

static uint32_t left(uint32_t word, uint8_t bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t load(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void quarter_round(uint32_t *x, const uint8_t *words)
{
    const uint8_t a = words[0], b = words[1], c = words[2], d = words[3];

    x[a] += x[b];
    x[d] = left(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = left(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = left(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = left(x[b] ^ x[c], 7);
}

static uint32_t initial(const chacha20poly1305_block *block, uint8_t i)
{
    static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

    if (i < 4)
        return constants[i];
    if (i < 12)
        return load(block->key + 4 * (i - 4));
    if (i > 12)
        return load(block->nonce + 4 * (i - 13));
    return block->counter | (uint32_t)block->above[0] << 8 | (uint32_t)block->above[1] << 16 |
           (uint32_t)block->above[2] << 24;
}

/* Adds keystream to `size` bytes, and counts its block. */
static void next(chacha20poly1305_block *block, uint8_t *bytes, uint8_t size)
{
    uint32_t x[WORDS], word = 0;

    for (uint8_t i = 0; i < WORDS; i++)
        x[i] = initial(block, i);
    for (uint8_t round = 0; round < DOUBLE_ROUNDS; round++)
        for (uint8_t i = 0; i < 8; i++)
            quarter_round(x, rounds[i]);
    for (uint8_t i = 0; i < size; i++) {
        if (i % 4 == 0)
            word = x[i / 4] + initial(block, i / 4);
        bytes[i] ^= (uint8_t)word;
        word >>= 8;
    }
    if (++block->counter == 0 && ++block->above[0] == 0 && ++block->above[1] == 0)
        block->above[2]++;
}

static void fold(uint8_t *accumulator, uint32_t carry)
{
    carry += (uint32_t)(accumulator[16] >> 2) * 5;
    accumulator[16] &= 3;
    for (uint8_t i = 0; i < DIGITS; i++) {
        carry += accumulator[i];
        accumulator[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

/* accumulator = accumulator * r modulo 2^130 - 5: digits from 17 on weigh 2^136, which is 320. */
static void multiply(uint8_t *accumulator, const uint8_t *r)
{
    uint8_t product[DIGITS];
    uint32_t carry = 0;

    for (uint8_t i = 0; i < DIGITS; i++) {
        uint32_t above = 0;

        for (uint8_t j = 0; j < PART; j++) {
            if (i >= j)
                carry += (uint32_t)accumulator[i - j] * r[j];
            else
                above += (uint32_t)accumulator[i + DIGITS - j] * r[j];
        }
        carry += above * 320;
        product[i] = (uint8_t)carry;
        carry >>= 8;
    }
    for (uint8_t i = 0; i < DIGITS; i++)
        accumulator[i] = product[i];
    fold(accumulator, carry * 320);
}

/* Takes in bytes, the last part of them filled up with zeros. */
static void authenticate(chacha20poly1305_block *block, const uint8_t *bytes, uint8_t size)
{
    for (uint8_t at = 0; at < size; at += PART) {
        uint16_t carry = 0;

        for (uint8_t i = 0; i < DIGITS; i++) {
            uint8_t digit = i == PART ? 1 : 0;

            if (i < PART && at + i < size)
                digit = bytes[at + i];
            carry = (uint16_t)(carry + block->accumulator[i] + digit);
            block->accumulator[i] = (uint8_t)carry;
            carry >>= 8;
        }
        multiply(block->accumulator, block->pair);
    }
}

/* Begins a message: the key of Poly1305, of which r has some bits clear. */
static void begin(chacha20poly1305_block *block)
{
    for (uint8_t i = 0; i < 8; i++)
        block->sizes[0][i] = block->sizes[1][i] = 0;
    for (uint8_t i = 0; i < DIGITS; i++)
        block->accumulator[i] = 0;
    block->counter = block->above[0] = block->above[1] = block->above[2] = 0;
    for (uint8_t i = 0; i < 2 * PART; i++)
        block->pair[i] = 0;
    next(block, block->pair, 2 * PART);
    for (uint8_t i = 3; i < PART; i += 4) {
        block->pair[i] &= 15;
        if (i < 15)
            block->pair[i + 1] &= 252;
    }
}

static void count(uint8_t *size, uint8_t more)
{
    uint16_t carry = more;

    for (uint8_t i = 0; i < 8; i++) {
        carry = (uint16_t)(carry + size[i]);
        size[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

/* The tag to `tag`: the accumulator, less the prime where it is not below it, plus s. */
static void finish(chacha20poly1305_block *block, uint8_t *tag)
{
    uint8_t reduced[DIGITS], below;
    uint16_t carry = 5;

    authenticate(block, block->sizes[0], 2 * 8);
    fold(block->accumulator, 0);
    for (uint8_t i = 0; i < DIGITS; i++) {
        carry = (uint16_t)(carry + block->accumulator[i]);
        reduced[i] = (uint8_t)carry;
        carry >>= 8;
    }
    below = (uint8_t)((reduced[16] >> 2) - 1); /* 0xff below the prime, else 0 */
    carry = 0;
    for (uint8_t i = 0; i < PART; i++) {
        uint8_t digit = (uint8_t)((block->accumulator[i] & below) | (reduced[i] & (uint8_t)~below));

        carry = (uint16_t)(carry + digit + block->pair[PART + i]);
        tag[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

#ifdef SEAL
void chacha20poly1305_seal(chacha20poly1305_block *block)
{
    if (block->flags & FIRST)
        begin(block);
    if (!(block->flags & DATA) && block->length > 0)
        next(block, block->data, block->length);
    authenticate(block, block->data, block->length);
    count(block->sizes[block->flags & DATA ? 0 : 1], block->length);
    if (block->flags & LAST)
        finish(block, block->tag);
}
#endif

#ifdef OPEN
void chacha20poly1305_open(chacha20poly1305_block *block)
{
    uint8_t tag[PART], different = 0;

    if (block->flags & FIRST)
        begin(block);
    authenticate(block, block->data, block->length);
    if (!(block->flags & DATA) && block->length > 0)
        next(block, block->data, block->length);
    count(block->sizes[block->flags & DATA ? 0 : 1], block->length);
    if (!(block->flags & LAST))
        return;
    finish(block, tag);
    for (uint8_t i = 0; i < PART; i++)
        different |= tag[i] ^ block->tag[i];
    block->flags = different;
}
#endif
