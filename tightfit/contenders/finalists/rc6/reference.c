/* RC6-32/20/16 (submission to AES, version 1.1) in portable C11: a set-up, and blocks under the keys that it keeps. */

#include <stdint.h>

enum { BLOCK = 16, KEY = 16, WORDS = KEY / 4, ROUNDS = 20, ROUND_KEYS = 2 * ROUNDS + 4 };

typedef struct {
    uint8_t text[BLOCK]; /* replaced in place */
    uint8_t key[KEY];
    uint32_t round_keys[ROUND_KEYS]; /* kept between calls */
} rc6_block;

static uint32_t left(uint32_t word, uint8_t bits)
{
    bits &= 31;
    return bits ? word << bits | word >> (32 - bits) : word;
}

static uint32_t load(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void store(uint8_t *bytes, uint32_t word)
{
    for (uint8_t i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)word;
        word >>= 8;
    }
}

/* The key schedule: the constants come from e and the golden ratio. */
void rc6_setup(rc6_block *block)
{
    uint32_t *keys = block->round_keys, words[WORDS], a = 0, b = 0, word = 0xb7e15163;

    for (uint8_t i = 0; i < WORDS; i++)
        words[i] = load(block->key + 4 * i);
    for (uint8_t i = 0; i < ROUND_KEYS; i++) {
        keys[i] = word;
        word += 0x9e3779b9;
    }
    for (uint8_t s = 0, i = 0; s < 3 * ROUND_KEYS; s++) {
        a = keys[i] = left(keys[i] + a + b, 3);
        b = words[s % WORDS] = left(words[s % WORDS] + a + b, (uint8_t)(a + b));
        i = (uint8_t)(i + 1 == ROUND_KEYS ? 0 : i + 1);
    }
}

void rc6_encrypt_next(rc6_block *block)
{
    const uint32_t *keys = block->round_keys;
    uint32_t a = load(block->text), b = load(block->text + 4);
    uint32_t c = load(block->text + 8), d = load(block->text + 12);

    b += *keys++;
    d += *keys++;
    for (uint8_t round = 0; round < ROUNDS; round++) {
        uint32_t t = left(b * (2 * b + 1), 5), u = left(d * (2 * d + 1), 5), first;

        first = left(a ^ t, (uint8_t)u) + *keys++;
        a = b;
        b = left(c ^ u, (uint8_t)t) + *keys++;
        c = d;
        d = first;
    }
    a += *keys++;
    c += *keys;
    store(block->text, a);
    store(block->text + 4, b);
    store(block->text + 8, c);
    store(block->text + 12, d);
}
