/* Taint: what a run can tell about secrets by its time. Plain declarations only: the Python binding reads
 * this file after sim_api.h. Numbers of kinds are part of the interface; new ones are appended.
 *
 * A mask stands beside every byte of memory, register and flag: a 1 where the bit may depend on a secret. A
 * run steps one instruction at a time and moves the masks as the instruction moves the data. */

typedef struct Taint Taint;

enum taint_kind {
    TAINT_BRANCH,           /* leaks: a conditional branch whose two ways take different times */
    TAINT_SKIP,             /* such a skip */
    TAINT_JUMP,             /* a computed jump */
    TAINT_CALL,             /* a computed call */
    TAINT_RETURN,           /* a return address */
    TAINT_ADDRESS,          /* an address that may reach memory of another speed */
    TAINT_STACK,            /* the stack pointer */
    TAINT_CONTROL,          /* bits that choose the register bank, the memory map or sleep */
    TAINT_BALANCED,         /* no leak: a condition whose two ways meet again after the same time */
    TAINT_LOOKUP,           /* no leak: an address within memory of one speed */
    TAINT_FLASH_LOOKUP      /* such an address that may be in flash behind a prefetcher */
};

typedef struct {            /* something seen at one instruction of the run */
    uint32_t address;
    int32_t kind;
    uint64_t count;         /* how often the run met it; 0: only on the way that the run did not take */
} TaintRecord;

int taint_exists(const Sim *sim);           /* whether the core has taint */
Taint *taint_new(Sim *sim);                 /* NULL: no memory, or the core has no taint */
void taint_free(Taint *taint);
void taint_clear(Taint *taint);             /* nothing is secret */
void taint_clear_registers(Taint *taint);   /* no register is, of the bank that a reset selects */

/* Return 0, or -1 when the range or the register is bad. */
int taint_mark(Taint *taint, uint32_t address, const uint8_t *masks, uint32_t length);
int taint_masks(const Taint *taint, uint32_t address, uint8_t *masks, uint32_t length);
int taint_mark_register(Taint *taint, uint32_t id, uint32_t mask);
int taint_register_mask(const Taint *taint, uint32_t id, uint32_t *mask);

/* As sim_run; path_hash is 0. Masks stay as the run leaves them, records are those of the last run. */
void taint_run(Taint *taint, uint32_t start, uint32_t stop, uint64_t cycle_limit, SimRun *run);
/* From the current pc; a balanced condition counts as one step, to where its ways meet. */
void taint_step(Taint *taint, uint64_t steps, SimRun *run);
uint32_t taint_records(const Taint *taint, TaintRecord *out, uint32_t capacity);    /* returns how many */
