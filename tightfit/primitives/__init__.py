"""What is computed: definitions, readable references, known answers and published figures.

A primitive is one folder beside this file: `primitive.yaml`, `reference.py`, `oracle.py`, `vectors.json` and,
if there are any, `published.yaml` and `reference.c`. Nothing here knows one primitive from another.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from tightfit.errors import UsageError
from tightfit.names import unknown
from tightfit.primitives import schema
from tightfit.primitives.kinds import FORMS, KINDS, RANKED_TEXT, SIZES, KindFacts, form_of
from tightfit.yamlfile import load_yaml

if TYPE_CHECKING:
    from tightfit.primitives.code import Code

FOLDER = Path(__file__).resolve().parent
_FIGURES = {entry: figures for facts in KINDS.values() for entry, figures in facts.figures.items()}
"""Entries with several figures: the cycles depend on which block of a message the call is for."""


@dataclass(frozen=True)
class Operation:
    """What the caller gets: its entry points, and those whose cycles are summed to rank variants."""

    entries: tuple[str, ...]
    ranked: tuple[str, ...]


@dataclass(frozen=True)
class PublishedCell:
    """A figure from the literature, never mixed with ours; what is unknown is None.

    `budget` is the column of the source, `rom` and `ram` its bounds or the routine's own size in bytes,
    `status` is `fits`, `satiated` or `impossible`. `by_entry` holds cycles, `following` the cycles of a
    following block under the same key, `ranked` the entries that the operation ranks. `message` has the bytes
    of a message without associated data whose cycles they are, where our entries are counted for another.
    `source` cites, `counted` says what its count includes.
    """

    primitive: str
    target: str
    operation: str
    budget: str | None
    rom: int | None
    ram: int | None
    status: str
    by_entry: Mapping[str, int] = field(hash=False)
    following: Mapping[str, int] = field(hash=False)
    ranked: tuple[str, ...]
    source_id: str
    source: str
    counted: str
    note: str | None
    message: int | None = None

    @property
    def to_beat(self) -> dict[str, int]:
        """Cycles of the ranked entries; empty where not all of them are known."""
        published = {entry: self.by_entry[entry] for entry in self.ranked if entry in self.by_entry}
        return published if len(published) == len(self.ranked) else {}


@dataclass(frozen=True)
class Security:
    """The strength against classical computers in bits, and who says so: the key's, or against collisions."""

    bits: int
    source: str


@dataclass(frozen=True)
class Primitive:
    """A primitive: sizes in bytes, operations, and the seed of its random inputs.

    The sizes that its kind does not have are 0. A hash that pads with the length of the message must be right
    for messages of fewer than 2^`message_bits` bits, and so must a stream cipher that counts its blocks; 0:
    there is no length or count, and no message is too long. With `full_last` the last block of a message may
    be full, and only that of the empty message is empty; else it is never full. With `padding_apart` the
    padding never shares a block with bytes of the message. With `totals` authenticated encryption must know
    the sizes of a message at its first call. `over` names the primitive that a construction calls.
    `templates` names the folder of its templates, which primitives of one family share; `parameters` are the
    integers in which these differ.
    """

    id: str
    name: str
    kind: str
    standard: str
    block_bytes: int
    seed: int
    operations: Mapping[str, Operation] = field(hash=False)
    folder: Path
    templates: str
    over: str | None = None
    key_bytes: int = 0
    digest_bytes: int = 0
    iv_bytes: int = 0
    nonce_bytes: int = 0
    tag_bytes: int = 0
    message_bits: int = 0
    full_last: bool = False
    padding_apart: bool = False
    totals: bool = False
    security: Security | None = None
    parameters: Mapping[str, int] = field(default_factory=dict, hash=False)

    @property
    def key_bits(self) -> int:
        return 8 * self.key_bytes

    @property
    def block_bits(self) -> int:
        return 8 * self.block_bytes

    @property
    def ranked_bytes(self) -> int:
        """Bytes that the ranked figure is for: of a block, or of the text of a message that is ranked."""
        return RANKED_TEXT if self.kind == "aead" else self.block_bytes

    @property
    def constants(self) -> dict[str, int]:
        """What templates read as `p.<name>`: its sizes and its parameters."""
        sizes = {size: getattr(self, size) for size in self.kind_facts.sizes}
        return {"block_bytes": self.block_bytes, **sizes, **self.parameters}

    @property
    def kind_facts(self) -> KindFacts:
        """What tells its kind, or its form, from others."""
        return FORMS[self.form]

    @cached_property
    def form(self) -> str:
        """What code goes by where primitives of one kind have other functions and entries."""
        return form_of(self.kind, self._entries)

    @property
    def _entries(self) -> set[str]:
        return {entry for operation in self.operations.values() for entry in operation.entries}

    @property
    def first_operation(self) -> str:
        """The operation that stands for the primitive where several stand side by side."""
        return next(iter(self.operations))

    @property
    def functions(self) -> tuple[str, ...]:
        """What reference and oracle must define."""
        return self.kind_facts.functions(self._entries)

    @property
    def limits(self) -> str:
        """What callers must keep to, as a phrase; empty where there is nothing."""
        if not self.message_bits:
            return ""
        return f"messages of fewer than 2^{self.message_bits} bits (2^{self.message_bits - 3} bytes)"

    def split(self, length: int) -> tuple[int, int]:
        """Blocks of a message before the last one, and bytes in the last one."""
        full, rest = divmod(length, self.block_bytes)
        return (full - 1, self.block_bytes) if self.full_last and full and not rest else (full, rest)

    def check_sources(self) -> None:
        """Raise UsageError where a file or function is missing, or the oracle copies the reference."""
        from tightfit.primitives.independence import check_sources

        check_sources(self.folder, self.functions)

    @cached_property
    def reference(self) -> "Code":
        """The readable reference: `encrypt(key, block)` and `decrypt(key, block)`; `digest(message)`;
        `tag(key, message)`; `keystream(key, iv, start, length)`, or for chained blocks
        `encrypt(key, iv, text)` and `decrypt(key, iv, text)`; or `seal(key, nonce, ad, plaintext)`.
        """
        return self._code("reference.py")

    @cached_property
    def oracle(self) -> "Code":
        """An independent implementation with the same functions as the reference."""
        return self._code("oracle.py")

    def _code(self, name: str) -> "Code":
        from tightfit.primitives.code import Code

        return Code(self.folder / name, self.functions, partial(self.kind_facts.answer_bytes, self))

    def vectors(self) -> list:
        """The known answers that come with the primitive; UsageError where all of them are iterated."""
        file = self.folder / "vectors.json"
        vectors = self.load_vectors(file)
        if all(getattr(vector, "iterations", 1) > 1 for vector in vectors):
            raise UsageError(f"{file}: vectors: expected one that is not iterated, found none")
        return vectors

    def load_vectors(self, path: Path) -> list:
        """The known answers of a file, records of the kind; UsageError where they do not suit."""
        from tightfit.primitives import vectors

        facts = self.kind_facts
        sizes = {name: getattr(self, size) for name, size in facts.vector_bytes.items()}
        return vectors.load_vectors(path, self.form, getattr(vectors, facts.vector), sizes)

    def published(self, target: str | None = None) -> list[PublishedCell]:
        """The published figures on a target, or on all of them; none where there is no `published.yaml`."""
        return [cell for cell in self._every_published if target in (None, cell.target)]

    @cached_property
    def _every_published(self) -> list[PublishedCell]:
        file = self.folder / "published.yaml"
        if not file.is_file():
            return []
        data = load_yaml(file, schema.PUBLISHED)
        for cell in data["cells"]:
            if cell["source"] not in data["sources"]:
                names = ", ".join(data["sources"])
                raise UsageError(f"{file}: cells: source: expected one of {names}, found {cell['source']!r}")
        return [self._published(cell, data["sources"][cell["source"]]) for cell in data["cells"]]

    def _published(self, cell: Mapping, source: Mapping) -> PublishedCell:
        return PublishedCell(
            primitive=self.id,
            target=cell["target"],
            operation=cell["operation"],
            budget=cell["budget"],
            rom=cell["rom"],
            ram=cell["ram"],
            status=cell["status"],
            by_entry=cell.get("cycles", {}),
            following=cell.get("following", {}),
            ranked=self.operation(cell["operation"]).ranked,
            source_id=cell["source"],
            source=source["cite"],
            counted=source["counted"],
            note=cell.get("note"),
            message=cell.get("message"),
        )

    def operation(self, name: str) -> Operation:
        """The operation `name`; UsageError names the nearest where there is none."""
        if name not in self.operations:
            raise unknown("operation", name, self.operations, f"primitive {self.id}")
        return self.operations[name]


def primitive_ids() -> list[str]:
    """All primitives, in alphabetical order."""
    return list(_ids())


@cache
def _ids() -> tuple[str, ...]:
    return tuple(sorted(file.parent.name for file in FOLDER.glob("*/primitive.yaml")))


@cache
def load_primitive(primitive_id: str) -> Primitive:
    """The primitive with this id.

    Raises
    ------
    UsageError
        No such primitive, or a malformed `primitive.yaml`.
    """
    if primitive_id not in primitive_ids():
        raise unknown("primitive", primitive_id, primitive_ids())
    return load_folder(FOLDER / primitive_id)


def load_folder(folder: Path) -> Primitive:
    """The primitive that a folder describes; its id is the folder's name."""
    file = folder / "primitive.yaml"
    data = load_yaml(file, schema.PRIMITIVE)
    operations = {
        name: _operation(f"{file}: operations: {name}", operation)
        for name, operation in data.pop("operations").items()
    }
    kind, sizes = data["kind"], KINDS[data["kind"]].sizes
    for size in sizes:
        if size not in data:
            raise UsageError(f"{file}: expected {size}, as every {kind} has it, found none")
    for other in SIZES:
        if other in data and other not in sizes:
            raise UsageError(f"{file}: expected no {other}, as no {kind} has it, found {data[other]}")
    for name in data.get("parameters", {}):
        if name in ("block_bytes", *SIZES):
            raise UsageError(f"{file}: parameters: expected another name, found {name!r}")
    data.setdefault("templates", folder.name)
    if "security" in data:
        data["security"] = Security(**data["security"])
    return Primitive(id=folder.name, operations=operations, folder=folder, **data)


def figures(entries: Iterable[str]) -> tuple[str, ...]:
    """The names under which the cycles of entries are counted: `hash` as `first`, `middle` and `last`."""
    return tuple(name for entry in entries for name in _FIGURES.get(entry, (entry,)))


def _operation(place: str, data: Mapping[str, list[str]]) -> Operation:
    counted = figures(data["entries"])
    for entry in data["ranked"]:
        if entry not in counted:
            raise UsageError(f"{place}: ranked: expected one of {', '.join(counted)}, found {entry!r}")
    return Operation(tuple(data["entries"]), tuple(data["ranked"]))
