/* Chains: a routine called again and again, each time on what it answered. Plain declarations only: the Python
 * binding reads this file after sim_api.h.
 *
 * A tape holds bytes that the next calls get; the answer of the last call goes onto it. */

typedef struct {            /* one of the calls that make an answer */
    const SimBatch *batch;      /* how it is called */
    const uint8_t *block;       /* the parameter block before the call, where nothing else says */
    const uint8_t *carried;     /* flags: 1 takes the byte that the call before left */
    uint32_t from, to, length;  /* these bytes of the tape come to this place of the block */
} SimStep;

typedef struct {
    const SimStep *steps;
    uint32_t step_count, block_size;
    uint32_t tape_size;
    uint32_t answer, answer_size;   /* where the last call leaves its answer */
    uint32_t front;             /* 1: the answer enters the tape in front, else behind; the rest moves on */
    uint64_t times;
} SimChain;

typedef struct {
    uint64_t times;             /* answers made */
    uint64_t least, most;       /* cycles of the calls of one answer */
    uint32_t step;              /* of `run` */
    SimRun run;                 /* the last one, which failed if not all answers were made */
} SimChained;

/* `left` is the block that the call before left, and that the last call leaves; `spare` has as many bytes. */
void sim_chain(Sim *sim, const SimChain *chain, uint8_t *tape, uint8_t *left, uint8_t *spare,
               SimChained *chained);
