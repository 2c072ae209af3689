/* SHA-256, as FIPS 180-4 has it. */
#ifndef TIGHTFIT_SHA256_H
#define TIGHTFIT_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t state[8];
    uint64_t length;            /* in bytes */
    uint8_t block[64];
} Sha256;

void sha256_begin(Sha256 *sha);
void sha256_add(Sha256 *sha, const void *data, size_t length);
void sha256_end(Sha256 *sha, uint8_t digest[32]);

#endif
