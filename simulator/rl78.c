/* RL78 core: decoding from the table of forms, memory with side effects, registers. */
#include "rl78.h"

#include <stdlib.h>
#include <string.h>

#include "rl78_ops.h"

enum { S1 = 1, S2 = 2, S3 = 3, UNIT = 1, LONGEST = 8 };

typedef enum {
    F_NONE, F_R, F_R_NOT_A, F_R_NOT_AX, F_R_XACB, F_RP, F_RP_NOT_AX, F_RP_HIGH, F_BIT, F_BIT_IE, F_COUNT8,
    F_COUNT16, F_BANK, F_CALLT
} Field;

/* How a field sits in the opcode: bits, shift, which values exist, the factor to a register offset. */
static const struct { uint8_t bits, shift; uint16_t allowed; uint8_t to_reg; const char *name; } fields[] = {
    [F_NONE] = { 0x00, 0, 0xFFFF, 0, "NONE" },
    [F_R] = { 0x07, 0, 0x00FF, 1, "R" },
    [F_R_NOT_A] = { 0x07, 0, 0x00FD, 1, "R_NOT_A" },
    [F_R_NOT_AX] = { 0x07, 0, 0x00FC, 1, "R_NOT_AX" },
    [F_R_XACB] = { 0x03, 0, 0x000F, 1, "R_XACB" },
    [F_RP] = { 0x06, 1, 0x000F, 2, "RP" },
    [F_RP_NOT_AX] = { 0x06, 1, 0x000E, 2, "RP_NOT_AX" },
    [F_RP_HIGH] = { 0x30, 4, 0x000F, 2, "RP_HIGH" },
    [F_BIT] = { 0x70, 4, 0x00FF, 0, "BIT" },
    [F_BIT_IE] = { 0x00, 0, 0xFFFF, 0, "BIT_IE" },
    [F_COUNT8] = { 0x70, 4, 0x00FE, 0, "COUNT8" },
    [F_COUNT16] = { 0xF0, 4, 0xFFFE, 0, "COUNT16" },
    [F_BANK] = { 0x30, 4, 0x000F, 0, "BANK" },
    [F_CALLT] = { 0x73, 0, 0xFFFF, 0, "CALLT" },
};

typedef enum {
    L_NONE, L_BYTE, L_WORD, L_SADDR, L_SFR, L_ADDR16, L_OFFSET, L_SADDR_BYTE, L_SFR_BYTE, L_ES_BYTE,
    L_ADDR16_BYTE, L_OFFSET_BYTE, L_SADDR_WORD, L_SFR_WORD, L_K0, L_K1, L_SADDR_K0, L_SADDR_K1, L_ADDR16_K0,
    L_ADDR16_K1, L_REL8, L_REL16, L_ABS16, L_ABS20, L_SADDR_REL8, L_SFR_REL8
} Layout;

static const struct { uint8_t bytes; const char *name; } layouts[] = {
    [L_NONE] = { 0, "NONE" }, [L_BYTE] = { 1, "BYTE" }, [L_WORD] = { 2, "WORD" }, [L_SADDR] = { 1, "SADDR" },
    [L_SFR] = { 1, "SFR" }, [L_ADDR16] = { 2, "ADDR16" }, [L_OFFSET] = { 1, "OFFSET" },
    [L_SADDR_BYTE] = { 2, "SADDR_BYTE" }, [L_SFR_BYTE] = { 2, "SFR_BYTE" }, [L_ES_BYTE] = { 1, "ES_BYTE" },
    [L_ADDR16_BYTE] = { 3, "ADDR16_BYTE" }, [L_OFFSET_BYTE] = { 2, "OFFSET_BYTE" },
    [L_SADDR_WORD] = { 3, "SADDR_WORD" }, [L_SFR_WORD] = { 3, "SFR_WORD" }, [L_K0] = { 0, "K0" },
    [L_K1] = { 0, "K1" }, [L_SADDR_K0] = { 1, "SADDR_K0" }, [L_SADDR_K1] = { 1, "SADDR_K1" },
    [L_ADDR16_K0] = { 2, "ADDR16_K0" }, [L_ADDR16_K1] = { 2, "ADDR16_K1" }, [L_REL8] = { 1, "REL8" },
    [L_REL16] = { 2, "REL16" }, [L_ABS16] = { 2, "ABS16" }, [L_ABS20] = { 3, "ABS20" },
    [L_SADDR_REL8] = { 2, "SADDR_REL8" }, [L_SFR_REL8] = { 2, "SFR_REL8" },
};

typedef struct {
    const char *text;
    uint8_t map, opcode;
    int16_t fixed;
    uint8_t field, reg, layout;
    uint16_t op;
    uint8_t clocks, taken, flash, es;
    const char *flags;
    uint16_t writes, uses;
    uint8_t core;
    const char *marks, *sources;
} Form;

static const Form forms[] = {
#define FORM(text, map, opcode, fixed, field, reg, layout, op, clocks, taken, flash, es, flags, writes, \
             uses, core, marks, sources) \
    { text, map, opcode, fixed, F_##field, reg, L_##layout, OP_##op, clocks, taken, flash, es, flags, \
      writes, uses, core, marks, sources },
#include "rl78_forms.def"
#undef FORM
};

enum { FORMS = sizeof forms / sizeof *forms };

/* ---- decoding ---- */

static int opcode_matches(const Form *f, uint8_t opcode)
{
    uint8_t bits = fields[f->field].bits;
    if ((opcode & ~bits) != f->opcode)
        return 0;
    uint32_t value = (uint32_t)(opcode & bits) >> fields[f->field].shift;
    return value > 15 || (fields[f->field].allowed >> value & 1);
}

/* The form of an opcode; one that fixes its operand byte goes before the general one. */
static int find_form(const Rl78 *c, int map, uint8_t opcode, int operand, int es)
{
    int general = -1;
    for (int i = 0; i < FORMS; i++) {
        const Form *f = &forms[i];
        if (f->map != map || f->core > c->level || (es && !f->es) || !opcode_matches(f, opcode))
            continue;
        if (f->fixed >= 0 && f->fixed == operand)
            return i;
        if (f->fixed < 0 && general < 0)
            general = i;
    }
    return general;
}

static uint16_t saddr(uint8_t b) { return (uint16_t)((b < 0x20 ? 0xFF00 : 0xFE00) + b); }

static uint16_t register_mask(const Insn *insn, int pair)
{
    return (uint16_t)((pair ? 3u : 1u) << insn->reg);
}

static void take_target(Insn *insn, uint32_t target)
{
    insn->imm = (uint16_t)target;
    insn->arg = (uint8_t)(target >> 16 & 15);
}

static void take_operands(Insn *insn, const Form *f, const uint8_t *p, uint32_t next)
{
    switch ((Layout)f->layout) {
    case L_NONE: break;
    case L_BYTE: insn->arg = p[0]; insn->imm = p[0]; break;
    case L_WORD: insn->imm = (uint16_t)load16(p); break;
    case L_SADDR: insn->imm = saddr(p[0]); break;
    case L_SFR: insn->imm = (uint16_t)(0xFF00 + p[0]); break;
    case L_ADDR16: insn->imm = (uint16_t)load16(p); break;
    case L_OFFSET: insn->imm = p[0]; break;
    case L_SADDR_BYTE: insn->imm = saddr(p[0]); insn->arg = p[1]; break;
    case L_SFR_BYTE: insn->imm = (uint16_t)(0xFF00 + p[0]); insn->arg = p[1]; break;
    case L_ES_BYTE: insn->imm = (uint16_t)ADDR_ES; insn->arg = p[0]; break;
    case L_ADDR16_BYTE: insn->imm = (uint16_t)load16(p); insn->arg = p[2]; break;
    case L_OFFSET_BYTE: insn->imm = p[0]; insn->arg = p[1]; break;
    case L_SADDR_WORD: insn->imm = saddr(p[0]); insn->disp = (int16_t)load16(p + 1); break;
    case L_SFR_WORD: insn->imm = (uint16_t)(0xFF00 + p[0]); insn->disp = (int16_t)load16(p + 1); break;
    case L_K0: break;
    case L_K1: insn->arg = 1; insn->imm = 1; break;
    case L_SADDR_K0: insn->imm = saddr(p[0]); break;
    case L_SADDR_K1: insn->imm = saddr(p[0]); insn->arg = 1; break;
    case L_ADDR16_K0: insn->imm = (uint16_t)load16(p); break;
    case L_ADDR16_K1: insn->imm = (uint16_t)load16(p); insn->arg = 1; break;
    case L_REL8:
        insn->disp = (int8_t)p[0];
        if (f->field == F_NONE)
            take_target(insn, next + (uint32_t)(int8_t)p[0]);
        break;
    case L_REL16: take_target(insn, next + (uint32_t)(int16_t)load16(p)); break;
    case L_ABS16: take_target(insn, load16(p)); break;
    case L_ABS20: take_target(insn, load16(p) | (uint32_t)p[2] << 16); break;
    case L_SADDR_REL8: insn->imm = saddr(p[0]); insn->disp = (int8_t)p[1]; break;
    case L_SFR_REL8: insn->imm = (uint16_t)(0xFF00 + p[0]); insn->disp = (int8_t)p[1]; break;
    }
}

static void take_field(Insn *insn, const Form *f, uint8_t opcode)
{
    uint8_t value = (uint8_t)((opcode & fields[f->field].bits) >> fields[f->field].shift);
    insn->reg = f->reg;
    if (fields[f->field].to_reg)
        insn->reg = (uint8_t)(value * fields[f->field].to_reg);
    else if (f->field != F_NONE)
        insn->arg = f->field == F_BIT_IE ? 7 : value;
}

static void take_hazards(const Rl78 *c, Insn *insn, const Form *f)
{
    uint16_t field = register_mask(insn, fields[f->field].to_reg == 2);
    insn->writes = (uint16_t)(f->writes & ~FIELD) | (f->writes & FIELD ? field : 0);
    insn->uses = (uint16_t)(f->uses & ~FIELD) | (f->uses & FIELD ? field : 0);
    if (!c->sim.address_waits)
        insn->uses = 0;
}

static int executable(const Rl78 *c, uint32_t pc) { return pc < SPACE && c->sim.attr[pc] & A_EXEC; }

int rl78_decode(Rl78 *c, uint32_t pc, Insn *insn)
{
    uint8_t bytes[8] = { 0 };
    uint32_t have = 0, at = 0;
    while (have < sizeof bytes && executable(c, pc + have)) {
        bytes[have] = c->sim.mem[pc + have];
        have++;
    }
    if (!have)
        return sim_fail(&c->sim, SIM_FETCH, pc);
    int es = bytes[0] == 0x11, map = 0;
    at += (uint32_t)es;
    switch (bytes[at]) {
    case 0x61: map = 1; at++; break;
    case 0x71: map = 2; at++; break;
    case 0x31: map = 3; at++; break;
    case 0xCE:
        if (bytes[at + 1] == 0xFB) {
            map = 4;
            at += 2;
        }
        break;
    default: break;
    }
    uint8_t opcode = bytes[at++];
    int index = find_form(c, map, opcode, bytes[at], es);
    if (index < 0)
        return sim_fail(&c->sim, SIM_UNKNOWN_OPCODE, pc);
    const Form *f = &forms[index];
    uint32_t length = at + layouts[f->layout].bytes;
    if (length > have)
        return sim_fail(&c->sim, SIM_FETCH, pc + have);
    memset(insn, 0, sizeof *insn);
    insn->length = (uint8_t)length;
    insn->op = f->op;
    insn->es = (uint8_t)es;
    insn->clocks = (uint8_t)(f->clocks + es);
    insn->taken = f->taken ? (uint8_t)(f->taken - f->clocks) : 0;
    take_operands(insn, f, bytes + at, pc + length);
    take_field(insn, f, opcode);
    if (insn->op == OP_BR && (insn->imm | (uint32_t)insn->arg << 16) == pc)
        insn->op = OP_ENDLESS;
    take_hazards(c, insn, f);
    return index;
}

static int form_at(Sim *sim, uint32_t address, uint32_t *length)
{
    Insn insn;
    int index = rl78_decode((Rl78 *)sim, address, &insn);
    if (index >= 0)
        *length = insn.length;
    return index;
}

static int form(uint32_t index, SimForm *out)
{
    static const char *const levels[] = { "", "S1", "S2", "S3" };
    static const uint8_t prefix_bytes[] = { 0, 1, 1, 1, 2 };
    if (index >= FORMS)
        return -1;
    const Form *f = &forms[index];
    *out = (SimForm){
        .text = f->text, .flags = f->flags, .marks = f->marks, .sources = f->sources,
        .layout = layouts[f->layout].name, .field = fields[f->field].name, .core = levels[f->core],
        .map = f->map, .opcode = f->opcode, .clocks = f->clocks, .taken = f->taken, .flash = f->flash,
        .es = f->es, .length = prefix_bytes[f->map] + 1u + layouts[f->layout].bytes, .fixed = f->fixed,
    };
    return 0;
}

/* ---- registers ---- */

void rl78_set_psw(Rl78 *c, uint8_t value)
{
    uint32_t before = rl78_bank(c);
    c->sim.pause |= (c->psw ^ value) & PSW_IE;
    c->psw = value & (uint8_t)~(PSW_Z | PSW_AC | PSW_CY);
    c->zr = !(value & PSW_Z);
    c->acx = value & PSW_AC;
    c->cy = value & PSW_CY;
    if (rl78_bank(c) != before) {
        c->wrote |= ALL;
        c->sim.touched_banks |= 1u << ((BANK0 - rl78_bank(c)) / 8);
    }
}

int rl78_set_sp(Rl78 *c, uint32_t value)
{
    c->sp = (uint16_t)(value & 0xFFFE);
    c->wrote |= H_SP;
    return sim_set_stack_pointer(&c->sim, c->sp, DATA + c->sp);
}

static const char *const register_names[] = {
    "x", "a", "c", "b", "e", "d", "l", "h", "ax", "bc", "de", "hl", "sp", "pc", "psw", "cs", "es", "pmc",
};

enum { ID_AX = 8, ID_SP = 12, ID_PC, ID_PSW, ID_CS, ID_ES, ID_PMC, ID_COUNT, ID_BANKED = 32 };

/* Names of the current bank plain, of a given one with its number: "hl", "hl2". */
static int register_id(const char *name)
{
    size_t n = strlen(name);
    int bank = -1;
    char plain[8];
    if (n == 0 || n >= sizeof plain)
        return -1;
    memcpy(plain, name, n + 1);
    if (plain[n - 1] >= '0' && plain[n - 1] <= '3') {
        bank = plain[n - 1] - '0';
        plain[n - 1] = 0;
    }
    for (int i = 0; i < ID_COUNT; i++)
        if (strcmp(register_names[i], plain) == 0)
            return bank < 0 ? i : i < ID_SP ? ID_BANKED * (bank + 1) + i : -1;
    return -1;
}

static uint8_t *register_bytes(const Rl78 *c, uint32_t id, int *pair)
{
    uint32_t base = id < ID_BANKED ? rl78_bank(c) : BANK0 - 8 * (id / ID_BANKED - 1);
    uint32_t n = id % ID_BANKED;
    *pair = n >= ID_AX;
    return c->sim.mem + base + (*pair ? 2 * (n - ID_AX) : n);
}

static int known_register(uint32_t id)
{
    return id < ID_COUNT || (id >= ID_BANKED && id < 5 * ID_BANKED && id % ID_BANKED < ID_SP);
}

static int get_register(const Sim *sim, uint32_t id, uint32_t *value)
{
    const Rl78 *c = (const Rl78 *)sim;
    int pair;
    if (!known_register(id))
        return -1;
    switch (id) {
    case ID_SP: *value = c->sp; break;
    case ID_PC: *value = c->pc; break;
    case ID_PSW: *value = rl78_psw(c); break;
    case ID_CS: *value = c->cs; break;
    case ID_ES: *value = c->es; break;
    case ID_PMC: *value = c->pmc; break;
    default: {
        const uint8_t *p = register_bytes(c, id, &pair);
        *value = pair ? load16(p) : *p;
    }
    }
    return 0;
}

static int set_register(Sim *sim, uint32_t id, uint32_t value)
{
    Rl78 *c = (Rl78 *)sim;
    int pair;
    if (!known_register(id))
        return -1;
    switch (id) {
    case ID_SP:
        c->sp = (uint16_t)(value & 0xFFFE);
        c->sim.sp_known = 1;
        break;
    case ID_PC: c->pc = value & (SPACE - 1); break;
    case ID_PSW: rl78_set_psw(c, (uint8_t)value); break;
    case ID_CS: c->cs = value & 15; break;
    case ID_ES: c->es = value & 15; break;
    case ID_PMC: return sim->core->poke(sim, ADDR_PMC, (uint8_t)value);
    default: {
        uint8_t *p = register_bytes(c, id, &pair);
        p[0] = (uint8_t)value;
        if (pair)
            p[1] = (uint8_t)(value >> 8);
    }
    }
    return 0;
}

static int set_stack(Sim *sim, uint32_t top)
{
    if (top & 1 || top > 0xFFFE)
        return -1;
    return set_register(sim, ID_SP, top);
}

/* Start of a run: what was executed before it causes no hazard. */
static void set_pc(Sim *sim, uint32_t pc)
{
    Rl78 *c = (Rl78 *)sim;
    c->pc = pc & (SPACE - 1);
    c->wrote = 0;
}

/* ---- memory with side effects ---- */

static void set_pmc(Rl78 *c, uint8_t value)
{
    uint8_t before = c->pmc;
    c->pmc = value;
    if (!((before ^ value) & 1))
        return;
    for (int i = 0; i < c->sim.region_count; i++) {
        const Region *r = &c->sim.regions[i];
        if (r->kind == SIM_MIRROR)
            sim_show_mirror(&c->sim, r, r->source + (value & 1 ? 0x10000u : 0));
    }
}

static uint8_t peek(const Sim *sim, uint32_t a)
{
    const Rl78 *c = (const Rl78 *)sim;
    switch (a) {
    case ADDR_SP: return (uint8_t)c->sp;
    case ADDR_SP + 1: return (uint8_t)(c->sp >> 8);
    case ADDR_PSW: return rl78_psw(c);
    case ADDR_CS: return c->cs;
    case ADDR_ES: return c->es;
    case ADDR_PMC: return c->pmc;
    default: return sim->mem[a];
    }
}

static int poke(Sim *sim, uint32_t a, uint8_t v)
{
    Rl78 *c = (Rl78 *)sim;
    switch (a) {
    case ADDR_SP: c->sp = (uint16_t)((c->sp & 0xFF00) | (v & 0xFE)); return 0;
    case ADDR_SP + 1: c->sp = (uint16_t)((c->sp & 0x00FF) | v << 8); return 0;
    case ADDR_PSW: rl78_set_psw(c, v); return 0;
    case ADDR_CS: c->cs = v & 15; return 0;
    case ADDR_ES: c->es = v & 15; return 0;
    case ADDR_PMC: set_pmc(c, v); return 0;
    default: sim->mem[a] = v; return 0;
    }
}

/* A write by the program to a register bank: the current bank's registers count as written. */
static void write_bank(Rl78 *c, uint32_t a, uint8_t v)
{
    uint32_t current = rl78_bank(c);
    c->sim.mem[a] = v;
    c->sim.attr[a] |= A_TOUCHED;
    if (a >= current && a < current + 8)
        c->wrote |= (uint16_t)(1u << (a - current));
    c->sim.touched_banks |= 1u << ((BANK0 + 7 - a) / 8);
}

static int store(Sim *sim, uint32_t a, uint8_t v)
{
    Rl78 *c = (Rl78 *)sim;
    if (a >= BANKS && a < BANKS_END) {
        write_bank(c, a, v);
        return 0;
    }
    poke(sim, a, v);
    if (a == ADDR_CS)
        c->wrote |= H_CS;
    if (a != ADDR_SP && a != ADDR_SP + 1)
        return 0;
    c->wrote |= H_SP;
    return sim_check_stack(sim, c->sp, DATA + c->sp);
}

int rl78_write16(Sim *sim, uint32_t a, uint16_t v)
{
    if (a == ADDR_SP && sim->attr[a] & A_SPECIAL)
        return rl78_set_sp((Rl78 *)sim, v);
    return sim_write16(sim, a, v);
}

/* ---- set-up ---- */

static const Decoded decoded = { UNIT, LONGEST, sizeof(Insn) };

static void forget_code(Sim *sim, uint32_t start, uint32_t end)
{
    const Rl78 *c = (const Rl78 *)sim;
    sim_forget_code(&decoded, c->code, c->low, c->span, start, end);
}

static void map_changed(Sim *sim)
{
    static const uint32_t special[] = { ADDR_SP, ADDR_SP + 1, ADDR_PSW, ADDR_CS, ADDR_ES, ADDR_PMC };
    Rl78 *c = (Rl78 *)sim;
    for (uint32_t a = BANKS; a < BANKS_END; a++)
        if (sim->attr[a] & A_RAM)
            sim->attr[a] = A_READ | A_SPECIAL | A_RAM;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (sim->attr[special[i]] & A_WRITE)
            sim->attr[special[i]] = A_SPECIAL;
    c->code = sim_map_code(sim, &decoded, c->code, &c->low, &c->span);
}

static void reset(Sim *sim, int all)
{
    Rl78 *c = (Rl78 *)sim;
    uint32_t from = all ? BANKS : BANK0;
    memset(sim->mem + from, 0, BANKS_END - from);
    memset(sim->mem + MACRL, 0, 4);
    c->pc = 0;
    c->sp = 0;
    c->sim.sp_known = 0;
    c->cs = 0;
    c->es = ES_RESET;
    c->wrote = 0;
    set_pmc(c, 0);
    c->psw = PSW_RESET;
    c->cy = 0;
    c->zr = 1;
    c->acx = 0;
    sim->stack_top = 0xFFFE;
    sim->stack_limit = 0;
}

static int init_level(Sim *sim, int level)
{
    if (sim_open(sim, BANKS, SPACE) != 0)
        return -1;
    ((Rl78 *)sim)->level = level;
    reset(sim, 1);
    return 0;
}

static int init_s1(Sim *sim) { return init_level(sim, S1); }
static int init_s2(Sim *sim) { return init_level(sim, S2); }
static int init_s3(Sim *sim) { return init_level(sim, S3); }

static void release(Sim *sim) { free(((Rl78 *)sim)->code); }

#define CORE(id, label, unverified) \
    const Core sim_core_rl78_##id = { \
        .name = label, .space = SPACE, .size = sizeof(Rl78), .timing_not_verified = unverified, \
        .waits = { "flash_waits", "es_waits", "hazard_waits", "skip_waits" }, \
        .init = init_##id, .release = release, .reset = reset, .map_changed = map_changed, \
        .code_changed = forget_code, .poke = poke, .store = store, .peek = peek, \
        .register_id = register_id, .get_register = get_register, .set_register = set_register, \
        .sp_id = ID_SP, .status_id = ID_PSW, .pointer_bits = 16, \
        .interrupt_enable = PSW_IE, .stack_base = DATA, .run = rl78_run_fast, .run_traced = rl78_run_traced, \
        .set_stack = set_stack, .set_pc = set_pc, .form = form, .form_at = form_at, .taint = &taint_rl78, .behaviour = &rl78_behaviour, \
    }

CORE(s1, "rl78-s1", 1);
CORE(s2, "rl78-s2", 0);
CORE(s3, "rl78-s3", 0);
