"""The portfolio as text: what a person reviews, and the measurements behind it, in a fixed order.

`<target>/<primitive>.json` has the cells and the fronts, one a line; what their certificates have in common
stands once for each search. `<target>/<primitive>/measurements.jsonl`, which is generated, has one
measurement a line, behind a line for the file, one for its contexts and one for each template: lines that are
short where a new stamp moves something, and what stands beside them. `attribution.xz` beside it says where
the bytes and cycles of each variant are: its id, and the rows as JSON.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from tightfit.errors import WorkError
from tightfit.harness.contexts import facts_of, form_of, short_names
from tightfit.harness.current import states_of
from tightfit.harness.lines import Line, line_of, measurement_of, parsed, text_of
from tightfit.harness.reader import Reader
from tightfit.jsonform import from_json, to_json
from tightfit.records import Cell, Front, Measurement
from tightfit.textfile import read_packed, read_stored, replace_texts, stored_in

FORMAT = 6
MEASUREMENTS = "measurements.jsonl"
ATTRIBUTION = "attribution.xz"
_TEMPLATE = "template"
"""Key of a template's name in its line, by which the line is known."""
_SEARCH = ("space", "measured", "exact", "margin", "solver", "seed", "deterministic_limit")
"""What the certificates of one search have in common."""
_OF_SEARCH = ("operation", "part", "space_digest", "texts_digest")
"""What all answers of one search have in common."""


@dataclass(frozen=True)
class Measured:
    """A file of measurements: their lines, provenance by its hash, and what the templates were.

    The texts of the variants are those that these templates render to (`current.states_of`).
    """

    target: str
    primitive: str
    lines: Sequence[Line]
    contexts: Mapping[str, Mapping[str, str]]
    templates: Mapping[str, Mapping[str, Any]]

    def measurements(self) -> list[Measurement]:
        """The records of the lines."""
        own = self.target, self.primitive
        return [
            measurement_of(*own, line.record, line.attribution, self.contexts[line.context])
            for line in self.lines
        ]


def files(directory: Path) -> list[Path]:
    """The files of cells of a folder, `<target>/<primitive>.json`, in alphabetical order."""
    return stored_in(directory, "*/*.json")


def file_of(directory: Path, target: str, primitive: str) -> Path:
    """The file of cells of a primitive on a target."""
    return directory / target / f"{primitive}.json"


def beside(file: Path) -> Path:
    """The file of measurements that goes with a file of cells."""
    return file.with_suffix("") / MEASUREMENTS


def write(store: Reader, target: str, primitive: str, directory: Path) -> Path:
    """Write the cells and fronts of a primitive on a target, with every winner and every variant of a front.

    Files are left alone where nothing changed. Returns the path of the cells.
    """
    of = {"target": target, "primitive": primitive}
    cells, fronts = store.cells(**of), store.fronts(**of)
    chosen = {cell.variant_id for cell in cells} | {each for front in fronts for each in front.variants}
    measured = store.measurements(**of, present=True)
    kept = [measurement for measurement in measured if measurement.variant.id in chosen]
    file = file_of(directory, target, primitive)
    states = states_of(target, primitive, {(cell.operation, cell.part) for cell in cells})
    gone = {m.variant.template: {"sources": "", "texts": {}} for m in kept}
    texts = measurement_texts(file, target, primitive, kept, {**gone, **states})
    replace_texts({**texts, file: render(target, primitive, kept, cells, fronts)})
    return file


def measurement_texts(
    file: Path,
    target: str,
    primitive: str,
    measurements: Iterable[Measurement],
    templates: Mapping[str, Mapping[str, Any]],
) -> dict[Path, str]:
    """The texts of what goes with a file of cells: the measurements, and their attribution."""
    kept = list(measurements)
    return {
        attribution(file): render_attributions(kept),
        beside(file): render_measurements(target, primitive, kept, templates),
    }


def render(
    target: str,
    primitive: str,
    measurements: Iterable[Measurement],
    cells: Iterable[Cell],
    fronts: Iterable[Front] = (),
) -> str:
    """The text of a file of cells; the same records give the same text, whatever their order."""
    costs = {m.variant.id: m for m in measurements}
    searches: dict[str, int] = {}

    def searched(answer: Cell | Front) -> tuple[dict[str, Any], int]:
        """What the certificate has of its own, and the number of its search."""
        certificate = to_json(answer.certificate)
        own = {name: getattr(answer, name) for name in _OF_SEARCH}
        search = json.dumps({**own, **{name: certificate.pop(name) for name in _SEARCH}})
        return certificate, searches.setdefault(search, len(searches) + 1)

    lines = [
        json.dumps(_cell_form(cell, costs.get(cell.variant_id), *searched(cell)))
        for cell in sorted(cells, key=_cell_key)
    ]
    curves = [json.dumps(_front_form(front, *searched(front))) for front in sorted(fronts, key=_front_key)]
    proofs = [f'{{"search": {number}, {search[1:]}' for search, number in searches.items()]
    parts = {"searches": proofs, "cells": lines, "fronts": curves}
    head = f' "format": {FORMAT}, "target": "{target}", "primitive": "{primitive}",'
    listed = ",\n".join(f' "{name}": [{_listed(rows)}]' for name, rows in parts.items())
    return f"{{\n{head}\n{listed}\n}}\n"


def render_measurements(
    target: str,
    primitive: str,
    measurements: Iterable[Measurement],
    templates: Mapping[str, Mapping[str, Any]],
) -> str:
    """The text of a file of measurements; the same records give the same text, whatever their order."""
    ordered = sorted(measurements, key=_measurement_key)
    provenances = [m.provenance for m in ordered]
    names = short_names(provenances)
    head = (
        {"format": FORMAT, "target": target, "primitive": primitive},
        {"contexts": form_of(provenances)},
        *({_TEMPLATE: name, **state} for name, state in sorted(templates.items())),
    )
    lines = [text_of(line, names[line.context]) for line in map(line_of, ordered)]
    return "\n".join([*map(json.dumps, head), *lines]) + "\n"


def render_attributions(measurements: Iterable[Measurement]) -> str:
    """The text that is packed beside a file of measurements, in the order of that file."""
    ordered = sorted(measurements, key=_measurement_key)
    return "".join(f"{m.variant.id} {line_of(m).attribution}\n" for m in ordered)


def read(path: Path) -> tuple[list[Measurement], list[Cell]]:
    """The measurements and the cells of a primitive on a target, by the path of the cells.

    Raises
    ------
    WorkError
        A file cannot be read or is no portfolio of this format.
    """
    return read_measurements(path).measurements(), read_answers(path)[0]


def read_answers(path: Path) -> tuple[list[Cell], list[Front]]:
    """The cells and the fronts of a file; WorkError where it is no portfolio of this format."""
    try:
        data = json.loads(read_stored(path))
        _check_format(path, data)
        searches = {search["search"]: search for search in data["searches"]}
        cells = [_cell(data, form, searches[form["search"]]) for form in data["cells"]]
        return cells, [_front(data, form, searches[form["search"]]) for form in data["fronts"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WorkError(f"{path}: this is no portfolio: {type(error).__name__} {error}") from None


def read_measurements(path: Path) -> Measured:
    """The measurements that go with a file of cells; WorkError where their file is not of this format."""
    file = beside(path)
    try:
        head, contexts, *lines = read_stored(file).splitlines()
        data, templates = json.loads(head), _templates(lines)
        _check_format(file, data)
        facts = facts_of(json.loads(contexts)["contexts"])
        named = {name: own["context"] for name, own in facts.items()}
        by_hash = {own["context"]: own for own in facts.values()}
        shares = attributions(path)
        parts = [parsed(line, named, shares) for line in lines[len(templates) :]]
        return Measured(data["target"], data["primitive"], parts, by_hash, templates)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WorkError(f"{file}: this is no portfolio: {type(error).__name__} {error}") from None


def read_templates(path: Path) -> dict[str, dict[str, Any]]:
    """What the templates were when the measurements that go with a file of cells were made, by name."""
    return _templates(read_stored(beside(path)).splitlines()[2:])


def _templates(lines: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The templates that lines begin with."""
    states = map(json.loads, takewhile(lambda line: line.startswith(f'{{"{_TEMPLATE}"'), lines))
    return {state.pop(_TEMPLATE): state for state in states}


def attribution(file: Path) -> Path:
    """The file of attributions that goes with a file of cells."""
    return file.with_suffix("") / ATTRIBUTION


def attributions(path: Path) -> dict[str, str]:
    """What goes with a file of cells: where bytes and cycles of each variant are, as text, by its id.

    WorkError where it is damaged.
    """
    file = attribution(path)
    try:
        rows = (line.partition(" ") for line in read_packed(file).splitlines())
        return {variant: attribution for variant, _, attribution in rows}
    except (OSError, ValueError) as error:
        raise WorkError(f"{file}: this is no attribution: {type(error).__name__} {error}") from None


def _check_format(path: Path, data: Mapping[str, Any]) -> None:
    if data["format"] != FORMAT:
        raise WorkError(f"{path}: portfolio of format {data['format']}, expected {FORMAT}")


def _cell_form(
    cell: Cell, winner: Measurement | None, certificate: Mapping[str, Any], search: int
) -> dict[str, Any]:
    """A cell as one line of the file; fields without a value are left out."""
    budget = to_json(cell.budget)
    cost = winner and winner.cost
    form = {
        "operation": cell.operation,
        "part": cell.part,
        "budget": budget.pop("name"),
        "status": cell.status,
        "variant": cell.variant_id,
        "template": winner and winner.variant.template,
        "rom": cost and cost.rom,
        "ram": cost and cost.ram,
        "cycles": cost and cost.cycles,
        "satiated_by": cell.satiated_by,
        "proof": certificate["kind"],
        "search": search,
    }
    kept = {name: value for name, value in form.items() if value is not None}
    bounds = {name: value for name, value in budget.items() if value not in (None, {}, "cycles")}
    rest = {name: value for name, value in certificate.items() if name != "kind" and value is not None}
    return {**kept, "within": bounds, "certificate": rest}


def _cell(data: Mapping[str, Any], form: Mapping[str, Any], search: Mapping[str, Any]) -> Cell:
    budget = {"objective": "cycles", "rom": None, "ram": None, "below": {}, **form["within"]}
    record = {
        **_common(data, form, search),
        "budget": {"name": form["budget"], **budget},
        "status": form["status"],
        "variant_id": form.get("variant"),
        "satiated_by": form.get("satiated_by"),
    }
    return from_json(Cell, record)


def _front_form(front: Front, certificate: Mapping[str, Any], search: int) -> dict[str, Any]:
    """A front as one line of the file."""
    own = {name: value for name, value in certificate.items() if name != "kind" and value is not None}
    return {
        "operation": front.operation,
        "part": front.part,
        "only": list(front.only),
        "proof": certificate["kind"],
        "search": search,
        "open": [to_json(stretch) for stretch in front.open],
        "certificate": own,
        "variants": list(front.variants),
    }


def _front(data: Mapping[str, Any], form: Mapping[str, Any], search: Mapping[str, Any]) -> Front:
    own = {name: form[name] for name in ("only", "variants", "open")}
    return from_json(Front, {**_common(data, form, search), **own})


def _common(data: Mapping[str, Any], form: Mapping[str, Any], search: Mapping[str, Any]) -> dict[str, Any]:
    """What cells and fronts have alike."""
    certificate = {"bound": None, **form["certificate"], **{name: search[name] for name in _SEARCH}}
    return {
        "target": data["target"],
        "part": form["part"],
        "primitive": data["primitive"],
        "operation": form["operation"],
        "certificate": {**certificate, "kind": form["proof"]},
        "space_digest": search["space_digest"],
        "texts_digest": search["texts_digest"],
    }


def _listed(lines: Sequence[str]) -> str:
    return "\n  " + ",\n  ".join(lines) + "\n " if lines else ""


def _figures(measurement: Measurement) -> tuple[int, int, float]:
    return measurement.cost.rom, measurement.cost.ram, measurement.cost.cycles


def _measurement_key(measurement: Measurement) -> tuple:
    variant = measurement.variant
    figures = _figures(measurement) if measurement.cost else ()
    return variant.operation, variant.part, figures, variant.id


def _front_key(front: Front) -> tuple:
    return front.operation, front.part, len(front.only), front.only


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
