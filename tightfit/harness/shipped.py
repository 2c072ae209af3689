"""The C baselines that ship with the portfolio: one `<target>/<primitive>/c.json` each, in a fixed order."""

import json
from collections.abc import Iterable
from pathlib import Path

from tightfit.errors import WorkError
from tightfit.harness.contexts import facts_of, form_of, short_names
from tightfit.harness.reader import Reader
from tightfit.jsonform import from_json, to_json
from tightfit.records import BASELINE, Contender
from tightfit.textfile import read_stored, replace_text, stored_in

FORMAT = 3


def files(directory: Path) -> list[Path]:
    """The files of a portfolio's folder, in alphabetical order."""
    return stored_in(directory, "*/*/c.json")


def file_of(directory: Path, target: str, primitive: str) -> Path:
    """The file of a primitive on a target."""
    return directory / target / primitive / "c.json"


def write(store: Reader, target: str, primitive: str, directory: Path) -> Path | None:
    """Write the baselines that the store has for a primitive on a target; the path, or None without any."""
    baselines = store.contenders(target=target, primitive=primitive, origin=BASELINE, rejected=True)
    if not baselines:
        return None
    file = file_of(directory, target, primitive)
    replace_text(file, render(target, primitive, baselines))
    return file


def render(target: str, primitive: str, contenders: Iterable[Contender]) -> str:
    """The text of a file; the same records give the same text, whatever their order."""
    ordered = sorted(contenders, key=lambda c: (c.operation, c.part, c.name, c.flags, c.id))
    provenances = [c.provenance for c in ordered]
    names = short_names(provenances)
    forms = ({"id": c.id, **to_json(c), "provenance": names[c.provenance["context"]]} for c in ordered)
    lines = ",\n".join(f"  {json.dumps(form, ensure_ascii=False)}" for form in forms)
    head = f' "format": {FORMAT}, "target": "{target}", "primitive": "{primitive}",'
    return (
        f'{{\n{head}\n "contexts": {json.dumps(form_of(provenances))},\n "contenders": [\n{lines}\n ]\n}}\n'
    )


def read(path: Path) -> list[Contender]:
    """The baselines of a file.

    Raises
    ------
    WorkError
        The file cannot be read or is not of this format.
    """
    try:
        data = json.loads(read_stored(path))
        if data["format"] != FORMAT:
            raise WorkError(f"{path}: baselines of format {data['format']}, expected {FORMAT}")
        contexts = facts_of(data["contexts"])
        records = [{**form, "provenance": contexts[form["provenance"]]} for form in data["contenders"]]
        return [from_json(Contender, record) for record in records]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WorkError(f"{path}: these are no baselines: {type(error).__name__} {error}") from None
