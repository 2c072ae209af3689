"""What is current, for the store, answers, `fill`, the portfolio and the tests alike.

A measurement holds while two things are as they were: the text that was measured, and its context. Answers
hold while all variants of their space render to the texts that they had: where the sources of a template are
the same, they do; where they differ, the texts are compared.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tightfit.errors import TightfitError, WorkError
from tightfit.generator.sources import sources_of, space_digest
from tightfit.harness import provenance
from tightfit.records import Cell, Front, Measurement, Variant

if TYPE_CHECKING:
    from tightfit.generator import Rendered

__all__ = ["is_of_space", "moved_facts", "rendering_now", "sources_of", "states_of", "text_now"]


def text_now(variant: Variant) -> str | None:
    """The text of a variant as its template renders it now; None where it does not render."""
    rendered = rendering_now(variant)
    return rendered and rendered.sha256


def rendering_now(variant: Variant) -> "Rendered | None":
    """A variant as its template renders it now; None where it does not render."""
    from tightfit.generator import render

    try:
        return render(variant)
    except (TightfitError, OSError):
        return None


def moved_facts(measurement: Measurement) -> tuple[str, ...]:
    """Names of the facts of a context that are not today's, without those that a missing tool would tell."""
    variant, then = measurement.variant, measurement.provenance
    question = variant.target, variant.part, variant.primitive, variant.operation
    now: dict[str, str] = {}
    with suppress(WorkError):
        now |= provenance.facts_without_tools(*question)
        now |= provenance.tool_facts(variant.target)
    return tuple(name for name, fact in now.items() if then.get(name) != fact)


def is_of_space(answer: Cell | Front) -> bool:
    """Whether an answer is about the space of now."""
    from tightfit.generator.fingerprint import space_texts

    question = answer.target, answer.part, answer.primitive, answer.operation
    if answer.space_digest == space_digest(*question):
        return True
    return bool(answer.texts_digest) and answer.texts_digest == space_texts(*question)


def states_of(target: str, primitive: str, subjects: Iterable[tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """What the templates of a primitive are now: by name the digests of their sources and of their texts.

    Those of texts go by `<operation> <part>`, for the pairs in `subjects`.
    """
    from tightfit.generator import load_space
    from tightfit.generator.fingerprint import texts_digest
    from tightfit.generator.sources import sources_of_template

    states: dict[str, dict[str, Any]] = {}
    for operation, part in sorted(subjects):
        for spec in load_space(target, primitive, part=part).of(operation):
            state = states.setdefault(spec.name, {"sources": sources_of_template(spec), "texts": {}})
            state["texts"][f"{operation} {part}"] = texts_digest(spec, part, operation)
    return dict(sorted(states.items()))
