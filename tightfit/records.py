"""The records that flow from generator to harness to store to reports.

Bytes and cycles are integers; a mean over several inputs is a float. Every record turns into plain JSON with
`to_json` and back with `from_json`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from types import MappingProxyType
from typing import Any

Knobs = Mapping[str, str | int]


def sparse(default: Any) -> Any:
    """A field that the JSON of a record leaves out where it has its default."""
    return field(default=default, metadata={"sparse": True})


def _short_hash(text: str) -> str:
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()[:12]


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces, the form that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True)
class Variant:
    """A template with a value for every knob, for one operation on one part.

    `free` names the knobs that matter to the operation, where that is known beforehand.
    """

    target: str
    part: str
    primitive: str
    operation: str
    template: str
    knobs: Knobs = field(hash=False)
    free: tuple[str, ...] | None = field(default=None, compare=False, repr=False, metadata={"sparse": True})

    def __post_init__(self) -> None:
        object.__setattr__(self, "knobs", MappingProxyType(dict(sorted(self.knobs.items()))))

    @cached_property
    def id(self) -> str:
        """First 12 hex digits of SHA-256 over the canonical JSON of the variant."""
        return _short_hash(canonical_json(self.to_json()))

    def to_json(self) -> dict[str, Any]:
        return {
            "target": self.target,
            "part": self.part,
            "primitive": self.primitive,
            "operation": self.operation,
            "template": self.template,
            "knobs": dict(self.knobs),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Variant":
        names = ("target", "part", "primitive", "operation", "template", "knobs")
        return cls(**{name: data[name] for name in names})

    def __reduce__(self):
        return Variant.from_json, (self.to_json(),)


@dataclass(frozen=True)
class RamParts:
    """Bytes of RAM: parameter block, static data, deepest stack.

    `banks` are those of `static` that are banks of registers, which interrupt handlers may use.
    """

    block: int
    static: int
    stack: int
    banks: int = sparse(0)

    @property
    def total(self) -> int:
        return self.block + self.static + self.stack


@dataclass(frozen=True)
class Timing:
    """Cycles of one entry over the timing inputs, call and return included.

    `total` is the sum over `inputs` runs, so means stay exact. `waits_apart` are those cycles of `total` that
    are the wait which the target tells apart (`targets.Target.waits_apart`). `carry` are the cycles that
    carries of a message's block count, which is public, add at most; no other figure has them.
    """

    inputs: int
    total: int
    minimum: int
    maximum: int
    constant_path: bool
    waits_apart: int = sparse(0)
    carry: int = sparse(0)

    @property
    def cycles(self) -> int | float:
        """The ranked figure: the mean, an integer where it is one."""
        return mean(self.total, self.inputs)

    @property
    def cycles_apart(self) -> int | float:
        """Those of `cycles` that are the wait told apart."""
        return mean(self.waits_apart, self.inputs)


@dataclass(frozen=True)
class Secrecy:
    """What runs that follow the secrets showed of the time, in instructions.

    Without `leaks` every secret takes the same cycles, which is then proved. `balanced` are conditions on a
    secret whose two ways take the same time, `lookups` accesses at secret addresses in memory of one speed.
    Those of them that are `flash_lookups` leak where a prefetcher before the flash is on.
    """

    leaks: int
    balanced: int
    lookups: int
    flash_lookups: int = sparse(0)


@dataclass(frozen=True)
class Padding:
    """The most bytes of ROM and of RAM that a linker adds before a routine's sections to align them."""

    rom: int = 0
    ram: int = 0


@dataclass(frozen=True)
class Cost:
    """What a variant costs, always measured.

    `alignment` is the largest that a section asks for; `secrecy` is None where no run followed the secrets.
    """

    rom: int
    ram_parts: RamParts
    by_entry: Mapping[str, Timing]
    ranked: tuple[str, ...]
    alignment: int
    secrecy: Secrecy | None = sparse(None)
    padding: Padding = sparse(Padding())

    @property
    def ram(self) -> int:
        return self.ram_parts.total

    @cached_property
    def cycles(self) -> int | float:
        """Ranked figure: the sum over the entries that the operation ranks."""
        return mean(*_fraction_sum([self.by_entry[entry] for entry in self.ranked], "total"))

    @property
    def cycles_apart(self) -> int | float:
        """Those of `cycles` that are the wait which the target tells apart."""
        return mean(*_fraction_sum([self.by_entry[entry] for entry in self.ranked], "waits_apart"))

    @property
    def carry(self) -> int:
        """Cycles that carries of a message's block count add to a call at most."""
        return max(timing.carry for timing in self.by_entry.values())

    @property
    def constant_time(self) -> bool:
        """Proved: no secret moves the time of any entry."""
        return self.constant_time_without_prefetch and not self.secrecy.flash_lookups

    @property
    def constant_time_without_prefetch(self) -> bool:
        """Proved of flash that nothing is fetched ahead from: no secret moves the time of any entry."""
        return self.secrecy is not None and not self.secrecy.leaks

    @property
    def constant_path(self) -> bool:
        """Equal cycles and equal paths for every timing input of every entry."""
        return all(timing.constant_path for timing in self.by_entry.values())


@dataclass(frozen=True)
class RomShare:
    """Bytes that one fragment holds, over all its emissions."""

    fragment: str
    bytes: int
    emissions: int


@dataclass(frozen=True)
class TimeShare:
    """Exclusive cycles of the last fragment of `path` when reached through the call sites before it.

    `cycles` and `executions` (entries at the fragment's first instruction) are totals over the timing inputs.
    """

    entry: str
    path: tuple[str, ...]
    cycles: int
    executions: int


@dataclass(frozen=True)
class LeakShare:
    """Instructions of one fragment, all its emissions together, at which a secret shows in one way."""

    fragment: str
    instructions: int


@dataclass(frozen=True)
class Attribution:
    """Where a variant has its bytes, cycles, leaks, and secret look-ups in flash behind a prefetcher."""

    inputs: int
    rom: tuple[RomShare, ...]
    time: tuple[TimeShare, ...]
    leaks: tuple[LeakShare, ...] = sparse(())
    flash_lookups: tuple[LeakShare, ...] = sparse(())


@dataclass(frozen=True)
class Curve:
    """Cycles of whole messages of some lengths in bytes, and the slope for long ones in cycles a byte.

    `with_data` are the cycles of the same messages with 16 bytes of associated data, where a kind has these.
    """

    lengths: tuple[int, ...]
    cycles: tuple[int | float, ...]
    slope: int | float
    with_data: tuple[int | float, ...] = sparse(())


@dataclass(frozen=True)
class Measurement:
    """A candidate that went through the gate: a cost, or the reason why it was rejected.

    `curve` is None where it follows from the figures of a block; `tightfit.curve` gives it for both.
    `registers_as_memory` tells that it reaches CPU registers through addresses, which not every core allows.
    """

    variant: Variant
    cost: Cost | None
    rejected: str | None
    attribution: Attribution | None
    source_sha256: str
    reentrant: bool
    destroys_key: bool
    provenance: Mapping[str, str] = field(hash=False)
    curve: Curve | None = None
    registers_as_memory: bool = sparse(False)


@dataclass(frozen=True)
class Contender:
    """A routine that tightfit did not generate, measured by the same rules: a cost, or why it was rejected.

    Attributes
    ----------
    origin : `C baseline` for the portable C that comes with a primitive, `external` for somebody else's.
    name : its name among the routines of its origin.
    compiler, version, flags : what made it, such as `gcc`, `12.2.0` and `-mcpu=g13 -Os`; the assembler, for
        assembly alone.
    interface : `one pointer`, `supercop` for the calls of SUPERCOP and XBX, or the calls themselves.
    source_sha256 : of its sources with their names.
    curve : the message-length curve, block ciphers included; None where the routine was rejected.
    tested_bytes : longer messages were not tested; 0 where the carries of the routine's block count were, or
        where lengths do not matter.
    """

    target: str
    part: str
    primitive: str
    operation: str
    origin: str
    name: str
    compiler: str
    version: str
    flags: str
    interface: str
    cost: Cost | None
    rejected: str | None
    source_sha256: str
    provenance: Mapping[str, str] = field(hash=False)
    curve: Curve | None = None
    reentrant: bool = False
    registers_as_memory: bool = sparse(False)
    tested_bytes: int = sparse(0)

    @cached_property
    def id(self) -> str:
        """First 12 hex digits of SHA-256 over what it is and what made it."""
        names = (*_NAMED_BY, *(_FOREIGN_BY if self.origin == EXTERNAL else ()))
        named = canonical_json([getattr(self, name) for name in names])
        return _short_hash(named)


BASELINE, EXTERNAL = "C baseline", "external"
_FOREIGN_BY = ("interface", "source_sha256")
"""What else tells apart routines of others, whose names may be the same."""
_NAMED_BY = ("target", "part", "primitive", "operation", "origin", "name", "compiler", "version", "flags")


@dataclass(frozen=True)
class Budget:
    """An upper bound on ROM and RAM in bytes; None is free.

    `objective` is `cycles` (least cycles, then ROM, then RAM) or `rom` (least ROM, then cycles, then RAM).
    `below` holds, by entry, cycles that the variant must stay under: a published pair to beat. `only` names
    conditions that the variant must meet (`tightfit.conditions`).
    """

    name: str
    rom: int | None
    ram: int | None
    objective: str = "cycles"
    below: Mapping[str, int] = field(default_factory=dict, hash=False)
    only: tuple[str, ...] = sparse(())


@dataclass(frozen=True)
class Certificate:
    """What the solver proved about a cell.

    `kind` is `optimal`, `optimal under additivity`, `infeasible`, `infeasible under additivity`, `best found`
    or `none`. `space` is the number of variants as a decimal string; `measured` how many were measured to
    prove it; `exact` how many of them equal the sum of their keys; `bound` the best bound on the objective;
    `margin` the largest excess of a sum of parts over the measured whole; `least_rom` and `least_ram` the
    least that the space can reach (of cells, where nothing fits).
    """

    proved: bool
    kind: str
    space: str
    measured: int
    exact: int
    bound: int | float | None
    margin: int | float
    solver: str
    seed: int
    deterministic_limit: float
    deterministic_time: float = 0.0
    least_rom: int | None = None
    least_ram: int | None = None


@dataclass(frozen=True)
class Cell:
    """The answer for (primitive, operation, target, part, budget).

    `space_digest` is that of the space that was searched by its sources, `texts_digest` by the texts of its
    variants (`generator.sources.space_digest`, `generator.fingerprint.space_texts`); the cell says nothing of
    another one.
    """

    target: str
    part: str
    primitive: str
    operation: str
    budget: Budget
    status: str
    variant_id: str | None
    satiated_by: str | None
    certificate: Certificate
    space_digest: str = ""
    texts_digest: str = ""


@dataclass(frozen=True)
class Stretch:
    """Budgets that a limit of the search left open: sizes in bytes, ends included, None for no end.

    `bound` is what their cycles cannot go below; None where nothing is known.
    """

    least_rom: int
    most_rom: int | None
    most_ram: int | None
    bound: int | float | None

    def holds(self, budget: Budget) -> bool:
        """Whether a budget is one of them."""
        rom = inf if budget.rom is None else budget.rom
        return (
            self.least_rom <= rom
            and _within(budget.rom, self.most_rom)
            and _within(budget.ram, self.most_ram)
        )


@dataclass(frozen=True)
class Front:
    """The variants that none of the space equals or beats in ROM, RAM and cycles, under some conditions.

    They answer every budget but those in `open`. `variants` are their ids in the order of ROM, RAM and
    cycles; the certificate has no bound, and the least ROM and RAM of the variants.
    """

    target: str
    part: str
    primitive: str
    operation: str
    only: tuple[str, ...]
    variants: tuple[str, ...]
    open: tuple[Stretch, ...]
    certificate: Certificate
    space_digest: str = ""
    texts_digest: str = ""


def _within(size: int | None, most: int | None) -> bool:
    return most is None or (size is not None and size <= most)


def mean(total: int, inputs: int) -> int | float:
    """Cycles over some inputs as their mean, an integer where it is one."""
    return total // inputs if total % inputs == 0 else total / inputs


def _fraction_sum(timings: list[Timing], attribute: str) -> tuple[int, int]:
    inputs = 1
    for timing in timings:
        inputs *= timing.inputs
    return sum(getattr(timing, attribute) * (inputs // timing.inputs) for timing in timings), inputs
