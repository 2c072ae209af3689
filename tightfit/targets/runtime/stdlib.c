/* See stdlib.h: nothing follows, so each ends in a loop that never does. */
#include "stdlib.h"

void abort(void)
{
    for (;;)
        ;
}

void exit(int status)
{
    (void)status;
    for (;;)
        ;
}

void _exit(int status)
{
    (void)status;
    for (;;)
        ;
}
