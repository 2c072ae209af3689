/* A MAC that takes the whole message, made of the portable reference that takes it block by block. */

#include HEADER
#include "crypto_verify_16.h"
#include "reference.h"

int CRYPTO(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    TYPE block;
    unsigned long long left = inlen;
    unsigned n;

    BEFORE;
    for (n = 0; n < KEY_BYTES; n++)
        block.key[n] = k[n];
    block.flags = 1;
    for (;;) {
        unsigned full = left >= BLOCK_BYTES;
        unsigned length = full ? BLOCK_BYTES : (unsigned)left;
        for (n = 0; n < length; n++)
            block.message[n] = in[n];
        block.length = (unsigned char)length;
        block.flags |= full ? 0 : 2;
        FUNCTION_MAC(&block);
        if (!full)
            break;
        block.flags = 0;
        in += BLOCK_BYTES;
        left -= BLOCK_BYTES;
    }
    for (n = 0; n < TAG_BYTES; n++)
        out[n] = block.tag[n];
    AFTER;
    return 0;
}

int CRYPTO_VERIFY(const unsigned char *h, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    unsigned char right[TAG_BYTES];

    CRYPTO(right, in, inlen, k);
    BESIDE;
    return crypto_verify_16(h, right);
}
