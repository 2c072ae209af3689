/* What the interpreters of all cores share. Each body includes this every time it is compiled, TRACED set; it
 * uses the body's locals and its macros PC and STACK_POINTER. */

#ifndef SIM_RUN_MACROS
#define SIM_RUN_MACROS

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FAIL(what, where) do { sim_fail(sim, what, where); goto fault; } while (0)

#endif

#undef TRACE_BEGIN
#undef TRACE_END
#undef TRACE_CALL
#undef TRACE_RETURN
#if TRACED
#define CHARGE() (charged = 1, sim_profile_add(sim, node, at, 1, cycles - mark))
#define TRACE_BEGIN() (at = PC(i), node = sim->profile.node, mark = cycles, charged = 0)
#define TRACE_END() \
    do { \
        CHARGE(); \
        if (instructions >= instruction_limit) goto steps; \
    } while (0)
#define TRACE_CALL(to) sim_profile_call(sim, at, to, STACK_POINTER)
#define TRACE_RETURN() sim_profile_return(sim, STACK_POINTER)
#else
#define TRACE_BEGIN() (void)0
#define TRACE_END() (void)0
#define TRACE_CALL(to) (void)(to)
#define TRACE_RETURN() (void)0
#endif
