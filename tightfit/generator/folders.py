"""Which targets and primitives have templates, and where: what is known without reading any."""

from pathlib import Path

from tightfit.paths import PACKAGE
from tightfit.primitives import load_primitive, primitive_ids

DECLARATION = "template.yaml"
"""A folder that holds such a file is a template."""
LIBRARY = "lib"
"""What every primitive of a target needs; its templates are composed with those of a kind of primitive."""
_TABLES = "tables"
"""The folder of constants, which is no target."""


def templates_root() -> Path:
    """The folder of the templates that come with the package."""
    return PACKAGE / "templates"


def spaces(root: Path | None = None) -> list[tuple[str, str]]:
    """Every (target, primitive) that has templates, in alphabetical order."""
    root = root or templates_root()
    return [
        (target, primitive)
        for target in generated_targets(root)
        for primitive in primitive_ids()
        if has_templates(target, primitive, root)
    ]


def has_templates(target: str, primitive: str, root: Path | None = None) -> bool:
    """Whether the templates of a primitive make variants; a construction calls what it is built over."""
    over = load_primitive(primitive).over
    declared = bool(declarations(templates_folder(target, primitive, root)))
    return declared and (over is None or has_templates(target, over, root))


def templates_folder(target: str, primitive: str, root: Path | None = None) -> Path:
    """Where the templates of a primitive on a target are; primitives of one family share a folder."""
    defined = primitive in primitive_ids()
    name = load_primitive(primitive).templates if defined else primitive
    return (root or templates_root()) / target / name


def library_folder(target: str, root: Path | None = None) -> Path:
    """Where a target has what all its primitives need."""
    return (root or templates_root()) / target / LIBRARY


def generated_targets(root: Path | None = None) -> list[str]:
    """Every target that has templates, in alphabetical order."""
    return [name for name in folders(root or templates_root()) if name != _TABLES]


def folders(place: Path) -> list[str]:
    """Names of the folders of a place, but for the library, in alphabetical order."""
    names = (path.name for path in place.iterdir() if path.is_dir()) if place.is_dir() else ()
    return sorted(name for name in names if name != LIBRARY)


def declarations(folder: Path) -> list[Path]:
    """The declarations of the templates of a folder."""
    return sorted(folder.glob(f"*/{DECLARATION}"))
