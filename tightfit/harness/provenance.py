"""What it takes to repeat a measurement: hashes of its inputs, versions of its tools.

A measurement holds as long as two things are the same: the text of its variant (`Rendered.sha256`), and the
context, which is everything here that can move a figure. Comments, docs, notes and names change neither.

A simulator counts by what it does, not by how it is written: `run` and `taint` are hashes of its behaviour.
Cost rests on all but `taint`, secrecy and leaks on that as well.
"""

import ast
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from tightfit.primitives import load_primitive
from tightfit.records import Variant, canonical_json
from tightfit.targets import Part, Target, load_target

RULES = "2"
"""Version of the rules of the count and of the gate; a change to either makes old measurements stale."""
RECORDED_ONLY = ("context", "ortools", "simulator")
"""Facts that are kept but move no figure: the solver picks candidates, it does not measure them, and what a
simulator does may be written in many ways."""
_SECRECY_ONLY = "taint"


@cache
def provenance(target: str, part: str, primitive: str, operation: str, gate: str) -> dict[str, str]:
    """Hashes and versions behind the measurements of an operation, and `context`, the hash of what counts."""
    from importlib.metadata import version as package_version

    from tightfit.harness.simulator import library_hash

    facts = {**facts_without_tools(target, part, primitive, operation), **tool_facts(target), "gate": gate}
    recorded = {"simulator": library_hash()[:16], "ortools": package_version("ortools")}
    return {**facts, **recorded, "context": context_of(facts)}


@cache
def facts_without_tools(target: str, part: str, primitive: str, operation: str) -> dict[str, str]:
    """What measurements of an operation rest on besides their texts, the tools and the gate."""
    from tightfit.harness.simulator.behaviour import behaviour

    place = load_target(target)
    core = place.part(part).core
    acts = behaviour(core.name)
    facts = {
        "target": _short(target_facts(place, place.part(part))),
        "part": part,
        "primitive": _short(primitive_facts(primitive, operation)),
        "run": acts.run[:16],
        "taint": acts.taint[:16] if acts.taint else "none",
        "rules": RULES,
    }
    return facts if core.timing_tested else {**facts, "timing": "not verified"}


def tool_facts(target: str) -> dict[str, str]:
    """The versions of the tools that build what is measured; WorkError where one is missing."""
    from tightfit.targets.toolchain import version

    return {name: version(target, name) for name in ("as", "ld")}


def of_variant(variant: Variant, gate: str) -> dict[str, str]:
    """The provenance of measuring a variant now."""
    return provenance(variant.target, variant.part, variant.primitive, variant.operation, gate)


def context_of(facts: Mapping[str, str]) -> str:
    """First 16 hex digits of SHA-256 over all that a measurement rests on besides its text."""
    return _short({name: fact for name, fact in facts.items() if name not in RECORDED_ONLY})


def same_cost(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two contexts differ in nothing that a cost rests on, but perhaps for its secrecy."""
    names = (one.keys() | other.keys()) - {*RECORDED_ONLY, _SECRECY_ONLY}
    return all(one.get(name) == other.get(name) for name in names)


def target_facts(target: Target, part: Part) -> dict[str, Any]:
    """The facts of a target that a run on a part uses: memory, options, the interface, callers, linking."""
    from tightfit.harness.caller import load_callers

    core = part.core
    script = re.sub(r"/\*.*?\*/", "", target.link_script.read_text(encoding="utf-8"), flags=re.S)
    return {
        "core": [core.name, core.call, core.call_cycles],
        "memory": [asdict(region) for region in part.memory],
        "assemble": part.assemble,
        "link": [*target.link, *part.link],
        "script": " ".join(script.split()),
        "machine": target.elf_machine,
        "abi": asdict(target.abi),
        "callers": asdict(load_callers(target.folder, core.name)),
    }


def primitive_facts(primitive: str, operation: str) -> dict[str, Any]:
    """The facts of a primitive that a run uses: the operation, sizes, the known answers, the oracle."""
    definition = load_primitive(primitive)
    return {
        "kind": definition.kind,
        "constants": dict(definition.constants),
        "operation": asdict(definition.operation(operation)),
        "seed": definition.seed,
        "vectors": hash_files([definition.folder / "vectors.json"]),
        "oracle": python_code(definition.folder / "oracle.py"),
        "message_bits": definition.message_bits,
    }


def python_code(file: Path) -> str:
    """A Python file without comments, docstrings and layout."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


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


def _short(value: Any) -> str:
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:16]
