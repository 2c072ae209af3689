"""The C baselines: each primitive's reference in portable C, as every level of optimisation compiles it."""

import re
from dataclasses import dataclass
from pathlib import Path

from tightfit.primitives import FOLDER, Primitive

LEVELS = ("-O0", "-O1", "-Os", "-O2", "-O3")
NAME = "reference.c"


@dataclass(frozen=True)
class Source:
    """A reference in C: its file, and the first part of the names of its functions and of its block."""

    file: Path
    name: str


def source_of(primitive: Primitive) -> Source | None:
    """The reference in C, which a family shares; None where a primitive has none."""
    file = FOLDER / primitive.templates / NAME
    if not file.is_file():
        return None
    return Source(file, re.sub(r"[^a-z0-9]", "", primitive.templates))


def definitions(primitive: Primitive, operation: str) -> list[str]:
    """Options that say which entries are wanted, and in what the primitives of a family differ."""
    constants = [f"-D{name.upper()}={value}" for name, value in primitive.constants.items()]
    return [*constants, *(f"-D{entry.upper()}" for entry in primitive.operation(operation).entries)]
