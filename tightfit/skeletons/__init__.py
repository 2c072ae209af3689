"""The files that a new primitive and a new template begin with; each says what goes where.

They are beside this file. `@WORD@` in them stands for what the new one is called, and for what its target and
its primitive say.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tightfit.errors import UsageError, WorkError
from tightfit.paths import PACKAGE
from tightfit.primitives import load_primitive
from tightfit.primitives.kinds import KINDS as KIND_FACTS
from tightfit.targets import load_target

FOLDER = Path(__file__).resolve().parent
KINDS = tuple(KIND_FACTS)
_PRIMITIVE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_TEMPLATE = re.compile(r"[a-z][a-z0-9_]*")
_TAKEN = ("shared", "lib", "tables")
_CALLERS = {
    "block-cipher": ("{name: text, bytes: p.block_bytes}", "{name: key, bytes: p.key_bytes}"),
    "hash": (
        "{name: state, bytes: p.digest_bytes, kept: true}    # holds the digest after the last block",
        "{name: message, bytes: p.block_bytes}",
        "{name: flags, bytes: 1}",
        "{name: length, bytes: 1}",
    ),
    "mac": (
        "{name: key, bytes: p.key_bytes}",
        "{name: message, bytes: p.block_bytes}",
        "{name: flags, bytes: 1}",
        "{name: length, bytes: 1}",
        "{name: tag, bytes: p.tag_bytes}",
    ),
    "stream-cipher": (
        "{name: key, bytes: p.key_bytes}",
        "{name: iv, bytes: p.iv_bytes}",
        "{name: text, bytes: p.block_bytes}",
        "{name: length, bytes: 1}",
    ),
    "aead": (
        "{name: key, bytes: p.key_bytes}",
        "{name: nonce, bytes: p.nonce_bytes}",
        "{name: data, bytes: p.block_bytes}",
        "{name: flags, bytes: 1}",
        "{name: length, bytes: 1}",
        "{name: tag, bytes: p.tag_bytes}",
    ),
}
"""Fields of the parameter block that the caller knows."""


@dataclass(frozen=True)
class Skeleton:
    """What was written: the folder, the files in it, and what to do next."""

    folder: Path
    files: tuple[Path, ...]
    next: tuple[str, ...]


def new_primitive(name: str, kind: str) -> Skeleton:
    """Write the required files of a primitive, `tightfit/primitives/NAME/`.

    Parameters
    ----------
    kind : one of `KINDS`.

    Raises
    ------
    UsageError
        The name is none or is taken, or there is no such kind.
    WorkError
        The folder cannot be written.
    """
    if kind not in KINDS:
        raise UsageError(f"unknown kind {kind!r}: expected one of {', '.join(KINDS)}")
    if not _PRIMITIVE.fullmatch(name):
        raise UsageError(f"{name!r}: expected an id of lower-case letters, digits and hyphens")
    folder = _write(PACKAGE / "primitives" / name, FOLDER / "primitive" / kind, {"NAME": name})
    return Skeleton(
        folder,
        _files(folder),
        (
            "fill in these four; published.yaml and reference.c are optional",
            f"tightfit new template TARGET {name} TEMPLATE",
        ),
    )


def new_template(target: str, primitive: str, name: str) -> Skeleton:
    """Write a template that assembles and computes nothing yet, `tightfit/templates/TARGET/PRIMITIVE/NAME/`.

    Raises
    ------
    UsageError
        A name is unknown, or that of the template is none or is taken.
    WorkError
        The folder cannot be written.
    """
    place, known = load_target(target), load_primitive(primitive)
    if not _TEMPLATE.fullmatch(name) or name in _TAKEN:
        raise UsageError(
            f"{name!r}: expected lower-case letters, digits and underscores, and none of {', '.join(_TAKEN)}"
        )
    words = {
        "NAME": name,
        "PRIMITIVE": primitive,
        "TARGET": target,
        "OPERATION": known.first_operation,
        "OPERATIONS": ", ".join(known.operations),
        "BLOCK": "\n".join(f"  - {field}" for field in _CALLERS[known.kind]),
        "POINTER": place.abi.pointer,
    }
    folder = _write(PACKAGE / "templates" / target / known.templates / name, FOLDER / "template", words)
    return Skeleton(
        folder,
        _files(folder),
        (f"tightfit try {target}/{primitive}/{name}", f"tightfit fill {primitive} --target {target}"),
    )


def _write(folder: Path, skeleton: Path, words: Mapping[str, str]) -> Path:
    """The folder with the files of a skeleton in it, all of them or none."""
    if folder.exists():
        raise UsageError(f"{folder} is there already; choose another name")
    made = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        made.chmod(0o755)
        for file in sorted(skeleton.iterdir()):
            if file.is_file():
                text = re.sub("@([A-Z]+)@", lambda word: words[word[1]], file.read_text(encoding="utf-8"))
                (made / file.name).write_text(text, encoding="utf-8")
        os.rename(made, folder)
    except OSError as error:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)
        raise WorkError(
            f"{folder}: cannot be written: {error.strerror}; new files belong in a checkout, installed with "
            "`pip install -e .`"
        ) from None
    return folder


def _files(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(folder.iterdir()))
