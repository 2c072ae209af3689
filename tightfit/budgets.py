"""Budgets: upper bounds on ROM and RAM, from `budgets.yaml` and from the published cells."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tightfit.conditions import conditions
from tightfit.errors import UsageError
from tightfit.paths import PACKAGE
from tightfit.records import Budget
from tightfit.yamlfile import line_of, load_marked

if TYPE_CHECKING:
    from tightfit.primitives import Primitive, PublishedCell

_SIZE = re.compile(r"\s*(0x[0-9a-f]{1,12}|[0-9]{1,15})\s*(b|bytes?|kb|kib|k)?\s*", re.IGNORECASE)
_BOUND = {"type": ["string", "integer"], "description": "a size such as 512B or 1KB"}
_SCHEMA = {
    "type": "object",
    "required": ["rom", "ram"],
    "additionalProperties": False,
    "properties": {
        "rom": {"type": "array", "minItems": 1, "items": _BOUND},
        "ram": {"type": "array", "minItems": 1, "items": _BOUND},
        "also": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["rom", "ram"],
                "additionalProperties": False,
                "properties": {"rom": _BOUND, "ram": _BOUND},
            },
        },
    },
}


def parse_size(text: str | int) -> int:
    """Bytes of a size such as `486`, `512B`, `1KB`, `2 KB` or `0x200`; K is 1024.

    Raises
    ------
    UsageError
        If the text is no size, or a size of no bytes.
    """
    word = hex(text) if isinstance(text, int) and text > 1 << 64 else str(text)  # Python writes no long ones
    match = _SIZE.fullmatch(word)
    size = int(match[1], 0 if match[1][:2].lower() == "0x" else 10) if match else 0
    if match and (match[2] or "").lower().startswith("k"):
        size *= 1024
    if size <= 0:
        shown = repr(word if len(word) <= 60 else f"{word[:57]}...")
        raise UsageError(f"{shown} is no size: write bytes or KB, such as 486, 512B, 1KB or 0x200")
    return size


def format_size(size: int) -> str:
    """`1KB` for a whole number of KB, else `486B`."""
    return f"{size // 1024}KB" if size % 1024 == 0 else f"{size}B"


def budget(
    rom: str | int | None,
    ram: str | int | None,
    below: Mapping[str, int] | None = None,
    only: Iterable[str] = (),
) -> Budget:
    """The budget of a ROM and a RAM bound, with its name.

    `rom` is a size, `ROM-min`, or `Fast` (as None: ROM free); `ram` is a size or None (RAM free); `only`
    names conditions.
    """
    word = str(rom).lower().replace("_", "-") if rom is not None else "fast"
    free = word in ("rom-min", "fast")
    unnamed = Budget(
        name="",
        rom=None if free else parse_size(rom),
        ram=None if ram is None else parse_size(ram),
        objective="rom" if word == "rom-min" else "cycles",
        below=dict(below or {}),
        only=conditions(only),
    )
    return replace(unnamed, name=name_of(unnamed))


def name_of(bounds: Budget) -> str:
    """Name made of the bounds, such as `1KB/64B`, `ROM-min/any no-banks` or `1KB/128B<7339/10636`."""
    free = "ROM-min" if bounds.objective == "rom" else "Fast"
    head = free if bounds.rom is None else format_size(bounds.rom)
    tail = "any" if bounds.ram is None else format_size(bounds.ram)
    below = "<" + "/".join(map(str, bounds.below.values())) if bounds.below else ""
    return " ".join([f"{head}/{tail}{below}", *bounds.only])


def under(budgets: Iterable[Budget], only: Iterable[str]) -> list[Budget]:
    """The budgets under conditions, with the names that go with them."""
    only = conditions(only)

    def narrowed(bounds: Budget) -> Budget:
        bounds = replace(bounds, only=only)
        return replace(bounds, name=name_of(bounds))

    return [bounds if bounds.only == only else narrowed(bounds) for bounds in budgets]


def load_budgets(path: Path | None = None) -> list[Budget]:
    """The budgets of a `budgets.yaml` (the package's own by default), ROM-min first, each ROM with each RAM.

    Raises
    ------
    UsageError
        "file:line: expected ..., found ...", for the first thing that is wrong.
    """
    path = path or PACKAGE / "budgets.yaml"
    data, marked = load_marked(path, _SCHEMA)

    def budget_at(keys: tuple[str | int, ...], rom: str | int, ram: str | int) -> Budget:
        try:
            return budget(rom, ram)
        except UsageError as error:
            raise UsageError(f"{path}:{line_of(marked, keys)}: {_expectation(error)}") from None

    for index, ram in enumerate(data["ram"]):
        budget_at(("ram", index), "Fast", ram)
    budgets = [
        budget_at(("rom", index), rom, ram) for index, rom in enumerate(data["rom"]) for ram in data["ram"]
    ]
    for index, pair in enumerate(data.get("also") or []):
        budgets.append(budget_at(("also", index), pair["rom"], pair["ram"]))
    return _distinct(budgets)


def budgets_for(primitive: "Primitive | str", target: str, operation: str | None = None) -> list[Budget]:
    """`load_budgets()` with the budget of every published cell of the primitive on the target.

    Parameters
    ----------
    primitive : a primitive or its id.
    target : id of the target.
    operation : only the published cells of this operation; all of them when None.

    Notes
    -----
    A published ROM figure is a ROM bound of its own. Published cycles of a pair of entries also make a budget
    whose variants must stay under both, named such as `1KB/128B<7339/10636`.
    """
    if isinstance(primitive, str):
        from tightfit.primitives import load_primitive

        primitive = load_primitive(primitive)
    cells = [cell for cell in primitive.published(target) if operation in (None, cell.operation)]
    published = [bounds for cell in cells for bounds in published_budgets(cell)]
    return _distinct([*load_budgets(), *published])


def published_budgets(cell: "PublishedCell") -> list[Budget]:
    """The budgets of a published cell: its bounds, also with its pair to beat or with the least ROM.

    A routine whose ROM is not known is compared with variants of any ROM.
    """
    if cell.rom is None and not cell.to_beat:
        return []
    plain = budget(cell.rom, cell.ram)
    if not cell.by_entry and cell.status == "fits":
        return [plain, budget("ROM-min", cell.ram)]
    return [plain, budget(cell.rom, cell.ram, cell.to_beat)] if len(cell.to_beat) > 1 else [plain]


def _expectation(error: UsageError) -> str:
    size = str(error).split(" is no size")[0]
    return f"expected ROM-min, Fast, or a size such as 512B or 1KB, found {size}"


def _distinct(budgets: list[Budget]) -> list[Budget]:
    return list({budget.name: budget for budget in budgets}.values())
