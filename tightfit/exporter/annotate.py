"""The assembly that people read: which register holds what, and above every stretch its step and its cost."""

import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tightfit.exporter.prepared import Prepared
from tightfit.generator import Emission
from tightfit.generator.notes import load_notes
from tightfit.records import Measurement
from tightfit.reports import words
from tightfit.targets import load_target

WIDTH = 100
_EDGE = re.compile(r"__tf_([be])(\d+):")


def annotated(prepared: Prepared) -> str:
    """The routine's source with a register map on top and a comment above every stretch.

    A stretch is an emission of a fragment. Its cost is what was measured for the fragment: its bytes, and for
    each entry the cycles and executions of a call, without those of stretches inside it and of what it calls.
    """
    variant = prepared.measurement.variant
    notes = load_notes(variant.target, variant.primitive)
    steps = {
        emission.fragment: notes.step(variant, emission.fragment) for emission in prepared.rendered.emissions
    }
    costs = _costs(prepared.measurement, prepared.rendered.entries)
    begin = load_target(variant.target).comment
    writer = _Writer(prepared.rendered.emissions, steps, costs, begin)
    registers = _register_map(notes.registers(variant), begin)
    return "\n".join([*registers, *writer.lines(prepared.marked)]) + "\n"


@dataclass
class _Writer:
    """Turns the labels round emissions into comments, which begin with `begin`."""

    emissions: Sequence[Emission]
    steps: dict[str, str]
    costs: dict[str, str]
    begin: str
    _open: list[int] = field(default_factory=list)
    _said: set[int] = field(default_factory=set)

    def lines(self, marked: str) -> Iterator[str]:
        owner: int | None = None
        for line in marked.splitlines():
            edge = _EDGE.fullmatch(line)
            if edge:
                self._cross(edge[1], int(edge[2]))
            elif line.strip():
                inside = self._open[-1] if self._open else None
                if inside != owner:
                    yield from self._heading(inside)
                    owner = inside
                yield _laid_out(line, self.begin)

    def _cross(self, edge: str, index: int) -> None:
        if edge == "b":
            self._open.append(index)
        else:
            self._open.pop()

    def _heading(self, index: int | None) -> Iterator[str]:
        """The comment above a stretch; where a stretch goes on after another, the comment says only that."""
        yield ""
        if index is None:
            return
        name = self.emissions[index].fragment
        if index in self._said:
            yield f"{self.begin} -- {name}, continued"
            return
        alike = [i for i, emission in enumerate(self.emissions) if emission.fragment == name]
        is_first = self._said.isdisjoint(alike)  # of those that have lines
        self._said.add(index)
        turn = alike.index(index) + 1
        count = f", {turn} of {len(alike)}" if len(alike) > 1 else ""
        yield f"{self.begin} -- {name}{count}" + (f": {self.steps[name]}" if self.steps[name] else "")
        if is_first and name in self.costs:
            together = f"the {len(alike)} stretches together: " if len(alike) > 1 else ""
            yield from _wrapped(together + self.costs[name], f"{self.begin} ")


def _laid_out(line: str, begin: str) -> str:
    """Label at the margin, mnemonic at column 8, operands at 16, comment at 40."""
    code, mark, comment = line.partition(begin)
    words = code.split(None, 1)
    if not words:
        return line.strip()
    if not words[0].endswith(":"):
        code = f"        {words[0]:7} {' '.join(words[1:])}"
    code = code.rstrip()
    return f"{code:40}{begin} {comment.strip()}" if mark else code


def _costs(measurement: Measurement, entries: Sequence[str]) -> dict[str, str]:
    """Bytes, and by entry cycles and executions of a call, of every fragment."""
    attribution = measurement.attribution
    if attribution is None:
        return {}
    sums = {"encrypt", "decrypt"} - set(entries)  # each the sum of two calls
    spent: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for share in attribution.time:
        if share.path and share.entry not in sums:
            spent[share.path[-1]][share.entry] += Counter(cycles=share.cycles, runs=share.executions)
    return {
        share.fragment: "; ".join([f"{share.bytes} B", *_spent(spent[share.fragment], attribution.inputs)])
        for share in attribution.rom
    }


def _spent(by_entry: dict[str, Counter[str]], inputs: int) -> Iterator[str]:
    """Cycles and executions of a call; entries with the same figures are named together."""
    alike: dict[str, list[str]] = defaultdict(list)
    for entry, sums in by_entry.items():
        cycles, runs = (_figure(Fraction(sums[what], inputs)) for what in ("cycles", "runs"))
        alike[f"{cycles} cycles in {runs} {'run' if runs == '1' else 'runs'}"].append(entry)
    for figures, entries in alike.items():
        yield f"{', '.join(entries)}: {figures}"


def _figure(mean: Fraction) -> str:
    return words.cycles(int(mean) if mean.denominator == 1 else float(mean))


def _register_map(registers: Sequence[tuple[str, str]], begin: str) -> Iterator[str]:
    if not registers:
        return
    yield f"{begin} Registers and memory:"
    width = max(len(name) for name, _ in registers)
    for name, meaning in registers:
        yield from _wrapped(f"{name.ljust(width)}  {meaning}", f"{begin}   ", " " * (width + 2))
    yield ""


def _wrapped(text: str, begin: str, further: str = "") -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=begin, subsequent_indent=f"{begin}{further}", break_long_words=False
    )
