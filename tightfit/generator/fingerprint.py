"""What the variants of a template render to, as one digest: sources that change without it change no text.

Of a small space all variants are rendered; of a larger one a covering, in which every two values of knobs
that go together stand in one variant at least. A text that only three knobs together move may be missed; the
texts that were measured are compared one by one besides.
"""

from contextlib import suppress
from itertools import combinations, islice
from random import Random

from tightfit.errors import WorkError
from tightfit.paths import cache_dir
from tightfit.primitives import load_primitive
from tightfit.records import Knobs, Variant
from tightfit.textfile import replace_text

from .declaration import load_space
from .folders import DECLARATION
from .sources import declared, short_hash, sources_of_template
from .space import TemplateSpec

ALL = 64
"""Variants up to which a space is rendered as a whole."""
_FORM = 1
"""Version of what is hashed."""


def space_texts(target: str, part: str, primitive: str, operation: str) -> str:
    """First 16 hex digits of SHA-256 over what the templates of an operation render to on a part."""
    specs = load_space(target, primitive, part=part).of(operation)
    return short_hash({spec.name: texts_digest(spec, part, operation) for spec in specs})


def texts_digest(spec: TemplateSpec, part: str, operation: str) -> str:
    """First 16 hex digits of SHA-256 over what a template declares, and the texts of its variants.

    It is remembered in the user's cache for the sources that the template has, so that these are rendered
    once.
    """
    kept = cache_dir() / "texts" / _key(spec, operation)
    with suppress(OSError, ValueError):
        return kept.read_text(encoding="ascii")
    digest = _rendered(spec, part, operation)
    with suppress(WorkError):  # a cache that cannot be written is none
        replace_text(kept, digest)
    return digest


def covering(spec: TemplateSpec, operation: str) -> list[Knobs]:
    """Knobs of all variants of a small space; of others, variants that hold every pair of values there is.

    They depend on what the template declares, and on nothing else.
    """
    few = list(islice(spec.variants(operation), ALL + 1))
    if len(few) <= ALL:
        return few
    rng = Random(f"{spec.name} {operation}")
    chosen: list[Knobs] = []
    covered: set[frozenset] = set()
    for one, other in combinations(spec.knobs.values(), 2):
        for pair in ({one.name: a, other.name: b} for a in one.values for b in other.values):
            if frozenset(pair.items()) in covered:
                continue
            if (knobs := spec.sample(operation, rng, pair)) is not None:
                chosen.append(knobs)
                covered |= {frozenset(two) for two in combinations(knobs.items(), 2)}
    return chosen


def _rendered(spec: TemplateSpec, part: str, operation: str) -> str:
    from .rendering import render

    texts = []
    for knobs in covering(spec, operation):
        variant = Variant(spec.target, part, spec.primitive, operation, spec.name, knobs)
        texts.append([dict(knobs), render(variant).sha256])
    return short_hash([_FORM, _declarations(spec), texts])


def _declarations(spec: TemplateSpec) -> list:
    folders = [spec.folder, *([spec.inner.spec.folder] if spec.inner else [])]
    return [declared(folder / DECLARATION) for folder in folders]


def _key(spec: TemplateSpec, operation: str) -> str:
    """What decides the texts of a template: its sources, and what these read of primitive and core class."""
    facts = [_FORM, sources_of_template(spec), operation, dict(spec.constants), dict(spec.facts)]
    facts += [spec.target, spec.primitive, spec.name]
    if spec.inner:
        called = load_primitive(spec.inner.spec.primitive)
        facts += [called.id, dict(called.constants), called.full_last]
    return short_hash(facts)
