"""The JSON schemas of what `--json` prints, one file a command."""

import json
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

FOLDER = Path(__file__).resolve().parent


def schema_names() -> list[str]:
    """All answers that have a schema."""
    return sorted(file.stem for file in FOLDER.glob("*.json") if file.stem != "common")


@cache
def validator(name: str) -> Draft202012Validator:
    """The validator of an answer, such as `ask`."""
    return Draft202012Validator(_load(name), registry=_registry())


@cache
def _registry() -> Registry:
    return Registry().with_resource("common.json", Resource.from_contents(_load("common")))


def _load(name: str) -> dict:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
