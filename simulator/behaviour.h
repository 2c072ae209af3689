/* What transcripts of all cores are made of, and what a family of cores brings for its own.
 *
 * A transcript uses the interface of sim_api.h and what is in `Core`, and no more of a machine's inside, so
 * that the inside can change. Its values are hashed one by one, little-endian, in widths that stay. */
#ifndef TIGHTFIT_BEHAVIOUR_H
#define TIGHTFIT_BEHAVIOUR_H

#include "sim.h"
#include "behaviour_api.h"
#include "sha256.h"
#include "taint_api.h"

/* ---- chance that is the same everywhere: no expression draws twice, for compilers choose the order ---- */

typedef struct { uint64_t state; } Dice;

static inline uint32_t roll(Dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)(z >> 32);
}

static inline uint32_t below(Dice *dice, uint32_t end)
{
    return (uint32_t)((uint64_t)roll(dice) * end >> 32);
}

static inline int one_in(Dice *dice, uint32_t n) { return below(dice, n) == 0; }

/* A number where carries, signs and zeros change, or any. */
static inline uint32_t edge(Dice *dice)
{
    static const uint32_t edges[] = {
        0, 0, 1, 2, 0x7F, 0x80, 0xFF, 0x0F, 0x10, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0xFF00, 0x00FF, 0xFFFFF,
    };
    return one_in(dice, 2) ? roll(dice) : edges[below(dice, sizeof edges / sizeof *edges)];
}

/* ---- what a family brings ---- */

typedef struct { uint32_t start, end; } Span;

enum { MAP_PART, MAP_ODD, MAP_ROOMY, MAPS };    /* as of a part; with holes; with much RAM */
enum { MOST_NAMES = 32, MOST_SLOT = 16, MOST_INSN = 64 };

struct Behaviour {
    void (*map)(Sim *sim, int which);
    uint32_t unit;              /* instructions start at its multiples */
    uint32_t slot;              /* bytes of an instruction that is tried, and of what stands round it */
    uint32_t jobs;              /* how many are tried */
    Span code, ram;             /* flash and RAM that every map has */
    uint32_t top, limit, step;  /* of the stack, in `ram`: values of SP, and by what SP moves */
    uint32_t deep_top, deep_limit;  /* of a stack in the roomy map with room for 10,000 calls */
    Span near;                  /* registers that are memory */
    const Span *shown;          /* memory that a program can change, an empty span ends it */
    const char *const *names;   /* the other registers; NULL ends them */
    /* Fill `slot` bytes; returns how many instructions are to be run. */
    uint32_t (*encode)(uint32_t job, Dice *dice, uint8_t *out);
    /* Registers; tame: those that instructions of `tame` use as pointers point into `ram`. */
    void (*state)(Sim *sim, Dice *dice, const uint32_t *ids, int tame);
    uint32_t (*value)(Dice *dice);                          /* of a register: a number, or a pointer */
    uint32_t (*mask)(Dice *dice, int name);                 /* of one of `names`: bits that are secret */
    /* Each writes code at `at` and returns its bytes, at most MOST_INSN. */
    uint32_t (*tame)(Dice *dice, uint8_t *out);             /* instructions after which a program goes on */
    uint32_t (*diamond)(Dice *dice, uint8_t *out, int depth);   /* a condition whose two ways meet */
    uint32_t (*call)(uint8_t *out, uint32_t at, uint32_t to);
    uint32_t (*leave)(uint8_t *out);
    uint32_t (*drop)(uint8_t *out);                         /* forget the return address of the routine */
    uint32_t (*sweep)(uint8_t *out, uint32_t at);           /* call many routines from one place */
};

/* ---- a transcript under way ---- */

typedef struct {
    Sha256 sha;
    Dice dice;
    const Behaviour *family;
    Sim *sim;
    Taint *taint;               /* of the transcript of taint */
    uint32_t ids[MOST_NAMES];
    int names, failed;
    uint32_t secret;            /* bit n: register n of `names` has a mask of its own */
} Transcript;

/* The settings of machines by turns. */
typedef struct { int address_waits, uninit, map; } Setting;

static inline Setting behaviour_setting(uint32_t turn)
{
    const int map = turn % 8 == 3 ? MAP_ODD : turn % 8 == 6 ? MAP_ROOMY : MAP_PART;
    return (Setting){ turn % 4 != 3, (int)(turn % 3), map };
}

/* A machine in place of the one before: with nothing but a memory map. */
int behaviour_machine(Transcript *t, const char *core, int address_waits, int uninit, int map);
void behaviour_free(Transcript *t);

void behaviour_put32(Transcript *t, uint32_t value);
void behaviour_put64(Transcript *t, uint64_t value);
void behaviour_fill_ram(Transcript *t);     /* anew: written, never written, guarded */
void behaviour_set_state(Transcript *t, int tame);
uint32_t behaviour_fill_code(Transcript *t, uint32_t job, uint8_t *steps);     /* slots filled */
/* Code of a program at the start of `code`: where it stops. */
uint32_t behaviour_program(Transcript *t, uint32_t items, int wild, int diamonds);

void behaviour_taint(Transcript *t, const char *core);

#endif
