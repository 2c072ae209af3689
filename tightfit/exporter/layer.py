"""What the functions for whole messages take beside the routine, as the target's C compiler makes them.

A routine that returns at once stands in for the real one. Calls of it, and what a caller does to pass
arguments, are taken off.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from tightfit.contenders.compiler import compiler
from tightfit.contenders.convention import load_convention
from tightfit.contenders.linking import ContenderBuilder
from tightfit.errors import UsageError, WorkError
from tightfit.exporter.messages import Call
from tightfit.harness.bench import CYCLE_LIMIT
from tightfit.harness.build import Image, functions
from tightfit.harness.caller import places
from tightfit.harness.routine import Rejected, Routine
from tightfit.harness.script import Outcome
from tightfit.targets import load_target

NAME = "tf"
"""The name of the library that is measured."""
FLAGS = ("-std=c99", "-Os")
_PROBE, _ALONE, _RUN = "probe", "alone", "run"
_NO_RUN = 255
_BUFFER = f"2 * ({NAME.upper()}_BLOCK_BYTES + 64)"
"""Room for two blocks, a key and a digest."""
_PROBING = ("-std=c99", "-Os", "-fno-builtin", "-fno-optimize-sibling-calls", "-fno-jump-tables")
_COMMENT = re.compile(r"[ \t]*/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Row:
    """What a call of a function takes beside the routine: bytes of stack, and cycles.

    The stack has return address and arguments in it; `what` says what the function is called with.
    """

    function: str
    what: str
    stack: int
    cycles: int


@dataclass(frozen=True)
class Layer:
    """What the functions take: bytes of ROM in all and by function, bytes of a context, and their calls.

    `compiler` and `flags` are what they were compiled with; `borrowed` are functions of the C library and
    their bytes, which are in the ROM too.
    """

    compiler: str
    flags: str
    rom: int
    borrowed: Mapping[str, int]
    functions: Mapping[str, int]
    context: int
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Text:
    """C to be measured: headers by name, the source, the routine's entries, and what is called."""

    headers: tuple[tuple[str, str], ...]
    source: str
    entries: tuple[str, ...]
    calls: tuple[Call, ...]

    @classmethod
    def of(
        cls, headers: Mapping[str, str], source: str, entries: Sequence[str], calls: Sequence[Call]
    ) -> "Text":
        """Without comments, so that equal C is measured once."""
        plain = tuple((name, _COMMENT.sub("", text)) for name, text in headers.items())
        return cls(plain, _COMMENT.sub("", source), tuple(entries), tuple(calls))


@cache
def measure_layer(target: str, part: str, text: Text) -> tuple[Layer | None, str]:
    """The functions as measured; None and the reason where they cannot be."""
    try:
        return _Measured(target, part, text).layer, ""
    except (WorkError, UsageError, Rejected) as reason:
        return None, str(reason)


@dataclass(frozen=True)
class _Block:
    """The parameter block of probes: the number of what is run."""

    fields: tuple[tuple[str, int, int], ...] = (("number", 0, 2),)
    size: int = 2


_BLOCK = _Block()


class _Measured:
    """Images with the functions and without, and what calls of them take."""

    def __init__(self, target: str, part: str, text: Text):
        self.target, self.text = load_target(target), text
        self.part = self.target.part(part)
        self.cc = compiler(self.target, self.part)
        self.convention = load_convention(self.target.folder)
        self.machine = self.convention.machine(self.target, self.part, CYCLE_LIMIT)
        self.builder = ContenderBuilder(self.target, self.part, self.cc, foreign=False)

    @cached_property
    def layer(self) -> Layer:
        """All that is told."""
        try:
            return self._layer()
        finally:
            self.builder.close()

    def _layer(self) -> Layer:
        symbol, build = self.target.abi.symbol, self.builder
        include = [build.headers(dict(self.text.headers))]
        made = build.compile_text(self.text.source, "messages", FLAGS, include)
        probes = build.compile_text(self._probes(), _PROBE, _PROBING, include)
        object_file = build.read(made)
        named = {one.name: one for one in object_file.symbols if one.kind == "function" and one.exported}
        own = [*named, symbol(f"{_PROBE}_{_ALONE}")]
        routine = [symbol(f"{NAME}_{entry}") for entry in self.text.entries]
        ret = (self.target.returns,)
        slow = ("nop", *ret)
        stub = build.assemble(self._functions(routine, *ret), "stub")
        nothing = build.assemble(self._functions(own[:-1]), "nothing")
        alone = build.assemble(self._functions(own[-1:], *ret), _ALONE)
        absent = build.assemble(self._functions(routine), "absent")
        whole, without = (self._image(probes, absent, alone, objects) for objects in (made, nothing))
        images = (
            self._image(probes, stub, alone, made),
            self._image(probes, stub, alone, build.assemble(self._functions(own[:-1], *ret), "ending")),
        )
        slower = build.assemble(self._functions(routine, *slow), "slower")
        longer = build.assemble(self._functions(own[-1:], *slow), "longer")
        images += (self._image(probes, slower, longer, made),)
        context = build.read(probes).named[symbol(f"{_PROBE}_ctx")].size
        there = {one.name for one in (*object_file.symbols, *without.elf.symbols)}
        borrowed = {one.name for one in whole.elf.symbols if one.kind == "function"} - there
        functions = {name.removeprefix(symbol(f"{NAME}_")): one.size for name, one in named.items()}
        rows = tuple(self._row(call, *images) for call in self.text.calls)
        return Layer(
            compiler=f"{self.cc.name} {self.cc.version}",
            flags=" ".join((*self.cc.options, FLAGS[-1])),
            rom=whole.rom - without.rom,
            borrowed={name.removeprefix(symbol("")): whole.symbols[name].size for name in sorted(borrowed)},
            functions=functions,
            context=context,
            rows=rows,
        )

    def _functions(self, symbols: Sequence[str], *code: str) -> str:
        return functions(self.target, symbols, *code)

    def _row(self, call: Call, real: Image, empty: Image, slow: Image) -> Row:
        """What a call takes: in an image with the functions, less in one where they return at once."""

        def cycles(image: Image, *numbers: int) -> int:
            first, *base = (int(self._run(image, number).cycles[0]) for number in numbers)
            return first - sum(base)

        runs = [self._number(call.before + text) for text in (call.call, call.less) if call.before + text]
        alone, longer = (self._call(image, _ALONE) for image in (real, slow))
        one, nop = int(alone.cycles[0]), int(longer.cycles[0]) - int(alone.cycles[0])
        routines = (cycles(slow, *runs) - cycles(real, *runs)) // nop
        taken = cycles(real, *runs) - cycles(empty, *runs) + (0 if call.less else one)
        stack = self._run(real, runs[0]).stack - self._run(real, _NO_RUN).stack - alone.stack
        stack -= alone.stack + self.convention.argument_bytes(self.target) if routines else 0
        return Row(call.function, call.what, stack, taken - routines * one)

    def _run(self, image: Image, number: int) -> Outcome:
        return self._call(image, _RUN, number)

    def _call(self, image: Image, entry: str, number: int = _NO_RUN) -> Outcome:
        self.machine.load(image)
        self.machine.start(places(image, _BLOCK.size)[0], self.machine.callers.callers[0])
        return self.machine.call(entry, np.array([[number, 0]], np.uint8), np.ones(_BLOCK.size, np.uint8))

    def _image(self, *objects: Path) -> Image:
        return self.builder.link(Routine("", _PROBE, (_ALONE, _RUN), _BLOCK, static=None), objects)

    @cached_property
    def _sequences(self) -> list[str]:
        """What is run: each call after what goes before it, and that alone."""
        texts = (call.before + text for call in self.text.calls for text in (call.call, call.less))
        return [*filter(None, dict.fromkeys(texts))]

    def _number(self, sequence: str) -> int:
        return self._sequences.index(sequence)

    def _probes(self) -> str:
        """C with a function for every sequence, and one that calls the one whose number is in its block."""
        ctx = f"{_PROBE}_ctx"
        lines = [
            f'#include "{NAME}_messages.h"',
            f"{NAME}_ctx {ctx};",
            f"uint8_t {_PROBE}_data[{_BUFFER}], {_PROBE}_out[{_BUFFER}], {_PROBE}_key[{_BUFFER}];",
            f"void {_PROBE}_{_RUN}(const uint8_t *which);",
        ]
        for number, text in enumerate(self._sequences):
            called = re.sub(r"\b(ctx|data|out|key)\b", rf"{_PROBE}_\1", text).replace("@", f"{NAME}_")
            lines.append(f"static __attribute__((noinline)) void run{number}(void) {{ {called} }}")
        cases = (f"    case {number}: run{number}(); break;" for number in range(len(self._sequences)))
        head = f"void {_PROBE}_{_RUN}(const uint8_t *which) {{ switch (*which) {{"
        return "\n".join([*lines, head, *cases, "    }", "}", ""])
