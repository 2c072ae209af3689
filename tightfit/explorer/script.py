"""The JavaScript of the explorer as one callback that starts when the page is ready."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bokeh.models import CustomJS, Model

from tightfit.budgets import load_budgets
from tightfit.conditions import CONDITIONS, padded, searched
from tightfit.explorer.palette import ACCENT, OKABE_ITO, RIVALS, SECOND, SHADES
from tightfit.explorer.views.filters import BESIDE, RAM_BITS, ROM_BITS
from tightfit.explorer.views.variant import BARS_HIGH
from tightfit.reports import words
from tightfit.targets import target_ids

FILES = (
    "words.js",
    "sizes.js",
    "parts.js",
    "state.js",
    "wire.js",
    "budget.js",
    "within.js",
    "written.js",
    "empty.js",
    "beside.js",
    "tradeoff.js",
    "together.js",
    "primitives.js",
    "best.js",
    "area.js",
    "lengths.js",
    "portfolio.js",
    "variant.js",
    "widgets.js",
    "main.js",
)


def starter(models: Mapping[str, Model], layouts: Sequence[Model], wire: Mapping[str, Any]) -> CustomJS:
    """A callback that takes the page over.

    Parameters
    ----------
    models : what the views gave names to.
    layouts : those of the views, in their order, which are put into their tabs when they are looked at.
    wire : `ask` and `reply` of a server, or `written` where shelves have the pages.
    """
    fixed = {
        "targets": target_ids(),
        "palette": list(OKABE_ITO),
        "first": ACCENT,
        "second": SECOND,
        "shades": list(SHADES),
        "beside": list(BESIDE),
        "rivals": RIVALS,
        "bars_high": BARS_HIGH,
        "conditions": [
            {
                "name": condition.name,
                "title": condition.title.capitalize(),
                "instead_of": condition.instead_of,
                "searched": bool(searched([condition.name])),
            }
            for condition in CONDITIONS.values()
        ],
        "padded": sum(1 << bit for bit, name in enumerate(CONDITIONS) if padded([name])),
        "bounds": {name: _listed(name) for name in ("rom", "ram")},
        "rom_bits": list(ROM_BITS),
        "ram_bits": list(RAM_BITS),
        "padding": words.PADDING,
        "marks": words.MARKS,
    }
    folder = Path(__file__).parent / "js"
    parts = [(folder / name).read_text(encoding="utf-8") for name in FILES]
    args = {"M": dict(models), "LAYOUTS": list(layouts), "WIRE": dict(wire), "FIXED": fixed}
    return CustomJS(args=args, code="\n".join(parts))


def _listed(bound: str) -> list[int]:
    """The sizes of ROM or of RAM that cells are listed for, the smallest first."""
    sizes = {getattr(budget, bound) for budget in load_budgets()}
    return sorted(size for size in sizes if size is not None)
