"""The C in between the one-pointer interface, which the gate calls, and a routine with calls of its own.

For each entry a function `tf_<entry>` puts the arguments where the calls want them, makes the calls, and
takes the answer. No branch of it depends on an input: every call takes the same.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tightfit.contenders.calltext import HEX, NUMBERS, ORDERS, Argument, Call
from tightfit.contenders.interface import Block
from tightfit.errors import UsageError
from tightfit.harness.routine import Routine

NAME = "tf"
FLAGS = ("-O2", "-fno-builtin", "-fno-tree-loop-distribute-patterns")
LENGTHS, STATUS = "length", "status"
"""Fields of words of 16 bits: the length of a message in bytes and in bits; what a function returned."""
_FRESH = "in"
"""The word whose bytes are always a copy: a routine may write where it reads."""
_KNOWN = re.compile(r"(?:u?int\d+_t|size_t|(?:(?:unsigned|signed|char|short|int|long)\s*)+)?|.*\*")
_ANSWERS = ("out", "text")


@dataclass(frozen=True)
class Words:
    """What the words of a kind are in the block: `fields` (name, bytes), and `held`, the field of each word.

    `counted` are the bytes of RAM that stand for each.
    """

    fields: Mapping[str, int]
    held: Mapping[str, str]
    counted: Mapping[str, int]


@dataclass(frozen=True)
class Adapter:
    """Functions `tf_<entry>`, the block that they take, and what they call.

    `symbols` are the functions that are called, `calls` those of each entry by their numbers. `text` is the
    source, `probe` one that has for each call a function `tf_push<number>` which makes it with zeros, and
    `tf_none` which makes one without arguments. `block_bytes` are the bytes of RAM that calls pass.
    """

    block: Block
    symbols: tuple[str, ...]
    calls: Mapping[str, tuple[int, ...]] = field(hash=False)
    text: str
    probe: str
    block_bytes: int
    kept: frozenset[str]

    @property
    def entries(self) -> tuple[str, ...]:
        """What the gate may call."""
        return tuple(self.calls)

    @property
    def routine(self) -> Routine:
        """What the gate calls."""
        return Routine("", NAME, self.entries, self.block, static=None, kept=self.kept)


class Writer:
    """Writes adapters for the words of a kind.

    `buffers` are the caller's own and their bytes; `symbols` is where each function is found; `head` is C in
    front. With `declared` it declares the functions itself, otherwise headers in `head` do.
    """

    def __init__(
        self,
        words: Words,
        buffers: Mapping[str, int],
        symbols: Mapping[str, str],
        head: str = "",
        declared: bool = True,
        status: bool = False,
    ):
        self.words, self.buffers, self.symbols = words, buffers, symbols
        self.head, self.declared, self.status = head, declared, status
        self._copies: dict[tuple[str, tuple[str, ...]], str] = {}
        self._calls: list[Call] = []

    def write(self, entries: Mapping[str, Sequence[Call]]) -> Adapter:
        """The adapter whose entries make those calls."""
        numbers = {entry: tuple(map(self._number, calls)) for entry, calls in entries.items()}
        functions = "".join(self._function(entry, calls) for entry, calls in entries.items())
        block, struct = self._block()
        declarations = self.head + "".join(map(self._declaration, range(len(self._calls))))
        return Adapter(
            block=block,
            symbols=tuple(dict.fromkeys(self.symbols[call.function] for call in self._calls)),
            calls=numbers,
            text=declarations + struct + functions,
            probe=declarations + self._probe(),
            block_bytes=self._counted(),
            kept=frozenset(map(_buffer, self.buffers)),
        )

    def _number(self, call: Call) -> int:
        if call not in self._calls:
            self._calls.append(call)
        return self._calls.index(call)

    def _called(self, number: int) -> str:
        """The name by which the adapter knows a function."""
        function = self._calls[number].function
        return f"tf_function{number}" if self._declares(function) else function

    def _declares(self, function: str) -> bool:
        return self.declared or not self.symbols[function].endswith(function)

    def _declaration(self, number: int) -> str:
        call = self._calls[number]
        if not self._declares(call.function):
            return ""
        parameters = ", ".join(map(self._type, call.arguments)) or "void"
        result, symbol = "int" if self.status else "void", self.symbols[call.function]
        return f'extern {result} tf_function{number}({parameters}) __asm__("{symbol}");\n'

    def _type(self, argument: Argument) -> str:
        if not _KNOWN.fullmatch(argument.type):
            which = "one of C or of stdint.h, or --header with a file that has it"
            raise UsageError(f"type {argument.type!r}: expected {which}")
        if argument.is_constant:
            return argument.type or f"__typeof__({argument.what})"
        return (argument.type or "unsigned") if argument.what in NUMBERS else "void *"

    def _function(self, entry: str, calls: Sequence[Call]) -> str:
        used = dict.fromkeys((each.what, each.orders) for call in calls for each in call.arguments)
        copies = {each: self._copy(*each) for each in used if self._is_copied(*each)}
        lines = ["    unsigned n;", "    (void)n;"]
        for (what, orders), place in copies.items():
            if HEX in orders:
                lines += self._digits(what, orders, place)
            elif what != "out":
                lines.append(self._loop(what, orders, f"{place}[n] = {self._held(what)}[{{index}}]"))
        lines += [self._statement(call, copies) for call in calls]
        for (what, orders), place in copies.items():
            if what in _ANSWERS:
                lines.append(self._loop(what, orders, f"{self._held(what)}[{{index}}] = {place}[n]"))
        return f"void {NAME}_{entry}(tf_block *block)\n{{\n" + "\n".join(lines) + "\n}\n"

    def _statement(self, call: Call, copies: Mapping[tuple[str, tuple[str, ...]], str]) -> str:
        passed = ", ".join(self._passed(each, copies) for each in call.arguments)
        made = f"{self._called(self._number(call))}({passed})"
        return f"    block->{STATUS}[0] = {made};" if self.status else f"    {made};"

    def _passed(self, argument: Argument, copies: Mapping[tuple[str, tuple[str, ...]], str]) -> str:
        cast = f"({argument.type})" if argument.type else ""
        if argument.is_constant:
            return f"{cast}{argument.what}"
        if argument.what in self.buffers:
            return f"{cast}(void *)block->{_buffer(argument.what)}"
        place = copies.get((argument.what, argument.orders)) or self._held(argument.what)
        return f"{cast}{place}" if argument.what in NUMBERS else f"{cast}(void *){place}"

    def _loop(self, what: str, orders: Sequence[str], body: str) -> str:
        size = self.words.fields[self.words.held[what]]
        return f"    for (n = 0; n < {size}; n++)\n        {body.format(index=_index(orders, size, what))};"

    def _digits(self, what: str, orders: tuple[str, ...], place: str) -> list[str]:
        """The bytes as text, each digit without a look-up: 39 leads from behind 9 to a."""
        size = self.words.fields[self.words.held[what]]
        byte = f"{self._held(what)}[{_index(orders[1:], size, what)}]"
        digits = (f"{byte} >> 4", f"{byte} & 15")
        body = "".join(
            f"        {place}[2 * n + {at}] = 48 + ({digit}) + ((9 - (int)({digit})) >> 8 & 39);\n"
            for at, digit in enumerate(digits)
        )
        return [f"    for (n = 0; n < {size}; n++) {{\n{body}    }}", f"    {place}[{2 * size}] = 0;"]

    def _is_copied(self, what: str, orders: tuple[str, ...]) -> bool:
        return what in self.words.held and (bool(orders) or self._is_fresh(what))

    def _is_fresh(self, what: str) -> bool:
        return what == _FRESH and self.words.held[what] in map(self.words.held.get, _ANSWERS)

    def _copy(self, what: str, orders: tuple[str, ...]) -> str:
        return "block->" + self._copies.setdefault((what, orders), f"copy{len(self._copies)}")

    def _held(self, what: str) -> str:
        return f"block->{self.words.held[what]}"

    def _block(self) -> tuple[Block, str]:
        """The block in C and here: every field at an even offset, so in the order of both the same."""
        sizes = dict(self.words.fields)
        sizes |= {
            name: _passed_bytes(self.words.fields[self.words.held[what]], orders)
            for (what, orders), name in self._copies.items()
        }
        sizes |= {_buffer(name): size for name, size in self.buffers.items()}
        fields, placed, offset = [], [], 0
        for name, size in sizes.items():
            kind, count = ("short", size // 2) if name in (LENGTHS, STATUS) else ("char", size)
            fields.append(f"    unsigned {kind} {name}[{count}] __attribute__((aligned(2)));\n")
            placed.append((name, offset, size))
            offset += size + size % 2
        struct = f"typedef struct {{\n{''.join(fields)}}} tf_block;\n"
        check = f'_Static_assert(sizeof(tf_block) == {offset}, "the block of the adapter");\n'
        return Block(tuple(placed), offset), struct + check

    def _probe(self) -> str:
        """Calls with zeros, that show what the arguments take of the stack."""
        lines = [f'extern void tf_nothing(void) __asm__("{next(iter(self.symbols.values()))}");']
        calls = [("none", "tf_nothing()")]
        for number, call in enumerate(self._calls):
            zeros = ", ".join("0" if each.is_constant else _zero(each) for each in call.arguments)
            calls.append((f"push{number}", f"{self._called(number)}({zeros})"))
        lines += [f'void {NAME}_{name}(void) {{ {call}; __asm__ volatile(""); }}' for name, call in calls]
        return "\n".join(lines) + "\n"

    def _counted(self) -> int:
        passed = {(each.what, each.orders) for call in self._calls for each in call.arguments}
        words = sum(_passed_bytes(self.words.counted.get(what, 0), orders) for what, orders in passed)
        return words + sum(self.buffers.values())


def _passed_bytes(size: int, orders: Sequence[str]) -> int:
    """The bytes that a word takes as it is passed."""
    return 2 * size + 1 if HEX in orders else size


def _zero(argument: Argument) -> str:
    return "0" if argument.what in NUMBERS else "(void *)0"


def _buffer(name: str) -> str:
    """The field of a buffer of the caller's own."""
    return f"own_{name}"


def _index(orders: Sequence[str], size: int, what: str) -> str:
    """Which byte of a word is byte `n` of what the function gets."""
    index = "n"
    for order in orders:
        word = ORDERS[order] or size
        if size % word:
            raise UsageError(f"{order}({what}): expected words of {word} bytes, found {size} bytes")
        index = f"({index} ^ {word - 1})" if ORDERS[order] else f"({size - 1} - {index})"
    return index
