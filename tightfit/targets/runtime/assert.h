/* Assertions, for targets that come without a C library. */
#include "stdlib.h"

#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) ((expression) ? (void)0 : abort())
#endif
