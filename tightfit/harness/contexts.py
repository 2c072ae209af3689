"""Contexts as the portfolio keeps them: each has a short name, and facts that all of a file share stand once.

A new stamp of a file then moves the facts that moved, and no line of a measurement.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from tightfit.harness.provenance import context_of

SHARED = "shared"
Facts = Mapping[str, str]
_HASH = "context"


def short_names(provenances: Iterable[Facts]) -> dict[str, str]:
    """Short names of contexts by their hashes: their numbers, in the order in which they are first met."""
    hashes = dict.fromkeys(facts[_HASH] for facts in provenances)
    return {context: str(number) for number, context in enumerate(hashes, 1)}


def form_of(provenances: Iterable[Facts]) -> dict[str, dict[str, str]]:
    """The facts of contexts by short name, without their hashes and what all share, which is `SHARED`."""
    contexts = {facts[_HASH]: facts for facts in provenances}
    named = {name: _but_hash(contexts[context]) for context, name in short_names(contexts.values()).items()}
    shared = set.intersection(*(set(facts.items()) for facts in named.values())) if named else set()
    own = {name: dict(facts.items() - shared) for name, facts in named.items()}
    return {name: dict(sorted(facts.items())) for name, facts in {SHARED: dict(shared), **own}.items()}


def facts_of(form: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The facts of each context by its short name, with its hash, as `form_of` wrote them."""
    named = {name: {**form[SHARED], **own} for name, own in form.items() if name != SHARED}
    return {name: {**facts, _HASH: context_of(facts)} for name, facts in named.items()}


def _but_hash(facts: Facts) -> dict[str, str]:
    return {name: fact for name, fact in facts.items() if name != _HASH}
