"""What the harness measures: assembly source and what it promises."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Cycles = NDArray[np.int64]


class Rejected(Exception):
    """A candidate failed the gate; the message is the reason that is kept.

    `address` is that of the instruction which is at fault, where one is.
    """

    def __init__(self, reason: str, address: int | None = None):
        super().__init__(reason)
        self.address = address


class EmissionLabels(Protocol):
    """An emission of a fragment, between two labels of the source."""

    fragment: str
    begin_label: str
    end_label: str
    parent_index: int | None


class Layout(Protocol):
    """The parameter block: fields (name, offset, size), and the bytes that it takes."""

    fields: Sequence[tuple[str, int, int]]
    size: int


@dataclass(frozen=True)
class Routine:
    """Assembly source with the symbols `<prefix><name>_<entry>`, and what it promises.

    `static` is the declared static RAM in bytes, register banks included, `banks` those of them that are
    register banks; None where nothing is declared, so that what the gate sees counts. `kept` names the work
    fields whose bytes survive between the calls of one context.
    """

    source: str
    name: str
    entries: tuple[str, ...]
    layout: Layout
    static: int | None = 0
    destroys_key: bool = False
    kept: frozenset[str] = frozenset()
    emissions: tuple[EmissionLabels, ...] = ()
    banks: int | None = None

    def with_source(self, source: str) -> "Routine":
        """The same routine from another text."""
        return replace(self, source=source)

    def field(self, name: str) -> slice:
        """Where a field is in the block; empty where there is no such field."""
        return self._places.get(name, slice(0, 0))

    @cached_property
    def _places(self) -> dict[str, slice]:
        return {name: slice(offset, offset + size) for name, offset, size in self.layout.fields}

    def check_field(self, name: str, size: int) -> None:
        """Raise `Rejected` unless the block has a field of that many bytes."""
        place = self.field(name)
        if place.stop - place.start != size:
            raise Rejected(f"parameter block: expected a field {name!r} of {size} bytes")
