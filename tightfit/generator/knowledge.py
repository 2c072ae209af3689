"""What measured variants teach: the cost of every key, and a lower bound for keys not yet met.

A *part* of a cost is the bytes of one fragment, the cycles of one fragment on one call path, the deepest
stack, or what no fragment accounts for. Every part has a scope, the knobs it may depend on; its values on the
scope are its key. The parts of a measured variant sum to its cost exactly.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

from tightfit.conditions import FLASH_LOOKUPS, LEAKS
from tightfit.errors import WorkError
from tightfit.records import Knobs, Measurement

from .expressions import Expression
from .rendering import Rendered
from .space import TemplateSpec, padded
from .structure import Scope, Structure, project
from .tables import Key, Table, find_finer, find_split, key_of, product, reduced, split

ROM, STACK = "rom", "stack"
ROM_PADDING, RAM_PADDING = "rom padding", "ram padding"
PADDED_ROM, PADDED_RAM = "padded rom", "padded ram"
"""Sizes with the most that a linker pads."""
KEY_LIMIT = 4096


@dataclass(frozen=True)
class Part:
    """One summand of a cost.

    `kind` is "rom", "stack", "leaks", "look-ups", "rom padding", "ram padding", or the name of an entry,
    whose cycles it counts.
    """

    kind: str
    path: tuple[str, ...] = ()

    @property
    def rest(self) -> bool:
        """What no fragment accounts for."""
        return not self.path


@dataclass(frozen=True)
class Sample:
    """A measured variant: the amount of each part and how often it was emitted or entered."""

    knobs: Knobs
    amounts: Mapping[Part, int]
    times: Mapping[Part, int]


@dataclass
class Tables:
    """What is known about one part: by its own scope, by a refined scope, and as a unit times rates.

    Attributes
    ----------
    unit : amount of one emission or execution.
    rate : emissions or executions for one emission or execution of the caller.
    seam : what else adds to the part, where its own scope does not account for all.
    settled, settled_by : spread that no refinement removes, and the number of samples that showed this.
    """

    base: Table
    fine: Table
    unit: Table | None
    rate: Table | None
    seam: Table | None = None
    settled: int | Fraction = 0
    settled_by: int = 0
    version: int = 0
    bounds: "Bounds | None" = field(default=None, repr=False)


@dataclass(frozen=True)
class Bounds:
    """Lower bounds of a part, as tables to be added, kept until what they rest on changes."""

    stamp: Hashable
    tables: tuple[tuple[Scope, Mapping[Key, int]], ...]


class Knowledge:
    """Costs of the keys of one template for one operation.

    Attributes
    ----------
    unit : cycles are counted over this many timing inputs, so that means stay integers.
    ranked : entries whose cycles are summed.
    """

    def __init__(self, spec: TemplateSpec, operation: str) -> None:
        self.spec, self.operation = spec, operation
        self.structure = Structure(spec)
        self.samples: list[Sample] = []
        self.key_limit = KEY_LIMIT
        self.unit = 1
        self.ranked: tuple[str, ...] = ()
        self._tables: dict[Part, Tables] = {}
        self._units: dict[tuple[str, str], Table] = {}
        self._unit_version = 0
        self._keys: dict[Scope, tuple[Key, ...]] = {}
        self._excess: tuple[int, dict[str, int], int] | None = None

    @property
    def parts(self) -> tuple[Part, ...]:
        return tuple(self._tables)

    def absorb(self, learned: Iterable[tuple[Measurement, Rendered]]) -> None:
        """Learn from accepted measurements, in this order."""
        learned = list(learned)
        for _, rendered in learned:
            self.structure.absorb(rendered)
        fresh = [self._sample(measurement) for measurement, _ in learned]
        self.samples += fresh
        earlier = set(self._tables)
        for sample in fresh:
            for part in sample.amounts:
                self._tables.setdefault(part, Tables(Table(()), Table(()), None, None))
        self._rebuild_units(fresh)
        for part, tables in self._tables.items():
            scope = self._scope(part)
            if part not in earlier or tables.base.scope != scope:
                self._rebuild(part, scope)
            else:
                self._extend(part, fresh)
            self._explain(part)

    def lower_bounds(self, part: Part) -> tuple[tuple[Scope, Mapping[Key, int]], ...]:
        """Least amounts of a part by key, as tables whose values are to be added; an absent key adds 0."""
        tables = self._tables[part]
        lineage = [Part(part.kind, part.path[:i]) for i in range(1, len(part.path) + 1)]
        versions = tuple(self._tables[other].version for other in lineage if other in self._tables)
        stamp = (*versions, tables.version, self._unit_version)
        if tables.bounds is None or tables.bounds.stamp != stamp:
            tables.bounds = self._bounds(part, tables, stamp)
        return tables.bounds.tables

    def least(self, kind: str, knobs: Knobs) -> int:
        """Lower bound of "rom", "stack" or an entry's cycles over all inputs, for one variant."""
        tables = (table for part in self.parts if part.kind == kind for table in self.lower_bounds(part))
        return sum(values.get(key_of(knobs, scope), 0) for scope, values in tables)

    def keys(self, scope: Scope) -> tuple[Key, ...]:
        """Joint values of some knobs, without those that constraints over these knobs alone exclude."""
        if scope not in self._keys:
            self._keys[scope] = tuple(self.spec.keys(scope, self.operation))
        return self._keys[scope]

    def rate_scopes(self) -> list[Scope]:
        """Scopes that decide how often a part is entered from its caller."""
        return list({tables.rate.scope: None for tables in self._tables.values() if tables.rate is not None})

    def declared_ram(self) -> list[tuple[Scope, Mapping[Key, int]]]:
        """Parameter block, static data and register banks in bytes, exact, as tables by key."""
        fields = [self.declared(size) for _, size in self.spec.fields]
        others = [self.declared(size) for size in (self.spec.static, self.spec.banks)]
        return [*fields, self._padding(fields), *others]

    def declared(self, size: Expression) -> tuple[Scope, Mapping[Key, int]]:
        """What the declaration says of a size in bytes, as a table by key."""
        scope = tuple(knob for knob in self.spec.knobs if knob in size.knobs)
        keys = self.keys(scope)
        return reduced(scope, {key: size(dict(zip(scope, key, strict=True)), self.operation) for key in keys})

    def _padding(self, fields: list[tuple[Scope, Mapping[Key, int]]]) -> tuple[Scope, Mapping[Key, int]]:
        """The bytes that fill the block up to its alignment, by the knobs that decide them together."""
        unit = self.spec.alignment
        ends = [reduced(scope, {key: size % unit for key, size in sizes.items()}) for scope, sizes in fields]
        deciding = {knob for scope, _ in ends for knob in scope}
        scope = tuple(knob for knob in self.spec.knobs if knob in deciding)
        own = [(project(narrower, scope), values) for narrower, values in ends]
        together = {
            key: sum(values[tuple(key[i] for i in places)] for places, values in own)
            for key in self.keys(scope)
        }
        return reduced(scope, {key: padded(end, unit) - end for key, end in together.items()})

    def excess(self) -> tuple[dict[str, int], int]:
        """How far sums of keys, each measured in another variant, exceed what was measured.

        Returns
        -------
        excess : the largest excess, 0 where there is none, of every kind, of "cycles" and of padded sizes.
        exact : number of variants equal to the sum of the least amounts of their keys, in every kind.
        """
        if self._excess is None or self._excess[0] != len(self.samples):
            self._excess = (len(self.samples), *self._compared())
        return self._excess[1:]

    def foreseen(self, knobs: Knobs) -> bool:
        """Whether every part of a variant was seen, with one amount: the sum is then not a mere bound."""
        for tables in self._tables.values():
            for table in (tables.fine, tables.seam):
                seen = table and table.seen.get(key_of(knobs, table.scope))
                if table and (seen is None or seen.most != seen.least):
                    return False
        return True

    def _compared(self) -> tuple[dict[str, int], int]:
        worst: dict[str, int] = {}
        exact = 0
        for sample in self.samples:
            over: dict[str, int] = {}
            under = 0
            for part, tables in self._tables.items():
                amount = sample.amounts.get(part, 0)
                amount -= tables.seam.at(sample.knobs).least if tables.seam else 0
                seen = tables.fine.at(sample.knobs)
                other = seen.without(amount)
                over[part.kind] = over.get(part.kind, 0) + (0 if other is None else other - amount)
                under += amount - seen.least
            exact += under == 0
            over["cycles"] = sum(over[entry] for entry in self.ranked)
            over[PADDED_ROM] = over.get(ROM, 0) + over.get(ROM_PADDING, 0)
            over[PADDED_RAM] = over.get(STACK, 0) + over.get(RAM_PADDING, 0)
            for kind, amount in over.items():
                worst[kind] = max(worst.get(kind, 0), amount)
        return worst, exact

    def _sample(self, measurement: Measurement) -> Sample:
        cost, attribution = measurement.cost, measurement.attribution
        amounts: dict[Part, int] = {Part(STACK): cost.ram_parts.stack}
        times: dict[Part, int] = {}
        shares = attribution.rom if attribution else ()
        for share in shares:
            _add(amounts, Part(ROM, (share.fragment,)), share.bytes)
            _add(times, Part(ROM, (share.fragment,)), share.emissions)
        if attribution:
            amounts |= {Part(LEAKS, (share.fragment,)): 1 for share in attribution.leaks}
            amounts |= {Part(FLASH_LOOKUPS, (share.fragment,)): 1 for share in attribution.flash_lookups}
        amounts[Part(ROM)] = cost.rom - sum(share.bytes for share in shares)
        padding = {ROM_PADDING: cost.padding.rom, RAM_PADDING: cost.padding.ram}
        amounts |= {Part(kind): most for kind, most in padding.items() if most}
        rest = {entry: self._scaled(t.total, t.inputs, measurement) for entry, t in cost.by_entry.items()}
        for share in attribution.time if attribution else ():
            if share.path:
                part = Part(share.entry, share.path)
                cycles = self._scaled(share.cycles, attribution.inputs, measurement)
                _add(amounts, part, cycles)
                _add(times, part, self._scaled(share.executions, attribution.inputs, measurement))
                rest[share.entry] -= cycles
        amounts |= {Part(entry): cycles for entry, cycles in rest.items()}
        if self.ranked and cost.ranked != self.ranked:
            raise WorkError(
                f"template {self.spec.name!r}: expected one set of ranked entries for {self.operation}, "
                f"found {self.ranked} and {cost.ranked}"
            )
        self.ranked = cost.ranked
        return Sample(measurement.variant.knobs, amounts, times)

    def _scaled(self, total: int, inputs: int, measurement: Measurement) -> int:
        if self.unit % inputs:
            raise WorkError(
                f"variant {measurement.variant.id}: expected {self.unit} timing inputs, found {inputs}"
            )
        return total * (self.unit // inputs)

    def _scope(self, part: Part) -> Scope:
        if part.kind == STACK:
            return self._fitting(tuple(k for k in self.spec.knobs if k in self.spec.stack_reads))
        if part.rest:
            return ()
        return self._fitting(self.structure.full(part.path), self.structure.own(part.path[-1]))

    def _fitting(self, *scopes: Scope) -> Scope:
        return next((scope for scope in scopes if self._fits(scope)), ())

    def size(self, scope: Scope) -> int:
        """Number of keys of a scope, constraints aside."""
        return prod(len(self.spec.knobs[knob].values) for knob in scope)

    def _rebuild_units(self, fresh: list[Sample]) -> None:
        """Amounts of one emission or one execution, by "rom" or "time" and fragment."""
        for sample in fresh:
            for part, times in sample.times.items():
                if times:
                    amount = Fraction(sample.amounts[part], times)
                    self._unit_version += self._unit_of(part).add(sample.knobs, amount)

    def _unit_of(self, part: Part) -> Table:
        name = (ROM if part.kind == ROM else "time", part.path[-1])
        scope = self._fitting(self.structure.own(part.path[-1]))
        table = self._units.get(name)
        if table is None or table.scope != scope:
            table = self._units[name] = Table(scope)
            self._unit_version += 1
            for sample in self.samples:
                for other, times in sample.times.items():
                    same = other.path[-1] == name[1] and (other.kind == ROM) == (name[0] == ROM)
                    if same and times:
                        table.add(sample.knobs, Fraction(sample.amounts[other], times))
        return table

    def _rebuild(self, part: Part, scope: Scope) -> None:
        tables = self._tables[part]
        tables.base = tables.fine = Table(scope)
        tables.seam, tables.settled = None, 0
        if not part.rest and part.kind not in (STACK, LEAKS, FLASH_LOOKUPS):
            tables.unit = self._unit_of(part)
            leading = self.structure.own(part.path[-2]) if len(part.path) > 1 else ()
            leading = self._joined(leading, self.structure.around(part.path[-1]))
            tables.rate = Table(leading) if self.size(leading) <= self.key_limit else None
        self._extend(part, self.samples)
        tables.version += 1

    def _joined(self, *scopes: Scope) -> Scope:
        return tuple(knob for knob in self.spec.knobs if any(knob in scope for scope in scopes))

    def _extend(self, part: Part, samples: list[Sample]) -> None:
        tables = self._tables[part]
        if tables.unit is not None:
            tables.unit = self._unit_of(part)
        changed = False
        for sample in samples:
            if tables.rate is not None and (rate := self._rate(part, sample)) is not None:
                changed |= tables.rate.add(sample.knobs, rate)
            if tables.seam is not None:
                continue
            amount = sample.amounts.get(part, 0)
            changed |= tables.base.add(sample.knobs, amount)
            if tables.fine is not tables.base:
                changed |= tables.fine.add(sample.knobs, amount)
        tables.version += changed
        if tables.seam is not None:
            self._split_again(part, tables.base.scope)

    def _rate(self, part: Part, sample: Sample) -> Fraction | None:
        """Entries of a part for one entry of what calls it."""
        calls = 1
        if len(part.path) > 1:
            calls = sample.times.get(Part(part.kind, part.path[:-1]), 0)
        return Fraction(sample.times.get(part, 0), calls) if calls else None

    def _explain(self, part: Part) -> None:
        """Where a key was seen with different amounts, find what tells them apart.

        First a seam that adds to the part and accounts for all; else a finer scope, which may leave a spread:
        then the least amount counts.
        """
        tables = self._tables[part]
        spread = tables.fine.spread
        if not spread or (spread <= tables.settled and 2 * len(self.samples) < 3 * tables.settled_by):
            return
        observed, order = self._observed(part), tuple(self.spec.knobs)
        explained = find_split(observed, tables.base, order, self._fits)
        if explained is not None:
            tables.base = tables.fine = explained.own
            tables.seam = explained.seam
        else:
            tables.fine = tables.base
            while (finer := find_finer(observed, tables.fine, order, self._fits)) is not None:
                tables.fine = finer
        tables.settled, tables.settled_by = tables.fine.spread, len(self.samples)
        tables.version += 1

    def _split_again(self, part: Part, scope: Scope) -> None:
        """Keep a seam where it still accounts for all; else begin anew."""
        tables = self._tables[part]
        again = split(self._observed(part), scope, tables.seam.scope)
        if again is None:
            self._rebuild(part, scope)
            return
        tables.base = tables.fine = again.own
        tables.seam = again.seam
        tables.version += 1

    def _observed(self, part: Part) -> list[tuple[Knobs, int]]:
        return [(sample.knobs, sample.amounts.get(part, 0)) for sample in self.samples]

    def _fits(self, scope: Scope) -> bool:
        return self.size(scope) <= self.key_limit

    def _bounds(self, part: Part, tables: Tables, stamp: Hashable) -> Bounds:
        scope = tables.fine.scope
        base = project(tables.base.scope, scope)
        factors = self._factors(part, scope)
        seam = {key: int(amounts.least) for key, amounts in tables.seam.seen.items()} if tables.seam else {}
        most = max(seam.values(), default=0)
        values = {}
        for key in self.keys(scope):
            seen = tables.fine.seen.get(key) or tables.base.seen.get(tuple(key[i] for i in base))
            values[key] = int(seen.least) if seen else max(0, product(factors, key) - most)
        own = reduced(scope, values)
        return Bounds(stamp, (own, (tables.seam.scope, seam)) if tables.seam else (own,))

    def _factors(self, part: Part, scope: Scope) -> list[tuple[tuple[int, ...], Table]]:
        """Tables whose least amounts multiply to a lower bound of the part; none where a table is missing."""
        factors = []
        for length in range(len(part.path), 0, -1):
            tables = self._tables.get(Part(part.kind, part.path[:length]))
            if tables is None:
                return []
            factors += [tables.unit] if length == len(part.path) else []
            factors.append(tables.rate)
        if any(table is None or not set(table.scope) <= set(scope) for table in factors):
            return []
        return [(project(table.scope, scope), table) for table in factors]


def _add(amounts: dict[Part, int], part: Part, amount: int) -> None:
    amounts[part] = amounts.get(part, 0) + amount
