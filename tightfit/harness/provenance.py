"""What it takes to repeat a measurement: hashes of everything that went into it, versions of the tools."""

import hashlib
import re
import time
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path

from tightfit.errors import WorkError
from tightfit.paths import PACKAGE
from tightfit.primitives import load_primitive
from tightfit.records import Measurement, Variant, canonical_json
from tightfit.targets import load_target

RULES = "1"
"""Version of the rules of the count and of the gate; a change to either makes old measurements stale."""

State = frozenset[tuple[str, int, int]]
_USES = re.compile(r"""["']([^"'\s]+\.j2)["']""")


@cache
def provenance(target: str, part: str, primitive: str, template: str, gate: str) -> dict[str, str]:
    """Hashes and versions behind the measurements of a template, and `context`, the hash of them all.

    The solver's version is recorded but is no part of `context`: it picks candidates, it does not measure
    them.
    """
    from importlib.metadata import version as package_version

    from tightfit.targets.toolchain import version as tool_version

    found = {
        "target": target_hash(target),
        "part": part,
        "primitive": primitive_hash(primitive),
        "templates": templates_hash(target, primitive, template),
        "simulator": simulator_hash(target),
        "as": tool_version(target, "as"),
        "ld": tool_version(target, "ld"),
        "rules": RULES,
        "gate": gate,
        "seed": str(load_primitive(primitive).seed),
    }
    if not load_target(target).part(part).core.timing_tested:
        found["timing"] = "not verified"
    return {**found, "ortools": package_version("ortools"), "context": context_of(found)}


def context_of(facts: Mapping[str, str]) -> str:
    """First 16 hex digits of SHA-256 over what a measurement rests on."""
    return hashlib.sha256(canonical_json(facts).encode()).hexdigest()[:16]


def is_current(measurement: Measurement) -> bool:
    """Whether a measurement was made of its template as it is now, whatever the versions of the tools."""
    variant, measured = measurement.variant, measurement.provenance.get("templates")
    return measured in (None, templates_hash(variant.target, variant.primitive, variant.template))


def of_variant(variant: Variant, gate: str) -> dict[str, str]:
    """The provenance of measuring a variant now.

    Raises
    ------
    WorkError
        The templates changed since this process read them first, so what it renders may be of two minds.
    """
    folder = templates_of(variant.target, variant.primitive)
    if _state_lately(folder, int(time.monotonic())) != first_state(folder):
        raise WorkError(f"{folder}: the templates changed while they were in use; start again")
    return provenance(variant.target, variant.part, variant.primitive, variant.template, gate)


@cache
def target_hash(target: str) -> str:
    """Hash of what the harness reads of a target: facts, linker script, callers."""
    folder = load_target(target).folder
    return hash_files(folder / name for name in ("target.yaml", "link.ld", "callers.yaml"))


@cache
def primitive_hash(primitive: str) -> str:
    """Hash of a primitive's definition, oracle and vectors; published figures change no measurement."""
    folder = load_primitive(primitive).folder
    return hash_files(folder / name for name in ("primitive.yaml", "oracle.py", "vectors.json"))


@cache
def simulator_hash(target: str) -> str:
    """Hash of the C sources that simulate a target, which bear its name or are shared, and of the flags."""
    from tightfit.harness.simulator import source_hash

    return source_hash(target)[:16]


@cache
def templates_hash(target: str, primitive: str, template: str) -> str:
    """Hash of a template's declaration and of every source that it imports or includes; "" for none."""
    folder = templates_of(target, primitive) / template
    declared = folder / "template.yaml"
    if not template or not declared.is_file():
        return ""
    return hash_files([declared, *sorted(_used_files(folder / "main.s.j2", set()))])


def templates_of(target: str, primitive: str) -> Path:
    """Folder of the templates of a primitive on a target."""
    return PACKAGE / "templates" / target / load_primitive(primitive).templates


@cache
def first_state(folder: Path) -> State:
    """Names, times and sizes of the templates of a folder when this process asked first."""
    return _state(folder)


@lru_cache(maxsize=16)
def _state_lately(folder: Path, _second: int) -> State:
    """The state of a folder, looked at once a second: it takes as long as a dozen simulated calls."""
    return _state(folder)


def _state(folder: Path) -> State:
    files = ((file, file.stat()) for file in folder.rglob("*") if _is_measured(file.name))
    return frozenset(
        (str(file.relative_to(folder)), status.st_mtime_ns, status.st_size) for file, status in files
    )


def _is_measured(name: str) -> bool:
    """Whether a file decides what is rendered; notes, which people read, do not."""
    return name.endswith(".j2") or name == "template.yaml"


def _used_files(file: Path, used: set[Path]) -> set[Path]:
    if file in used:
        return used
    used.add(file)
    for name in _USES.findall(file.read_text(encoding="utf-8")):
        nearest = next((folder / name for folder in file.parents if (folder / name).is_file()), None)
        if nearest is not None:
            _used_files(nearest, used)
    return used


def hash_files(files: Iterable[Path]) -> str:
    """First 16 hex digits of `digest_files`."""
    return digest_files(files)[:16]


def digest_files(files: Iterable[Path]) -> str:
    """SHA-256 over names and contents, in hexadecimal."""
    digest = hashlib.sha256()
    for file in files:
        data = file.read_bytes()
        digest.update(f"{file.name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()
