/* See string.h. */
#include "string.h"

#ifdef __GNUC__
/* Or the compiler sees that a loop is a memset, and calls memset for it. */
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

typedef unsigned char byte;

void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
    byte *target = to;
    const byte *source = from;
    while (count--)
        *target++ = *source++;
    return to;
}

void *memmove(void *to, const void *from, size_t count)
{
    byte *target = to;
    const byte *source = from;
    if (target > source)
        while (count--)
            target[count] = source[count];
    else
        while (count--)
            *target++ = *source++;
    return to;
}

void *memset(void *to, int value, size_t count)
{
    byte *target = to;
    while (count--)
        *target++ = (byte)value;
    return to;
}

int memcmp(const void *left, const void *right, size_t count)
{
    const byte *one = left, *other = right;
    for (; count--; one++, other++)
        if (*one != *other)
            return *one < *other ? -1 : 1;
    return 0;
}
