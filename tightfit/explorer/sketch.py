"""Variants by their figures alone: what is read where there are many of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tightfit.curve import of_blocks
from tightfit.jsonform import from_json
from tightfit.primitives import Primitive
from tightfit.records import Cost, Curve, Measurement, Padding, RamParts, Secrecy, Timing

FIELDS = (
    "$.template",
    "$.destroys_key",
    "$.cost.rom",
    "$.cost.ram_parts",
    "$.cost.by_entry",
    "$.cost.ranked",
    "$.cost.alignment",
    "$.cost.padding",
    "$.cost.secrecy",
    "$.curve",
)
"""What is read of a measurement's record."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """A measured variant without knobs, provenance, and where its bytes and cycles are."""

    id: str
    template: str
    destroys_key: bool
    cost: Cost
    curve: Curve | dict[str, Any] | None

    @classmethod
    def of(cls, variant_id: str, fields: Sequence[Any]) -> "Sketch":
        """The sketch of a variant, from the values of `FIELDS`."""
        template, destroys_key, rom, parts, by_entry, ranked, alignment, padding, secrecy, curve = fields
        timings = {entry: Timing(**timing) for entry, timing in by_entry.items()}
        cost = Cost(
            rom,
            RamParts(**parts),
            timings,
            tuple(ranked),
            alignment,
            secrecy=Secrecy(**secrecy) if secrecy else None,
            padding=Padding(**(padding or {})),
        )
        return cls(variant_id, template, bool(destroys_key), cost, curve)

    @classmethod
    def of_whole(cls, measurement: Measurement) -> "Sketch":
        """The sketch of a measurement that was read in full."""
        variant, cost = measurement.variant, measurement.cost
        return cls(variant.id, variant.template, measurement.destroys_key, cost, measurement.curve)

    def lengths(self, primitive: Primitive) -> Curve:
        """Its message-length curve."""
        if isinstance(self.curve, dict):
            return from_json(Curve, self.curve)
        return self.curve or of_blocks(primitive, self.cost)
