"""The portfolio as text: one JSON file for each target and primitive, in a fixed order."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tightfit.errors import WorkError
from tightfit.generator.merit import unbeaten
from tightfit.harness.jsontext import json_text
from tightfit.harness.provenance import is_current
from tightfit.harness.reader import Reader
from tightfit.jsonform import from_json, to_json
from tightfit.records import Attribution, Cell, Measurement
from tightfit.textfile import replace_text

FORMAT = 2
_CALLS = " > "
"""Between the fragments of a call path."""
_ROM = ("fragment", "bytes", "emissions")
_TIME = ("entry", "path", "cycles", "executions")


def files(directory: Path) -> list[Path]:
    """The portfolio files of a folder, `<target>/<primitive>.json`, in alphabetical order."""
    return sorted(directory.glob("*/*.json")) if directory.is_dir() else []


def write(store: Reader, target: str, primitive: str, directory: Path) -> Path:
    """Write the cells of a primitive on a target, with every winner and every variant on the front.

    The front is that of the templates as they are now. The file is left alone where nothing changed. Returns
    its path.
    """
    cells = store.cells(target=target, primitive=primitive)
    winners = {cell.variant_id for cell in cells}
    measured = [
        measurement
        for measurement in store.measurements(target=target, primitive=primitive)
        if measurement.variant.id in winners or is_current(measurement)
    ]
    kept = {m.variant.id: m for m in [*front(measured), *(m for m in measured if m.variant.id in winners)]}
    text = render(target, primitive, kept.values(), cells)
    file = directory / target / f"{primitive}.json"
    replace_text(file, text)
    return file


def render(target: str, primitive: str, measurements: Iterable[Measurement], cells: Iterable[Cell]) -> str:
    """The text of a portfolio file; the same records give the same text, whatever their order."""
    measurements = sorted(measurements, key=_measurement_key)
    contexts = {m.provenance["context"]: dict(m.provenance) for m in measurements}
    return json_text(
        {
            "format": FORMAT,
            "target": target,
            "primitive": primitive,
            "cells": [to_json(cell) for cell in sorted(cells, key=_cell_key)],
            "measurements": [_short(measurement) for measurement in measurements],
            "contexts": dict(sorted(contexts.items())),
        }
    )


def read(path: Path) -> tuple[list[Measurement], list[Cell]]:
    """The measurements and cells of a portfolio file.

    Raises
    ------
    WorkError
        The file cannot be read or is no portfolio of this format.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise WorkError(f"{path}: portfolio of format {data['format']}, expected {FORMAT}")
        contexts = data["contexts"]
        measurements = [_long(m, contexts) for m in data["measurements"]]
        return [from_json(Measurement, m) for m in measurements], [from_json(Cell, c) for c in data["cells"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WorkError(f"{path}: this is no portfolio: {type(error).__name__} {error}") from None


def front(measurements: Iterable[Measurement]) -> list[Measurement]:
    """The Pareto-optimal measurements over (ROM, RAM, cycles), by part and operation."""
    groups: dict[tuple[str, str, str], list[Measurement]] = {}
    for measurement in sorted(measurements, key=lambda one: one.variant.id):
        if measurement.cost is not None:
            variant = measurement.variant
            groups.setdefault((variant.primitive, variant.part, variant.operation), []).append(measurement)
    return [measurement for group in groups.values() for measurement in unbeaten(group, _figures)]


def _figures(measurement: Measurement) -> tuple[int, int, float]:
    return measurement.cost.rom, measurement.cost.ram, measurement.cost.cycles


def _short(measurement: Measurement) -> dict[str, Any]:
    """A measurement with its context by name, its attribution as rows of figures, a curve if it has one."""
    record = to_json(measurement)
    if measurement.curve is None:
        del record["curve"]
    return {
        "id": measurement.variant.id,
        **record,
        "attribution": measurement.attribution and _rows(measurement.attribution),
        "provenance": measurement.provenance["context"],
    }


def _long(data: Mapping[str, Any], contexts: Mapping[str, Any]) -> dict[str, Any]:
    """The plain JSON of the record that `_short` shortened."""
    rows = data["attribution"]
    return {
        **data,
        "attribution": rows
        and {
            "inputs": rows["inputs"],
            "rom": [dict(zip(_ROM, row, strict=True)) for row in rows["rom"]],
            "time": [
                dict(zip(_TIME, (entry, path.split(_CALLS) if path else [], *figures), strict=True))
                for entry, path, *figures in rows["time"]
            ],
        },
        "provenance": contexts[data["provenance"]],
    }


def _rows(attribution: Attribution) -> dict[str, Any]:
    return {
        "inputs": attribution.inputs,
        "rom": [[getattr(share, name) for name in _ROM] for share in attribution.rom],
        "time": [
            [share.entry, _CALLS.join(share.path), share.cycles, share.executions]
            for share in attribution.time
        ],
    }


def _measurement_key(measurement: Measurement) -> tuple:
    variant = measurement.variant
    figures = _figures(measurement) if measurement.cost else ()
    return variant.operation, variant.part, figures, variant.id


def _cell_key(cell: Cell) -> tuple:
    budget = cell.budget
    bounds = (
        budget.objective != "rom",
        budget.rom is None,
        budget.rom or 0,
        budget.ram is None,
        budget.ram or 0,
    )
    return cell.operation, cell.part, bounds, budget.name
