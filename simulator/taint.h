/* What the taint of all cores is made of: bits that secrets may move, memory of masks, what a core supplies. */
#ifndef TIGHTFIT_TAINT_H
#define TIGHTFIT_TAINT_H

#include "sim.h"
#include "taint_api.h"

/* A value of this run, and a 1 for each bit that may have another value in a run with other secrets. */
typedef struct { uint64_t value, taint; } Bits;

/* A sum and the carries into each of its bits; the carry out of n bits is the carry into bit n. */
typedef struct { Bits sum, carry; } Sum;

/* Where an access may go: the values that the bits allow, from `low` to `high`. */
typedef struct { Bits bits; uint64_t low, high; } Address;

/* What a conditional instruction does: its kind is -1 where no secret decides. */
typedef struct {
    int kind;
    uint32_t taken, next;       /* where the two ways go on */
    int further;                /* clocks that the way to `taken` takes more */
    int apart;                  /* 1: the two ways cannot be followed */
} Condition;

enum { TAINT_REGISTERS = 40, TAINT_KINDS = TAINT_FLASH_LOOKUP + 1 };

/* The part of a core: registers that are not memory, and how an instruction moves taint. */
struct TaintCore {
    const char *const *registers;                           /* names of the masks in `reg`; NULL ends them */
    /* Move the masks as the instruction at the program counter will move the data. */
    void (*move)(Taint *t, Condition *condition);
    /* Bytes with A_SPECIAL: the mask of one that is in `reg`, or -1; put a mask there: 0, or -1. NULL where the core
     * gives no byte A_SPECIAL. */
    int (*special)(const Taint *t, uint32_t address);
    int (*set_special)(Taint *t, uint32_t address, uint8_t mask);
    int (*place)(const Taint *t, uint32_t id, uint32_t *address);   /* bytes of a register in memory; NULL: none is */
    uint32_t (*timing)(const Sim *sim);                     /* state that decides later clocks; NULL: none does */
    uint32_t first, bytes;                                  /* the registers that are memory */
    int waits;                                              /* flash is slower than RAM */
    int hazards;                                            /* the next instruction may wait for a register */
    int prefetch;                                           /* a prefetcher or a buffer may stand before flash */
};

typedef struct { uint32_t address; uint8_t mem, attr, mask; } Undo;

struct Taint {
    Sim *sim;
    const TaintCore *core;
    Planes planes;
    uint8_t *mask;                  /* of every byte of the address space; the plane */
    uint32_t reg[TAINT_REGISTERS];
    uint32_t pc;                    /* of the instruction that is looked at */
    int register_count, register_ids[TAINT_REGISTERS];
    TaintRecord *records;
    uint32_t record_count, record_capacity;
    uint32_t *places, place_mask;   /* 1 + the number of a record, by its hash; 0: none */
    Undo *undo;                     /* what was overwritten since the first of the conditions under way */
    uint32_t undo_count, undo_capacity;
    int depth;                      /* conditions whose two ways are being tried */
    int logging, trial;             /* keep `undo`; a way is only tried */
    int leaked;                     /* a way that is tried leaks */
    int failed;                     /* the host ran out of memory */
    int unknown;                    /* no rule for the instruction */
    uint32_t stop, lowest;
    uint64_t cycle_limit;
};

/* ---- bits ---- */

static inline Bits bits(uint64_t value, uint64_t taint) { return (Bits){ value, taint }; }
static inline Bits known(uint64_t value) { return (Bits){ value, 0 }; }
static inline uint64_t least(Bits a) { return a.value & ~a.taint; }
static inline uint64_t most(Bits a) { return a.value | a.taint; }
static inline Bits part(Bits a, int shift, uint64_t mask)
{
    return bits(a.value >> shift & mask, a.taint >> shift & mask);
}
static inline Bits up(Bits a, int shift) { return bits(a.value << shift, a.taint << shift); }
static inline Bits joined(Bits low, Bits high, int shift)
{
    return bits(low.value | high.value << shift, low.taint | high.taint << shift);
}
static inline Bits bits_not(Bits a, uint64_t mask) { return bits(~a.value & mask, a.taint & mask); }
static inline Bits bits_and(Bits a, Bits b)
{
    return bits(a.value & b.value, (a.taint & most(b)) | (b.taint & most(a)));
}
static inline Bits bits_or(Bits a, Bits b)
{
    return bits(a.value | b.value, (a.taint & ~least(b)) | (b.taint & ~least(a)));
}
static inline Bits bits_xor(Bits a, Bits b) { return bits(a.value ^ b.value, a.taint | b.taint); }
static inline Bits bits_signed(Bits a, int bit, uint64_t mask)      /* bit: the sign */
{
    const uint64_t sign = UINT64_C(1) << bit, low = 2 * sign - 1;
    return bits((((a.value & low) ^ sign) - sign) & mask, (((a.taint & low) ^ sign) - sign) & mask);
}
/* Whether the value is zero: 1 when that may depend on a secret. */
static inline unsigned zero_taint(Bits a) { return !least(a) && a.taint; }

Sum bits_add(Bits a, Bits b, Bits carry);
Sum bits_twice(Bits a, Bits carry);                         /* a + a + carry, exact */
Sum bits_sub(Bits a, Bits b, Bits borrow, uint64_t mask);   /* the carries are the borrows upside down */
Bits bits_mul(Bits a, Bits b, uint64_t mask);
/* Taint of the overflow of a sum of a and b whose sign is `bit`. */
unsigned overflow_taint(Sum s, Bits a, Bits b, int bit);

/* ---- memory ---- */

Address at(Bits bits);                                      /* an address as it is */
Address indexed(Bits base, Bits index, uint64_t mask, Bits above);  /* their sum within mask, or `above` */

Bits taint_load(Taint *t, uint32_t address);                /* a byte */
void taint_store(Taint *t, uint32_t address, Bits value);
Bits taint_read(Taint *t, Address address, int bytes);      /* 1, 2, 4; records where it is secret */
void taint_write(Taint *t, Address address, Bits value, int bytes);
void taint_touch(Taint *t, uint32_t address);               /* the instruction will write this byte */
/* A register that is memory: its masks are always open, and nothing else has them. */
static inline Bits taint_register(const Taint *t, uint32_t address)
{
    return bits(t->sim->mem[address], t->mask[address]);
}
static inline void taint_set_register(Taint *t, uint32_t address, Bits value)
{
    if (t->logging)
        taint_touch(t, address);
    t->mask[address] = (uint8_t)value.taint;
}

void taint_record(Taint *t, int kind);                      /* of the instruction looked at */

#endif
