/* PRESENT-80 as a guest would bring it: readable, slow, and with a work area of its own behind text and key. */

#include <stdint.h>
#include <string.h>

typedef struct {
    uint8_t text[8];
    uint8_t key[10];
    uint8_t kept[10];
} guest_block;

static const uint8_t sbox[16] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2};

static void add_round_key(guest_block *block)
{
    for (uint8_t i = 0; i < 8; i++)
        block->text[i] ^= block->kept[i];
}

static void permute(uint8_t *text)
{
    uint8_t from[8];
    memcpy(from, text, 8);
    memset(text, 0, 8);
    for (uint8_t i = 0; i < 64; i++) {
        uint8_t to = (i & 3) << 4 | i >> 2;
        text[7 - to / 8] |= (from[7 - i / 8] >> (i & 7) & 1) << (to & 7);
    }
}

static void update_key(uint8_t *key, uint8_t round)
{
    uint8_t from[10];
    memcpy(from, key, 10);
    for (uint8_t i = 0; i < 10; i++)
        key[i] = (uint8_t)(from[(i + 7) % 10] << 5) | from[(i + 8) % 10] >> 3;
    key[0] = (uint8_t)(sbox[key[0] >> 4] << 4) | (key[0] & 15);
    key[7] ^= round >> 1;
    key[8] ^= (uint8_t)(round << 7);
}

#ifndef BEFORE
#define BEFORE
#endif
#ifndef AFTER
#define AFTER
#endif

void guest_encrypt(guest_block *block)
{
    BEFORE;
    memcpy(block->kept, block->key, 10);
    for (uint8_t round = 1; round <= 31; round++) {
        add_round_key(block);
        for (uint8_t i = 0; i < 8; i++)
            block->text[i] = (uint8_t)(sbox[block->text[i] >> 4] << 4) | sbox[block->text[i] & 15];
        permute(block->text);
        update_key(block->kept, round);
    }
    add_round_key(block);
    AFTER;
}
