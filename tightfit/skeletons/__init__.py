"""The files that a new primitive, construction or template begins with; each says what goes where.

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
from tightfit.primitives import Primitive, load_primitive
from tightfit.primitives.kinds import CHAINED
from tightfit.primitives.kinds import KINDS as KIND_FACTS
from tightfit.targets import load_target

FOLDER = Path(__file__).resolve().parent
KINDS = tuple(KIND_FACTS)
CONSTRUCTIONS = {
    "ctr": "block-cipher",
    "cbc": "block-cipher",
    "cmac": "block-cipher",
    "ccm": "block-cipher",
    "gcm": "block-cipher",
    "hmac": "hash",
}
"""Modes of operation, and the kind of primitive that each is over."""
_WIDE = {"ccm": 16, "gcm": 16}
"""Bytes that a block must have, of those that say so."""
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
    CHAINED: (
        "{name: key, bytes: p.key_bytes}",
        "{name: iv, bytes: p.iv_bytes}",
        "{name: text, bytes: p.block_bytes}",
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
    files = _texts(FOLDER / "primitive" / kind)
    folder = _write(_place(name), files, {"NAME": name})
    return Skeleton(
        folder,
        _files(folder),
        (
            "fill in these four; published.yaml and reference.c are optional",
            f"tightfit new template TARGET {name} TEMPLATE",
        ),
    )


def new_construction(name: str, over: str, mode: str | None = None) -> Skeleton:
    """Write the required files of a construction, a mode of operation over another primitive.

    Parameters
    ----------
    over : the primitive that is called.
    mode : one of `CONSTRUCTIONS`, which implies the kind; may be left out where there is one for the kind of
        `over`.

    Raises
    ------
    UsageError
        The name is none or is taken, or there is no such mode over that primitive.
    WorkError
        The folder cannot be written.
    """
    called = load_primitive(over)
    fits = called.digest_bytes < called.block_bytes + called.full_last
    modes = [
        mode
        for mode, kind in CONSTRUCTIONS.items()
        if kind == called.kind and fits and _WIDE.get(mode, called.block_bytes) == called.block_bytes
    ]
    if mode is None and len(modes) == 1:
        mode = modes[0]
    if mode not in modes:
        expected = f"expected one of {', '.join(modes)}" if modes else "there is none over it"
        raise UsageError(
            f"{over} is a {called.kind} with blocks of {called.block_bytes} bytes: mode: {expected}, "
            f"found {mode or 'none'}"
        )
    text = (FOLDER / "construction" / f"{mode}.yaml").read_text(encoding="utf-8")
    form = CHAINED if mode == "cbc" else re.search("^kind: (.*)$", text, re.MULTILINE)[1]
    files = _texts(FOLDER / "primitive" / form) | {"primitive.yaml": text}
    words = {
        "NAME": name,
        "OVER": over,
        "BLOCK": str(called.block_bytes),
        "KEY": str(called.key_bytes),
        "DIGEST": str(called.digest_bytes),
        "LIMITS": _limits(called),
    }
    folder = _write(_place(name), files, words)
    return Skeleton(
        folder,
        _files(folder),
        (
            "primitive.yaml: look through sizes and limits; say what is left out",
            f"reference.py: {mode} as in tightfit.primitives.modes, say, over the reference of {over}",
            "oracle.py: a library that has it, or tightfit.primitives.modes_by_bits",
            "vectors.json: published answers, or some on which two implementations agree",
            f"the templates are there: tightfit fill {name} --target TARGET",
        ),
    )


def _limits(called: Primitive) -> str:
    """Lines of `primitive.yaml` for what holds of a hash and of HMAC over it alike."""
    facts = {
        "message_bits": called.message_bits,
        "full_last": called.full_last and "true",
        "padding_apart": called.padding_apart and "true",
    }
    return "".join(f"\n{name}: {fact}    # as {called.id}" for name, fact in facts.items() if fact)


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
        "BLOCK": "\n".join(f"  - {field}" for field in _CALLERS[known.form]),
        "POINTER": place.abi.pointer,
        "RETURN": place.returns,
    }
    folder = PACKAGE / "templates" / target / known.templates / name
    _write(folder, _texts(FOLDER / "template"), words)
    return Skeleton(
        folder,
        _files(folder),
        (f"tightfit try {target}/{primitive}/{name}", f"tightfit fill {primitive} --target {target}"),
    )


def _place(name: str) -> Path:
    """The folder of a new primitive."""
    if not _PRIMITIVE.fullmatch(name):
        raise UsageError(f"{name!r}: expected an id of lower-case letters, digits and hyphens")
    return PACKAGE / "primitives" / name


def _texts(skeleton: Path) -> dict[str, str]:
    """The files of a skeleton, by their names."""
    return {file.name: file.read_text(encoding="utf-8") for file in skeleton.iterdir() if file.is_file()}


def _write(folder: Path, files: Mapping[str, str], words: Mapping[str, str]) -> Path:
    """The folder with these files in it, all of them or none, and words in their places."""
    if folder.exists():
        raise UsageError(f"{folder} is there already; choose another name")
    made = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        made.chmod(0o755)
        for file, text in sorted(files.items()):
            filled = re.sub("@([A-Z]+)@", lambda word: words[word[1]], text)
            (made / file).write_text(filled, encoding="utf-8")
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
