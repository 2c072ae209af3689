/* What the cores share: a memory map of typed regions, instruments, errors, the profile by call path. */
#ifndef TIGHTFIT_SIM_H
#define TIGHTFIT_SIM_H

#include <stddef.h>
#include <stdint.h>
#include "sim_api.h"

/* Attributes of a byte of the address space. READ, WRITE: the access needs no further thought. */
enum {
    A_READ = 1,         /* readable without a wait */
    A_WAIT = 2,         /* readable at the cost of a flash read */
    A_WRITE = 4,
    A_RAM = 8,          /* becomes readable when written */
    A_EXEC = 16,
    A_SPECIAL = 32,     /* the core handles the access */
    A_TOUCHED = 64,     /* written by the program since the reset */
    A_GUARD = 128
};

enum { SIM_WAITS = sizeof ((SimRun *)0)->waits / sizeof (uint64_t) };

enum { SIM_MAX_REGIONS = 32, SIM_MAX_FRAMES = 65536, SIM_MAX_NODES = 8192, SIM_NO_STOP = 0xFFFFFFFFu };

/* Some bytes for each address, one on each plane. All are zero, and can only be read until they are opened. */
enum { PLANES_STRETCH = 0x10000 };

typedef struct {
    uint8_t *base, *open;       /* open: flags of stretches of addresses that can be written */
    uint64_t size, stride;
    int count;
} Planes;

typedef struct { uint32_t start, end, source; int kind; } Region;

typedef struct { uint32_t node, sp, back; } Frame;      /* back: the return address */

enum { PROFILE_ROW = 64 };

/* Counts of neighbouring addresses, of which `number` times PROFILE_ROW is the first, within one call path. */
typedef struct {
    uint32_t node, number;
    struct { uint64_t executions, cycles; } at[PROFILE_ROW];
} ProfileRow;

typedef struct {
    SimNode *nodes;
    ProfileRow *rows;
    uint32_t *places;           /* 1 + the index of a row, by its hash; 0: none; as many as there can be rows, twice */
    Frame *frames;
    uint32_t node_count, node_capacity, row_count, row_capacity, row, depth, node;     /* row: the last one used */
    int on, failed;             /* failed: the host ran out of memory */
} Profile;

typedef struct Core Core;

typedef struct TaintCore TaintCore;

typedef struct Behaviour Behaviour;

typedef struct Watch Watch;

typedef void Interpreter(Sim *sim, uint32_t stop, uint64_t cycle_limit, uint64_t instruction_limit);

struct Sim {
    const Core *core;
    Planes planes;
    uint8_t *mem, *attr;        /* the two planes */
    uint64_t space;             /* how many addresses */
    Region regions[SIM_MAX_REGIONS];
    int region_count;
    int address_waits, uninit;
    uint32_t stack_top, stack_limit;
    uint32_t start_sp, lowest;  /* stack pointer at the start of the run, and the lowest since */
    uint32_t first_sp, deepest; /* the same of a run in pieces */
    int sp_known;               /* it was set since the reset */
    uint32_t touched_banks;
    uint32_t reached_registers; /* 1: the program reached CPU registers through memory since the reset */
    Watch *watch;               /* of the watched run under way, else NULL */
    int pause;                  /* the interrupt flag changed, or RAM below the stack pointer */
    SimRun run;                 /* of the run under way */
    Profile profile;
};

struct Core {
    const char *name;
    uint64_t space;                                         /* bytes of the address space, at most 2^32 */
    size_t size;                                            /* of the core's own Sim-derived structure */
    int timing_not_verified;
    const char *waits[SIM_WAITS];                           /* what the kinds of waits are called; NULL: none */
    int (*init)(Sim *sim);
    void (*release)(Sim *sim);
    void (*reset)(Sim *sim, int all);                       /* all: also registers that outlive a call */
    void (*map_changed)(Sim *sim);                          /* regions were added */
    void (*code_changed)(Sim *sim, uint32_t start, uint32_t end);
    /* NULL, all three, where the core gives no byte A_SPECIAL. */
    int (*poke)(Sim *sim, uint32_t address, uint8_t value); /* host write to a byte with A_SPECIAL */
    int (*store)(Sim *sim, uint32_t address, uint8_t value); /* the program's write to it: 0, or -1 */
    uint8_t (*peek)(const Sim *sim, uint32_t address);      /* read of such a byte */
    int (*register_id)(const char *name);
    int (*get_register)(const Sim *sim, uint32_t id, uint32_t *value);
    int (*set_register)(Sim *sim, uint32_t id, uint32_t value);
    uint32_t sp_id, status_id, interrupt_enable;            /* registers, and the flag in the status */
    uint32_t pointer_bits;                                  /* of a pointer in a register, and of SP */
    uint32_t stack_base;                                    /* address of the byte above SP 0 */
    int links;                                              /* calls keep the return address in a register */
    uint32_t registers, register_bytes;                     /* addresses of CPU registers, and how many */
    Interpreter *run, *run_traced;                          /* traced: profile, limit of instructions */
    int (*set_stack)(Sim *sim, uint32_t top);
    void (*set_pc)(Sim *sim, uint32_t pc);
    int (*form)(uint32_t index, SimForm *form);
    int (*form_at)(Sim *sim, uint32_t address, uint32_t *length);
    const TaintCore *taint;                                 /* how it moves taint, taint.h; NULL: it has none */
    const Behaviour *behaviour;                             /* for its transcripts, behaviour.h; NULL: it has none */
};

extern const Core *const sim_cores[];       /* all there are, in cores.c; NULL ends them */

Sim *sim_new_core(const Core *core, int address_waits, int uninit);   /* NULL: the host has no memory */
/* Let bytes of `mem` and `attr` be written that no region has, such as registers: 0, or -1. */
int sim_open(Sim *sim, uint32_t start, uint32_t end);

/* What the program reads and writes: any byte or word, or -1 and the run has failed. */
int sim_read8(Sim *sim, uint32_t address);
int sim_read16(Sim *sim, uint32_t address);
int64_t sim_read32(Sim *sim, uint32_t address);
int sim_write8(Sim *sim, uint32_t address, uint8_t value);
int sim_write16(Sim *sim, uint32_t address, uint16_t value);
int sim_write32(Sim *sim, uint32_t address, uint32_t value);
/* The stack pointer is elsewhere: 0, or -1 when that is outside its region; `address` is for the error. */
int sim_check_stack(Sim *sim, uint32_t sp, uint32_t address);
/* The same when the program set it as a whole: the first time after a reset, the stack starts there. */
int sim_set_stack_pointer(Sim *sim, uint32_t sp, uint32_t address);
/* Make a mirror show `source`; the core calls it when its mirror moves. */
void sim_show_mirror(Sim *sim, const Region *mirror, uint32_t source);
/* Of a block: the bytes that a call before left where a flag is 1, those of `block` elsewhere. */
void sim_take_left(const uint8_t *flags, const uint8_t *left, const uint8_t *block, uint8_t *out, uint32_t size);
int sim_fail(Sim *sim, int status, uint32_t address);       /* returns -1 */

/* Decoded code has an entry of `size` bytes for each `unit` bytes of memory, and an instruction at most `longest`. */
typedef struct { uint32_t unit, longest; size_t size; } Decoded;

/* The `span` entries from the address `low` on, which are those of all executable regions: `code` as it was, or
 * others, not decoded yet, where the regions are others; none, and no span, where the host has no memory. */
void *sim_map_code(const Sim *sim, const Decoded *decoded, void *code, uint32_t *low, uint32_t *span);
/* What is decoded of the bytes start .. end, and of instructions that reach into them, counts no more. */
void sim_forget_code(const Decoded *decoded, void *code, uint32_t low, uint32_t span, uint32_t start, uint32_t end);

/* A run in pieces: begin, advance by so many instructions while that gives 1, end. A watched run pauses
 * earlier where it must. */
void sim_begin(Sim *sim, uint32_t start);
int sim_advance(Sim *sim, uint32_t stop, uint64_t cycle_limit, uint64_t instructions);
void sim_end(Sim *sim, SimRun *run);

/* What the program does to a byte that is neither writable nor readable while a run is watched. */
int sim_is_watched(const Sim *sim, uint32_t address);
void sim_watched_store(Sim *sim, uint32_t address, uint8_t value);
void sim_watched_read(Sim *sim);

void sim_profile_start(Sim *sim, uint32_t pc);
/* `back` is where the call returns to, and where the return goes. */
void sim_profile_call(Sim *sim, uint32_t call_site, uint32_t callee, uint32_t back, uint32_t sp);
void sim_profile_return(Sim *sim, uint32_t back, uint32_t sp);
int sim_profile_row(Profile *profile, uint32_t node, uint32_t number);     /* make it the last one used: 0, or -1 */

int planes_new(Planes *planes, uint64_t size, int count);   /* 0, or -1: the host has no memory */
int planes_open(Planes *planes, uint64_t start, uint64_t end);  /* 0, or -1 */
void planes_clear(Planes *planes);
void planes_free(Planes *planes);
static inline uint8_t *plane(const Planes *p, int n) { return p->base + p->stride * (unsigned)n; }
static inline int planes_are_open(const Planes *p, uint32_t address)
{
    return p->open[address / PLANES_STRETCH];
}

static inline void sim_profile_add(Sim *sim, uint32_t node, uint32_t address, uint64_t executions, uint64_t cycles)
{
    Profile *p = &sim->profile;
    if (!p->on)
        return;
    ProfileRow *row = p->rows + p->row;
    if (row->node != node || row->number != address / PROFILE_ROW) {
        if (sim_profile_row(p, node, address / PROFILE_ROW) != 0)
            return;
        row = p->rows + p->row;
    }
    row->at[address % PROFILE_ROW].executions += executions;
    row->at[address % PROFILE_ROW].cycles += cycles;
}

static inline uint64_t sim_mix(uint64_t hash, uint64_t value)
{
    return (((hash << 5) | (hash >> 59)) ^ value) * UINT64_C(0x9E3779B97F4A7C15);
}

static inline uint32_t load16(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8; }

static inline uint32_t load32(const uint8_t *p) { return load16(p) | load16(p + 2) << 16; }

static inline void store16(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void store32(uint8_t *p, uint32_t v)
{
    store16(p, v);
    store16(p + 2, v >> 16);
}

#endif
