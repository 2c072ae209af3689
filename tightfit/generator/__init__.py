"""Knobs -> the space of variants -> rendered source, and the exact search over that space."""

from tightfit.lazily import names_of

HOMES = {
    "generated_targets": "folders",
    "has_templates": "folders",
    "load_space": "declaration",
    "spaces": "folders",
    "templates_folder": "folders",
    "Emission": "rendering",
    "Rendered": "rendering",
    "render": "rendering",
    "BlockLayout": "space",
    "Knob": "space",
    "Space": "space",
    "TemplateSpec": "space",
}
__all__ = list(HOMES)
__getattr__ = names_of(__name__, HOMES)
