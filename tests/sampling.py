"""What a usual run takes a sample of; `pytest --exhaustive` takes all of it.

What changed since it was measured is tested in full: `as_measured` says of a template whether it renders to
the texts that are in the portfolio. Of the rest a sample is chosen by a hash of what is tested, the same for
a checkout (`some`), and another one by the hash of the commit (`turn`), so that in time all of it is tested.
"""

import hashlib
import subprocess
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeVar

from tightfit.generator import TemplateSpec, load_space
from tightfit.generator.fingerprint import texts_digest
from tightfit.generator.sources import sources_of_template
from tightfit.harness import portfolio
from tightfit.harness.provenance import hash_files
from tightfit.paths import PACKAGE, portfolio_dir
from tightfit.targets import load_target

SHIPPED = portfolio_dir()
"""The portfolio that ships, whichever one a test names."""

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
    ranked = sorted(range(len(cases)), key=lambda n: hash_of(text(cases[n])))
    return [cases[n] for n in sorted(ranked[:few])]


def turn(cases: Iterable[Case], one_in: int, text: Callable[[Case], str] = str) -> list[Case]:
    """About one case in so many, others with each commit, in their order."""
    return [case for case in cases if exhaustive() or is_its_turn(text(case), one_in)]


def is_its_turn(text: str, one_in: int) -> bool:
    """Whether a case is among those that this commit tests."""
    return hash_of(commit() + text) % one_in == 0


@cache
def commit() -> str:
    """The commit that is tested; where the source is no checkout, what the portfolio is."""
    told = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=PACKAGE.parent, capture_output=True, text=True, check=False
    )
    if told.returncode == 0:
        return told.stdout.strip()
    return hash_files(portfolio.files(SHIPPED))


def as_measured(spec: TemplateSpec) -> bool:
    """Whether a template renders to the texts that passed the full gate; never in an exhaustive run.

    Where its sources are those of then it does; else a covering of its variants is rendered and compared.
    """
    return not exhaustive() and _as_measured(spec.target, spec.primitive, spec.name)


@cache
def _as_measured(target: str, primitive: str, template: str) -> bool:
    then = _templates(target, primitive).get(template)
    if then is None:
        return False
    for part in (part.name for part in load_target(target).shipped):
        spec = load_space(target, primitive, part=part).templates.get(template)
        if spec is None:
            continue
        known = [then["texts"].get(f"{operation} {part}") for operation in spec.operations]
        if None in known:
            return False
        if sources_of_template(spec) != then["sources"]:
            if known != [texts_digest(spec, part, operation) for operation in spec.operations]:
                return False
    return True


@cache
def _templates(target: str, primitive: str) -> Mapping[str, Mapping[str, Any]]:
    """What the templates of a primitive were when the shipped portfolio was measured."""
    file = SHIPPED / target / f"{primitive}.json"
    return portfolio.read_templates(file) if file.is_file() else {}


def hash_of(text: str) -> int:
    """A number of 64 bits that goes by a text alone, in every run."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
