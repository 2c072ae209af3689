#include <string.h>
#include "cipher.h"
extern const uint8_t sbox[16];
void cipher_init(struct cipher *keys, const uint8_t *key)
{
    uint8_t k[10], from[10];
    memcpy(k, key, 10);
    for (uint8_t round = 1; round <= 32; round++) {
        memcpy(keys->round[round - 1], k, 8);
        memcpy(from, k, 10);
        for (uint8_t i = 0; i < 10; i++)
            k[i] = (uint8_t)(from[(i + 7) % 10] << 5) | from[(i + 8) % 10] >> 3;
        k[0] = (uint8_t)(sbox[k[0] >> 4] << 4) | (k[0] & 15);
        k[7] ^= round >> 1;
        k[8] ^= (uint8_t)(round << 7);
    }
}
