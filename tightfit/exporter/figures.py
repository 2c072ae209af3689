"""Costs with the GNU interface, which ship with the portfolio for machines without a toolchain."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tightfit.errors import WorkError
from tightfit.harness.contexts import facts_of, form_of, short_names
from tightfit.harness.current import sources_of, text_now
from tightfit.harness.lines import line_of, measurement_of, text_of
from tightfit.jsonform import from_json, to_json
from tightfit.paths import portfolio_dir
from tightfit.records import Cost, Measurement
from tightfit.textfile import read_stored, replace_text, stored

FORMAT = 4


@dataclass(frozen=True)
class Figure:
    """A variant as the portfolio counts it, and its cost with the GNU interface."""

    measurement: Measurement
    cost: Cost


@cache
def read_figures(target: str, primitive: str) -> Mapping[str, Figure]:
    """The figures of the portfolio by variant id, without those of texts that no longer exist.

    Raises
    ------
    WorkError
        The file is not of this format.
    """
    file = _file(portfolio_dir(), target, primitive)
    if stored(file) is None:
        return {}
    try:
        data = json.loads(read_stored(file))
        if data["format"] != FORMAT:
            raise WorkError(f"{file}: figures of format {data['format']}, expected {FORMAT}")
        contexts, sources = facts_of(data["contexts"]), data["sources"]
        figures = [_figure(target, primitive, form, contexts) for form in data["figures"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WorkError(f"{file}: these are no figures: {type(error).__name__} {error}") from None
    return {figure.measurement.variant.id: figure for figure in figures if _is_current(figure, sources)}


def write_figures(folder: Path, target: str, primitive: str, figures: Iterable[Figure]) -> Path:
    """Write figures beside the portfolio's JSON, in a fixed order; left alone where nothing changed."""
    kept = sorted(
        figures, key=lambda figure: (figure.measurement.variant.operation, figure.measurement.variant.id)
    )
    measurements = [figure.measurement for figure in kept]
    provenances = [measurement.provenance for measurement in measurements]
    names = short_names(provenances)
    sources = {measurement.variant.template: sources_of(measurement.variant) for measurement in measurements}
    head = [
        f'"format": {FORMAT}',
        f'"sources": {json.dumps(dict(sorted(sources.items())))}',
        f'"contexts": {json.dumps(form_of(provenances))}',
    ]
    lines = ",\n".join(f"  {_form(figure, names)}" for figure in kept)
    text = "{\n " + ",\n ".join(head) + f',\n "figures": [\n{lines}\n ]\n}}\n'
    file = _file(folder, target, primitive)
    replace_text(file, text)
    return file


def _form(figure: Figure, names: Mapping[str, str]) -> str:
    """A figure as JSON, without attribution and message lengths, which the portfolio has for the variant."""
    line = line_of(replace(figure.measurement, curve=None))
    return (
        f'{{"measurement": {text_of(line, names[line.context])}, "cost": {json.dumps(to_json(figure.cost))}}}'
    )


def _figure(
    target: str, primitive: str, form: Mapping[str, Any], contexts: Mapping[str, Mapping[str, str]]
) -> Figure:
    record = dict(form["measurement"])
    facts = contexts[record.pop("context")]
    measurement = measurement_of(target, primitive, json.dumps(record), None, facts)
    return Figure(measurement, from_json(Cost, form["cost"]))


def _file(folder: Path, target: str, primitive: str) -> Path:
    return folder / target / primitive / "gnu.json"


def _is_current(figure: Figure, sources: Mapping[str, str]) -> bool:
    """Whether the variant renders to what was measured; where the sources are the same, it does."""
    measurement = figure.measurement
    variant = measurement.variant
    same = sources.get(variant.template) == sources_of(variant)
    return same or text_now(variant) == measurement.source_sha256
