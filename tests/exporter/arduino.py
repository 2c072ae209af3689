"""What a folder lacks of an Arduino library, by Arduino's library specification, revision 2.2.

https://docs.arduino.cc/arduino-cli/library-specification
"""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

REQUIRED = "name version author maintainer sentence paragraph category url architectures".split()
CATEGORIES = {
    *("Display", "Communication", "Signal Input/Output", "Sensors", "Device Control"),
    *("Timing", "Data Storage", "Data Processing", "Other"),
}
_NAME = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 _.-]{0,62}")
_VERSION = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?")


def properties(folder: Path) -> dict[str, str]:
    """The fields of `library.properties`."""
    lines = (folder / "library.properties").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def faults(folder: Path) -> list[str]:
    """What is wrong, a line each."""
    return [*_lines(folder), *_fields(properties(folder)), *_layout(folder, properties(folder))]


def _lines(folder: Path) -> Iterator[str]:
    for line in (folder / "library.properties").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#") and not re.match(r"\w+=", line):
            yield f"line without a field: {line!r}"


def _fields(fields: dict[str, str]) -> Iterator[str]:
    for field in REQUIRED:
        if not fields.get(field, "").strip():
            yield f"{field} is missing"
    name, page = fields.get("name", ""), urlsplit(fields.get("url", ""))
    if not _NAME.fullmatch(name) or name.lower().startswith("arduino"):
        yield f"name {name!r}"
    if not _VERSION.fullmatch(fields.get("version", "")):
        yield f"version {fields.get('version')!r} is not semantic"
    if fields.get("category") not in CATEGORIES:
        yield f"category {fields.get('category')!r}"
    if page.scheme not in ("http", "https") or not page.netloc:
        yield f"url {fields.get('url')!r}"


def _layout(folder: Path, fields: dict[str, str]) -> Iterator[str]:
    """Sources and headers are in `src`, a sketch in a folder of its name below `examples`."""
    for header in fields.get("includes", "").split(","):
        if not (folder / "src" / header.strip()).is_file():
            yield f"src/{header.strip()} is missing"
    if (folder / "utility").exists():
        yield "utility beside src"
    examples = [sketch.parent for sketch in folder.rglob("*.ino")]
    yield from (f"sketch in {place}" for place in examples if place.parent != folder / "examples")
    yield from (f"sketch of {place}" for place in examples if not (place / f"{place.name}.ino").is_file())
    if not examples:
        yield "no example"
