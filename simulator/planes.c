/* Planes by reserved address space: pages that nobody writes to are the host's one page of zeros. */
#include "sim.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { STRETCH = PLANES_STRETCH };      /* a multiple of the page size of every host */

static uint64_t stretches(const Planes *p) { return (p->size + STRETCH - 1) / STRETCH; }

/* What can only be read counts against no limit of memory; the gap behind a plane can not even be read. */
int planes_new(Planes *p, uint64_t size, int count)
{
    const uint64_t room = (size + STRETCH - 1) / STRETCH * STRETCH;
    *p = (Planes){ .size = size, .stride = room + STRETCH, .count = count };
    if (p->stride > SIZE_MAX / (unsigned)count)
        return -1;
    void *base = mmap(NULL, p->stride * (unsigned)count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return -1;
    p->base = base;
    p->open = calloc(1, stretches(p));
    int failed = !p->open;
    for (int n = 0; n < count; n++)
        failed |= mprotect(plane(p, n), room, PROT_READ) != 0;
    if (failed)
        planes_free(p);
    return failed ? -1 : 0;
}

static int open_stretch(Planes *p, uint64_t n)
{
    for (int k = 0; k < p->count; k++)
        if (mprotect(plane(p, k) + n * STRETCH, STRETCH, PROT_READ | PROT_WRITE) != 0)
            return -1;
    p->open[n] = 1;
    return 0;
}

/* One call for many pages costs less than a fault for each of them. Where it fails, there are faults. */
static void fetch_pages(const Planes *p, uint64_t start, uint64_t end)
{
#ifdef MADV_POPULATE_WRITE
    const uint64_t from = start & ~UINT64_C(0xFFF), to = (end + 0xFFF) & ~UINT64_C(0xFFF);
    for (int k = 0; k < p->count && from < to; k++)
        madvise(plane(p, k) + from, to - from, MADV_POPULATE_WRITE);
#else
    (void)p, (void)start, (void)end;
#endif
}

int planes_open(Planes *p, uint64_t start, uint64_t end)
{
    for (uint64_t n = start / STRETCH; n * STRETCH < end; n++)
        if (!p->open[n] && open_stretch(p, n) != 0)
            return -1;
    fetch_pages(p, start, end);
    return 0;
}

void planes_clear(Planes *p)
{
    const uint64_t count = stretches(p);
    const uint8_t *found = p->open;
    while ((found = memchr(found, 1, count - (uint64_t)(found - p->open)))) {
        for (int k = 0; k < p->count; k++)
            memset(plane(p, k) + (uint64_t)(found - p->open) * STRETCH, 0, STRETCH);
        found++;
    }
}

void planes_free(Planes *p)
{
    if (p->base)
        munmap(p->base, p->stride * (unsigned)p->count);
    free(p->open);
    *p = (Planes){ 0 };
}
