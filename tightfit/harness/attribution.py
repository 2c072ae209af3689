"""Where the bytes and the cycles of a routine are, by fragment."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightfit.harness.build import STUB_SECTION, Image
from tightfit.harness.elf import Section
from tightfit.harness.routine import EmissionLabels
from tightfit.records import RomShare, TimeShare

Path = tuple[str, ...]
Shares = Counter[tuple[str, Path, str]]
UNATTRIBUTED = ""
_FOREIGN = -1


@dataclass(frozen=True)
class FragmentMap:
    """The innermost fragment of every stored byte, and where fragments are entered.

    `at` holds, by address in flash from `base` on, an index into `names`, or -1 where the routine has no
    byte; `entered` says where fragments begin. `entrances` maps an address to the fragments that begin there,
    outermost first; empty emissions have none.
    """

    names: tuple[str, ...]
    base: int
    at: NDArray[np.int16]
    entered: NDArray[np.bool_]
    entrances: Mapping[int, Path]
    rom: tuple[RomShare, ...]

    def index(self, address: int) -> int:
        """Index into `names` of the fragment at an address, or -1."""
        place = address - self.base
        return int(self.at[place]) if 0 <= place < len(self.at) else _FOREIGN


def map_fragments(image: Image, emissions: Sequence[EmissionLabels]) -> FragmentMap:
    """The fragments of a linked image, from the labels round each emission.

    An emission may change sections. Bytes between two labels of a section belong to the innermost emission
    that was open just before the later label, and so do those that the assembler pads the end of code with.
    """
    count = Counter(emission.fragment for emission in emissions)
    names = (UNATTRIBUTED, *count)
    number = {name: index for index, name in enumerate(names)}
    base = min((section.load for section in _own(image)), default=0)
    end = max((section.load + section.size for section in _own(image)), default=0)
    at = np.full(end - base, _FOREIGN, np.int16)
    for section in _own(image):
        at[section.load - base :][: section.size] = number[UNATTRIBUTED]
    entrances: dict[int, Path] = defaultdict(tuple)
    seen: set[int] = set()
    for begin, end, stack in _stretches(image, emissions):
        if stack:
            at[begin - base : end - base] = number[emissions[stack[-1]].fragment]
        for index in stack:
            if index not in seen:
                seen.add(index)
                entrances[begin] += (emissions[index].fragment,)
    held = np.bincount(at[at != _FOREIGN], minlength=len(names)).tolist()
    rom = [
        RomShare(name, size, count[name])
        for name, size in zip(names, held, strict=True)
        if size or count[name]
    ]
    entered = np.zeros(len(at), np.bool_)
    entered[[address - base for address in entrances]] = True
    return FragmentMap(
        names, base, at, entered, entrances, tuple(sorted(rom, key=lambda share: share.fragment))
    )


def _own(image: Image) -> list[Section]:
    return [section for section in image.elf.sections if section.name != STUB_SECTION and section.data]


def _stretches(
    image: Image, emissions: Sequence[EmissionLabels]
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """(begin, end, open emissions) of the bytes between neighbouring labels, by address in flash."""
    sections = {section.index: section for section in _own(image)}
    position = {index: section.load for index, section in sections.items()}
    before: dict[int, tuple[int, ...]] = {}
    after: dict[int, tuple[int, ...]] = {}
    stack: tuple[int, ...] = ()
    for label, later in _labels(emissions):
        symbol = image.symbols[label]
        if symbol.section in sections:
            section = sections[symbol.section]
            # a linker that shortens jumps (MSP430) leaves labels at the end of a section behind it
            address = min(symbol.address - section.address, section.size) + section.load
            if position[section.index] < address:
                yield position[section.index], address, stack
            position[section.index] = address
            before[section.index], after[section.index] = stack, later
        stack = later
    for index, section in sections.items():
        begin, end = position[index], section.load + section.size
        if begin < end:
            is_padding = section.executable and end - begin < section.alignment
            yield begin, end, after.get(index) or (before.get(index, ()) if is_padding else ())


def _labels(emissions: Sequence[EmissionLabels]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The labels in the order of the source, each with the emissions that are open behind it."""
    stack: tuple[int, ...] = ()
    for index, emission in enumerate(emissions):
        while stack and stack[-1] != emission.parent_index:
            yield emissions[stack[-1]].end_label, stack[:-1]
            stack = stack[:-1]
        stack = (*stack, index)
        yield emission.begin_label, stack
    while stack:
        yield emissions[stack[-1]].end_label, stack[:-1]
        stack = stack[:-1]


def time_shares(entry: str, nodes: Sequence, cells: NDArray[Any], fragments: FragmentMap) -> Shares:
    """Cycles and executions of a profiled call, keyed (entry, path, "cycles" or "executions").

    The caller's own call instruction has the empty path; a path ends with the fragment that spends the cycles
    and begins with the fragments of the call sites that lead to it.

    Parameters
    ----------
    nodes : call paths, the caller's own first.
    cells : fields `node`, `address`, `executions`, `cycles`.
    """
    spent: Shares = Counter()
    paths = _call_paths(nodes, fragments)
    address = cells["address"]
    within = (address >= fragments.base) & (address < fragments.base + len(fragments.at))
    place = np.where(within, address - fragments.base, 0)  # not within are the caller and code elsewhere
    index = np.where(within, fragments.at[place], _FOREIGN)
    width = len(fragments.names) + 1
    keys = cells["node"].astype(np.int64) * width + index + 1
    cycles = np.bincount(keys, weights=cells["cycles"])  # exact: far below 2^53
    for key in np.flatnonzero(cycles).tolist():
        node, number = divmod(key, width)
        path = (*paths[node], fragments.names[number - 1]) if number else paths[node]
        spent[entry, path, "cycles"] += int(cycles[key])
    for node, _, executions, _ in cells[index == _FOREIGN].tolist():
        spent[entry, paths[node], "executions"] += executions
    for node, at, executions, _ in cells[fragments.entered[place] & (index != _FOREIGN)].tolist():
        for fragment in fragments.entrances[at]:
            spent[entry, (*paths[node], fragment), "executions"] += executions
    return spent


def _call_paths(nodes: Sequence, fragments: FragmentMap) -> list[Path]:
    paths: list[Path] = []
    for node in nodes:  # a parent comes before its children
        site = fragments.index(node.call_site) if node.parent >= 0 else _FOREIGN
        paths.append((*paths[node.parent], fragments.names[site]) if site != _FOREIGN else ())
    return paths


def shares(spent: Shares) -> tuple[TimeShare, ...]:
    """The records of what `time_shares` counted, in a fixed order."""
    keys = sorted({(entry, path) for entry, path, _ in spent})
    return tuple(
        TimeShare(entry, path, spent[entry, path, "cycles"], spent[entry, path, "executions"])
        for entry, path in keys
    )


def combined(spent: Shares, parts: Mapping[str, Sequence[str]]) -> Shares:
    """Shares of entries that consist of several calls: the sums of the shares of these calls."""
    total: Shares = Counter()
    for whole, names in parts.items():
        for (entry, path, what), amount in spent.items():
            total[whole, path, what] += amount * names.count(entry)
    return total
