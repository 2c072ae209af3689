"""What a template reads, recorded: every knob belongs to the innermost fragment that is open."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from tightfit.records import Knobs

from .space import BlockLayout, TemplateSpec


class RenderError(Exception):
    """A template read what it did not declare."""


class Recorder:
    """The fragments emitted so far and the knobs read outside all of them.

    `implied` are knobs that every fragment reads without saying so: a construction does not know those on
    which the parameter block of what it calls depends.
    """

    def __init__(self, knobs: Iterable[str]) -> None:
        self.knobs = frozenset(knobs)
        self.implied: frozenset[str] = frozenset()
        self.outside: set[str] = set()
        self.declared: dict[str, frozenset[str]] = {}
        self.emitted: list[str] = []
        self.failed: str | None = None
        self._open: list[str] = []

    @contextmanager
    def fragment(self, name: str, reads: frozenset[str]) -> Iterator[int]:
        """Open a fragment while its text is rendered; gives the index of this emission."""
        if unknown := reads - self.knobs:
            raise RenderError(
                f"fragment {name!r} declares {_list(unknown)}, expected knobs of {_list(self.knobs)}"
            )
        reads |= self.implied
        if self.declared.setdefault(name, reads) != reads:
            raise RenderError(
                f"fragment {name!r} declares {_list(reads)} here and {_list(self.declared[name])} elsewhere"
            )
        self._open.append(name)
        self.emitted.append(name)
        try:
            yield len(self.emitted) - 1
        except BaseException:
            self.failed = self.failed or name
            raise
        self._open.pop()

    def read(self, knobs: frozenset[str], what: str) -> None:
        """Record that `what`, which depends on `knobs`, is read here."""
        if unknown := knobs - self.knobs:
            raise RenderError(
                f"{what} reads undeclared knob {_list(unknown)}, expected one of {_list(self.knobs)}"
            )
        if not self._open:
            self.outside |= knobs
        elif missing := knobs - self.declared[self._open[-1]]:
            raise RenderError(
                f"{what} reads knob {_list(missing)} that the fragment's `reads` does not declare"
            )


class KnobReader:
    """The knobs as templates see them: `k.name`, and `k.operation`."""

    def __init__(self, recorder: Recorder, knobs: Knobs, operation: str) -> None:
        self._recorder, self._knobs, self._operation = recorder, knobs, operation

    def __getattr__(self, name: str) -> str | int:
        if name.startswith("_"):
            raise AttributeError(name)
        if name == "operation":
            return self._operation
        self._recorder.read(frozenset([name]), f"k.{name}")
        return self._knobs[name]

    __getitem__ = __getattr__


class Constants:
    """Constants as templates see them, `p.name` or `t.name`: the same for all variants, so no read."""

    def __init__(self, values: Mapping[str, int], owner: str, what: str) -> None:
        self._values, self._owner, self._what = values, owner, what

    def __getattr__(self, name: str) -> int:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._values:
            names = ", ".join(self._values) or "none"
            raise RenderError(f"{self._owner}.{name} is no {self._what}, expected one of {names}")
        return self._values[name]


class BlockReader:
    """Offsets of the parameter block's fields in bytes, `block.name`, and `block.size`, where they end."""

    def __init__(self, recorder: Recorder, spec: TemplateSpec, layout: BlockLayout) -> None:
        self._recorder, self._spec, self._layout = recorder, spec, layout

    def __getattr__(self, name: str) -> int:
        if name.startswith("_"):
            raise AttributeError(name)
        if name != "size" and name not in dict(self._spec.fields):
            fields = ", ".join(field for field, _ in self._spec.fields)
            raise RenderError(
                f"block.{name} is no field of the parameter block, expected one of {fields}, size"
            )
        self._recorder.read(self._spec.block_reads(name), f"block.{name}")
        return self._layout.end if name == "size" else self._layout.offset(name)


class Entries(tuple):
    """Names of the variant's entries; to look at them is to read the knobs that decide which there are."""

    def __new__(cls, recorder: Recorder, names: Iterable[str], reads: frozenset[str]) -> "Entries":
        self = super().__new__(cls, names)
        self._recorder, self._reads = recorder, reads
        return self

    def __iter__(self) -> Iterator[str]:
        self._recorder.read(self._reads, "entries")
        return super().__iter__()

    def __contains__(self, name: object) -> bool:
        self._recorder.read(self._reads, "entries")
        return super().__contains__(name)

    def __len__(self) -> int:
        self._recorder.read(self._reads, "entries")
        return super().__len__()


def _list(knobs: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in sorted(knobs)) or "none"
