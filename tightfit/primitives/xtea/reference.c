/*
 * XTEA (Needham, Wheeler 1997) in portable C11, on words of 32 bits.
 *
 * Words are big-endian, the first one first. ENCRYPT, DECRYPT, SETUP, ENCRYPT_NEXT and DECRYPT_NEXT say which entries
 * are wanted. With a fresh key the words of the key are read where they are wanted; SETUP keeps the 64 sums of a word
 * of the key and a multiple of DELTA for the blocks that follow.
 */

#include <stdint.h>

enum { TEXT = 8, KEY = 16, CYCLES = 32 };

#define DELTA 0x9e3779b9u

typedef struct {
    uint8_t text[TEXT]; /* replaced in place */
    uint8_t key[KEY];
#ifdef SETUP
    uint32_t round_keys[2 * CYCLES]; /* kept between calls */
#endif
} xtea_block;

static uint32_t load(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

#if defined ENCRYPT || defined DECRYPT || defined ENCRYPT_NEXT || defined DECRYPT_NEXT

static void store(uint8_t *bytes, uint32_t word)
{
    for (uint8_t i = 4; i-- > 0;) {
        bytes[i] = (uint8_t)word;
        word >>= 8;
    }
}

static uint32_t mix(uint32_t word)
{
    return (word << 4 ^ word >> 5) + word;
}

#endif

#if defined ENCRYPT || defined DECRYPT || defined SETUP

static uint32_t round_key(const uint8_t *key, uint32_t sum, uint8_t index)
{
    return sum + load(key + 4 * (index & 3));
}

#endif

#ifdef ENCRYPT

void xtea_encrypt(xtea_block *block)
{
    uint32_t v0 = load(block->text), v1 = load(block->text + 4), sum = 0;

    for (uint8_t cycle = 0; cycle < CYCLES; cycle++) {
        v0 += mix(v1) ^ round_key(block->key, sum, (uint8_t)sum);
        sum += DELTA;
        v1 += mix(v0) ^ round_key(block->key, sum, (uint8_t)(sum >> 11));
    }
    store(block->text, v0);
    store(block->text + 4, v1);
}

#endif

#ifdef DECRYPT

void xtea_decrypt(xtea_block *block)
{
    uint32_t v0 = load(block->text), v1 = load(block->text + 4), sum = DELTA * CYCLES;

    for (uint8_t cycle = 0; cycle < CYCLES; cycle++) {
        v1 -= mix(v0) ^ round_key(block->key, sum, (uint8_t)(sum >> 11));
        sum -= DELTA;
        v0 -= mix(v1) ^ round_key(block->key, sum, (uint8_t)sum);
    }
    store(block->text, v0);
    store(block->text + 4, v1);
}

#endif

#ifdef SETUP

void xtea_setup(xtea_block *block)
{
    uint32_t sum = 0;

    for (uint8_t i = 0; i < 2 * CYCLES; i += 2) {
        block->round_keys[i] = round_key(block->key, sum, (uint8_t)sum);
        sum += DELTA;
        block->round_keys[i + 1] = round_key(block->key, sum, (uint8_t)(sum >> 11));
    }
}

#endif

#ifdef ENCRYPT_NEXT

void xtea_encrypt_next(xtea_block *block)
{
    uint32_t v0 = load(block->text), v1 = load(block->text + 4);

    for (uint8_t i = 0; i < 2 * CYCLES; i += 2) {
        v0 += mix(v1) ^ block->round_keys[i];
        v1 += mix(v0) ^ block->round_keys[i + 1];
    }
    store(block->text, v0);
    store(block->text + 4, v1);
}

#endif

#ifdef DECRYPT_NEXT

void xtea_decrypt_next(xtea_block *block)
{
    uint32_t v0 = load(block->text), v1 = load(block->text + 4);

    for (uint8_t i = 2 * CYCLES; i > 0; i -= 2) {
        v1 -= mix(v0) ^ block->round_keys[i - 1];
        v0 -= mix(v1) ^ block->round_keys[i - 2];
    }
    store(block->text, v0);
    store(block->text + 4, v1);
}

#endif
