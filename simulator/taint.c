/* Taint, as far as it is the same for every core: masks, records, steps, the two ways of a condition. */
#include "taint.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 3, FEW_STEPS = 5, MAX_STEPS = 24, MAX_UNDO = 4096 };

/* ---- bits ---- */

/* A carry rises with the operands: it is open where the least and the greatest of them differ in it. */
Sum bits_add(Bits a, Bits b, Bits carry)
{
    uint64_t fewest = (least(a) + least(b) + least(carry)) ^ least(a) ^ least(b);
    uint64_t all = (most(a) + most(b) + most(carry)) ^ most(a) ^ most(b);
    uint64_t sum = a.value + b.value + carry.value;
    Bits carries = bits(sum ^ a.value ^ b.value, fewest ^ all);
    return (Sum){ bits(sum, a.taint | b.taint | carries.taint), carries };
}

Sum bits_twice(Bits a, Bits carry)
{
    Bits sum = bits(2 * a.value + carry.value, a.taint << 1 | carry.taint);
    return (Sum){ sum, sum };
}

Sum bits_sub(Bits a, Bits b, Bits borrow, uint64_t mask)
{
    return bits_add(a, bits_not(b, mask), bits_not(borrow, 1));
}

Bits bits_mul(Bits a, Bits b, uint64_t mask)
{
    Bits product = known(0);
    for (int i = 0; i < 64 && most(a) >> i; i++) {
        uint64_t bit = UINT64_C(1) << i;
        if (!(most(a) & bit))
            continue;
        Bits term = up(b, i);
        if (a.taint & bit)
            term = bits(a.value & bit ? term.value : 0, most(term));
        product = bits_add(product, term, known(0)).sum;
    }
    return part(product, 0, mask);
}

unsigned overflow_taint(Sum s, Bits a, Bits b, int bit)
{
    unsigned signs = (unsigned)((a.taint | b.taint) >> bit & 1);
    if (!signs && (a.value ^ b.value) >> bit & 1)
        return 0;
    return (unsigned)((s.carry.taint >> bit | s.carry.taint >> (bit + 1)) & 1);
}

/* ---- records ---- */

static int grow(Taint *t, void **array, uint32_t *capacity, size_t item)
{
    uint32_t wanted = *capacity ? *capacity * 2 : 256;
    void *bigger = realloc(*array, (size_t)wanted * item);
    if (!bigger) {
        t->failed = 1;
        return -1;
    }
    *array = bigger;
    *capacity = wanted;
    return 0;
}

/* Where the record of an address and a kind is, or would be, in the table of places. */
static uint32_t *place_of_record(const Taint *t, uint32_t address, int kind)
{
    uint32_t n = (address * TAINT_KINDS + (uint32_t)kind) * 2654435761u >> 7;
    for (;; n++) {
        uint32_t *place = &t->places[n & t->place_mask];
        const TaintRecord *record = *place ? &t->records[*place - 1] : NULL;
        if (!record || (record->address == address && record->kind == kind))
            return place;
    }
}

static TaintRecord *find_record(const Taint *t, uint32_t address, int kind)
{
    const uint32_t place = t->record_count ? *place_of_record(t, address, kind) : 0;
    return place ? &t->records[place - 1] : NULL;
}

/* Twice as many places as records. */
static int more_records(Taint *t)
{
    if (grow(t, (void **)&t->records, &t->record_capacity, sizeof *t->records) < 0)
        return -1;
    free(t->places);
    t->places = calloc(2 * (size_t)t->record_capacity, sizeof *t->places);
    if (!t->places) {
        t->record_count = t->record_capacity = 0;
        t->failed = 1;
        return -1;
    }
    t->place_mask = 2 * t->record_capacity - 1;
    for (uint32_t i = 0; i < t->record_count; i++)
        *place_of_record(t, t->records[i].address, t->records[i].kind) = i + 1;
    return 0;
}

static void forget_records(Taint *t)
{
    if (t->record_count)
        memset(t->places, 0, ((size_t)t->place_mask + 1) * sizeof *t->places);
    t->record_count = 0;
}

static int is_leak(int kind) { return kind < TAINT_BALANCED; }

static void record_at(Taint *t, uint32_t address, int kind)
{
    if (t->trial && is_leak(kind)) {
        t->leaked = 1;
        return;
    }
    TaintRecord *record = find_record(t, address, kind);
    if (!record) {
        if (t->record_count == t->record_capacity && more_records(t) < 0)
            return;
        record = &t->records[t->record_count++];
        *record = (TaintRecord){ address, kind, 0 };
        *place_of_record(t, address, kind) = t->record_count;
    }
    record->count += !t->trial;
}

void taint_record(Taint *t, int kind) { record_at(t, t->pc, kind); }

/* ---- memory ---- */

/* Most masks are zero and stay so: they are neither opened nor read. */
static uint8_t get_mask(const Taint *t, uint32_t a) { return planes_are_open(&t->planes, a) ? t->mask[a] : 0; }

static int put_mask(Taint *t, uint32_t a, uint8_t mask)
{
    if (!planes_are_open(&t->planes, a)) {
        if (!mask)
            return 0;
        if (planes_open(&t->planes, a, (uint64_t)a + 1) != 0) {
            t->failed = 1;
            return -1;
        }
    }
    t->mask[a] = mask;
    return 0;
}

void taint_touch(Taint *t, uint32_t a)
{
    if (!t->logging)
        return;
    if (t->undo_count == t->undo_capacity
        && grow(t, (void **)&t->undo, &t->undo_capacity, sizeof *t->undo) < 0)
        return;
    t->undo[t->undo_count++] = (Undo){ a, t->sim->mem[a], t->sim->attr[a], get_mask(t, a) };
    if (t->trial && t->undo_count > MAX_UNDO)
        t->leaked = 1;
}


static uint8_t value_of(const Taint *t, uint32_t a)
{
    return t->sim->attr[a] & A_SPECIAL ? t->sim->core->peek(t->sim, a) : t->sim->mem[a];
}

static uint8_t mask_of(const Taint *t, uint32_t a)
{
    int special = t->sim->attr[a] & A_SPECIAL ? t->core->special(t, a) : -1;
    return special < 0 ? get_mask(t, a) : (uint8_t)special;
}

Bits taint_load(Taint *t, uint32_t a)
{
    return bits(value_of(t, a), mask_of(t, a));
}

void taint_store(Taint *t, uint32_t a, Bits value)
{
    taint_touch(t, a);
    if (!(t->sim->attr[a] & A_SPECIAL) || t->core->set_special(t, a, (uint8_t)value.taint) < 0)
        put_mask(t, a, (uint8_t)value.taint);
}

Address at(Bits b) { return (Address){ b, least(b), most(b) }; }

Address indexed(Bits base, Bits index, uint64_t mask, Bits above)
{
    Bits sum = part(bits_add(base, index, known(0)).sum, 0, mask);
    uint64_t low = least(base) + least(index), high = most(base) + most(index);
    sum = joined(sum, above, 0);
    if (above.taint || high > mask)
        return at(sum);
    return (Address){ sum, low + above.value, high + above.value };
}

static int is_readable(const Taint *t, uint8_t attr)
{
    return attr & (A_READ | A_WAIT | A_SPECIAL) || (attr & A_RAM && t->sim->uninit != SIM_UNINIT_ERROR);
}

/* Step through the addresses that may be meant: a subset of the tainted bits after the other. Where those are
 * many and most of the space is empty, through the regions. */
typedef struct { Address address; uint64_t subset, next; int bytes, more, region; } Places;

enum { MANY_BITS = 16, WIDE_SPACE = 1 << 24, MOST_TABLE = 1 << 12 };

/* The least subset of a mask that makes a number, beside what is fixed, `low` or more; or all ones: none does. */
static uint64_t first_subset(uint64_t fixed, uint64_t mask, uint64_t low)
{
    const uint64_t apart = ((low & mask) | fixed) ^ low;
    if (!apart)
        return low & mask;
    const int top = 63 - __builtin_clzll(apart);
    const uint64_t kept = low & mask & ~((UINT64_C(2) << top) - 1);
    if (fixed >> top & 1)
        return kept;
    const uint64_t free = mask & ~low & ~((UINT64_C(2) << top) - 1);
    if (!free)
        return UINT64_MAX;
    const uint64_t raised = free & -free;
    return (kept & ~(raised - 1)) | raised;
}

static Places places(const Taint *t, Address address, int bytes)
{
    const Bits b = address.bits;
    const int many = __builtin_popcountll(b.taint) > MANY_BITS && t->sim->space > WIDE_SPACE;
    const uint64_t subset = first_subset(least(b), b.taint, address.low);
    return (Places){ address, subset == UINT64_MAX ? 0 : subset, 0, bytes, subset != UINT64_MAX, many ? 0 : -1 };
}

static int is_meant(const Taint *t, const Places *p, uint64_t place)
{
    return place >= p->address.low && place <= p->address.high && place + (uint64_t)p->bytes <= t->sim->space
        && !(place & (uint64_t)(p->bytes - 1));
}

static int next_in_regions(const Taint *t, Places *p, uint32_t *a)
{
    const Bits b = p->address.bits;
    for (; p->region < t->sim->region_count; p->region++, p->next = 0) {
        const Region *region = &t->sim->regions[p->region];
        for (uint64_t place = p->next > region->start ? p->next : region->start; place < region->end; place++)
            if (!((place ^ b.value) & ~b.taint) && is_meant(t, p, place)) {
                p->next = place + 1;
                *a = (uint32_t)place;
                return 1;
            }
    }
    return 0;
}

static int next_place(const Taint *t, Places *p, uint32_t *a)
{
    if (p->region >= 0)
        return next_in_regions(t, p, a);
    while (p->more) {
        Bits b = p->address.bits;
        uint64_t place = least(b) | p->subset;
        p->subset = (p->subset - b.taint) & b.taint;
        p->more = p->subset != 0 && place <= p->address.high;
        if (!is_meant(t, p, place))
            continue;
        *a = (uint32_t)place;
        return 1;
    }
    return 0;
}

static int usable(const Taint *t, uint32_t a, int bytes, int writes)
{
    for (int n = 0; n < bytes; n++) {
        uint8_t attr = t->sim->attr[a + (uint32_t)n];
        if (writes ? !(attr & (A_WRITE | A_SPECIAL)) : !is_readable(t, attr))
            return 0;
    }
    return 1;
}

/* Whether all between the bounds of an address is flash, or all RAM, as of most tables: no need to step through. */
static int is_table(const Taint *t, Address address)
{
    const uint8_t *attr = t->sim->attr;
    if (address.high >= t->sim->space || address.high - address.low > MOST_TABLE
        || !(attr[address.low] & (A_WAIT | A_RAM)) || attr[address.low] & A_SPECIAL)
        return 0;
    return !memcmp(attr + address.low, attr + address.low + 1, address.high - address.low);
}

/* The memory that may be meant is slow, fast or, where that depends on the secret, a leak. What the simulator
 * refuses is not among it; RAM that nothing was written to is. */
static void judge_places(Taint *t, Address address, int bytes, int writes)
{
    const int waits = t->core->waits, prefetch = t->core->prefetch;
    int slow = 0, fast = 0;
    uint32_t a;
    Places p = places(t, address, bytes);
    if (is_table(t, address) && is_meant(t, &p, address.bits.value)) {
        slow = (t->sim->attr[address.low] & A_WAIT) != 0;
        fast = !slow;
    } else {
        while ((waits || (prefetch && !slow)) && next_place(t, &p, &a)) {
            uint8_t attr = t->sim->attr[a];
            slow |= (attr & A_WAIT) != 0;
            fast |= attr && !(attr & A_WAIT);
            slow |= writes && attr & A_SPECIAL && t->core->hazards;     /* the next instruction may wait for it */
        }
    }
    taint_record(t, waits && slow && fast ? TAINT_ADDRESS : prefetch && slow ? TAINT_FLASH_LOOKUP : TAINT_LOOKUP);
}

/* The byte behind the last address is the first one. */
static uint32_t byte_at(const Taint *t, uint32_t a, int n)
{
    const uint64_t place = (uint64_t)a + (unsigned)n;
    return (uint32_t)(place < t->sim->space ? place : place - t->sim->space);
}

static uint32_t actual(Address address) { return (uint32_t)address.bits.value; }

static Bits load_bytes(Taint *t, uint32_t a, int bytes)
{
    Bits value = known(0);
    for (int n = 0; n < bytes; n++)
        value = joined(value, taint_load(t, byte_at(t, a, n)), 8 * n);
    return value;
}

Bits taint_read(Taint *t, Address address, int bytes)
{
    if (actual(address) >= t->sim->space)
        return known(0);
    Bits value = load_bytes(t, actual(address), bytes);
    if (!address.bits.taint)
        return value;
    judge_places(t, address, bytes, 0);
    const uint64_t all = (UINT64_C(1) << 8 * bytes) - 1;
    uint32_t a;
    for (Places p = places(t, address, bytes); value.taint != all && next_place(t, &p, &a);) {
        if (!usable(t, a, bytes, 0))
            continue;
        Bits other = load_bytes(t, a, bytes);
        value.taint |= other.taint | (other.value ^ value.value);
    }
    return value;
}

static void store_bytes(Taint *t, uint32_t a, Bits value, int bytes)
{
    for (int n = 0; n < bytes; n++)
        taint_store(t, byte_at(t, a, n), part(value, 8 * n, 0xFF));
}

/* Where the address is secret, each place keeps its value in some runs. */
void taint_write(Taint *t, Address address, Bits value, int bytes)
{
    if (actual(address) >= t->sim->space)
        return;
    if (!address.bits.taint) {
        store_bytes(t, actual(address), value, bytes);
        return;
    }
    judge_places(t, address, bytes, 1);
    uint32_t a;
    for (Places p = places(t, address, bytes); next_place(t, &p, &a);) {
        if (!usable(t, a, bytes, 1))
            continue;
        Bits old = load_bytes(t, a, bytes);
        store_bytes(t, a, bits(old.value, old.taint | value.taint | (old.value ^ value.value)), bytes);
    }
}

/* ---- steps ---- */

static void put_pc(Taint *t, uint32_t pc)
{
    t->sim->core->set_pc(t->sim, pc);
    t->sim->run.pc = pc;
}

/* One instruction: 1, or 0 when the run has ended. */
static int step(Taint *t, Condition *condition)
{
    Sim *sim = t->sim;
    SimRun *run = &sim->run;
    *condition = (Condition){ .kind = -1 };
    t->pc = run->pc;
    t->core->move(t, condition);
    if (t->unknown) {
        run->status = SIM_UNKNOWN_OPCODE;
        run->address = t->pc;
        return 0;
    }
    run->status = SIM_OK;
    sim->core->run_traced(sim, SIM_NO_STOP, UINT64_MAX, run->instructions + 1);
    if (sim->lowest < t->lowest)
        t->lowest = sim->lowest;
    if (run->status == SIM_STEPS && run->cycles > t->cycle_limit)
        sim_fail(sim, SIM_CYCLE_LIMIT, run->pc);
    return run->status == SIM_STEPS;
}

/* ---- the two ways of a condition ---- */

/* Ways that are at the same point go on alike. */
typedef struct { uint64_t cycles; uint32_t pc, sp, timing; } Point;

/* All that a way changes, except memory, which `undo` has. */
typedef struct {
    void *machine;
    uint32_t reg[TAINT_REGISTERS], lowest, undo_count;
} State;

typedef struct { uint32_t address; Bits value; } Byte;

/* What the way that the run does not take leaves behind. */
typedef struct {
    Byte *bytes;
    uint32_t count;
    Bits reg[TAINT_REGISTERS];
} Other;

static int advance(Taint *t);

static uint32_t register_value(const Taint *t, int n)
{
    uint32_t value = 0;
    sim_get_register(t->sim, (uint32_t)t->register_ids[n], &value);
    return value;
}

static Point point(const Taint *t)
{
    const uint32_t timing = t->core->timing ? t->core->timing(t->sim) : 0;
    return (Point){ t->sim->run.cycles, t->sim->run.pc, register_value(t, 0), timing };
}

static int same_point(Point a, Point b)
{
    return a.cycles == b.cycles && a.pc == b.pc && a.sp == b.sp && a.timing == b.timing;
}

static int save(Taint *t, State *s)
{
    s->machine = malloc(t->sim->core->size);
    if (!s->machine) {
        t->failed = 1;
        return -1;
    }
    memcpy(s->machine, t->sim, t->sim->core->size);
    memcpy(s->reg, t->reg, sizeof s->reg);
    s->lowest = t->lowest;
    s->undo_count = t->undo_count;
    return 0;
}

static void restore(Taint *t, const State *s)
{
    while (t->undo_count > s->undo_count) {
        Undo *u = &t->undo[--t->undo_count];
        if (t->sim->mem[u->address] != u->mem)      /* what is in no region does not change */
            t->sim->mem[u->address] = u->mem;
        if (t->sim->attr[u->address] != u->attr)
            t->sim->attr[u->address] = u->attr;
        put_mask(t, u->address, u->mask);
    }
    memcpy(t->sim, s->machine, t->sim->core->size);
    memcpy(t->reg, s->reg, sizeof t->reg);
    t->lowest = s->lowest;
}

/* The points of the way from here, as far as `reach` steps: how many. */
static int follow(Taint *t, Point *points, int reach)
{
    int n = 0;
    points[n++] = point(t);
    while (n <= reach && t->sim->run.pc != t->stop && advance(t) && !t->leaked)
        points[n++] = point(t);
    return n;
}

/* Go on to one of the points, in at most `reach` steps: its number, or -1. */
static int meet(Taint *t, const Point *points, int count, int reach)
{
    for (int n = 0; !t->leaked; n++) {
        Point here = point(t);
        for (int i = 0; i < count; i++)
            if (same_point(points[i], here))
                return i;
        if (n == reach || t->sim->run.pc == t->stop || !advance(t))
            break;
    }
    return -1;
}

static int keep_other(Taint *t, const State *before, Other *other)
{
    other->count = t->undo_count - before->undo_count;
    other->bytes = malloc((other->count + 1) * sizeof *other->bytes);
    if (!other->bytes) {
        t->failed = 1;
        return -1;
    }
    for (uint32_t i = 0; i < other->count; i++) {
        uint32_t a = t->undo[before->undo_count + i].address;
        other->bytes[i] = (Byte){ a, bits(t->sim->mem[a], get_mask(t, a)) };
    }
    for (int n = 0; n < t->register_count; n++)
        other->reg[n] = bits(register_value(t, n), t->reg[n]);
    return 0;
}

static void merge_byte(Taint *t, uint32_t a, Bits other)
{
    taint_touch(t, a);
    put_mask(t, a, (uint8_t)(get_mask(t, a) | other.taint | (other.value ^ t->sim->mem[a])));
}

static int written_by_other(const Other *other, uint32_t a)
{
    for (uint32_t i = 0; i < other->count; i++)
        if (other->bytes[i].address == a)
            return 1;
    return 0;
}

/* Whether an earlier entry of the undo log, from `from` on, has the address of entry `i`. */
static int logged_before(const Taint *t, uint32_t from, uint32_t i)
{
    for (uint32_t n = from; n < i; n++)
        if (t->undo[n].address == t->undo[i].address)
            return 1;
    return 0;
}

/* The run is where the ways meet: what the other way has else there depends on the secret. */
static void merge(Taint *t, const State *before, const Other *other)
{
    uint32_t end = t->undo_count;
    for (uint32_t i = before->undo_count; i < end; i++) {
        Undo u = t->undo[i];
        if (!logged_before(t, before->undo_count, i) && !written_by_other(other, u.address))
            merge_byte(t, u.address, bits(u.mem, u.mask));
    }
    for (uint32_t i = 0; i < other->count; i++)
        merge_byte(t, other->bytes[i].address, other->bytes[i].value);
    for (int n = 0; n < t->register_count; n++)
        t->reg[n] |= (uint32_t)(other->reg[n].taint | (other->reg[n].value ^ register_value(t, n)));
}

/* Follow both ways from here: the steps of the run's own way to where they meet, or -1. */
static int try_ways(Taint *t, const State *before, Point start, Other *other, int reach)
{
    Point points[MAX_STEPS + 1];
    int leaked = t->leaked;
    t->leaked = 0;
    t->trial++;
    int count = follow(t, points, reach);
    t->leaked = 0;      /* up to the leak the ways can still meet */
    restore(t, before);
    put_pc(t, start.pc);
    t->sim->run.cycles = start.cycles;
    int steps = meet(t, points, count, reach);
    if (steps >= 0 && keep_other(t, before, other) < 0)
        steps = -1;
    restore(t, before);
    t->trial--;
    t->leaked = leaked;
    return steps;
}

/* The run has taken one way of a condition that a secret decides. */
static int decide(Taint *t, uint32_t pc, const Condition *c)
{
    if (c->taken == c->next && c->further == 0)
        return 1;
    int took = t->sim->run.pc == c->taken;
    Point start = { t->sim->run.cycles, took ? c->next : c->taken, 0, 0 };
    start.cycles += (uint64_t)(int64_t)(took ? -c->further : c->further);
    State before;
    Other other = { 0 };
    int steps = -1, more = 1;
    if (!c->apart && t->depth < MAX_DEPTH && !find_record(t, pc, c->kind) && save(t, &before) == 0) {
        t->depth++;
        t->logging++;
        steps = try_ways(t, &before, start, &other, FEW_STEPS);     /* most ways meet soon */
        if (steps < 0 && !t->failed)
            steps = try_ways(t, &before, start, &other, MAX_STEPS);
        for (int n = 0; n < steps && more; n++)
            more = advance(t);
        if (steps >= 0)
            merge(t, &before, &other);
        t->logging--;
        t->depth--;
        if (!t->logging)
            t->undo_count = 0;
        free(other.bytes);
        free(before.machine);
    }
    record_at(t, pc, steps >= 0 ? TAINT_BALANCED : c->kind);
    return more;
}

static int advance(Taint *t)
{
    Condition condition;
    uint32_t pc = t->sim->run.pc;
    if (!step(t, &condition))
        return 0;
    return condition.kind < 0 || decide(t, pc, &condition);
}

/* ---- the interface ---- */

int taint_exists(const Sim *sim) { return sim->core->taint != NULL; }

Taint *taint_new(Sim *sim)
{
    const TaintCore *core = sim->core->taint;
    Taint *t = core ? calloc(1, sizeof *t) : NULL;
    if (!t)
        return NULL;
    t->sim = sim;
    t->core = core;
    if (planes_new(&t->planes, sim->space, 1) != 0
        || planes_open(&t->planes, core->first, (uint64_t)core->first + core->bytes) != 0) {
        taint_free(t);
        return NULL;
    }
    t->mask = plane(&t->planes, 0);
    for (const char *const *name = core->registers; *name; name++)
        t->register_ids[t->register_count++] = sim_register_id(sim, *name);
    return t;
}

void taint_free(Taint *t)
{
    if (!t)
        return;
    planes_free(&t->planes);
    free(t->records);
    free(t->places);
    free(t->undo);
    free(t);
}

void taint_clear(Taint *t)
{
    planes_clear(&t->planes);
    memset(t->reg, 0, sizeof t->reg);
}

void taint_clear_registers(Taint *t)
{
    memset(t->reg, 0, sizeof t->reg);
    memset(t->mask + t->core->first, 0, t->core->bytes);
}

static int in_space(const Taint *t, uint32_t address, uint32_t length)
{
    return address <= t->sim->space && length <= t->sim->space - address;
}

static int set_mask(Taint *t, uint32_t a, uint8_t mask)
{
    if (t->sim->attr[a] & A_SPECIAL && t->core->set_special(t, a, mask) == 0)
        return 0;
    return put_mask(t, a, mask);
}

int taint_mark(Taint *t, uint32_t address, const uint8_t *masks, uint32_t length)
{
    if (!in_space(t, address, length))
        return -1;
    int result = 0;
    for (uint32_t i = 0; i < length; i++)
        result |= set_mask(t, address + i, masks[i]);
    return result;
}

int taint_masks(const Taint *t, uint32_t address, uint8_t *masks, uint32_t length)
{
    if (!in_space(t, address, length))
        return -1;
    for (uint32_t i = 0; i < length; i++)
        masks[i] = mask_of(t, address + i);
    return 0;
}

int taint_mark_register(Taint *t, uint32_t id, uint32_t mask)
{
    uint32_t address = 0;
    for (int n = 0; n < t->register_count; n++)
        if (t->register_ids[n] == (int)id) {
            t->reg[n] = mask;
            return 0;
        }
    int bytes = t->core->place ? t->core->place(t, id, &address) : 0;
    for (int n = 0; n < bytes; n++)
        put_mask(t, address + (uint32_t)n, (uint8_t)(mask >> 8 * n));
    return bytes ? 0 : -1;
}

int taint_register_mask(const Taint *t, uint32_t id, uint32_t *mask)
{
    uint32_t address = 0;
    for (int n = 0; n < t->register_count; n++)
        if (t->register_ids[n] == (int)id) {
            *mask = t->reg[n];
            return 0;
        }
    int bytes = t->core->place ? t->core->place(t, id, &address) : 0;
    *mask = 0;
    for (int n = 0; n < bytes; n++)
        *mask |= (uint32_t)get_mask(t, address + (uint32_t)n) << 8 * n;
    return bytes ? 0 : -1;
}

static void begin(Taint *t, uint32_t pc, uint32_t stop, uint64_t cycle_limit)
{
    memset(&t->sim->run, 0, sizeof t->sim->run);
    put_pc(t, pc);
    t->lowest = register_value(t, 0);
    t->stop = stop;
    t->cycle_limit = cycle_limit;
    forget_records(t);
    t->failed = t->leaked = t->unknown = 0;
}

static void finish(Taint *t, uint32_t start_sp, SimRun *run)
{
    *run = t->sim->run;
    if (t->failed)
        run->status = SIM_HOST_MEMORY;
    if (run->status == SIM_OK || run->status == SIM_STEPS)
        run->address = run->pc;
    run->stack = start_sp - t->lowest;
    run->path_hash = 0;
    run->timing_not_verified = (uint32_t)t->sim->core->timing_not_verified;
}

void taint_run(Taint *t, uint32_t start, uint32_t stop, uint64_t cycle_limit, SimRun *run)
{
    const SimRun *now = &t->sim->run;
    uint32_t start_sp = register_value(t, 0);
    begin(t, start, stop, cycle_limit);
    while (now->pc != stop && !t->failed)
        if (!advance(t))
            break;
    if (now->pc == stop && now->status == SIM_STEPS)
        t->sim->run.status = SIM_OK;
    finish(t, start_sp, run);
}

void taint_step(Taint *t, uint64_t steps, SimRun *run)
{
    uint32_t pc = 0, start_sp = register_value(t, 0);
    sim_get_register(t->sim, (uint32_t)sim_register_id(t->sim, "pc"), &pc);
    begin(t, pc, SIM_NO_STOP, UINT64_MAX);
    t->sim->run.status = SIM_STEPS;
    while (steps-- && !t->failed)
        if (!advance(t))
            break;
    finish(t, start_sp, run);
}

uint32_t taint_records(const Taint *t, TaintRecord *out, uint32_t capacity)
{
    for (uint32_t i = 0; i < t->record_count && i < capacity; i++)
        out[i] = t->records[i];
    return t->record_count;
}
