"""What a usual run takes a sample of; `pytest --exhaustive` takes all of it.

A sample is chosen by a hash of what is tested: the same for a checkout, another one where that changed. A
template whose sources are not those that the shipped portfolio was measured with is never sampled.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TypeVar

from tightfit.generator import TemplateSpec
from tightfit.generator.sources import sources_of_template
from tightfit.harness import portfolio
from tightfit.paths import portfolio_dir

Case = TypeVar("Case")
_run = {"exhaustive": False}


def exhaustive(wanted: bool | None = None) -> bool:
    """Whether everything is tested; `wanted` says so for the whole run."""
    if wanted is not None:
        _run["exhaustive"] = wanted
    return _run["exhaustive"]


def some(cases: Iterable[Case], few: int, text: Callable[[Case], str] = str) -> list[Case]:
    """Some of the cases, by the hash of their texts, in their order."""
    cases = list(cases)
    if exhaustive() or len(cases) <= few:
        return cases
    ranked = sorted(range(len(cases)), key=lambda n: hashlib.sha256(text(cases[n]).encode()).digest())
    return [cases[n] for n in sorted(ranked[:few])]


def as_measured(spec: TemplateSpec) -> bool:
    """Whether a template is as it was when its winners passed the full gate; never in an exhaustive run."""
    return not exhaustive() and sources_of_template(spec) == _sources(spec.target, spec.primitive).get(
        spec.name
    )


@cache
def _sources(target: str, primitive: str) -> Mapping[str, str]:
    """The digests that the shipped measurements have of the templates of a primitive."""
    measured = portfolio.beside(portfolio_dir() / target / f"{primitive}.json")
    if not measured.is_file():
        return {}
    with measured.open(encoding="utf-8") as file:
        return json.loads(file.readline())["sources"]
