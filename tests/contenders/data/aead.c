/* Authenticated encryption of whole messages, made of the portable reference that takes them block by block. */

#include "crypto_aead.h"
#include "reference.h"

typedef void call(TYPE *block);

/* A part of the message in blocks, the last of which is not full; `out` is NULL for associated data. */
static void part(TYPE *block, call *function, unsigned char *out, const unsigned char *in, unsigned long long left)
{
    unsigned n, full;

    do {
        full = left >= BLOCK_BYTES;
        block->length = (unsigned char)(full ? BLOCK_BYTES : left);
        block->flags |= out ? (full ? 0 : 2) : 4;
        for (n = 0; n < block->length; n++)
            block->data[n] = in[n];
        unsigned char length = block->length;
        function(block);
        for (n = 0; out && n < length; n++)
            out[n] = block->data[n];
        out += out ? length : 0;
        in += length;
        left -= length;
        block->flags &= full || !out ? 0 : 0xFF;
    } while (full);
}

static void whole(TYPE *block, call *function, unsigned char *out, const unsigned char *in, unsigned long long inlen,
                  const unsigned char *ad, unsigned long long adlen, const unsigned char *n, const unsigned char *k)
{
    for (unsigned i = 0; i < KEY_BYTES; i++)
        block->key[i] = k[i];
    for (unsigned i = 0; i < NONCE_BYTES; i++)
        block->nonce[i] = n[i];
    block->flags = 1;
    if (adlen)
        part(block, function, 0, ad, adlen);
    part(block, function, out, in, inlen);
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m, unsigned long long mlen,
                        const unsigned char *ad, unsigned long long adlen, const unsigned char *nsec,
                        const unsigned char *npub, const unsigned char *k)
{
    TYPE block;

    (void)nsec;
    BEFORE;
    whole(&block, FUNCTION_SEAL, c, m, mlen, ad, adlen, npub, k);
    for (unsigned i = 0; i < TAG_BYTES; i++)
        c[mlen + i] = block.tag[i];
    *clen = mlen + TAG_BYTES;
    AFTER;
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec, const unsigned char *c,
                        unsigned long long clen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *npub, const unsigned char *k)
{
    TYPE block;

    (void)nsec;
    *mlen = clen - TAG_BYTES;
    for (unsigned i = 0; i < TAG_BYTES; i++)
        block.tag[i] = c[*mlen + i];
    whole(&block, FUNCTION_OPEN, m, c, *mlen, ad, adlen, npub, k);
    BESIDE;
    return (int)block.flags;
}
