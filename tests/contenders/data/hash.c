/* A hash that takes the whole message, made of the portable reference that takes it block by block. */

#include "crypto_hash.h"
#include "reference.h"

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    TYPE block;
    unsigned long long left = inlen;
    unsigned n;

    BEFORE;
    block.flags = 1;
    for (;;) {
        unsigned full = left >= BLOCK_BYTES;
        unsigned length = full ? BLOCK_BYTES : (unsigned)left;
        for (n = 0; n < length; n++)
            block.message[n] = in[n];
        block.length = (unsigned char)length;
        block.flags |= full ? 0 : 2;
        FUNCTION(&block);
        if (!full)
            break;
        block.flags = 0;
        in += BLOCK_BYTES;
        left -= BLOCK_BYTES;
    }
    for (n = 0; n < CRYPTO_BYTES; n++)
        out[n] = ((unsigned char *)block.state)[n];
    AFTER;
    return 0;
}
