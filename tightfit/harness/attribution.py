"""Where the bytes and the cycles of a routine are, by fragment."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tightfit.harness.build import STUB_SECTION, Image
from tightfit.harness.routine import EmissionLabels
from tightfit.records import RomShare, TimeShare

Path = tuple[str, ...]
UNATTRIBUTED = ""


@dataclass(frozen=True)
class FragmentMap:
    """The innermost fragment of every stored byte, and where fragments are entered.

    `entrances` maps an address to the fragments whose emissions begin there, outermost first; empty emissions
    have none.
    """

    at: Mapping[int, str]
    entrances: Mapping[int, Path]
    rom: tuple[RomShare, ...]


def map_fragments(image: Image, emissions: Sequence[EmissionLabels]) -> FragmentMap:
    """The fragments of a linked image, from the labels round each emission.

    An emission may change sections. Bytes between two labels of a section belong to the innermost emission
    that was open just before the later label.
    """
    at = dict.fromkeys(_stored_addresses(image), UNATTRIBUTED)
    entrances: dict[int, Path] = defaultdict(tuple)
    entered: set[int] = set()
    for begin, end, stack in _stretches(image, emissions):
        if stack:
            at.update(dict.fromkeys(range(begin, end), emissions[stack[-1]].fragment))
        for index in stack:
            if index not in entered:
                entered.add(index)
                entrances[begin] += (emissions[index].fragment,)
    count = Counter(emission.fragment for emission in emissions)
    held = Counter(at.values())
    rom = tuple(RomShare(name, held[name], count[name]) for name in sorted({*count, *held}))
    return FragmentMap(at, entrances, rom)


def _stretches(
    image: Image, emissions: Sequence[EmissionLabels]
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """(begin, end, open emissions) of the bytes between neighbouring labels of each section."""
    position = {section.index: section.address for section in image.elf.sections}
    after: dict[int, tuple[int, ...]] = {}
    stack: tuple[int, ...] = ()
    for label, later in _labels(emissions):
        symbol = image.symbols[label]
        begin = position.get(symbol.section, symbol.address)
        if begin < symbol.address:
            yield begin, symbol.address, stack
        position[symbol.section] = symbol.address
        stack = after[symbol.section] = later
    for section in image.elf.sections:
        if position[section.index] < section.address + section.size:
            yield position[section.index], section.address + section.size, after.get(section.index, ())


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


def _stored_addresses(image: Image) -> Iterable[int]:
    for section in image.elf.sections:
        if section.name != STUB_SECTION and section.data:
            yield from range(section.address, section.address + section.size)


def time_shares(entry: str, profile, fragments: FragmentMap) -> Counter[tuple[str, Path, str]]:
    """Cycles and executions of a profiled call, keyed (entry, path, "cycles" or "executions").

    The caller's own call instruction has the empty path; a path ends with the fragment that spends the cycles
    and begins with the fragments of the call sites that lead to it.
    """
    found: Counter[tuple[str, Path, str]] = Counter()
    paths = _call_paths(profile, fragments)
    for node, cells in profile.cells.items():
        for address, (executions, cycles) in cells.items():
            path = paths[node]
            if address in fragments.at:
                found[entry, (*path, fragments.at[address]), "cycles"] += cycles
            else:
                found[entry, path, "cycles"] += cycles
                found[entry, path, "executions"] += executions
            for fragment in fragments.entrances.get(address, ()):
                found[entry, (*path, fragment), "executions"] += executions
    return found


def _call_paths(profile, fragments: FragmentMap) -> dict[int, Path]:
    paths: dict[int, Path] = {}
    for node in profile.nodes:  # a parent comes before its children
        if node.parent < 0 or node.call_site not in fragments.at:
            paths[node.node] = ()
        else:
            paths[node.node] = (*paths[node.parent], fragments.at[node.call_site])
    return paths


def shares(found: Counter[tuple[str, Path, str]]) -> tuple[TimeShare, ...]:
    """The records of what `time_shares` found, in a fixed order."""
    keys = sorted({(entry, path) for entry, path, _ in found})
    return tuple(
        TimeShare(entry, path, found[entry, path, "cycles"], found[entry, path, "executions"])
        for entry, path in keys
    )


def combined(found: Counter[tuple[str, Path, str]], parts: Mapping[str, Sequence[str]]):
    """Shares of entries that consist of several calls: those of their parts, added."""
    total: Counter[tuple[str, Path, str]] = Counter()
    for whole, names in parts.items():
        for (entry, path, what), amount in found.items():
            total[whole, path, what] += amount * names.count(entry)
    return total
