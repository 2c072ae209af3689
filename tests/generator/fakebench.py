"""A bench without tools: the costs of a synthetic variant are written in its source.

In a fragment, `size N` are bytes, `time N` cycles per execution, `times N` executions per emission, `stack N`
bytes of stack, `leaks N` instructions that leak, `lookups N` those that look up in flash at a secret address,
`calls NAME` a call, and `called` says that the fragment runs only when called.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from tightfit.generator import Rendered, Space, render
from tightfit.records import (
    Attribution,
    Cost,
    LeakShare,
    Measurement,
    Padding,
    RamParts,
    RomShare,
    Secrecy,
    TimeShare,
    Timing,
    Variant,
)

INPUTS = 4
Seam = Callable[[Variant], tuple[int, int]]
Test = Callable[[Variant], bool]


class FakeBench:
    """Measures synthetic variants.

    Parameters
    ----------
    seam : bytes, and cycles over all inputs, that a variant costs above the sum of its fragments; they count
        for its first fragment.
    broken : variants that are rejected.
    padding : the most bytes of ROM and of RAM that a linker adds to a variant.
    """

    def __init__(
        self,
        space: Space,
        seam: Seam = lambda v: (0, 0),
        broken: Test = lambda v: False,
        padding: Seam = lambda v: (0, 0),
    ) -> None:
        self.space, self.seam, self.broken, self.padding = space, seam, broken, padding
        self.asked: list[Variant] = []
        self.sizes: list[int] = []
        self.stored: dict[str, Measurement] = {}

    def __call__(self, variants: Iterable[Variant]) -> list[Measurement]:
        variants = list(variants)
        self.sizes.append(len(variants))
        return [self.stored.get(variant.id) or self.measure(variant) for variant in variants]

    def measure(self, variant: Variant) -> Measurement:
        self.asked.append(variant)
        rendered = render(variant, space=self.space)
        rejected = "wrong answer" if self.broken(variant) else None
        cost, attribution = self._costs(variant, rendered)
        measurement = Measurement(
            variant=variant,
            cost=None if rejected else cost,
            rejected=rejected,
            attribution=None if rejected else attribution,
            source_sha256=rendered.sha256,
            reentrant=True,
            destroys_key=False,
            provenance={},
        )
        self.stored[variant.id] = measurement
        return measurement

    def _costs(self, variant: Variant, rendered: Rendered) -> tuple[Cost, Attribution]:
        rom, emissions, leaks, lookups = Counter(), Counter(), Counter(), Counter()
        time, executions = Counter(), Counter()
        fragments = {e.fragment: _parsed(e.text) for e in rendered.emissions}
        stack = 0
        for emission in rendered.emissions:
            lines = _parsed(emission.text)
            rom[emission.fragment] += lines["size"]
            emissions[emission.fragment] += 1
            leaks[emission.fragment] += lines.get("leaks", 0)
            lookups[emission.fragment] += lines.get("lookups", 0)
            if "called" in lines:
                continue
            for path, weight in _reached((emission.fragment,), lines.get("times", 1), fragments):
                time[path] += fragments[path[-1]].get("time", 0) * weight * INPUTS
                executions[path] += weight * INPUTS
                stack = max(stack, sum(fragments[name].get("stack", 0) for name in path))
        bytes_more, cycles_more = self.seam(variant)
        first = rendered.emissions[0].fragment
        rom[first] += bytes_more
        time[first,] += cycles_more
        layout = rendered.block
        banks = self.space.spec(variant).banks(variant.knobs, variant.operation)
        cost = Cost(
            rom=rom.total(),
            ram_parts=RamParts(layout.size, rendered.static, 4 + stack, banks),
            by_entry={
                entry: _timing(time.total() * (1 + i) + 13 * INPUTS)
                for i, entry in enumerate(rendered.entries)
            },
            ranked=rendered.entries,
            alignment=1,
            secrecy=Secrecy(leaks.total(), 0, lookups.total(), lookups.total()),
            padding=Padding(*self.padding(variant)),
        )
        shares = tuple(RomShare(name, rom[name], emissions[name]) for name in sorted(rom))
        times = tuple(
            TimeShare(entry, path, time[path] * (1 + i), executions[path])
            for i, entry in enumerate(rendered.entries)
            for path in sorted(time)
        )
        return cost, Attribution(INPUTS, shares, times, _leaking(leaks), _leaking(lookups))


def _leaking(counts: Counter) -> tuple[LeakShare, ...]:
    return tuple(LeakShare(name, count) for name, count in sorted(counts.items()) if count)


def _timing(total: int) -> Timing:
    return Timing(INPUTS, total, total // INPUTS, -(-total // INPUTS), True)


def _parsed(text: str) -> dict:
    actions: dict = {"calls": []}
    for line in text.split("\n"):
        match line.split():
            case ["calls", name]:
                actions["calls"].append(name)
            case ["called"]:
                actions["called"] = True
            case [word, number]:
                actions[word] = actions.get(word, 0) + int(number)
    return actions


def _reached(path: tuple[str, ...], weight: int, fragments: dict):
    yield path, weight
    for name in fragments[path[-1]]["calls"]:
        yield from _reached((*path, name), weight, fragments)
