#include <string.h>
#include "cipher.h"
const uint8_t sbox[16] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2};
void cipher_encrypt(const struct cipher *keys, const uint8_t *in, uint8_t *out)
{
    uint8_t from[8];
    memcpy(out, in, 8);
    for (uint8_t round = 0; round < 31; round++) {
        for (uint8_t i = 0; i < 8; i++) {
            uint8_t x = out[i] ^ keys->round[round][i];
            from[i] = (uint8_t)(sbox[x >> 4] << 4) | sbox[x & 15];
        }
        memset(out, 0, 8);
        for (uint8_t i = 0; i < 64; i++) {
            uint8_t to = (i & 3) << 4 | i >> 2;
            out[7 - to / 8] |= (from[7 - i / 8] >> (i & 7) & 1) << (to & 7);
        }
    }
    for (uint8_t i = 0; i < 8; i++)
        out[i] ^= keys->round[31][i];
}
