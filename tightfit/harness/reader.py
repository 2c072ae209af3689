"""What can be read from the store, or from a view of it."""

from typing import Protocol

from tightfit.records import Cell, Contender, Front, Measurement


class Reader(Protocol):
    """A store, or a view of one that leaves something out."""

    def measurements(self, **of: str | bool) -> list[Measurement]:
        """The newest measurement of every variant of a target, part, primitive or operation."""

    def cells(self, **of: str) -> list[Cell]:
        """The cells of a target, part, primitive or operation."""

    def fronts(self, **of: str) -> list[Front]:
        """The fronts of a target, part, primitive or operation."""

    def contenders(self, **of: str | bool) -> list[Contender]:
        """The routines that tightfit did not generate."""
