"""Knobs -> the space of variants -> rendered source, and the exact search over that space."""

from .declaration import load_space, spaces, templates_folder
from .render import Emission, Rendered, render
from .space import BlockLayout, Knob, Space, TemplateSpec

__all__ = [
    "BlockLayout",
    "Emission",
    "Knob",
    "Rendered",
    "Space",
    "TemplateSpec",
    "load_space",
    "render",
    "spaces",
    "templates_folder",
]
