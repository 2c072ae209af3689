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


_KINDS = {
    "hash": ("crypto_hash", {"BYTES": "digest_bytes"}),
    "mac": ("crypto_onetimeauth", {"BYTES": "tag_bytes", "KEYBYTES": "key_bytes"}),
    "stream-cipher": ("crypto_stream", {"KEYBYTES": "key_bytes", "NONCEBYTES": "iv_bytes"}),
    "aead": ("crypto_aead", {"KEYBYTES": "key_bytes", "NPUBBYTES": "nonce_bytes", "ABYTES": "tag_bytes"}),
}
"""By kind of primitive: SUPERCOP's name, and what `api.h` states."""
_FILES = {"hash": "hash.c", "mac": "mac.c", "stream-cipher": "stream.c", "aead": "aead.c"}


def implementation(
    root: Path, name: str, primitive: str, before: str = "", after: str = "", beside: str = ""
) -> Path:
    """A folder `KIND/NAME/guest` below `root` with correct functions between further statements."""
    of = load_primitive(primitive)
    kind, sizes = _KINDS[of.kind]
    operation = list(of.operations)[-1]
    source = source_of(of)
    given = [each.removeprefix("-D").replace("=", " ") for each in definitions(of, operation)]
    macros = {
        "BLOCK_BYTES": of.block_bytes,
        **dict((*each.split(" ", 1), "")[:2] for each in given),
        "BEFORE": before,
        "AFTER": after,
        "BESIDE": beside,
        "TYPE": f"{source.name}_block",
        "FUNCTION": f"{source.name}_hash",
        "HEADER": f'"{kind}.h"',
        "CRYPTO": kind,
        "CRYPTO_VERIFY": f"{kind}_verify",
        **{
            f"FUNCTION_{entry.upper()}": f"{source.name}_{entry}" for entry in of.operation(operation).entries
        },
    }
    stated = {each: getattr(of, size) for each, size in sizes.items()}
    stated |= {"NSECBYTES": 0} if of.kind == "aead" else {}
    folder = root / kind / name / "guest"
    folder.mkdir(parents=True)
    (folder / "api.h").write_text("".join(f"#define CRYPTO_{each} {size}\n" for each, size in stated.items()))
    shutil.copy(source.file, folder / "reference.h")
    file = _FILES[of.kind]
    text = (DATA / file).read_text()
    (folder / file).write_text("".join(f"#define {each} {value}\n" for each, value in macros.items()) + text)
    return folder


def hmac(root: Path) -> Path:
    """A folder `crypto_auth/hmacsha256/guest` below `root`."""
    sha = load_primitive("sha-256")
    macros = [each.removeprefix("-D").replace("=", " ") for each in definitions(sha, "hash")]
    folder = root / "crypto_auth" / "hmacsha256" / "guest"
    folder.mkdir(parents=True)
    (folder / "api.h").write_text("#define CRYPTO_BYTES 32\n#define CRYPTO_KEYBYTES 32\n")
    shutil.copy(source_of(sha).file, folder / "reference.h")
    text = (DATA / "hmac.c").read_text()
    (folder / "hmac.c").write_text("".join(f"#define {macro}\n" for macro in macros) + text)
    return folder
