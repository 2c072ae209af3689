/*
 * Grain v1 (eSTREAM portfolio) in portable C11, 8 clocks at a time.
 *
 * Bit i of a register is bit i % 8 of byte i / 8. No tap lies beyond bit 64, so the bits of a step need none of each other.
 */

#include <stdint.h>

enum { REGISTER = 10, STEPS = 160 / 8 };

typedef struct {
    uint8_t key[KEY_BYTES];
    uint8_t iv[IV_BYTES];
    uint8_t text[BLOCK_BYTES]; /* replaced in place */
    uint8_t length;            /* bytes of the text that count; all of them are replaced */
    uint8_t b[REGISTER];       /* the nonlinear register; kept between calls */
    uint8_t s[REGISTER];       /* the linear one */
} grainv1_block;

/* 8 bits from bit `from` on. */
static uint8_t bits(const uint8_t *x, uint8_t from)
{
    const uint8_t *at = x + from / 8;
    const uint16_t pair = (uint16_t)(at[0] | (uint16_t)at[1] << 8);

    return (uint8_t)(pair >> from % 8);
}

static void push(uint8_t *x, uint8_t byte)
{
    for (uint8_t i = 1; i < REGISTER; i++)
        x[i - 1] = x[i];
    x[REGISTER - 1] = byte;
}

static uint8_t key_byte(const uint8_t *b, const uint8_t *s)
{
    static const uint8_t added[7] = {1, 2, 4, 10, 31, 43, 56};
    const uint8_t x0 = bits(s, 3), x1 = bits(s, 25), x2 = bits(s, 46), x3 = bits(s, 64), x4 = bits(b, 63);
    uint8_t z = x1 ^ x4 ^ (x0 & x3) ^ (x2 & x3) ^ (x3 & x4) ^ (x0 & x1 & x2) ^ (x0 & x2 & x3);

    z ^= (x0 & x2 & x4) ^ (x1 & x2 & x4) ^ (x2 & x3 & x4);
    for (uint8_t i = 0; i < 7; i++)
        z ^= bits(b, added[i]);
    return z;
}

static uint8_t nonlinear(const uint8_t *b)
{
    const uint8_t b9 = bits(b, 9), b15 = bits(b, 15), b21 = bits(b, 21), b28 = bits(b, 28), b33 = bits(b, 33);
    const uint8_t b37 = bits(b, 37), b45 = bits(b, 45), b52 = bits(b, 52), b60 = bits(b, 60), b63 = bits(b, 63);
    uint8_t g = bits(b, 62) ^ b60 ^ b52 ^ b45 ^ b37 ^ b33 ^ b28 ^ b21 ^ bits(b, 14) ^ b9 ^ b[0];

    g ^= (b63 & b60) ^ (b37 & b33) ^ (b15 & b9) ^ (b60 & b52 & b45) ^ (b33 & b28 & b21);
    g ^= (b63 & b45 & b28 & b9) ^ (b60 & b52 & b37 & b33) ^ (b63 & b60 & b21 & b15);
    g ^= (b63 & b60 & b52 & b45 & b37) ^ (b33 & b28 & b21 & b15 & b9) ^ (b52 & b45 & b37 & b33 & b28 & b21);
    return g;
}

/* 8 clocks; the keystream goes back into both registers where `feed` has ones. */
static uint8_t step(grainv1_block *block, uint8_t feed)
{
    const uint8_t *b = block->b, *s = block->s;
    const uint8_t z = key_byte(b, s);
    const uint8_t new_b = (uint8_t)(s[0] ^ nonlinear(b) ^ (z & feed));
    uint8_t new_s = (uint8_t)(bits(s, 62) ^ bits(s, 51) ^ bits(s, 38) ^ bits(s, 23) ^ bits(s, 13) ^ s[0]);

    new_s ^= z & feed;
    push(block->b, new_b);
    push(block->s, new_s);
    return z;
}

void grainv1_setup(grainv1_block *block)
{
    for (uint8_t i = 0; i < REGISTER; i++) {
        block->b[i] = block->key[i];
        block->s[i] = i < IV_BYTES ? block->iv[i] : 0xff;
    }
    for (uint8_t i = 0; i < STEPS; i++)
        step(block, 0xff);
}

void grainv1_next(grainv1_block *block)
{
    for (uint8_t i = 0; i < BLOCK_BYTES; i++)
        block->text[i] ^= step(block, 0);
}
