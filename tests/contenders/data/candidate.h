/* The C interface of the submissions to AES, as far as PRESENT needs it. */

#pragma once
#include "cipher.h"
#define DIR_ENCRYPT 0
#define DIR_DECRYPT 1
#define MODE_ECB 1
typedef unsigned char BYTE;
typedef struct { BYTE direction; int keyLen; char keyMaterial[21]; struct cipher keys; } keyInstance;
typedef struct { BYTE mode; BYTE IV[8]; } cipherInstance;
int makeKey(keyInstance *key, BYTE direction, int keyLen, char *keyMaterial);
int cipherInit(cipherInstance *cipher, BYTE mode, char *IV);
int blockEncrypt(cipherInstance *cipher, keyInstance *key, BYTE *input, int inputLen, BYTE *outBuffer);
int blockDecrypt(cipherInstance *cipher, keyInstance *key, BYTE *input, int inputLen, BYTE *outBuffer);
