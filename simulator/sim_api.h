/* What the outside sees of the simulator. Plain declarations only: the Python binding reads this file.
 * Numbers of kinds, policies and statuses are part of the interface; new ones are appended. */

typedef struct Sim Sim;

enum sim_kind { SIM_UNMAPPED, SIM_FLASH, SIM_MIRROR, SIM_RAM, SIM_SFR, SIM_DATA_FLASH, SIM_GUARD };

enum sim_uninit { SIM_UNINIT_OFF, SIM_UNINIT_WARN, SIM_UNINIT_ERROR };

enum sim_status {
    SIM_OK,                 /* reached the stop address */
    SIM_STEPS,              /* executed as many instructions as were asked for */
    SIM_UNKNOWN_OPCODE,
    SIM_FETCH,              /* fetch from memory that holds no code */
    SIM_READ_UNMAPPED,
    SIM_WRITE_UNMAPPED,
    SIM_WRITE_FLASH,
    SIM_READ_UNINIT,        /* read of RAM that was never written */
    SIM_ODD_WORD,
    SIM_CYCLE_LIMIT,
    SIM_HALT,
    SIM_STOP,
    SIM_BRK,
    SIM_STACK_LOW,          /* the stack pointer went below its region */
    SIM_STACK_HIGH,         /* or above it */
    SIM_GUARD_READ,
    SIM_GUARD_WRITE,
    SIM_HOST_MEMORY,        /* the host ran out of memory for a profile */
    SIM_ENDLESS,            /* a branch to itself: without interrupts it is the end */
    SIM_UNALIGNED           /* a word of four bytes at an address that is no multiple of four */
};

typedef struct {
    int32_t status;
    uint32_t pc;            /* of the instruction that ended the run; the stop address when ok */
    uint32_t address;       /* data address of the error, else pc */
    uint32_t stack;         /* deepest bytes below the stack pointer at the start */
    uint32_t timing_not_verified;   /* 1 when the core's clocks have no readable source */
    uint64_t cycles;        /* base + all waits */
    uint64_t base;
    uint64_t waits[4];      /* by kind; sim_wait_name says what each is on a core */
    uint64_t instructions;  /* executed; a skipped instruction is not */
    uint64_t path_hash;     /* of every conditional outcome and computed target, in order */
    uint64_t uninit_reads;  /* counted under SIM_UNINIT_WARN */
} SimRun;

typedef struct {            /* a call path: who called whom from where, all the way up */
    int32_t parent;         /* node, -1 for the root */
    uint32_t call_site;     /* address of the call instruction */
    uint32_t callee;
    uint64_t entries;
} SimNode;

typedef struct {            /* one address within one call path */
    uint32_t node;
    uint32_t address;
    uint64_t executions;
    uint64_t cycles;
} SimCell;

typedef struct {            /* one instruction form of a core's table */
    const char *text, *flags, *marks, *sources, *layout, *field, *core;
    uint32_t map, opcode, clocks, taken, flash, es, length;
    int32_t fixed;
} SimForm;

typedef struct {            /* bytes that an interrupt handler writes: `value`, or noise if negative */
    uint32_t address, length;
    int32_t value;
} SimRange;

typedef struct {            /* an interrupt handler, beside the stack that every handler uses */
    uint32_t count;
    const SimRange *ranges;
    uint64_t before;        /* it runs before this instruction, counted from 1; 0: before each */
} SimHandler;

typedef struct {            /* what a watched run did, where the caller had interrupts enabled */
    uint64_t blocked;       /* longest stretch of cycles in which no interrupt was possible */
    uint64_t below;         /* reads of RAM below the stack pointer that a handler had overwritten */
    uint64_t interrupts;    /* instructions before which one was possible */
    uint32_t blocked_at;    /* address of the instruction with which that stretch begins */
} SimWatched;

typedef struct {            /* many runs of one routine over many parameter blocks */
    uint32_t start, stop;
    uint32_t block_address, block_size;
    uint32_t stack_top, stack_limit;
    uint32_t register_count;            /* registers set before each run: ids and values */
    const uint32_t *register_ids;
    const uint32_t *register_values;
    uint32_t captured_count;            /* registers read after each run */
    const uint32_t *captured_ids;
    uint64_t cycle_limit;
    const uint8_t *written;             /* block_size flags: 0 leaves the byte never-written */
    const uint8_t *carried;             /* block_size flags: 1 takes the byte that the run before left; or NULL */
    SimWatched *watched;                /* of each run, NULL: they are not watched */
    const SimHandler *handler;          /* of watched runs, NULL: none but the stack */
} SimBatch;

typedef struct {            /* one of the calls that follow one another on the same parameter blocks */
    const SimBatch *batch;
    const uint8_t *found;   /* block_size flags: 1 takes the byte that call `after` left */
    int32_t after;          /* number of a call before, -1: none */
    uint32_t reached;       /* what sim_reached_registers says behind it */
} SimTurn;

/* NULL: no such core, or no memory. `address_waits`: count waits for an address that the instruction right
 * before wrote, on cores that have them. */
Sim *sim_new(const char *core, int address_waits, int uninit);
const char *sim_core_name(uint32_t index);                 /* NULL past the last */
void sim_free(Sim *sim);
const char *sim_wait_name(const Sim *sim, uint32_t kind);  /* NULL: the core has no such waits */
uint32_t sim_pointer_bits(const Sim *sim);                 /* of a pointer in a register, and of SP */
uint64_t sim_space(const Sim *sim);                        /* bytes of the address space */

/* All of the following return 0, or -1 when the range or the argument is bad; sim_map -2 when the host has no
 * memory. */
int sim_map(Sim *sim, int kind, uint32_t start, uint32_t end, uint32_t source);   /* end exclusive */
int sim_load(Sim *sim, uint32_t address, const uint8_t *data, uint32_t length);   /* flash, or RAM as data */
int sim_write(Sim *sim, uint32_t address, const uint8_t *data, uint32_t length);  /* RAM, SFR */
int sim_poison(Sim *sim, uint32_t address, uint32_t length, int value);
int sim_guard(Sim *sim, uint32_t address, uint32_t length);
int sim_read(const Sim *sim, uint32_t address, uint8_t *out, uint32_t length);
int sim_touched(const Sim *sim, uint32_t address, uint8_t *out, uint32_t length);  /* 1: program wrote it */
int sim_set_stack(Sim *sim, uint32_t top, uint32_t limit);
int sim_get_register(const Sim *sim, uint32_t id, uint32_t *value);
int sim_set_register(Sim *sim, uint32_t id, uint32_t value);
int sim_register_id(const Sim *sim, const char *name);     /* -1: no such register */
void sim_reset(Sim *sim);
uint32_t sim_touched_banks(const Sim *sim);                /* bit n: register bank n */
uint32_t sim_reached_registers(const Sim *sim);            /* 1: CPU registers, through their addresses */

void sim_run(Sim *sim, uint32_t start, uint32_t stop, uint64_t cycle_limit, SimRun *run);
void sim_run_profiled(Sim *sim, uint32_t start, uint32_t stop, uint64_t cycle_limit, SimRun *run);
void sim_run_watched(Sim *sim, uint32_t start, uint32_t stop, uint64_t cycle_limit,
                     const SimHandler *handler, SimRun *run, SimWatched *watched);
void sim_step(Sim *sim, uint64_t instructions, SimRun *run);  /* from the current pc */
uint32_t sim_profile_nodes(const Sim *sim, SimNode *out, uint32_t capacity);      /* returns how many exist */
uint32_t sim_profile_cells(const Sim *sim, SimCell *out, uint32_t capacity);
void sim_call_many(Sim *sim, const SimBatch *batch, uint32_t count, const uint8_t *blocks,
                   uint8_t *blocks_out, uint32_t *registers_out, SimRun *runs);
/* Turns, each in `count` contexts: all arrays are by turn, then by context; `blocks` take up what a turn finds.
 * Returns how many were made; a run of the last one may have failed. */
uint32_t sim_call_turns(Sim *sim, SimTurn *turns, uint32_t turn_count, uint32_t count, uint8_t *blocks,
                        uint8_t *blocks_out, uint32_t *registers_out, SimRun *runs);

int sim_form(const Sim *sim, uint32_t index, SimForm *form);           /* -1 past the last */
int sim_form_at(Sim *sim, uint32_t address, uint32_t *length);         /* index of the form there, or -1 */
const char *sim_status_name(int status);
