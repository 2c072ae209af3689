"""A measurement as one line of JSON, as the portfolio and the store keep it.

Its context, which has its provenance, and its attribution, which is most of it, are kept beside the line.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tightfit.jsonform import from_json, to_json
from tightfit.records import Attribution, LeakShare, Measurement, RomShare, TimeShare

_CALLS = " > "
"""Between the fragments of a call path."""
_ROM = ("fragment", "bytes", "emissions")
_TIME = ("entry", "path", "cycles", "executions")
_LEAKS = ("fragment", "instructions")
_OF_VARIANT = ("part", "operation", "template", "knobs")


@dataclass(frozen=True)
class Line:
    """The fields by which a measurement is looked up, and the rest of it as text.

    `text` is the SHA-256 of the variant's text, `context` the hash of its provenance; `record` has all else
    but the attribution, which is `attribution`.
    """

    variant_id: str
    part: str
    operation: str
    template: str
    text: str
    context: str
    rejected: str | None
    record: str
    attribution: str


def line_of(measurement: Measurement) -> Line:
    """The line of a measurement."""
    data = to_json(replace(measurement, attribution=None))
    variant = data.pop("variant")
    del data["attribution"], data["provenance"]
    if measurement.curve is None:
        del data["curve"]
    if measurement.rejected is None:
        del data["rejected"]
    own = {name: variant[name] for name in _OF_VARIANT}
    form = {"id": measurement.variant.id, **own, **data}
    attribution = json.dumps(measurement.attribution and _rows(measurement.attribution), ensure_ascii=False)
    return _line(json.dumps(form, ensure_ascii=False), attribution, form, measurement.provenance["context"])


def text_of(line: Line, context: str) -> str:
    """The line as the portfolio has it, with a short name of its context and without its attribution."""
    return f'{line.record[:-1]}, "context": {json.dumps(context)}}}'


def parsed(text: str, contexts: Mapping[str, str], attributions: Mapping[str, str]) -> Line:
    """The line that `text_of` wrote; ValueError, KeyError or TypeError where the text is no such line.

    Parameters
    ----------
    contexts : the hash of each context by its short name.
    attributions : the attribution of each variant by its id.
    """
    data = json.loads(text)
    context = contexts[data.pop("context")]
    return _line(json.dumps(data, ensure_ascii=False), attributions[data["id"]], data, context)


def measurement_of(
    target: str, primitive: str, record: str, attribution: str | None, provenance: Mapping[str, str]
) -> Measurement:
    """The measurement of a line, without an attribution where none is given."""
    data = json.loads(record)
    own = {"target": target, "primitive": primitive, **{name: data.pop(name) for name in _OF_VARIANT}}
    del data["id"]
    measurement = from_json(
        Measurement,
        {"rejected": None, **data, "variant": own, "attribution": None, "provenance": provenance},
    )
    return with_attribution(measurement, attribution) if attribution else measurement


def with_attribution(measurement: Measurement, attribution: str) -> Measurement:
    """The measurement with where its bytes and cycles are, from the text of a line."""
    rows = json.loads(attribution)
    return replace(measurement, attribution=_attribution(rows)) if rows else measurement


def _line(record: str, attribution: str, data: Mapping[str, Any], context: str) -> Line:
    return Line(
        variant_id=data["id"],
        part=data["part"],
        operation=data["operation"],
        template=data["template"],
        text=data["source_sha256"],
        context=context,
        rejected=data.get("rejected"),
        record=record,
        attribution=attribution,
    )


def _rows(attribution: Attribution) -> dict[str, Any]:
    rows = {
        "inputs": attribution.inputs,
        "rom": [[getattr(share, name) for name in _ROM] for share in attribution.rom],
        "time": [
            [share.entry, _CALLS.join(share.path), share.cycles, share.executions]
            for share in attribution.time
        ],
        "leaks": _leak_rows(attribution.leaks),
    }
    if attribution.flash_lookups:
        rows["flash_lookups"] = _leak_rows(attribution.flash_lookups)
    return rows


def _leak_rows(shares: Iterable[LeakShare]) -> list[list[Any]]:
    return [[getattr(share, name) for name in _LEAKS] for share in shares]


def _attribution(rows: Mapping[str, Any]) -> Attribution:
    """The attribution of some rows; built as it is, since there are hundreds of shares in each."""
    return Attribution(
        inputs=rows["inputs"],
        rom=tuple([RomShare(*row) for row in rows["rom"]]),
        time=tuple(
            [
                TimeShare(entry, tuple(path.split(_CALLS)) if path else (), cycles, executions)
                for entry, path, cycles, executions in rows["time"]
            ]
        ),
        leaks=tuple([LeakShare(*row) for row in rows.get("leaks", ())]),
        flash_lookups=tuple([LeakShare(*row) for row in rows.get("flash_lookups", ())]),
    )
