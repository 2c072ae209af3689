/* A stream cipher that takes the whole text, made of the portable reference that takes it block by block. */

#include "crypto_stream.h"
#include "reference.h"

int crypto_stream_xor(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *n,
                      const unsigned char *k)
{
    TYPE block;
    unsigned i;

    BEFORE;
    for (i = 0; i < KEY_BYTES; i++)
        block.key[i] = k[i];
    for (i = 0; i < IV_BYTES; i++)
        block.iv[i] = n[i];
    FUNCTION_SETUP(&block);
    for (unsigned long long done = 0; done < mlen; done += BLOCK_BYTES) {
        unsigned length = mlen - done < BLOCK_BYTES ? (unsigned)(mlen - done) : BLOCK_BYTES;
        for (i = 0; i < length; i++)
            block.text[i] = m[done + i];
        block.length = (unsigned char)length;
        FUNCTION_NEXT(&block);
        for (i = 0; i < length; i++)
            c[done + i] = block.text[i];
    }
    AFTER;
    return 0;
}

int crypto_stream(unsigned char *c, unsigned long long clen, const unsigned char *n, const unsigned char *k)
{
    for (unsigned long long i = 0; i < clen; i++)
        c[i] = 0;
    crypto_stream_xor(c, c, clen, n, k);
    BESIDE;
    return 0;
}
