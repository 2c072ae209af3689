/*
 * PRESENT-80 (CHES 2007, ISO/IEC 29192-2) in portable C11, nibble by nibble.
 *
 * Byte 0 of text and key holds the most significant bits. ENCRYPT, DECRYPT, SETUP, ENCRYPT_NEXT and DECRYPT_NEXT
 * say which entries are wanted. A block with a fresh key computes its round keys on the way; SETUP keeps all of
 * them for the blocks that follow.
 */

#include <stdint.h>

enum { TEXT = 8, KEY = 10, ROUNDS = 31, WRAP = 3 };

typedef struct {
    uint8_t text[TEXT]; /* replaced in place */
    uint8_t key[KEY];
#ifdef SETUP
    uint8_t round_keys[ROUNDS + 1][TEXT]; /* kept between calls */
#endif
} present80_block;

static const uint8_t SBOX[16] = {0xc, 5, 6, 0xb, 9, 0, 0xa, 0xd, 3, 0xe, 0xf, 8, 4, 7, 1, 2};

static void copy(uint8_t *to, const uint8_t *from, uint8_t bytes)
{
    for (uint8_t i = 0; i < bytes; i++)
        to[i] = from[i];
}

static void add_round_key(uint8_t *text, const uint8_t *round_key)
{
    for (uint8_t i = 0; i < TEXT; i++)
        text[i] ^= round_key[i];
}

/* Key schedule: the register turns by 61 bits to the left, 19 to the right; then S-box and counter. */
static void next_round_key(uint8_t *key, uint8_t counter)
{
    uint8_t old[WRAP + KEY];

    copy(old, key + KEY - WRAP, WRAP);
    copy(old + WRAP, key, KEY);
    for (uint8_t i = 0; i < KEY; i++)
        key[i] = (uint8_t)(old[i] << 5 | old[i + 1] >> 3);
    key[0] = (uint8_t)(SBOX[key[0] >> 4] << 4 | (key[0] & 15));
    key[7] ^= counter >> 1;
    key[8] ^= (uint8_t)(counter << 7);
}

#if defined ENCRYPT || defined ENCRYPT_NEXT

/* Bit w of a nibble joins word w, one of the four that pLayer puts side by side. */
static void append(uint16_t *words, uint8_t nibble)
{
    for (uint8_t w = 0; w < 4; w++) {
        words[w] = (uint16_t)(words[w] << 1 | (nibble & 1));
        nibble >>= 1;
    }
}

/* sBoxLayer and pLayer: bit i of the state, bit i % 4 of nibble i / 4, goes to position 16 i mod 63. */
static void substitute_and_permute(uint8_t *text)
{
    uint16_t words[4] = {0};

    for (uint8_t i = 0; i < TEXT; i++) {
        append(words, SBOX[text[i] >> 4]);
        append(words, SBOX[text[i] & 15]);
    }
    for (uint8_t w = 0; w < 4; w++) {
        text[6 - 2 * w] = (uint8_t)(words[w] >> 8);
        text[7 - 2 * w] = (uint8_t)words[w];
    }
}

#endif

#ifdef ENCRYPT

void present80_encrypt(present80_block *block)
{
    uint8_t key[KEY];

    copy(key, block->key, KEY);
    for (uint8_t round = 1; round <= ROUNDS; round++) {
        add_round_key(block->text, key);
        substitute_and_permute(block->text);
        next_round_key(key, round);
    }
    add_round_key(block->text, key);
}

#endif

#if defined DECRYPT || defined DECRYPT_NEXT

static const uint8_t INVERSE_SBOX[16] = {5, 0xe, 0xf, 8, 0xc, 1, 2, 0xd, 0xb, 4, 6, 3, 0, 7, 9, 0xa};

/* A nibble from the high end of the four words. */
static uint8_t take(uint16_t *words)
{
    uint8_t nibble = 0;

    for (uint8_t w = 4; w-- > 0;) {
        nibble = (uint8_t)(nibble << 1 | words[w] >> 15);
        words[w] = (uint16_t)(words[w] << 1);
    }
    return nibble;
}

/* The inverses of pLayer and sBoxLayer. */
static void inverse_permute_and_substitute(uint8_t *text)
{
    uint16_t words[4];

    for (uint8_t w = 0; w < 4; w++)
        words[w] = (uint16_t)((uint16_t)text[6 - 2 * w] << 8 | text[7 - 2 * w]);
    for (uint8_t i = 0; i < TEXT; i++) {
        uint8_t high = INVERSE_SBOX[take(words)];

        text[i] = (uint8_t)(high << 4 | INVERSE_SBOX[take(words)]);
    }
}

#endif

#ifdef DECRYPT

/* The key schedule backwards. */
static void previous_round_key(uint8_t *key, uint8_t counter)
{
    uint8_t old[KEY + WRAP];

    key[8] ^= (uint8_t)(counter << 7);
    key[7] ^= counter >> 1;
    key[0] = (uint8_t)(INVERSE_SBOX[key[0] >> 4] << 4 | (key[0] & 15));
    copy(old, key, KEY);
    copy(old + KEY, key, WRAP);
    for (uint8_t i = 0; i < KEY; i++)
        key[i] = (uint8_t)(old[i + 2] << 3 | old[i + 3] >> 5);
}

void present80_decrypt(present80_block *block)
{
    uint8_t key[KEY];

    copy(key, block->key, KEY);
    for (uint8_t round = 1; round <= ROUNDS; round++)
        next_round_key(key, round);
    add_round_key(block->text, key);
    for (uint8_t round = ROUNDS; round > 0; round--) {
        inverse_permute_and_substitute(block->text);
        previous_round_key(key, round);
        add_round_key(block->text, key);
    }
}

#endif

#ifdef SETUP

/* The round keys: the upper 64 bits of the key register before each update. */
void present80_setup(present80_block *block)
{
    uint8_t key[KEY];

    copy(key, block->key, KEY);
    for (uint8_t round = 0; round <= ROUNDS; round++) {
        copy(block->round_keys[round], key, TEXT);
        next_round_key(key, round + 1);
    }
}

#endif

#ifdef ENCRYPT_NEXT

void present80_encrypt_next(present80_block *block)
{
    for (uint8_t round = 0; round < ROUNDS; round++) {
        add_round_key(block->text, block->round_keys[round]);
        substitute_and_permute(block->text);
    }
    add_round_key(block->text, block->round_keys[ROUNDS]);
}

#endif

#ifdef DECRYPT_NEXT

void present80_decrypt_next(present80_block *block)
{
    add_round_key(block->text, block->round_keys[ROUNDS]);
    for (uint8_t round = ROUNDS; round-- > 0;) {
        inverse_permute_and_substitute(block->text);
        add_round_key(block->text, block->round_keys[round]);
    }
}

#endif
