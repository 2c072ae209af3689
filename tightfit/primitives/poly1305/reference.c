/*
 * Poly1305 (RFC 8439, section 2.5) in portable C11, on digits of 8 bits.
 *
 * The accumulator has 17 digits, the low one first, and stays below 2^130 plus a little between blocks.
 */

#include <stdint.h>

enum { FIRST = 1, LAST = 2, DIGITS = 17 };

typedef struct {
    uint8_t key[KEY_BYTES]; /* r, then s */
    uint8_t message[BLOCK_BYTES];
    uint8_t flags;
    uint8_t length; /* bytes of a last block */
    uint8_t tag[TAG_BYTES];
    uint8_t accumulator[DIGITS]; /* kept between calls */
} poly1305_block;

/* accumulator += digits, of which there are `size`; what lies above 2^130 is folded, as 2^130 is 5. */
static void add(uint8_t *accumulator, const uint8_t *digits, uint8_t size)
{
    uint16_t carry = 0;

    for (uint8_t i = 0; i < DIGITS; i++) {
        carry = (uint16_t)(carry + accumulator[i] + (i < size ? digits[i] : 0));
        accumulator[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

/* Digit i of r, with the bits clear that the standard clears. */
static uint8_t clamped(const uint8_t *key, uint8_t i)
{
    if (i % 4 == 3)
        return key[i] & 15;
    return i % 4 == 0 && i > 0 ? key[i] & 252 : key[i];
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
static void multiply(uint8_t *accumulator, const uint8_t *key)
{
    uint8_t product[DIGITS];
    uint32_t carry = 0;

    for (uint8_t i = 0; i < DIGITS; i++) {
        uint32_t above = 0;

        for (uint8_t j = 0; j < 16; j++) {
            uint16_t digit = (uint16_t)(i >= j ? accumulator[i - j] : accumulator[i + DIGITS - j]);
            uint32_t term = (uint32_t)digit * clamped(key, j);

            if (i >= j)
                carry += term;
            else
                above += term;
        }
        carry += above * 320;
        product[i] = (uint8_t)carry;
        carry >>= 8;
    }
    for (uint8_t i = 0; i < DIGITS; i++)
        accumulator[i] = product[i];
    fold(accumulator, carry * 320);
}

/* The tag: the accumulator, less the prime where it is not below it, plus s. */
static void finish(poly1305_block *block)
{
    uint8_t reduced[DIGITS];
    uint16_t carry = 5;
    uint8_t below;

    fold(block->accumulator, 0);
    for (uint8_t i = 0; i < DIGITS; i++) {
        carry = (uint16_t)(carry + block->accumulator[i]);
        reduced[i] = (uint8_t)carry;
        carry >>= 8;
    }
    below = (uint8_t)((reduced[16] >> 2) - 1); /* 0xff below the prime, else 0 */
    carry = 0;
    for (uint8_t i = 0; i < TAG_BYTES; i++) {
        uint8_t digit = (uint8_t)((block->accumulator[i] & below) | (reduced[i] & (uint8_t)~below));

        carry = (uint16_t)(carry + digit + block->key[16 + i]);
        block->tag[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

void poly1305_mac(poly1305_block *block)
{
    uint8_t digits[DIGITS];
    uint8_t size = block->flags & LAST ? block->length : BLOCK_BYTES;

    if (block->flags & FIRST)
        for (uint8_t i = 0; i < DIGITS; i++)
            block->accumulator[i] = 0;
    if (size > 0) {
        for (uint8_t i = 0; i < size; i++)
            digits[i] = block->message[i];
        digits[size] = 1;
        add(block->accumulator, digits, (uint8_t)(size + 1));
        multiply(block->accumulator, block->key);
    }
    if (block->flags & LAST)
        finish(block);
}
