/*
 * Speck64/128 (ePrint 2013/404) in portable C11, on words of 32 bits.
 *
 * Words are little-endian, the low one first. ENCRYPT, DECRYPT, SETUP, ENCRYPT_NEXT and DECRYPT_NEXT say which
 * entries are wanted. Encryption with a fresh key computes its round keys on the way; decryption computes them
 * forward and then back; SETUP keeps all of them for the blocks that follow.
 */

#include <stdint.h>

enum { TEXT = 8, KEY = 16, ROUNDS = 27 };

typedef struct {
    uint8_t text[TEXT]; /* replaced in place */
    uint8_t key[KEY];
#ifdef SETUP
    uint32_t round_keys[ROUNDS]; /* kept between calls */
#endif
} speck64128_block;

typedef struct {
    uint32_t k, l[3]; /* l[0] is the next one that is used */
} key_state;

static uint32_t left(uint32_t word, uint8_t bits)
{
    return word << bits | word >> (32 - bits);
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

/* A round; the key schedule is the same, with the number of the round as its key. */
static void forward(uint32_t *x, uint32_t *y, uint32_t key)
{
    *x = (left(*x, 24) + *y) ^ key;
    *y = left(*y, 3) ^ *x;
}

#if defined ENCRYPT || defined DECRYPT || defined SETUP

static void load_key(key_state *key, const uint8_t *bytes)
{
    key->k = load(bytes);
    for (uint8_t i = 0; i < 3; i++)
        key->l[i] = load(bytes + 4 + 4 * i);
}

static void next_round_key(key_state *key, uint8_t round)
{
    uint32_t word = key->l[0];

    forward(&word, &key->k, round);
    key->l[0] = key->l[1];
    key->l[1] = key->l[2];
    key->l[2] = word;
}

#endif

#ifdef ENCRYPT

void speck64128_encrypt(speck64128_block *block)
{
    uint32_t y = load(block->text), x = load(block->text + 4);
    key_state key;

    load_key(&key, block->key);
    for (uint8_t round = 0; round < ROUNDS; round++) {
        forward(&x, &y, key.k);
        next_round_key(&key, round);
    }
    store(block->text, y);
    store(block->text + 4, x);
}

#endif

#if defined DECRYPT || defined DECRYPT_NEXT

static void backward(uint32_t *x, uint32_t *y, uint32_t key)
{
    *y = left(*y ^ *x, 29);
    *x = left((*x ^ key) - *y, 8);
}

#endif

#ifdef DECRYPT

static void previous_round_key(key_state *key, uint8_t round)
{
    uint32_t word = key->l[2];

    backward(&word, &key->k, round);
    key->l[2] = key->l[1];
    key->l[1] = key->l[0];
    key->l[0] = word;
}

void speck64128_decrypt(speck64128_block *block)
{
    uint32_t y = load(block->text), x = load(block->text + 4);
    key_state key;

    load_key(&key, block->key);
    for (uint8_t round = 0; round < ROUNDS; round++)
        next_round_key(&key, round);
    for (uint8_t round = ROUNDS; round-- > 0;) {
        previous_round_key(&key, round);
        backward(&x, &y, key.k);
    }
    store(block->text, y);
    store(block->text + 4, x);
}

#endif

#ifdef SETUP

void speck64128_setup(speck64128_block *block)
{
    key_state key;

    load_key(&key, block->key);
    for (uint8_t round = 0; round < ROUNDS; round++) {
        block->round_keys[round] = key.k;
        next_round_key(&key, round);
    }
}

#endif

#ifdef ENCRYPT_NEXT

void speck64128_encrypt_next(speck64128_block *block)
{
    uint32_t y = load(block->text), x = load(block->text + 4);

    for (uint8_t round = 0; round < ROUNDS; round++)
        forward(&x, &y, block->round_keys[round]);
    store(block->text, y);
    store(block->text + 4, x);
}

#endif

#ifdef DECRYPT_NEXT

void speck64128_decrypt_next(speck64128_block *block)
{
    uint32_t y = load(block->text), x = load(block->text + 4);

    for (uint8_t round = ROUNDS; round-- > 0;)
        backward(&x, &y, block->round_keys[round]);
    store(block->text, y);
    store(block->text + 4, x);
}

#endif
