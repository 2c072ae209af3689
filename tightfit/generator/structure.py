"""What renderings tell about a template: which knobs its fragments read, and what encloses them."""

from collections.abc import Iterable, Sequence

from .rendering import Rendered
from .space import TemplateSpec

Scope = tuple[str, ...]


class Structure:
    """Fragments of a template over all variants rendered so far.

    Fragments are known by name; a fragment that no rendering showed reads every knob.
    """

    def __init__(self, spec: TemplateSpec) -> None:
        self._order = tuple(spec.knobs)
        self._outside: set[str] = set()
        self._reads: dict[str, set[str]] = {}
        self._enclosers: dict[str, set[str]] = {}
        self.neighbours: dict[tuple[str, str], None] = {}

    def absorb(self, rendered: Rendered) -> None:
        """Learn from one rendering."""
        self._outside |= rendered.outside
        for fragment, reads in rendered.reads.items():
            self._reads.setdefault(fragment, set()).update(reads)
        emissions = rendered.emissions
        for emission in emissions:
            enclosers = self._enclosers.setdefault(emission.fragment, set())
            parent = emission.parent_index
            while parent is not None:
                enclosers.add(emissions[parent].fragment)
                parent = emissions[parent].parent_index
        for first, second in zip(emissions[:-1], emissions[1:], strict=True):
            if first.fragment != second.fragment:
                self.neighbours[first.fragment, second.fragment] = None

    @property
    def fragments(self) -> tuple[str, ...]:
        """Names, in the order they were met."""
        return tuple(self._reads)

    def own(self, fragment: str) -> Scope:
        """Knobs of the fragment's text."""
        return self._scope(self._own(fragment))

    def around(self, fragment: str) -> Scope:
        """Knobs that decide how often the fragment is emitted."""
        return self._scope(self._around(fragment))

    def full(self, fragments: Iterable[str]) -> Scope:
        """Knobs of the fragments' texts and of what encloses them."""
        return self._scope(set().union(*(self._own(name) | self._around(name) for name in fragments)))

    def _own(self, fragment: str) -> set[str]:
        return self._reads.get(fragment, set(self._order)) | self._outside

    def _around(self, fragment: str) -> set[str]:
        enclosers = self._enclosers.get(fragment, ())
        return self._outside.union(*(self._reads[name] for name in enclosers))

    def _scope(self, knobs: set[str]) -> Scope:
        return tuple(knob for knob in self._order if knob in knobs)


def project(scope: Scope, wider: Sequence[str]) -> tuple[int, ...]:
    """Positions of the knobs of `scope` in `wider`."""
    return tuple(wider.index(knob) for knob in scope)
