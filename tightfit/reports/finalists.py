"""The five finalists of SHA-3 ranked as the XBX study did, beside the ranking that it published."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from tightfit.reports.bestof import Best, best_points, points_text
from tightfit.reports.criteria import CRITERIA, cycles_a_byte
from tightfit.reports.document import Document, Table
from tightfit.yamlfile import load_yaml, mapping, named

NAME = "sha3-finalists"
BY = ("speed", "area")
_SCHEMA = mapping(
    {
        "source": {"type": "string"},
        "counted": {"type": "string"},
        "core": mapping(
            {"name": {"type": "string"}, "target": {"type": "string"}, "about": {"type": "string"}}
        ),
        "finalists": named(
            mapping(
                {
                    "ours": {"type": "string"},
                    "points": {"type": "integer", "minimum": 0},
                    "fastest": mapping({"speed": {"type": "integer"}, "rom": {"type": "integer"}}),
                }
            )
        ),
    }
)
_DIFFERS = (
    "What differs: ours are the targets of tightfit, with digests of 256 bits, cycles of a middle block, and "
    "the best of a space that was searched instead of what somebody had submitted. A target on which not all "
    "five have a variant gives no points."
)


@dataclass(frozen=True)
class Finalist:
    """A finalist's points by target and criterion, where all five have a variant, and the published sum."""

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
    points = {
        (target, criterion): best_points(best)
        for criterion in BY
        for target, best in _rivals(lists[criterion]).items()
    }
    ranked = [
        Finalist(
            name,
            finalist["ours"],
            {where: given[finalist["ours"]] for where, given in points.items()},
            finalist["points"],
        )
        for name, finalist in study.items()
    ]
    return sorted(ranked, key=lambda finalist: (-finalist.total, finalist.name))


def _rivals(lists: Sequence[Best]) -> dict[str, Best]:
    """The finalists alone, by target, where each of them has a variant."""
    ours = {finalist["ours"] for finalist in _study()["finalists"].values()}
    among = (
        replace(best, measurements=tuple(m for m in best.measurements if m.variant.primitive in ours))
        for best in lists
    )
    return {best.target: best for best in among if len(best.measurements) == len(ours)}


def document(lists: Mapping[str, Sequence[Best]]) -> Document:
    """Points by target and criterion, their sum, and the sum of the study."""
    ranked, study = finalists(lists), _study()
    where = [(target, by) for target in _rivals(lists[BY[0]]) for by in BY]
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
    notes = (
        f"Published: {study['source']}. Counted: {study['counted']}.",
        _DIFFERS,
        f"{study['core']['name']} of the study: {study['core']['about']}.",
    )
    return Document("ranking of the SHA-3 finalists", (table, _fastest(ranked, lists["speed"])), notes)


def _fastest(ranked: Sequence[Finalist], speeds: Sequence[Best]) -> Table:
    """The study's fastest on one core, and ours on the default part of its target, where there is one."""
    study, core = _study()["finalists"], _study()["core"]
    ours = {
        measurement.variant.primitive: measurement
        for best in speeds
        if best.target == core["target"]
        for measurement in best.measurements
    }
    rows = []
    for finalist in ranked:
        published, own = study[finalist.name]["fastest"], ours.get(finalist.primitive)
        figures = (f"{cycles_a_byte(own):.1f}", f"{own.cost.rom:,}") if own else ("-", "-")
        rows.append((finalist.name, str(published["speed"]), f"{published['rom']:,}", *figures))
    columns = ("finalist", "published: cycles a byte", "ROM", f"{core['target']}: cycles a byte", "ROM")
    caption = f"SHA-3 finalists: the fastest on {core['name']} in the study"
    return Table(caption, columns, tuple(rows), frozenset(range(1, len(columns))))


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
