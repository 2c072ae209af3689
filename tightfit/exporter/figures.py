"""Costs with the GNU interface that ship with the portfolio, for machines without a toolchain."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tightfit.errors import WorkError
from tightfit.harness.provenance import templates_hash
from tightfit.jsonform import from_json, to_json
from tightfit.paths import portfolio_dir
from tightfit.records import Cost, Measurement
from tightfit.textfile import replace_text

FORMAT = 1


@dataclass(frozen=True)
class Figure:
    """A variant as the portfolio counts it, and its cost with the GNU interface."""

    measurement: Measurement
    cost: Cost


@cache
def read_figures(target: str, primitive: str) -> Mapping[str, Figure]:
    """The figures of the portfolio by variant id; those of templates that have changed since are left out.

    Raises
    ------
    WorkError
        The file is none of this format.
    """
    file = _file(portfolio_dir(), target, primitive)
    if not file.is_file():
        return {}
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise WorkError(f"{file}: figures of format {data['format']}, expected {FORMAT}")
        found = [from_json(Figure, one) for one in data["figures"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WorkError(f"{file}: these are no figures: {type(error).__name__} {error}") from None
    return {one.measurement.variant.id: one for one in found if _is_current(one.measurement)}


def write_figures(folder: Path, target: str, primitive: str, figures: Iterable[Figure]) -> Path:
    """Write figures beside the portfolio's JSON, in a fixed order; left alone where nothing changed."""
    kept = sorted(figures, key=lambda one: (one.measurement.variant.operation, one.measurement.variant.id))
    forms = [_form(one) for one in kept]
    lines = ",\n".join(f"  {json.dumps(form)}" for form in forms)
    text = f'{{\n "format": {FORMAT},\n "figures": [\n{lines}\n ]\n}}\n'
    file = _file(folder, target, primitive)
    replace_text(file, text)
    return file


def _form(figure: Figure) -> dict[str, Any]:
    """A figure as JSON; where its cycles are, and message lengths, the portfolio tells of the variant."""
    form = to_json(replace(figure, measurement=replace(figure.measurement, attribution=None)))
    del form["measurement"]["curve"]
    return form


def _file(folder: Path, target: str, primitive: str) -> Path:
    return folder / target / primitive / "gnu.json"


def _is_current(measurement: Measurement) -> bool:
    variant = measurement.variant
    present = templates_hash(variant.target, variant.primitive, variant.template)
    return measurement.provenance.get("templates") == present
