/* HMAC-SHA-256 under a key of 32 bytes, over the portable reference of SHA-256. */

#include "crypto_auth.h"
#include "crypto_verify_32.h"
#include "reference.h"

/* The digest of the key masked with `pad` and then `in`. */
static void keyed(unsigned char *out, const unsigned char *k, unsigned char pad, const unsigned char *in,
                  unsigned long long left)
{
    sha256_block block;
    unsigned n, length;

    for (n = 0; n < 64; n++)
        block.message[n] = pad ^ (n < 32 ? k[n] : 0);
    block.flags = 1;
    block.length = 0;
    sha256_hash(&block);
    do {
        length = left < 64 ? (unsigned)left : 64;
        for (n = 0; n < length; n++)
            block.message[n] = in[n];
        block.length = (unsigned char)length;
        block.flags = length < 64 ? 2 : 0;
        sha256_hash(&block);
        in += length;
        left -= length;
    } while (length == 64);
    for (n = 0; n < 32; n++)
        out[n] = ((unsigned char *)block.state)[n];
}

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    unsigned char inner[32];

    keyed(inner, k, 0x36, in, inlen);
    keyed(out, k, 0x5c, inner, 32);
    return 0;
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    unsigned char right[32];

    crypto_auth(right, in, inlen, k);
    return crypto_verify_32(h, right);
}
