/* The identity of a core: what it does, in place of how its source is written. Plain declarations only: the
 * Python binding reads this file after sim_api.h.
 *
 * A transcript is a fixed, seeded sequence of runs and what came of them, value by value; the digest is its
 * SHA-256. Two states of the sources that cannot be told apart by any run have the same digests. */

enum sim_transcript {
    SIM_TRANSCRIPT_RUN,     /* states, clocks and ends of runs */
    SIM_TRANSCRIPT_TAINT    /* masks and records of tainted runs, no clocks */
};

/* 0; 1: the core has none, for it has no taint or brings no `Behaviour`; -1: no such core or transcript, or no
 * memory. */
int sim_behaviour(const char *core, int which, uint8_t digest[32]);
