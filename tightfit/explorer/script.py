"""The JavaScript of the explorer as one callback that starts when the page is ready."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bokeh.models import CustomJS, Model

from tightfit.explorer.palette import ACCENT, OKABE_ITO, RIVALS, SECOND, SHADES
from tightfit.explorer.views.filters import BESIDE, RAM_BITS, ROM_BITS
from tightfit.explorer.views.variant import BARS_HIGH
from tightfit.reports import words
from tightfit.targets import target_ids

FILES = (
    "words.js",
    "parts.js",
    "state.js",
    "wire.js",
    "budget.js",
    "beside.js",
    "tradeoff.js",
    "area.js",
    "lengths.js",
    "portfolio.js",
    "variant.js",
    "widgets.js",
    "main.js",
)


def starter(models: Mapping[str, Model], wire: Mapping[str, Any]) -> CustomJS:
    """A callback that takes the page over.

    Parameters
    ----------
    models : what the views gave names to.
    wire : `ask` and `reply` of a server, or `shelf`, all pages of a standalone file.
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
        "rom_bits": list(ROM_BITS),
        "ram_bits": list(RAM_BITS),
        "padding": words.PADDING,
        "marks": words.MARKS,
    }
    folder = Path(__file__).parent / "js"
    parts = [(folder / name).read_text(encoding="utf-8") for name in FILES]
    return CustomJS(args={"M": dict(models), "WIRE": dict(wire), "FIXED": fixed}, code="\n".join(parts))
