"""The one-pointer interface of routines that tightfit did not generate: their names and their blocks.

The functions are `<name>_<entry>`. The block of C is `<name>_block`, a struct with the fields of the kind;
all else in it is work area. That of assembly has these fields in their order and then the work area, whose
size the absolute symbol `<name>_work` tells; `<name>_state` tells that of the state of a hash.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tightfit.contenders.linking import ContenderBuilder
from tightfit.errors import UsageError
from tightfit.generator.space import padded
from tightfit.harness.elf import Elf
from tightfit.harness.routine import Rejected, Routine
from tightfit.primitives import Primitive

FIELDS = {
    "block-cipher": ("text", "key"),
    "hash": ("state", "message", "flags", "length"),
    "mac": ("key", "message", "flags", "length", "tag"),
    "stream-cipher": ("key", "iv", "text", "length"),
    "chained-blocks": ("key", "iv", "text"),
    "aead": ("key", "nonce", "data", "flags", "length", "tag"),
}
"""Fields of the block of a form, in the order of assembly."""


class MissingEntry(UsageError):
    """Sources without the functions of an operation."""


_LINKED = ("encrypt", "decrypt")
_PROBE = "tightfit_layout"


@dataclass(frozen=True)
class Block:
    """A parameter block: fields (name, offset, size), and the bytes that it takes."""

    fields: tuple[tuple[str, int, int], ...]
    size: int


def entries_of(
    source: Path, operation: Iterable[str], functions: Iterable[str], name: str | None
) -> tuple[str, tuple[str, ...]]:
    """The name of a routine and its entries for an operation, among the global functions of a source.

    Where `encrypt` or `decrypt` is missing, `setup` and `<entry>_next` stand for it.

    Raises
    ------
    UsageError
        An entry is missing, or several routines have them all.
    """
    wanted, functions = tuple(operation), set(functions)
    names = {
        function.removesuffix(f"_{entry}")
        for function in functions
        for entry in (*wanted, "setup")
        if function.endswith(f"_{entry}")
    }
    routines = {each: entries for each in sorted(names) if (entries := _entries(wanted, functions, each))}
    if name is not None:
        routines = {each: entries for each, entries in routines.items() if each == name}
    if len(routines) == 1:
        return next(iter(routines.items()))
    if routines:
        raise UsageError(
            f"{source}: has several routines: {', '.join(routines)}; say --name with one of them"
        )
    what = " and ".join(f"{name or 'NAME'}_{entry}" for entry in wanted)
    there = ", ".join(sorted(functions)[:8]) or "no global function"
    raise MissingEntry(f"{source}: expected {what}, found {there}")


def _entries(wanted: Sequence[str], functions: set[str], name: str) -> tuple[str, ...]:
    """The entries that give a routine `name` all that is wanted; none where something is missing."""
    entries: dict[str, None] = {}
    for entry in wanted:
        kept = ("setup", f"{entry}_next") if entry in _LINKED else ()
        for choice in ((entry,), kept):
            if choice and all(f"{name}_{each}" in functions for each in choice):
                entries |= dict.fromkeys(choice)
                break
        else:
            return ()
    return tuple(entries)


def routine_of_c(
    builder: ContenderBuilder,
    declared: Sequence[str],
    options: tuple[Sequence[str], Sequence[Path]],
    primitive: Primitive,
    name: str,
    entries: tuple[str, ...],
) -> Routine:
    """A compiled routine with the block that the files `declared` declare, as the compiler lays it out.

    `options` are flags and folders of headers.

    Raises
    ------
    Rejected
        They have no struct of that name with the fields of the kind.
    """
    fields = FIELDS[primitive.form]
    sizes = ", ".join(
        f"__builtin_offsetof({name}_block, {field}), sizeof((({name}_block *)0)->{field})" for field in fields
    )
    text = "".join(f'#include "{file}"\n' for file in declared)
    text += f"const unsigned short {_PROBE}[] = {{sizeof({name}_block), {sizes}}};\n"
    try:
        made = builder.read(builder.compile_text(text, "probe", *options))
    except Rejected as reason:
        raise Rejected(f"expected a struct {name}_block with {', '.join(fields)}: {reason}") from None
    size, *numbers = words_of(made, builder.target.abi.symbol(_PROBE))
    places = dict(zip(fields, zip(numbers[::2], numbers[1::2], strict=True), strict=True))
    return _routine(name, entries, places, size, builder.target.block_alignment)


def routine_of_assembly(
    symbols: Mapping[str, int], primitive: Primitive, name: str, entries: tuple[str, ...], alignment: int
) -> Routine:
    """An assembled routine with the block of the kind; `symbols` are the absolute ones of its object.

    `alignment` is that of the block, in bytes.
    """
    sizes = dict.fromkeys(("text", "message", "data"), primitive.block_bytes)
    sizes |= {name: getattr(primitive, f"{name}_bytes") for name in ("key", "iv", "nonce", "tag")}
    sizes |= {"flags": 1, "length": 1, "state": symbols.get(f"{name}_state", primitive.digest_bytes)}
    places, offset = {}, 0
    for field in FIELDS[primitive.form]:
        places[field] = (offset, sizes[field])
        offset += sizes[field]
    return _routine(name, entries, places, offset + symbols.get(f"{name}_work", 0), alignment)


def _routine(
    name: str, entries: tuple[str, ...], places: Mapping[str, tuple[int, int]], size: int, alignment: int
) -> Routine:
    """The routine; what no field of the kind takes is work area, left alone by the caller between calls."""
    work, end = {}, 0
    for offset, length in sorted([*places.values(), (size, 0)]):
        if end < offset:
            work[f"work{end}"] = (end, offset - end)
        end = offset + length
    fields = tuple((field, *place) for field, place in {**places, **work}.items())
    kept = frozenset(work) | (frozenset({"state"}) & places.keys())
    return Routine("", name, entries, Block(fields, padded(size, alignment)), static=None, kept=kept)


def words_of(made: Elf, symbol: str) -> list[int]:
    """The words of 16 bits of an array in an object file."""
    words = made.named[symbol]
    section = next(section for section in made.sections if section.index == words.section)
    data = section.data[words.address : words.address + words.size]
    return [int.from_bytes(data[at : at + 2], "little") for at in range(0, len(data), 2)]
