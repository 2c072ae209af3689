"""The five finalists of SHA-3 ranked as the XBX study did, beside the ranking that it published."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from tightfit.reports.bestof import Best, best_points, points_text
from tightfit.reports.criteria import CRITERIA
from tightfit.reports.document import Document, Table
from tightfit.yamlfile import load_yaml, mapping, named

NAME = "sha3-finalists"
BY = ("speed", "area")
_SCHEMA = mapping(
    {
        "source": {"type": "string"},
        "counted": {"type": "string"},
        "finalists": named(
            mapping({"ours": {"type": "string"}, "points": {"type": "integer", "minimum": 0}})
        ),
    }
)
_DIFFERS = (
    "What differs: ours are the targets of tightfit, with digests of 256 bits, cycles of a middle block, and "
    "the best of a space that was searched instead of what somebody had submitted."
)


@dataclass(frozen=True)
class Finalist:
    """A finalist's points by target and criterion, where it has a variant, and the published sum."""

    name: str
    primitive: str
    points: Mapping[tuple[str, str], Fraction]
    published: int

    @property
    def total(self) -> Fraction:
        return sum(self.points.values(), Fraction(0))


@cache
def _study() -> dict[str, Any]:
    return load_yaml(Path(__file__).with_suffix(".yaml"), _SCHEMA)


def finalists(lists: Mapping[str, Sequence[Best]]) -> list[Finalist]:
    """The finalists by their points.

    Parameters
    ----------
    lists : by criterion (`BY`) the best-of lists, one for each target.
    """
    study = _study()["finalists"]
    ours = {finalist["ours"] for finalist in study.values()}
    points = {
        (best.target, criterion): best_points(_among(best, ours))
        for criterion in BY
        for best in lists[criterion]
    }
    ranked = [
        Finalist(
            name,
            finalist["ours"],
            {where: given[finalist["ours"]] for where, given in points.items() if finalist["ours"] in given},
            finalist["points"],
        )
        for name, finalist in study.items()
    ]
    return sorted(ranked, key=lambda finalist: (-finalist.total, finalist.name))


def _among(best: Best, primitives: set[str]) -> Best:
    own = (measurement for measurement in best.measurements if measurement.variant.primitive in primitives)
    return replace(best, measurements=tuple(own))


def document(lists: Mapping[str, Sequence[Best]]) -> Document:
    """Points by target and criterion, their sum, and the sum of the study."""
    ranked, study = finalists(lists), _study()
    where = [(best.target, by) for best in lists[BY[0]] for by in BY]
    columns = (
        "finalist",
        "ours",
        *(f"{target} {CRITERIA[by].title}" for target, by in where),
        "sum",
        "published",
    )
    rows = [
        (
            finalist.name,
            finalist.primitive,
            *(points_text(finalist.points.get(each)) for each in where),
            points_text(finalist.total),
            str(finalist.published),
        )
        for finalist in ranked
    ]
    caption = "SHA-3 finalists: points by speed and by area (ROM + 4 x RAM)"
    table = Table(caption, columns, tuple(rows), frozenset(range(2, len(columns))))
    notes = (f"Published: {study['source']}. Counted: {study['counted']}.", _DIFFERS)
    return Document("ranking of the SHA-3 finalists", (table,), notes)


def form(lists: Mapping[str, Sequence[Best]]) -> dict[str, Any]:
    """The object that `table --ranking sha3-finalists --json` prints."""
    return {
        "criterion": NAME,
        "standings": [
            {
                "primitive": finalist.primitive,
                "kind": "hash",
                "points": {f"{target} {by}": float(given) for (target, by), given in finalist.points.items()},
                "sum": float(finalist.total),
                "published": finalist.published,
            }
            for finalist in finalists(lists)
        ],
    }
