#include <string.h>
#include "candidate.h"
int makeKey(keyInstance *key, BYTE direction, int keyLen, char *keyMaterial)
{
    uint8_t bytes[10];
    if (keyLen != 80 || keyMaterial[20])
        return -2;
    for (uint8_t i = 0; i < 20; i++) {
        uint8_t digit = keyMaterial[i] <= '9' ? keyMaterial[i] - '0' : keyMaterial[i] - 'a' + 10;
        bytes[i / 2] = i & 1 ? bytes[i / 2] | digit : digit << 4;
    }
    key->direction = direction;
    cipher_init(&key->keys, bytes);
    return 1;
}
int cipherInit(cipherInstance *cipher, BYTE mode, char *IV)
{
    cipher->mode = mode;
    return mode == MODE_ECB && IV == 0;
}
int blockEncrypt(cipherInstance *cipher, keyInstance *key, BYTE *input, int inputLen, BYTE *outBuffer)
{
    if (cipher->mode != MODE_ECB || key->direction != DIR_ENCRYPT || inputLen != 64)
        return -1;
    cipher_encrypt(&key->keys, input, outBuffer);
    return inputLen;
}
int blockDecrypt(cipherInstance *cipher, keyInstance *key, BYTE *input, int inputLen, BYTE *outBuffer)
{
    static const uint8_t inverse[16] = {5, 14, 15, 8, 12, 1, 2, 13, 11, 4, 6, 3, 0, 7, 9, 10};
    uint8_t from[8];
    if (cipher->mode != MODE_ECB || key->direction != DIR_DECRYPT || inputLen != 64)
        return -1;
    for (uint8_t i = 0; i < 8; i++)
        outBuffer[i] = input[i] ^ key->keys.round[31][i];
    for (uint8_t round = 31; round-- > 0;) {
        memset(from, 0, 8);
        for (uint8_t i = 0; i < 64; i++) {
            uint8_t to = (i & 3) << 4 | i >> 2;
            from[7 - i / 8] |= (outBuffer[7 - to / 8] >> (to & 7) & 1) << (i & 7);
        }
        for (uint8_t i = 0; i < 8; i++)
            outBuffer[i] = ((inverse[from[i] >> 4] << 4) | inverse[from[i] & 15]) ^ key->keys.round[round][i];
    }
    return inputLen;
}
