"""Routines that guests bring: C with the one-pointer interface, and folders in SUPERCOP's layout."""

import shutil
from pathlib import Path

from tightfit.contenders.baselines import definitions, source_of
from tightfit.primitives import load_primitive

DATA = Path(__file__).parent / "data"
PRESENT = DATA / "present.c"


def present(folder: Path, before: str = "", after: str = "", extra: str = "") -> Path:
    """The guest's PRESENT with statements before and after, and what they need."""
    source = folder / "present.c"
    head = f"#define BEFORE {before}\n#define AFTER {after}\n#include <stdint.h>\n{extra}\n"
    source.write_text(head + PRESENT.read_text())
    return source


def wrapped(folder: Path, target: str, after: str) -> Path:
    """The guest's PRESENT called from assembly, which then does `after` where nothing saves registers."""
    call = {
        "avr": "call guest_inner",
        "msp430": "call #guest_inner",
        "rl78": "movw ax, [sp+4]\npush ax\ncall !!_guest_inner\npop ax",
    }[target]
    symbol = "_guest_encrypt" if target == "rl78" else "guest_encrypt"
    lines = [
        '.section .text.wrapper,"ax",@progbits',
        f".global {symbol}",
        f"{symbol}:",
        call,
        after,
        "ret",
        ".text",
    ]
    text = "\\n".join("\n".join(lines).splitlines()).replace('"', '\\"')
    source = folder / "present.c"
    source.write_text(f'#define guest_encrypt guest_inner\n{PRESENT.read_text()}\n__asm__("{text}");\n')
    return source


def implementation(root: Path, name: str, primitive: str, before: str = "", after: str = "") -> Path:
    """A folder `crypto_hash/NAME/guest` below `root` with a correct hash between further statements."""
    its_primitive = load_primitive(primitive)
    source = source_of(its_primitive)
    macros = [
        definition.removeprefix("-D").replace("=", " ") for definition in definitions(its_primitive, "hash")
    ]
    macros += [
        f"BEFORE {before}",
        f"AFTER {after}",
        f"TYPE {source.name}_block",
        f"FUNCTION {source.name}_hash",
        *(
            []
            if any(macro.startswith("BLOCK_BYTES") for macro in macros)
            else [f"BLOCK_BYTES {its_primitive.block_bytes}"]
        ),
    ]
    folder = root / "crypto_hash" / name / "guest"
    folder.mkdir(parents=True)
    (folder / "api.h").write_text(f"#define CRYPTO_BYTES {its_primitive.digest_bytes}\n")
    shutil.copy(source.file, folder / "reference.h")
    text = (DATA / "hash.c").read_text()
    (folder / "hash.c").write_text("".join(f"#define {macro}\n" for macro in macros) + text)
    return folder
