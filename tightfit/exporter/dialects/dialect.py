"""A dialect of a target's assembly: text for another assembler from the one source, and the way back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from tightfit.exporter.dialects.instructions import Sizes
from tightfit.exporter.dialects.lines import Directive, Instruction, Line, wrong
from tightfit.exporter.dialects.reach import check_reach, expanded
from tightfit.exporter.dialects.reader import Reader
from tightfit.exporter.dialects.sections import Program, gather, with_sizes, with_spaces
from tightfit.exporter.dialects.spelling import Spelling, load_spelling
from tightfit.exporter.dialects.writer import Writer
from tightfit.targets import load_target

_BASE, _SIZES = "gnu", "instructions"


@dataclass(frozen=True)
class Dialect:
    """One assembler's dialect.

    `words` is the assembler's name on a data sheet, `extension` that of its files, `tools` the programs that
    assemble them, `command_lines` the commands (`{name}` is the file's name), `notes` what a user must know.
    """

    spelling: Spelling
    base: Spelling
    sizes: Sizes

    @property
    def name(self) -> str:
        """`ccrl`, `llvm` or `iar`."""
        return self.spelling.name

    @property
    def words(self) -> str:
        """The assembler's name."""
        return self.spelling.words

    @property
    def extension(self) -> str:
        """Extension of its files, with the full stop."""
        return self.spelling.extension

    @property
    def tools(self) -> tuple[str, ...]:
        """Programs that assemble it."""
        return self.spelling.tools

    @property
    def command_lines(self) -> tuple[str, ...]:
        """Commands that assemble a file called `{name}`."""
        return self.spelling.command_lines

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user must know, a sentence each."""
        return self.spelling.notes

    def source(self, gnu_source: str, stack: Mapping[str, int] | None = None) -> str:
        """The text of a GNU source in this dialect, the same bytes in the same order.

        Parameters
        ----------
        stack : bytes of stack by symbol, return address included, for assemblers that take a note of it.

        Raises
        ------
        UsageError
            The source has something that the dialect does not know; the message names the line.
        """
        program = gather(Reader(self.base, self.sizes).read(gnu_source))
        blocks = {name: expanded(lines, self.sizes) for name, lines in program.blocks.items()}
        if self.spelling.zeros == "written":
            blocks = {name: lines if name == ".bss" else _filled(lines) for name, lines in blocks.items()}
        if ".text" in blocks:
            blocks[".text"] = _with_stack(blocks[".text"], stack or {})
        return Writer(self.spelling, with_spaces(program.preamble, blocks)).write()

    def back(self, text: str) -> str:
        """The GNU source of a text in this dialect.

        Raises
        ------
        UsageError
            The text is not in the dialect, a branch is out of reach, or an address is taken with the operator
            for another memory; the message names the line.
        """
        program = gather(Reader(self.spelling, self.sizes).read(text))
        for lines in program.blocks.values():
            check_reach(lines, self.sizes)
            for line in lines:
                _check_claims(line, program)
        if "size" not in self.spelling.directives:
            program = with_sizes(program)
        return Writer(self.base, program).write()


@cache
def dialects(target: str) -> Mapping[str, Dialect]:
    """The dialects of a target other than GNU's, by name; none where the target has no folder of them.

    Raises
    ------
    UsageError
        There is no such target, or the data of a dialect is not in order.
    """
    folder = load_target(target).folder / "dialects"
    if not folder.is_dir():
        return MappingProxyType({})
    base, sizes = load_spelling(folder / f"{_BASE}.yaml"), Sizes(folder / f"{_SIZES}.yaml")
    spellings = (
        load_spelling(file) for file in sorted(folder.glob("*.yaml")) if file.stem not in (_BASE, _SIZES)
    )
    return MappingProxyType({spelling.name: Dialect(spelling, base, sizes) for spelling in spellings})


def _with_stack(lines: tuple[Line, ...], stack: Mapping[str, int]) -> tuple[Line, ...]:
    """The lines with a note of the stack before the label of each symbol whose stack is given."""
    noted: list[Line] = []
    for line in lines:
        if line.label in stack:
            fields = (("symbol", line.label), ("count", str(stack[line.label])))
            noted.append(Line(0, item=Directive("stack", fields)))
        noted.append(line)
    return tuple(noted)


def _filled(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines with bytes of zero in place of space."""
    filled: list[Line] = []
    for line in lines:
        if isinstance(line.item, Directive) and line.item.name == "space":
            zeros = ", ".join("0" * int(line.item["count"]))
            line = replace(line, item=Directive("byte", (("values", zeros),)))
        filled.append(line)
    return tuple(filled)


def _check_claims(line: Line, program: Program) -> None:
    if not isinstance(line.item, Instruction):
        return
    for operand in line.item.operands:
        value = operand.value
        if value and value.claims and value.claims != program.space(value.symbol):
            raise wrong(line, value.symbol, f"is taken for an address in {value.claims}, and is not there")
