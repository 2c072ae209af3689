/* The cores that the library is built with. No part of any core's identity: a further one moves no figure. */
#include "sim.h"

extern const Core sim_core_rl78_s1, sim_core_rl78_s2, sim_core_rl78_s3;
extern const Core sim_core_avre_plus, sim_core_avre, sim_core_avrxt, sim_core_avrxt_8k;
extern const Core sim_core_msp430, sim_core_msp430x, sim_core_msp430xv2;
extern const Core sim_core_cortex_m0plus, sim_core_cortex_m0, sim_core_cortex_m0_mul32;
extern const Core sim_core_ibex, sim_core_ibex_imc, sim_core_qingke_v2;

const Core *const sim_cores[] = {
    &sim_core_rl78_s2, &sim_core_rl78_s1, &sim_core_rl78_s3,
    &sim_core_avre_plus, &sim_core_avre, &sim_core_avrxt, &sim_core_avrxt_8k,
    &sim_core_msp430, &sim_core_msp430x, &sim_core_msp430xv2,
    &sim_core_cortex_m0plus, &sim_core_cortex_m0, &sim_core_cortex_m0_mul32,
    &sim_core_ibex, &sim_core_ibex_imc, &sim_core_qingke_v2,
    NULL,
};
