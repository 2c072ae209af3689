"""Colours that colour-blind readers tell apart."""

from bokeh.palettes import Cividis256

OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8A7B00")
"""The colours of Okabe and Ito; their yellow is darkened, so that it is seen on white."""

INK, FAINT, ACCENT, SECOND = "#222222", "#9a9a9a", OKABE_ITO[1], OKABE_ITO[0]
RIVALS = {
    "C baseline": {"marker": "diamond", "color": OKABE_ITO[3], "sign": "\u25c6"},
    "external": {"marker": "triangle", "color": OKABE_ITO[2], "sign": "\u25b2"},
}
"""How routines that tightfit did not generate are drawn, by their origin: each a shape and a colour."""
SHADES = tuple(reversed(Cividis256[:232]))
"""Little is light, much is dark; the lightest, which white swallows, are left out."""
