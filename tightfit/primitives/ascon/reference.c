/*
 * Ascon-Hash256 and Ascon-AEAD128 (NIST SP 800-232) in portable C11, on words of 64 bits in place.
 *
 * BLOCK_BYTES is the rate, DIGEST_BYTES the length of the digest; KEY_BYTES, NONCE_BYTES and TAG_BYTES are 16.
 */

#include <stdint.h>

enum { ROUNDS = 12, FIRST = 1, LAST = 2, DATA = 4 };

#ifdef HASH
typedef struct {
    uint64_t state[3 + 5];        /* kept: five words, and before them three of the digest; in the end its bytes */
    uint8_t message[BLOCK_BYTES]; /* a block; undefined on return */
    uint8_t flags;                /* FIRST block of a message, LAST block */
    uint8_t length;               /* bytes of the message in its last block */
} ascon_block;
#else
typedef struct {
    uint8_t key[KEY_BYTES];
    uint8_t nonce[NONCE_BYTES];
    uint8_t data[BLOCK_BYTES]; /* associated data, or text that is replaced in place */
    uint8_t flags;             /* FIRST call of a message, LAST call, associated DATA; 0 if open finds the tag right */
    uint8_t length;
    uint8_t tag[TAG_BYTES];
    uint64_t state[5]; /* kept between calls */
} ascon_block;
#endif

/* Section 3.4: to the right, of each word. */
static const uint8_t ROTATIONS[5][2] = {{19, 28}, {61, 39}, {1, 6}, {10, 17}, {7, 41}};

static uint64_t right(uint64_t word, uint8_t count)
{
    return word >> count | word << (64 - count);
}

/* Section 3.3. */
static void substitute(uint64_t *x)
{
    uint64_t first, second;

    x[0] ^= x[4];
    x[4] ^= x[3];
    x[2] ^= x[1];
    first = x[0];
    second = x[1];
    x[0] ^= ~x[1] & x[2];
    x[1] ^= ~x[2] & x[3];
    x[2] ^= ~x[3] & x[4];
    x[3] ^= ~x[4] & first;
    x[4] ^= ~first & second;
    x[1] ^= x[0];
    x[0] ^= x[4];
    x[3] ^= x[2];
    x[2] = ~x[2];
}

/* Section 3, the last of twelve rounds. */
static void permute(uint64_t *x, uint8_t rounds)
{
    for (uint8_t round = ROUNDS - rounds; round < ROUNDS; round++) {
        x[2] ^= (uint64_t)0xf0 - 0x0f * (uint64_t)round;
        substitute(x);
        for (uint8_t i = 0; i < 5; i++)
            x[i] ^= right(x[i], ROTATIONS[i][0]) ^ right(x[i], ROTATIONS[i][1]);
    }
}

/* Words have their lowest byte first (section 2.1). */
static uint64_t load(const uint8_t *bytes)
{
    uint64_t word = 0;

    for (uint8_t i = 8; i-- > 0;)
        word = word << 8 | bytes[i];
    return word;
}

static void store(uint8_t *bytes, uint64_t word)
{
    for (uint8_t i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)word;
        word >>= 8;
    }
}

#ifdef HASH
/* The sponge (5.1), a block a call. */
void ascon_hash(ascon_block *block)
{
    uint64_t *x = block->state + 3;

    if (block->flags & FIRST) {
        x[0] = 0x0000080100cc0002;
        for (uint8_t i = 1; i < 5; i++)
            x[i] = 0;
        permute(x, ROUNDS);
    }
    if (block->flags & LAST) {
        block->message[block->length] = 1;
        for (uint8_t i = block->length + 1; i < BLOCK_BYTES; i++)
            block->message[i] = 0;
    }
    x[0] ^= load(block->message);
    permute(x, ROUNDS);
    if (block->flags & LAST) {
        for (uint8_t i = 0; i < 3; i++) {
            store((uint8_t *)&block->state[i], x[0]);
            permute(x, ROUNDS);
        }
        store((uint8_t *)x, x[0]);
    }
}
#else
/* Bit 319 of the state, after the associated data (4.1.1). */
static const uint64_t AFTER_DATA = (uint64_t)1 << 63;

/* Initialization (4.1.1). */
static void begin(ascon_block *block)
{
    uint64_t *x = block->state;

    x[0] = 0x00001000808c0001;
    for (uint8_t i = 0; i < 2; i++) {
        x[1 + i] = load(block->key + 8 * i);
        x[3 + i] = load(block->nonce + 8 * i);
    }
    permute(x, ROUNDS);
    for (uint8_t i = 0; i < 2; i++)
        x[3 + i] ^= load(block->key + 8 * i);
    if (!(block->flags & DATA))
        x[4] ^= AFTER_DATA;
}

/* Adds a byte to the state and gives what is there then. */
static uint8_t add(uint64_t *x, uint8_t place, uint8_t byte)
{
    const uint8_t shift = 8 * (place % 8);

    x[place / 8] ^= (uint64_t)byte << shift;
    return (uint8_t)(x[place / 8] >> shift);
}

/* What follows the bytes of a block: the bit after them in one that is not full, and a permutation but for the end. */
static void finish(ascon_block *block)
{
    if (block->length < BLOCK_BYTES)
        add(block->state, block->length, 1);
    if (block->flags & LAST)
        return;
    permute(block->state, 8);
    if (block->flags & DATA && block->length < BLOCK_BYTES)
        block->state[4] ^= AFTER_DATA;
}

/* Finalization: the tag (4.1.1). */
static void sign(ascon_block *block, uint8_t *tag)
{
    uint64_t *x = block->state;

    for (uint8_t i = 0; i < 2; i++)
        x[2 + i] ^= load(block->key + 8 * i);
    permute(x, ROUNDS);
    for (uint8_t i = 0; i < 2; i++)
        store(tag + 8 * i, x[3 + i] ^ load(block->key + 8 * i));
}

#ifdef SEAL
void ascon_seal(ascon_block *block)
{
    if (block->flags & FIRST)
        begin(block);
    for (uint8_t i = 0; i < block->length; i++) {
        uint8_t added = add(block->state, i, block->data[i]);

        if (!(block->flags & DATA))
            block->data[i] = added;
    }
    finish(block);
    if (block->flags & LAST)
        sign(block, block->tag);
}
#endif

#ifdef OPEN
void ascon_open(ascon_block *block)
{
    uint8_t tag[TAG_BYTES], different = 0;

    if (block->flags & FIRST)
        begin(block);
    for (uint8_t i = 0; i < block->length; i++) {
        uint8_t byte = block->data[i];

        if (!(block->flags & DATA)) {
            block->data[i] ^= add(block->state, i, 0);
            byte = block->data[i];
        }
        add(block->state, i, byte);
    }
    finish(block);
    if (!(block->flags & LAST))
        return;
    sign(block, tag);
    for (uint8_t i = 0; i < TAG_BYTES; i++)
        different |= tag[i] ^ block->tag[i];
    block->flags = different;
}
#endif
#endif
