/* MSP430: the table of forms, and decoding by it. */
#include "msp430.h"

#include <string.h>

#include "msp430_ops.h"

/* Operand classes of the table. */
typedef enum { REG, PC, CG, IND, INC, IMM, IDX, SYM, ABS, NONE } Operand;

#define TEXT_REG "Rn"
#define TEXT_PC "PC"
#define TEXT_CG "#CG"
#define TEXT_IND "@Rn"
#define TEXT_INC "@Rn+"
#define TEXT_IMM "#N"
#define TEXT_IDX "x(Rn)"
#define TEXT_SYM "EDE"
#define TEXT_ABS "&EDE"

static const char *const operands[] = {
    [REG] = TEXT_REG, [PC] = TEXT_PC, [CG] = TEXT_CG, [IND] = TEXT_IND, [INC] = TEXT_INC, [IMM] = TEXT_IMM,
    [IDX] = TEXT_IDX, [SYM] = TEXT_SYM, [ABS] = TEXT_ABS, [NONE] = "",
};

/* Operands of the instructions that only the CPUX has. */
typedef enum {
    NO_OPERAND, FROM_IND, FROM_INC, FROM_ABS, FROM_IDX, FROM_IMM, FROM_REG, TO_ABS, TO_IDX, BITS, ONLY_REG,
    ONLY_IDX, ONLY_IND, ONLY_INC, ONLY_ABS, ONLY_SYM, ONLY_IMM, MANY_DOWN, MANY_UP
} Shape;

typedef enum { DOUBLES = 1, SINGLES, PLAINS, JUMPS, EXTENSIONS, LONG_DOUBLES, LONG_SINGLES } Format;

typedef struct {
    const char *text;
    uint16_t opcode, bits;
    uint8_t format, source, destination, words, byte, clocks[CLOCKS_COUNT], taken;
    uint16_t op;
    const char *flags, *marks, *sources;
} Form;

/* Of a form that the CPU has not. */
#define X_CLOCKS(x) { x, x, x }
/* The CPUX takes one clock less for MOV BIT CMP to memory, that of the 4xx family for MOV ADD SUB to PC too. */
#define LESS(destination, to_pc, to_memory) \
    ((destination) == REG || ((destination) == PC ? (to_pc) : (to_memory)))
#define DOUBLE_FORM(name, opcode, flags, to_pc, to_memory, s, d, words, cpu, x, x_less, marks, sources) \
    { #name " " TEXT_##s "," TEXT_##d, opcode, 0xF000, DOUBLES, s, d, words, 1, \
      { cpu, LESS(d, to_pc, to_memory) ? x_less : x, LESS(d, 0, to_memory) ? x_less : x }, 0, \
      OP_##name##_W_N, flags, marks, sources },
#define LONG_DOUBLE_FORM(name, opcode, flags, to_pc, to_memory, s, d, words, x, x_less, a, a_less, marks, sources) \
    { #name "X " TEXT_##s "," TEXT_##d, opcode, 0xF000, LONG_DOUBLES, s, d, words, 1, \
      X_CLOCKS(LESS(d, to_pc, to_memory) ? x_less : x), \
      LESS(d, to_pc, to_memory) ? a_less - x_less : a - x, OP_##name##_W_N, flags, marks, sources },
#define TWELVE(form, ...) \
    form(MOV, 0x4000, "----", 1, 1, __VA_ARGS__) \
    form(ADD, 0x5000, "xxxx", 1, 0, __VA_ARGS__) \
    form(ADDC, 0x6000, "xxxx", 0, 0, __VA_ARGS__) \
    form(SUBC, 0x7000, "xxxx", 0, 0, __VA_ARGS__) \
    form(SUB, 0x8000, "xxxx", 1, 0, __VA_ARGS__) \
    form(CMP, 0x9000, "xxxx", 0, 1, __VA_ARGS__) \
    form(DADD, 0xA000, "?xxx", 0, 0, __VA_ARGS__) \
    form(BIT, 0xB000, "0xxx", 0, 1, __VA_ARGS__) \
    form(BIC, 0xC000, "----", 0, 0, __VA_ARGS__) \
    form(BIS, 0xD000, "----", 0, 0, __VA_ARGS__) \
    form(XOR, 0xE000, "xxxx", 0, 0, __VA_ARGS__) \
    form(AND, 0xF000, "0xxx", 0, 0, __VA_ARGS__)
#define DOUBLE(...) TWELVE(DOUBLE_FORM, __VA_ARGS__)
#define DOUBLE_X(...) TWELVE(LONG_DOUBLE_FORM, __VA_ARGS__)
#define SINGLE_FORM(name, opcode, byte, s, words, cpu, x, flags, op, marks, sources) \
    { #name " " TEXT_##s, opcode, 0xFF80, SINGLES, s, NONE, words, byte, { cpu, x, x }, 0, op, flags, \
      marks, sources },
#define SINGLE(name, opcode, byte, s, words, cpu, x, flags, marks, sources) \
    SINGLE_FORM(name, opcode, byte, s, words, cpu, x, flags, SINGLE_OP_##name, marks, sources)
#define SHIFT(s, words, cpu, x, marks, sources) \
    SINGLE_FORM(RRC, 0x1000, 1, s, words, cpu, x, "0xxx", OP_RRC_W_R, marks, sources) \
    SINGLE_FORM(SWPB, 0x1080, 0, s, words, cpu, x, "----", OP_SWPB_W_R, marks, sources) \
    SINGLE_FORM(RRA, 0x1100, 1, s, words, cpu, x, "0xxx", OP_RRA_W_R, marks, sources) \
    SINGLE_FORM(SXT, 0x1180, 0, s, words, cpu, x, "0xxx", OP_SXT_W_R, marks, sources)
#define LONG_SINGLE_FORM(name, opcode, byte, s, words, x, a, flags, op, marks, sources) \
    { #name "X " TEXT_##s, opcode, 0xFF80, LONG_SINGLES, s, NONE, words, byte, X_CLOCKS(x), (a) - (x), op, \
      flags, marks, sources },
/* TI's table has no SWPBX and SXTX. */
#define SHIFT_X(s, words, x, a, marks, sources) \
    LONG_SINGLE_FORM(RRC, 0x1000, 1, s, words, x, a, "0xxx", OP_RRC_W_R, marks, sources) \
    LONG_SINGLE_FORM(SWPB, 0x1080, 0, s, words, x, a, "----", OP_SWPB_W_R, "-S", "CPUX MSD") \
    LONG_SINGLE_FORM(RRA, 0x1100, 1, s, words, x, a, "0xxx", OP_RRA_W_R, marks, sources) \
    LONG_SINGLE_FORM(SXT, 0x1180, 0, s, words, x, a, "0xxx", OP_SXT_W_R, "-S", "CPUX MSD")
#define PUSH_X(s, words, x, a, marks, sources) \
    LONG_SINGLE_FORM(PUSH, 0x1200, 1, s, words, x, a, "----", OP_PUSH_W_N, marks, sources)
#define SINGLE_OP_PUSH OP_PUSH_W_N
#define SINGLE_OP_CALL OP_CALL_N
#define PLAIN(name, opcode, cpu, x, flags, marks, sources) \
    { #name, opcode, 0xFFFF, PLAINS, NONE, NONE, 1, 0, { cpu, x, x }, 0, OP_##name, flags, marks, sources },
#define JUMP(name, opcode, cpu, x, marks, sources) \
    { #name " $", opcode, 0xFC00, JUMPS, NONE, NONE, 1, 0, { cpu, x, x }, cpu, OP_##name, "----", marks, \
      sources },
#define EXTENDED(text, opcode, bits, shape, words, x, each, flags, op, marks, sources) \
    { text, opcode, bits, EXTENSIONS, shape, NONE, words, 0, X_CLOCKS(x), each, OP_##op, flags, marks, sources },

static const Form forms[] = {
#include "msp430_forms.def"
};

enum { FORMS = sizeof forms / sizeof *forms };

int msp430_form(int clocks, uint32_t index, SimForm *out)
{
    if (index >= FORMS)
        return -1;
    const Form *f = &forms[index];
    *out = (SimForm){
        .text = f->text, .flags = f->flags, .marks = f->marks, .sources = f->sources,
        .layout = operands[f->destination], .field = f->format == EXTENSIONS ? "" : operands[f->source],
        .core = f->format >= EXTENSIONS ? "CPUX" : "", .map = f->format, .opcode = f->opcode,
        .clocks = f->clocks[clocks], .taken = f->taken, .es = f->byte,
        .length = 2u * f->words, .fixed = -1,
    };
    return 0;
}

static int find_form(Format format, uint32_t word, Operand source, Operand destination)
{
    for (int i = 0; i < FORMS; i++) {
        const Form *f = &forms[i];
        if (f->format == format && (word & f->bits) == f->opcode && f->source == source
            && f->destination == destination)
            return i;
    }
    return -1;
}

/* ---- operands ---- */

/* What is being decoded: the words that are there, and how many were taken. */
typedef struct {
    Insn *insn;
    uint32_t pc, words[4], have, taken;
    uint32_t mask;      /* of a register */
    int byte, clocks;   /* clocks: beyond the form's */
} Reader;

static uint32_t next_word(Reader *r) { return r->words[r->taken++ % 4]; }

static uint32_t sign_extend(uint32_t word) { return (word ^ 0x8000) - 0x8000; }

/* EDE: the index counts from its own address. The CPU and the lower 64 KB of the CPUX wrap in 16 bits. */
static uint32_t symbolic(const Reader *r, uint32_t at, uint32_t index)
{
    return at < 0x10000 ? (at + index) & 0xFFFF : (at + sign_extend(index)) & r->mask;
}

/* A memory operand that has an index word; register and index go where the caller says. */
static Operand take_index(Reader *r, uint32_t reg, uint8_t *base, uint32_t *index)
{
    uint32_t at = r->pc + 2 * r->taken, word = next_word(r);
    *base = reg == R_PC || reg == R_SR ? R_ZERO : (uint8_t)reg;
    *index = reg == R_PC ? symbolic(r, at, word) : word;
    return reg == R_PC ? SYM : reg == R_SR ? ABS : IDX;
}

static Operand take_constant(Reader *r, uint32_t value, Operand operand)
{
    r->insn->imm = value & (r->byte ? 0xFFu : 0xFFFFu);
    return operand;
}

/* The kind of source in the order of the operations. */
enum { K_N, K_R, K_X, K_I, K_P };

static Operand take_source(Reader *r, uint32_t reg, uint32_t mode, int *kind)
{
    static const uint16_t generated[] = { 0, 1, 2, 0xFFFF };
    Insn *insn = r->insn;
    insn->src = (uint8_t)reg;
    *kind = K_N;
    if (reg == R_CG)
        return take_constant(r, generated[mode], CG);
    if (reg == R_SR && mode >= 2)
        return take_constant(r, mode == 2 ? 4 : 8, CG);
    if (reg == R_PC && mode == 0)
        return take_constant(r, r->pc + 2, REG);
    if (reg == R_PC && mode == 3)
        return take_constant(r, next_word(r), IMM);
    *kind = mode == 0 ? K_R : mode == 1 ? K_X : mode == 2 ? K_I : K_P;
    if (mode == 1)
        return take_index(r, reg, &insn->src, &insn->imm);
    if (reg == R_PC) {
        *kind = K_X;
        insn->src = R_ZERO;
        insn->imm = r->pc + 2;
        return IND;
    }
    if (mode == 0 && reg == R_SR) {
        insn->src = R_STATUS;
        insn->imm = r->byte ? 0xFF : 0xFFFF;
    }
    if (mode == 3)
        insn->imm = r->byte && reg != R_SP ? 1 : 2;
    return mode == 0 ? REG : mode == 2 ? IND : INC;
}

/* ---- the formats ---- */

/* An instruction that reads SR first puts it into its place. */
static void read_status_first(Insn *insn)
{
    if (insn->src != R_STATUS)
        return;
    if (insn->second) {
        insn->op = OP_TAKE_STATUS;
        return;
    }
    insn->second = insn->op;
    insn->op = OP_STATUS;
}

/* PC, SP, SR or R3 as destination; branches and returns have operations of their own. */
static void take_special(Reader *r, uint32_t operation, int kind)
{
    Insn *insn = r->insn;
    insn->op = (uint16_t)((r->byte ? OP_SPECIAL_B_N : OP_SPECIAL_W_N) + kind);
    insn->disp = operation;
    if (operation != 4 || insn->dst != R_PC)
        return;
    if (insn->op == OP_SPECIAL_W_N)
        insn->op = insn->imm == r->pc ? OP_ENDLESS : OP_BR;
    else if (insn->op == OP_SPECIAL_W_P && insn->src == R_SP)
        insn->op = OP_RET;
}

static int decode_double(Reader *r, uint32_t word)
{
    Insn *insn = r->insn;
    uint32_t reg = word & 15;
    int kind;
    r->byte = word >> 6 & 1;
    insn->dst = (uint8_t)reg;
    Operand destination, source = take_source(r, word >> 8 & 15, word >> 4 & 3, &kind);
    if (word & 0x80) {
        if (reg == R_CG)
            return -1;
        destination = take_index(r, reg, &insn->dst, &insn->disp);
    } else {
        destination = reg == R_PC ? PC : REG;
    }
    int index = find_form(DOUBLES, word, source, destination);
    if (index < 0)
        return -1;
    int op = forms[index].op + r->byte * (OP_MOV_B_N - OP_MOV_W_N);
    if (destination == PC || (destination == REG && reg <= R_CG)) {
        take_special(r, word >> 12, kind);
    } else if (destination == REG) {
        insn->op = (uint16_t)(op + kind);
    } else {
        insn->op = (uint16_t)((r->byte ? OP_TAKE_B_N : OP_TAKE_W_N) + kind);
        insn->second = (uint16_t)(op + OP_MOV_W_M - OP_MOV_W_N);
    }
    read_status_first(insn);
    return index;
}

static int decode_single(Reader *r, uint32_t word)
{
    Insn *insn = r->insn;
    uint32_t reg = word & 15, mode = word >> 4 & 3;
    int kind;
    r->byte = word >> 6 & 1;
    insn->dst = (uint8_t)reg;
    Operand source = take_source(r, reg, mode, &kind);
    int index = find_form(SINGLES, word, source, NONE);
    if (index < 0 || (r->byte && !forms[index].byte))
        return -1;
    uint16_t op = forms[index].op;
    if (op == OP_PUSH_W_N || op == OP_CALL_N) {
        insn->op = (uint16_t)(op + kind + r->byte * (OP_PUSH_B_N - OP_PUSH_W_N));
        read_status_first(insn);
        return index;
    }
    int place = mode == 0 && reg <= R_SR ? OP_RRC_W_S - OP_RRC_W_R : kind - K_R;
    insn->op = (uint16_t)(op + place + r->byte * (OP_RRC_B_R - OP_RRC_W_R));
    return index;
}

static int decode_jump(Reader *r, uint32_t word)
{
    Insn *insn = r->insn;
    int index = find_form(JUMPS, word, NONE, NONE);
    uint32_t offset = ((word & 0x3FF) ^ 0x200) - 0x200;
    insn->op = forms[index].op;
    insn->imm = (r->pc + 2 + 2 * offset) & r->mask & ~1u;
    if (insn->op == OP_JMP && insn->imm == r->pc)
        insn->op = OP_ENDLESS;
    return index;
}

static int decode_plain(Reader *r, uint32_t word)
{
    int index = find_form(PLAINS, word, NONE, NONE);
    if (index >= 0)
        r->insn->op = forms[index].op;
    return index;
}

/* ---- the instructions of the CPUX without an extension word ---- */

static int find_extension(uint32_t word)
{
    for (int i = 0; i < FORMS; i++)
        if (forms[i].format == EXTENSIONS && (word & forms[i].bits) == forms[i].opcode)
            return i;
    return -1;
}

/* SR and R3 are no operands of these; PC as a source is the next address. */
static int usable(uint32_t reg) { return reg != R_SR && reg != R_CG; }

static int take_address_register(Reader *r, uint32_t reg)
{
    r->insn->src = (uint8_t)reg;
    if (reg != R_PC)
        return usable(reg);
    r->insn->imm = r->pc + 2;
    r->insn->op -= 1;       /* from ..._R to ..._N */
    return 1;
}

/* x(Rn), with x signed above 64 KB; x(PC) is an address. */
static int take_address_index(Reader *r, uint32_t reg, uint8_t *base, uint32_t *index)
{
    return take_index(r, reg, base, index) != ABS && reg != R_CG;
}

static int take_absolute(uint32_t high, Reader *r, uint8_t *base, uint32_t *address)
{
    *base = R_ZERO;
    *address = high << 16 | next_word(r);
    return 1;
}

/* The first of n registers; PC to R3 cannot be pushed or popped this way. */
static int take_many(Reader *r, uint32_t n, uint32_t last, const Form *f)
{
    r->insn->imm = n;
    r->insn->dst = (uint8_t)last;
    r->clocks = (int)((n - 1) * f->taken);
    return last + 1 >= n + R_CG + 1;
}

static int take_shape(Reader *r, uint32_t word, const Form *f)
{
    Insn *insn = r->insn;
    uint32_t high = word >> 8 & 15, low = word & 15;
    insn->dst = (uint8_t)low;
    insn->src = (uint8_t)high;
    switch ((Shape)f->source) {
    case NO_OPERAND: return 1;
    case FROM_IND: return usable(low) && usable(high) && high != R_PC;
    case FROM_INC: return usable(low) && usable(high) && high != R_PC;
    case FROM_ABS: return take_absolute(high, r, &insn->src, &insn->imm) && usable(low);
    case FROM_IDX: return take_address_index(r, high, &insn->src, &insn->imm) && usable(low);
    case FROM_IMM: insn->imm = high << 16 | next_word(r); return usable(low);
    case FROM_REG: return take_address_register(r, high) && usable(low);
    case TO_ABS: return take_absolute(low, r, &insn->dst, &insn->disp) && usable(high) && high != R_PC;
    case TO_IDX:
        return take_address_index(r, low, &insn->dst, &insn->disp) && usable(high) && high != R_PC;
    case BITS:
        insn->imm = (high >> 2) + 1;
        r->clocks = (int)((insn->imm - 1) * f->taken);
        return low > R_CG;
    case ONLY_REG: return take_address_register(r, low);
    case ONLY_IDX: r->clocks = low == R_SP; return take_address_index(r, low, &insn->src, &insn->imm);
    case ONLY_IND: insn->src = (uint8_t)low; return usable(low) && low != R_PC;
    case ONLY_INC: insn->src = (uint8_t)low; return usable(low) && low != R_PC;
    case ONLY_ABS: return take_absolute(low, r, &insn->src, &insn->imm);
    case ONLY_SYM:
        take_absolute(low, r, &insn->src, &insn->imm);
        insn->imm = (insn->imm + r->pc + 2) & r->mask;
        return 1;
    case ONLY_IMM: insn->imm = low << 16 | next_word(r); return 1;
    case MANY_DOWN: return take_many(r, (word >> 4 & 15) + 1, low, f);
    case MANY_UP: return take_many(r, (word >> 4 & 15) + 1, low + (word >> 4 & 15), f) && insn->dst < 16;
    }
    return 0;
}

static int decode_extension(Reader *r, uint32_t word)
{
    int index = find_extension(word);
    if (index < 0)
        return -1;
    r->insn->op = forms[index].op;
    return take_shape(r, word, &forms[index]) ? index : -1;
}

/* ---- instructions with an extension word ---- */

typedef enum { SIZE_W, SIZE_B, SIZE_A } Size;       /* in the order of the operations */

static const uint32_t sizes[] = { [SIZE_W] = 0xFFFF, [SIZE_B] = 0xFF, [SIZE_A] = 0xFFFFF };

enum { EXT_ZERO_CARRY = 0x100, EXT_REGISTER = 0x80, EXT_SHORT = 0x40, EXT_RESERVED = 0x30, EXT_REPEATS = 0x60F };

/* An index of 20 bits on any register; EDE counts from its own word. */
static Operand take_long_index(Reader *r, uint32_t reg, uint32_t high, uint8_t *base, uint32_t *index)
{
    uint32_t at = r->pc + 2 * r->taken, whole = high << 16 | next_word(r);
    *base = reg == R_PC || reg == R_SR ? R_ZERO : (uint8_t)reg;
    *index = reg == R_PC ? (at + whole) & r->mask : whole;
    return reg == R_PC ? SYM : reg == R_SR ? ABS : IDX;
}

static Operand take_long_constant(Reader *r, uint32_t value, Operand operand)
{
    r->insn->imm = value;
    return operand;
}

static Operand take_long_source(Reader *r, uint32_t reg, uint32_t mode, uint32_t high, Size size, int *kind)
{
    static const uint32_t generated[] = { 0, 1, 2, 0xFFFFF };
    Insn *insn = r->insn;
    insn->src = (uint8_t)reg;
    *kind = K_N;
    if (reg == R_CG)
        return take_long_constant(r, generated[mode] & sizes[size], CG);
    if (reg == R_SR && mode >= 2)
        return take_long_constant(r, mode == 2 ? 4 : 8, CG);
    if (reg == R_PC && mode == 0)
        return take_long_constant(r, (r->pc + 4) & sizes[size], REG);
    if (reg == R_PC && mode == 3)
        return take_long_constant(r, (high << 16 | next_word(r)) & sizes[size], IMM);
    *kind = mode == 0 ? K_R : mode == 1 ? K_X : mode == 2 ? K_I : K_P;
    if (mode == 1)
        return take_long_index(r, reg, high, &insn->src, &insn->imm);
    if (reg == R_PC) {
        *kind = K_X;
        insn->src = R_ZERO;
        insn->imm = (r->pc + 4) & r->mask;
        return IND;
    }
    if (mode == 0 && reg == R_SR) {
        insn->src = R_STATUS;
        insn->imm = sizes[size] & 0xFFFF;
    }
    if (mode == 3)
        insn->imm = size == SIZE_A ? 4 : size == SIZE_B && reg != R_SP ? 1 : 2;
    return mode == 0 ? REG : mode == 2 ? IND : INC;
}

/* SWPBX and SXTX have their own bits for a size. */
static int take_size(uint32_t extension, uint32_t word, Size *size)
{
    const int byte = word >> 6 & 1, turns = word < 0x1200 && word & 0x80;
    *size = !(extension & EXT_SHORT) ? SIZE_A : byte ? SIZE_B : SIZE_W;
    return turns ? !byte : extension & EXT_SHORT || byte;
}

/* RRC ADDC SUBC DADD, as take_repeats numbers them. */
enum { USES_CARRY = 1 << 0 | 1 << 6 | 1 << 7 | 1 << 10 };

/* How often an instruction on registers is done; none of SP and below, whose uses are not defined. */
static int take_repeats(Reader *r, uint32_t extension, uint32_t operation)
{
    Insn *insn = r->insn;
    const uint32_t count = extension & 15;
    insn->imm = extension & EXT_REGISTER ? 0 : count;
    insn->second = extension & EXT_REGISTER ? (uint16_t)count : 0;
    insn->disp = operation << DISP_OPERATION
        | (extension & EXT_ZERO_CARRY && USES_CARRY >> operation & 1 ? DISP_ZERO_CARRY : 0);
    r->clocks += (int)insn->imm;
    return insn->dst > R_CG && (!(extension & EXT_REGISTER) || count > R_CG);
}

static uint16_t long_op(Size size, int kind)
{
    static const uint16_t first[] = { OP_TAKE_W_N, OP_TAKE_B_N, OP_TAKE_A_N };
    return kind != K_X || size == SIZE_A ? (uint16_t)(first[size] + kind) : (uint16_t)(OP_TAKE_W_L + size);
}

/* What needs no operation of its own has that of the instruction without the word. */
static void take_long_double(Reader *r, uint32_t operation, uint16_t op, Operand destination, Size size, int kind)
{
    Insn *insn = r->insn;
    const int own = size == SIZE_A || kind == K_X, special = destination == PC || insn->dst <= R_CG;
    if (destination != PC && destination != REG) {
        insn->op = long_op(size, kind);
        insn->second = (uint16_t)(OP_LONG_W_M + size);
        insn->disp |= operation << DISP_OPERATION;
    } else if (own) {
        insn->op = long_op(size, kind);
        insn->second = (uint16_t)((special ? OP_LONG_W_S : OP_LONG_W) + size);
        insn->disp = special ? operation : operation << DISP_OPERATION;
    } else if (special) {
        take_special(r, operation, kind);
    } else {
        insn->op = (uint16_t)(op + kind + r->byte * (OP_MOV_B_N - OP_MOV_W_N));
    }
    read_status_first(insn);
}

static int decode_long_double(Reader *r, uint32_t extension, uint32_t word, Size size)
{
    Insn *insn = r->insn;
    const uint32_t reg = word & 15, mode = word >> 4 & 3, from = word >> 8 & 15;
    const int registers = mode == 0 && !(word & 0x80);
    const uint32_t high = registers ? 0 : extension >> 7 & 15, above = registers ? 0 : extension & 15;
    int kind;
    insn->dst = (uint8_t)reg;
    Operand destination = reg == R_PC ? PC : REG, source = take_long_source(r, from, mode, high, size, &kind);
    if (high && source != IMM && source != IDX && source != SYM && source != ABS)
        return -1;
    if (word & 0x80) {
        if (reg == R_CG)
            return -1;
        destination = take_long_index(r, reg, above, &insn->dst, &insn->disp);
    } else if (above) {
        return -1;
    }
    int index = find_form(LONG_DOUBLES, word, source, destination);
    r->clocks = size == SIZE_A ? forms[index].taken : 0;
    if (!registers || !(extension & (EXT_REPEATS | EXT_REGISTER | EXT_ZERO_CARRY))) {
        take_long_double(r, word >> 12, forms[index].op, destination, size, kind);
        return index;
    }
    if (from == R_PC || from == R_SR)
        return -1;
    insn->op = (uint16_t)(OP_REPEAT_W + size);
    insn->src = from == R_CG ? R_ZERO : (uint8_t)from;
    return extension & 0x600 || !take_repeats(r, extension, word >> 12) ? -1 : index;
}

/* Bits 19 to 16 of an index are where TI and mspdebug have them; the assembler puts them higher. */
static int decode_long_single(Reader *r, uint32_t extension, uint32_t word, Size size)
{
    Insn *insn = r->insn;
    const uint32_t reg = word & 15, mode = word >> 4 & 3, operation = word >> 7 & 7, high = mode ? extension & 15 : 0;
    int kind;
    insn->dst = (uint8_t)reg;
    Operand source = take_long_source(r, reg, mode, high, size, &kind);
    int index = find_form(LONG_SINGLES, word, source, NONE);
    if (index < 0 || extension & 0x600 || (mode && extension & (EXT_REGISTER | EXT_ZERO_CARRY))
        || (high && source != IMM && source != IDX && source != SYM && source != ABS))
        return -1;
    const uint16_t op = forms[index].op;
    r->clocks = size == SIZE_A ? forms[index].taken : 0;
    if (op == OP_PUSH_W_N) {
        static const uint16_t first[] = { OP_PUSH_W_N, OP_PUSH_B_N, OP_PUSH_A_N };
        insn->op = (uint16_t)(kind != K_X || size == SIZE_A ? first[size] + kind : OP_PUSH_W_L + (int)size);
        r->clocks += source == IDX && reg == R_SP;
        read_status_first(insn);
        return mode || !(extension & (EXT_REPEATS | EXT_REGISTER | EXT_ZERO_CARRY)) ? index : -1;
    }
    if (mode == 0) {
        insn->op = (uint16_t)(OP_SHIFT_W + size);
        return take_repeats(r, extension, operation) ? index : -1;
    }
    insn->disp = operation << DISP_OPERATION;
    if (size == SIZE_A || kind == K_X)
        insn->op = (uint16_t)(size == SIZE_A ? OP_SHIFT_A_L + kind - K_X : OP_SHIFT_W_L + (int)size);
    else
        insn->op = (uint16_t)(op + kind - K_R + r->byte * (OP_RRC_B_R - OP_RRC_W_R));
    return index;
}

static int decode_long(Reader *r, uint32_t extension)
{
    const uint32_t word = next_word(r);
    Size size;
    if (extension & EXT_RESERVED || !take_size(extension, word, &size))
        return -1;
    r->byte = size == SIZE_B;
    if (word >= 0x4000)
        return decode_long_double(r, extension, word, size);
    return word >= 0x1000 && word < 0x1280 ? decode_long_single(r, extension, word, size) : -1;
}

static int decode_word(Reader *r)
{
    uint32_t word = next_word(r);
    if (word >= 0x4000)
        return decode_double(r, word);
    if (word >= 0x2000)
        return decode_jump(r, word);
    if (word >= 0x1000 && word < 0x1300)
        return decode_single(r, word);
    if ((word & 0xF800) == 0x1800 && r->mask > 0xFFFF)
        return decode_long(r, word);
    int index = decode_plain(r, word);
    return index < 0 && r->mask > 0xFFFF ? decode_extension(r, word) : index;
}

static int executable(const Msp430 *c, uint32_t pc)
{
    return pc + 1 < c->sim.space && c->sim.attr[pc] & c->sim.attr[pc + 1] & A_EXEC;
}

int msp430_decode(Msp430 *c, uint32_t pc, Insn *insn)
{
    Reader r = { .insn = insn, .pc = pc, .mask = c->mask };
    while (r.have < 4 && executable(c, pc + 2 * r.have)) {
        r.words[r.have] = load16(c->sim.mem + pc + 2 * r.have);
        r.have++;
    }
    if (!r.have)
        return sim_fail(&c->sim, SIM_FETCH, pc);
    memset(insn, 0, sizeof *insn);
    int index = decode_word(&r);
    if (index < 0) {
        memset(insn, 0, sizeof *insn);
        return sim_fail(&c->sim, SIM_UNKNOWN_OPCODE, pc);
    }
    if (r.taken > r.have) {
        memset(insn, 0, sizeof *insn);
        return sim_fail(&c->sim, SIM_FETCH, pc + 2 * r.have);
    }
    insn->length = (uint8_t)r.taken;
    insn->clocks = (uint8_t)(forms[index].clocks[c->clocks] + r.clocks);
    return index;
}
