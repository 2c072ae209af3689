/* AVR core: decoding from the table of forms, the data space, registers. */
#include "avr.h"

#include <stdlib.h>
#include <string.h>

#include "avr_ops.h"

typedef enum { ALL, MUL, JUMP, FAR } Has;

typedef enum {
    O_NONE, O_D5, O_D5_R5, O_D4_R4, O_D3_R3, O_DP_RP, O_D4_K8, O_D2_K6, O_D5_B, O_S, O_D5_A6, O_A5_B, O_D5_Q,
    O_D5_K16, O_K7, O_K12, O_K22
} Operands;

/* The bits of the first word that operands take, and the words that follow. */
static const struct { uint16_t bits; uint8_t more; const char *name; } operands[] = {
    [O_NONE] = { 0x0000, 0, "NONE" },       /* nothing; LPM and ELPM without operands mean r0 */
    [O_D5] = { 0x01F0, 0, "D5" },           /* register */
    [O_D5_R5] = { 0x03FF, 0, "D5_R5" },     /* two registers */
    [O_D4_R4] = { 0x00FF, 0, "D4_R4" },     /* two of r16-r31 */
    [O_D3_R3] = { 0x0077, 0, "D3_R3" },     /* two of r16-r23 */
    [O_DP_RP] = { 0x00FF, 0, "DP_RP" },     /* two pairs */
    [O_D4_K8] = { 0x0FFF, 0, "D4_K8" },     /* one of r16-r31, byte */
    [O_D2_K6] = { 0x00FF, 0, "D2_K6" },     /* r24, X, Y or Z, 0-63 */
    [O_D5_B] = { 0x01F7, 0, "D5_B" },       /* register, bit */
    [O_S] = { 0x0070, 0, "S" },             /* bit of SREG */
    [O_D5_A6] = { 0x07FF, 0, "D5_A6" },     /* register, I/O address 0-63 */
    [O_A5_B] = { 0x00FF, 0, "A5_B" },       /* I/O address 0-31, bit */
    [O_D5_Q] = { 0x2DF7, 0, "D5_Q" },       /* register, displacement 0-63 */
    [O_D5_K16] = { 0x01F0, 1, "D5_K16" },   /* register, data address */
    [O_K7] = { 0x03F8, 0, "K7" },           /* branch, -64 to 63 words */
    [O_K12] = { 0x0FFF, 0, "K12" },         /* jump, -2048 to 2047 words */
    [O_K22] = { 0x01F1, 1, "K22" },         /* word address */
};

typedef struct {
    const char *text;
    uint16_t opcode;
    uint8_t operands, op, clocks, taken, xt;
    const char *flags;
    uint8_t core;
    const char *marks, *sources;
} Form;

static const Form forms[] = {
#define FORM(text, opcode, operands, op, clocks, taken, xt, flags, core, marks, sources) \
    { text, opcode, O_##operands, OP_##op, clocks, taken, xt, flags, core, marks, sources },
#include "avr_forms.def"
#undef FORM
};

enum { FORMS = sizeof forms / sizeof *forms };

/* ---- decoding ---- */

static int has(const Avr *c, uint8_t core)
{
    switch ((Has)core) {
    case MUL: return c->kind->mul;
    case JUMP: return c->kind->jump;
    case FAR: return c->kind->jump && c->span > LPM_WORDS;
    default: return 1;
    }
}

static int find_form(const Avr *c, uint32_t first)
{
    for (int i = 0; i < FORMS; i++)
        if ((first & ~(uint32_t)operands[forms[i].operands].bits) == forms[i].opcode && has(c, forms[i].core))
            return i;
    return -1;
}

/* A relative jump reaches every word of a small flash, because there the program counter wraps. */
static uint16_t relative(const Avr *c, uint32_t next, int32_t words)
{
    uint32_t target = next + (uint32_t)words;
    return (uint16_t)(c->span <= WRAP_WORDS ? (target + c->span * WRAP_WORDS) % c->span : target);
}

static int32_t sign_extend(uint32_t value, int bits)
{
    return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

static void take_operands(const Avr *c, Insn *insn, const Form *f, uint32_t first, uint32_t second,
                          uint32_t next)
{
    const uint32_t io = c->kind->io - DATA;
    insn->d = (uint8_t)(first >> 4 & 31);
    switch ((Operands)f->operands) {
    case O_NONE: insn->d = 0; break;
    case O_D5: break;
    case O_D5_R5: insn->r = (uint8_t)((first >> 5 & 16) | (first & 15)); break;
    case O_D4_R4: insn->d = (uint8_t)(16 | (first >> 4 & 15)); insn->r = (uint8_t)(16 | (first & 15)); break;
    case O_D3_R3: insn->d = (uint8_t)(16 | (first >> 4 & 7)); insn->r = (uint8_t)(16 | (first & 7)); break;
    case O_DP_RP: insn->d = (uint8_t)(first >> 3 & 30); insn->r = (uint8_t)(first << 1 & 30); break;
    case O_D4_K8:
        insn->d = (uint8_t)(16 | (first >> 4 & 15));
        insn->imm = (uint16_t)((first >> 4 & 0xF0) | (first & 15));
        break;
    case O_D2_K6:
        insn->d = (uint8_t)(24 + (first >> 3 & 6));
        insn->imm = (uint16_t)((first >> 2 & 0x30) | (first & 15));
        break;
    case O_D5_B: insn->r = (uint8_t)(first & 7); break;
    case O_S: insn->r = (uint8_t)(first >> 4 & 7); break;
    case O_D5_A6: insn->imm = (uint16_t)(io + ((first >> 5 & 0x30) | (first & 15))); break;
    case O_A5_B: insn->imm = (uint16_t)(io + (first >> 3 & 31)); insn->r = (uint8_t)(first & 7); break;
    case O_D5_Q: insn->imm = (uint16_t)((first >> 8 & 0x20) | (first >> 7 & 0x18) | (first & 7)); break;
    case O_D5_K16: insn->imm = (uint16_t)second; break;
    case O_K7: insn->imm = relative(c, next, sign_extend(first >> 3, 7)); break;
    case O_K12: insn->d = 0; insn->imm = relative(c, next, sign_extend(first, 12)); break;
    case O_K22: insn->imm = (uint16_t)second; insn->d = (uint8_t)((first >> 3 & 0x3E) | (first & 1)); break;
    }
}

/* A pointer that is stepped and loaded or stored at once: the manual leaves the result open. */
static int undefined(const Insn *insn)
{
    uint32_t pair = insn->d & ~1u;
    switch (insn->op) {
    case OP_LD_XP: case OP_LD_MX: case OP_ST_XP: case OP_ST_MX: return pair == XL;
    case OP_LD_YP: case OP_LD_MY: case OP_ST_YP: case OP_ST_MY: return pair == YL;
    case OP_LD_ZP: case OP_LD_MZ: case OP_ST_ZP: case OP_ST_MZ: return pair == ZL;
    case OP_LPMP: case OP_ELPMP: return pair == ZL;
    default: return 0;
    }
}

static int executable(const Avr *c, uint32_t word)
{
    return word < c->span && c->sim.attr[2 * word] & c->sim.attr[2 * word + 1] & A_EXEC;
}

int avr_decode(Avr *c, uint32_t pc, Insn *insn)
{
    uint32_t word = pc / 2;
    if (!executable(c, word))
        return sim_fail(&c->sim, SIM_FETCH, 2 * word);
    uint32_t first = load16(c->sim.mem + 2 * word);
    int index = find_form(c, first);
    if (index < 0)
        return sim_fail(&c->sim, SIM_UNKNOWN_OPCODE, 2 * word);
    const Form *f = &forms[index];
    uint32_t more = operands[f->operands].more, next = word + 1 + more;
    if (more && !executable(c, word + 1))
        return sim_fail(&c->sim, SIM_FETCH, 2 * word + 2);
    Insn made = { .op = f->op, .length = (uint8_t)(1 + more), .clocks = c->kind->xt ? f->xt : f->clocks,
                  .taken = f->taken ? (uint8_t)(f->taken - f->clocks) : 0 };
    take_operands(c, &made, f, first, more ? load16(c->sim.mem + 2 * word + 2) : 0, next);
    if (undefined(&made))
        return sim_fail(&c->sim, SIM_UNKNOWN_OPCODE, 2 * word);
    if (made.op == OP_JMP && !made.d && made.imm == word)
        made.op = OP_ENDLESS;
    *insn = made;
    return index;
}

static int form_at(Sim *sim, uint32_t address, uint32_t *length)
{
    Insn insn;
    int index = address & 1 ? -1 : avr_decode((Avr *)sim, address, &insn);
    if (index >= 0)
        *length = 2u * insn.length;
    return index;
}

static int form(uint32_t index, SimForm *out)
{
    static const char *const cores[] = {
        [ALL] = "AVRe", [MUL] = "AVRe+, AVRxt", [JUMP] = "AVRe+, AVRxt over 8 KB",
        [FAR] = "AVRe+, AVRxt over 64 KB",
    };
    if (index >= FORMS)
        return -1;
    const Form *f = &forms[index];
    *out = (SimForm){
        .text = f->text, .flags = f->flags, .marks = f->marks, .sources = f->sources,
        .layout = operands[f->operands].name, .field = "NONE", .core = cores[f->core], .opcode = f->opcode,
        .clocks = f->clocks, .taken = f->taken, .length = 2u * (1 + operands[f->operands].more), .fixed = -1,
    };
    return 0;
}

static int form_xt(uint32_t index, SimForm *out)
{
    const int failed = form(index, out);
    if (!failed)
        out->clocks = forms[index].xt;
    return failed;
}

/* ---- registers ---- */

uint8_t avr_sreg(const Avr *c)
{
    return (uint8_t)(c->it | (c->h & 0x10 ? SREG_H : 0) | (c->s & 0x80 ? SREG_S : 0)
                     | (c->v & 0x80 ? SREG_V : 0) | (c->n & 0x80 ? SREG_N : 0) | (c->zr ? 0 : SREG_Z)
                     | (c->cy ? SREG_C : 0));
}

void avr_set_sreg(Avr *c, uint8_t value)
{
    c->sim.pause |= (c->it ^ value) & SREG_I;
    c->it = value & (SREG_I | SREG_T);
    c->h = value & SREG_H ? 0x10 : 0;
    c->s = value & SREG_S ? 0x80 : 0;
    c->v = value & SREG_V ? 0x80 : 0;
    c->n = value & SREG_N ? 0x80 : 0;
    c->zr = !(value & SREG_Z);
    c->cy = value & SREG_C;
}

int avr_check_sp(Avr *c)
{
    c->half = 0;
    return sim_check_stack(&c->sim, c->sp, DATA + c->sp);
}

/* SP counts when both halves are written; a lone half when SP is used, or when that half is written again. */
static int write_sp(Avr *c, uint32_t address, uint8_t value)
{
    uint8_t half = address == c->kind->io + SPL ? 1 : 2;
    int whole = c->half && c->half != half;
    if (c->half == half && avr_check_sp(c) < 0)
        return -1;
    c->sp = (uint16_t)(half == 1 ? (c->sp & 0xFF00) | value : (c->sp & 0x00FF) | value << 8);
    c->half = half;
    return whole ? avr_check_sp(c) : 0;
}

enum { ID_X = 32, ID_Y, ID_Z, ID_W, ID_SP, ID_SREG, ID_PC, ID_RAMPZ, ID_COUNT };

static int register_id(const char *name)
{
    static const char *const names[] = { "x", "y", "z", "w", "sp", "sreg", "pc", "rampz" };
    for (int i = 0; i < ID_COUNT - ID_X; i++)
        if (strcmp(names[i], name) == 0)
            return ID_X + i;
    if (name[0] != 'r' || name[1] < '0' || name[1] > '9' || (name[1] == '0' && name[2]))
        return -1;
    int n = name[1] - '0';
    if (name[2])
        n = name[2] < '0' || name[2] > '9' || name[3] ? 32 : 10 * n + name[2] - '0';
    return n < 32 ? n : -1;
}

static int register_id_small(const char *name)
{
    int id = register_id(name);
    return id == ID_RAMPZ ? -1 : id;
}

/* The low register of a pair. */
static uint32_t low_of(uint32_t id) { return id == ID_W ? 24 : XL + 2 * (id - ID_X); }

static int get_register(const Sim *sim, uint32_t id, uint32_t *value)
{
    const Avr *c = (const Avr *)sim;
    const uint8_t *r = sim->mem + c->kind->registers;
    switch (id) {
    case ID_X: case ID_Y: case ID_Z: case ID_W: *value = load16(r + low_of(id)); return 0;
    case ID_SP: *value = c->sp; return 0;
    case ID_SREG: *value = avr_sreg(c); return 0;
    case ID_PC: *value = c->pc; return 0;
    case ID_RAMPZ: *value = sim->mem[c->kind->io + RAMPZ]; return 0;
    default:
        if (id < 32)
            *value = r[id];
        return id < 32 ? 0 : -1;
    }
}

static int set_register(Sim *sim, uint32_t id, uint32_t value)
{
    Avr *c = (Avr *)sim;
    uint8_t *r = sim->mem + c->kind->registers;
    switch (id) {
    case ID_X: case ID_Y: case ID_Z: case ID_W: store16(r + low_of(id), value); return 0;
    case ID_SP: c->sp = (uint16_t)value; c->half = 0; return 0;
    case ID_SREG: avr_set_sreg(c, (uint8_t)value); return 0;
    case ID_PC: c->pc = value; return 0;
    case ID_RAMPZ: sim->mem[c->kind->io + RAMPZ] = (uint8_t)value; return 0;
    default:
        if (id < 32)
            r[id] = (uint8_t)value;
        return id < 32 ? 0 : -1;
    }
}

static int set_stack(Sim *sim, uint32_t top) { return top > 0xFFFF ? -1 : set_register(sim, ID_SP, top); }

static void set_pc(Sim *sim, uint32_t pc) { ((Avr *)sim)->pc = pc; }

/* ---- data space ---- */

static uint8_t peek(const Sim *sim, uint32_t a)
{
    const Avr *c = (const Avr *)sim;
    switch (a - c->kind->io) {
    case SPL: return (uint8_t)c->sp;
    case SPH: return (uint8_t)(c->sp >> 8);
    case SREG: return avr_sreg(c);
    default: return sim->mem[a];
    }
}

static int poke(Sim *sim, uint32_t a, uint8_t v)
{
    Avr *c = (Avr *)sim;
    switch (a - c->kind->io) {
    case SPL: c->sp = (uint16_t)((c->sp & 0xFF00) | v); return 0;
    case SPH: c->sp = (uint16_t)((c->sp & 0x00FF) | v << 8); return 0;
    case SREG: avr_set_sreg(c, v); return 0;
    default: sim->mem[a] = v; return 0;
    }
}

static int store(Sim *sim, uint32_t a, uint8_t v)
{
    const uint32_t io = a - ((Avr *)sim)->kind->io;
    return io == SPL || io == SPH ? write_sp((Avr *)sim, a, v) : poke(sim, a, v);
}

/* ---- set-up ---- */

static void forget_code(Sim *sim, uint32_t start, uint32_t end)
{
    Avr *c = (Avr *)sim;
    uint32_t from = start / 2 ? start / 2 - 1 : 0;      /* an instruction that reaches into the change */
    uint32_t to = end / 2 + 1 > c->span ? c->span : end / 2 + 1;
    if (c->code && from < to)
        memset(c->code + from, 0, (to - from) * sizeof *c->code);
}

/* Words up to the end of the flash, as many as a 16-bit program counter reaches. */
static uint32_t flash_words(const Sim *sim)
{
    uint32_t end = 0;
    for (int i = 0; i < sim->region_count; i++)
        if (sim->regions[i].kind == SIM_FLASH && sim->regions[i].start < sim->regions[i].end
            && sim->regions[i].end > end)
            end = sim->regions[i].end;
    return end / 2 > MAX_WORDS ? MAX_WORDS : end / 2;
}

static void make_special(Sim *sim, uint32_t address)
{
    if (sim->attr[address] & A_WRITE)
        sim->attr[address] = A_SPECIAL;
}

/* Another span decodes anew: it decides which forms there are and where a relative jump goes. */
static void map_changed(Sim *sim)
{
    Avr *c = (Avr *)sim;
    uint32_t span = flash_words(sim);
    if (span != c->span) {
        free(c->code);
        c->code = calloc(span + 1, sizeof *c->code);    /* the one past the end stops a run-away */
        c->span = c->code ? span : 0;
    }
    const uint32_t io = c->kind->io;
    for (uint32_t a = DATA; a < DATA + 32; a++)
        make_special(sim, a);
    if (c->kind->xt)
        memset(sim->attr + XT_REGISTERS, A_SPECIAL, 32);
    make_special(sim, io + SPL);
    make_special(sim, io + SPH);
    make_special(sim, io + SREG);
    if (has(c, FAR))
        make_special(sim, io + RAMPZ);
}

/* SP is at the end of the RAM, as the parts have it. */
static uint16_t ram_end(const Sim *sim)
{
    uint32_t end = DATA;
    for (int i = 0; i < sim->region_count; i++)
        if (sim->regions[i].kind == SIM_RAM && sim->regions[i].end > end)
            end = sim->regions[i].end;
    return (uint16_t)(end - 1);
}

static void reset(Sim *sim, int all)
{
    Avr *c = (Avr *)sim;
    (void)all;
    memset(sim->mem + c->kind->registers, 0, 32);
    sim->mem[c->kind->io + RAMPZ] = 0;
    avr_set_sreg(c, 0);
    c->pc = 0;
    c->sp = ram_end(sim);
    c->half = 0;
    sim->stack_top = 0xFFFF;
    sim->stack_limit = 0;
}

static int init(Sim *sim, const Kind *kind)
{
    ((Avr *)sim)->kind = kind;
    if (sim_open(sim, DATA, IO + 0x40) != 0 || sim_open(sim, kind->registers, kind->registers + 32) != 0)
        return -1;
    reset(sim, 1);
    return 0;
}

static void release(Sim *sim) { free(((Avr *)sim)->code); }

/* A program that reaches the first 32 bytes of data means registers, though AVRxt has none there. */
#define CLASSIC .space = SPACE, .waits = { [AVR_SKIP] = "skip_waits" }, \
    .run = avr_run_fast, .run_traced = avr_run_traced, .form = form, .taint = &taint_avr
#define XT .space = XT_SPACE, .waits = { [AVR_FLASH] = "flash_waits", [AVR_SKIP] = "skip_waits" }, \
    .run = avrxt_run_fast, .run_traced = avrxt_run_traced, .form = form_xt, .taint = &taint_avrxt

#define CORE(id, label, names, which, ...) \
    static const Kind kind_##id = { __VA_ARGS__ }; \
    static int init_##id(Sim *sim) { return init(sim, &kind_##id); } \
    const Core sim_core_##id = { \
        which, .name = label, .size = sizeof(Avr), .init = init_##id, .release = release, .reset = reset, \
        .map_changed = map_changed, .code_changed = forget_code, .poke = poke, .store = store, .peek = peek, \
        .register_id = names, .get_register = get_register, .set_register = set_register, \
        .sp_id = ID_SP, .status_id = ID_SREG, .pointer_bits = 16, \
        .interrupt_enable = SREG_I, .stack_base = DATA + 1, .registers = DATA, .register_bytes = 32, \
        .set_stack = set_stack, .set_pc = set_pc, .form_at = form_at, .behaviour = &id##_behaviour, \
    }

CORE(avre_plus, "avre+", register_id, CLASSIC, .registers = DATA, .io = IO, .mul = 1, .jump = 1);
CORE(avre, "avre", register_id_small, CLASSIC, .registers = DATA, .io = IO);
CORE(avrxt, "avrxt", register_id, XT, .registers = XT_REGISTERS, .io = XT_IO, .mul = 1, .jump = 1, .xt = 1);
CORE(avrxt_8k, "avrxt-8k", register_id_small, XT, .registers = XT_REGISTERS, .io = XT_IO, .mul = 1, .xt = 1);
