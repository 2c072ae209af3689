"""Which instructions of a routine let its time depend on secrets, by fragment."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from tightfit.harness import attribution
from tightfit.harness.attribution import FragmentMap
from tightfit.harness.build import Image
from tightfit.harness.caller import places
from tightfit.harness.kinds import Dialogue, Kind, Turn
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Bytes, Routine
from tightfit.harness.simulator import FLASH_LOOKUP, Seen, Taint, TaintedRun
from tightfit.records import Attribution, LeakShare, Secrecy

PUBLIC = frozenset({"flags", "length", "iv", "nonce", "data_size", "text_size"})
"""Fields of the parameter block that are no secrets: all others that the caller gives are."""
_ALL = 0xFF


@dataclass(frozen=True)
class Spot:
    """An instruction at which a secret shows, as `Seen` has it, over all calls of the `entries` that met it.

    `fragment` is the innermost one, "" outside of all.
    """

    fragment: str
    address: int
    kind: str
    count: int
    entries: tuple[str, ...]


@dataclass(frozen=True)
class Secrets:
    """What a routine's calls show of its secrets, by address.

    Without `leaks`, a call takes the same cycles for all secrets. `balanced` and `lookups` do not move the
    time, but those of `flash_lookups` where flash is fetched ahead from.
    """

    leaks: tuple[Spot, ...]
    balanced: tuple[Spot, ...]
    lookups: tuple[Spot, ...]

    @property
    def flash_lookups(self) -> tuple[Spot, ...]:
        """Those of the look-ups that may be in flash behind a prefetcher."""
        return tuple(spot for spot in self.lookups if spot.kind == FLASH_LOOKUP)

    @property
    def secrecy(self) -> Secrecy:
        """The number of instructions of each sort."""
        sorts = (self.leaks, self.balanced, self.lookups, self.flash_lookups)
        return Secrecy(*(len({spot.address for spot in spots}) for spots in sorts))

    def placed_in(self, attribution: Attribution) -> Attribution:
        """An attribution with what these say of its fragments."""
        return replace(attribution, leaks=_shares(self.leaks), flash_lookups=_shares(self.flash_lookups))


def _shares(spots: Iterable[Spot]) -> tuple[LeakShare, ...]:
    """How many instructions of each fragment are among the spots, in alphabetical order."""
    count = Counter(fragment for fragment, _ in {(spot.fragment, spot.address) for spot in spots})
    return tuple(LeakShare(fragment, count[fragment]) for fragment in sorted(count))


def secrets_of(
    machine: Machine, image: Image, routine: Routine, kind: Kind, fragments: FragmentMap | None = None
) -> Secrets:
    """Every entry and shape of a routine once, with all that the caller gives secret but `PUBLIC`.

    Without `fragments` no spot is in one.

    Bytes that a call finds from an earlier one are as secret as that left them.

    Raises
    ------
    Rejected
        A call does not return.
    """
    machine.load(image)
    taint = machine.taint()
    calls: list[tuple[Turn, TaintedRun]] = []
    place = places(image, routine.layout.size)[0]
    for dialogue in kind.secret(routine):
        machine.start(place, machine.callers.callers[0])
        taint.clear()
        calls += _follow(machine, taint, routine, dialogue)
    return Secrets(
        leaks=_spots(((turn, run.leaks) for turn, run in calls), fragments),
        balanced=_spots(((turn, run.balanced) for turn, run in calls), fragments),
        lookups=_spots(((turn, run.lookups) for turn, run in calls), fragments),
    )


def _follow(
    machine: Machine, taint: Taint, routine: Routine, dialogue: Dialogue
) -> list[tuple[Turn, TaintedRun]]:
    size = routine.layout.size
    calls, after, masks_after = [], [], []
    for turn in dialogue:
        before, masks = None, np.zeros(size, np.uint8)
        if turn.after is not None:
            before, masks = after[turn.after], masks_after[turn.after]
        filling = np.full((1, size), machine.caller.poison, np.uint8)
        block, written = turn.blocks(routine, before, filling)[0], turn.written(routine)
        masks = _masks(routine, turn, masks)
        calls.append((turn, machine.follow(taint, turn.entry, block, written, masks)))
        address = machine.place.block
        after.append(np.frombuffer(machine.read(address, size), np.uint8).reshape(1, size))
        masks_after.append(np.frombuffer(taint.masks(address, size), np.uint8))
    return calls


def _masks(routine: Routine, turn: Turn, before: Bytes) -> Bytes:
    """The secret bits of a block before a call."""
    masks = np.where(turn.written(routine), before, 0).astype(np.uint8)
    for name in turn.given:
        masks[routine.field(name)] = 0 if name in PUBLIC else _ALL
    return masks


def _spots(seen: Iterator[tuple[Turn, tuple[Seen, ...]]], fragments: FragmentMap | None) -> tuple[Spot, ...]:
    counts: dict[tuple[int, str], int] = defaultdict(int)
    entries: dict[tuple[int, str], set[str]] = defaultdict(set)
    for turn, ones in seen:
        for one in ones:
            counts[one.address, one.kind] += one.count
            entries[one.address, one.kind].add(turn.entry)
    return tuple(
        Spot(_fragment(fragments, address), address, kind, count, tuple(sorted(entries[address, kind])))
        for (address, kind), count in sorted(counts.items())
    )


def _fragment(fragments: FragmentMap | None, address: int) -> str:
    index = fragments.index(address) if fragments else -1
    return fragments.names[index] if index >= 0 else attribution.UNATTRIBUTED
