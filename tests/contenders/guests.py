"""Routines that guests bring: C with the one-pointer interface, and folders in SUPERCOP's layout.

What is right is measured once for all tests that ask for its figures.
"""

import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tightfit.contenders import supercop, supercoptree
from tightfit.contenders.baselines import definitions, source_of
from tightfit.contenders.measure import measure_c
from tightfit.primitives import Primitive, load_primitive
from tightfit.records import Contender

TARGETS = ("avr", "msp430", "rl78")
SIZE, SPEED = ("-Os",), ("-O2",)

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
_FILES = {"hash": "hash", "mac": "mac", "stream-cipher": "stream", "aead": "aead"}


def macros(primitive: Primitive, operation: str) -> str:
    """What our reference is compiled with, as lines of C."""
    given = (each.removeprefix("-D").replace("=", " ") for each in definitions(primitive, operation))
    return "".join(f"#define {macro}\n" for macro in given)


def layout(root: Path, place: str, sizes: Mapping[str, int], reference: str, **sources: str) -> Path:
    """A folder of SUPERCOP's layout: what `api.h` states, our reference as `reference.h`, and sources."""
    folder = root / place
    folder.mkdir(parents=True)
    (folder / "api.h").write_text("".join(f"#define CRYPTO_{each} {size}\n" for each, size in sizes.items()))
    shutil.copy(source_of(load_primitive(reference)).file, folder / "reference.h")
    for name, text in sources.items():
        (folder / f"{name}.c").write_text(text)
    return folder


def implementation(
    root: Path, name: str, primitive: str, before: str = "", after: str = "", beside: str = ""
) -> Path:
    """A folder `KIND/NAME/guest` below `root` with correct functions between further statements."""
    of = load_primitive(primitive)
    kind, sizes = _KINDS[of.kind]
    operation, own = list(of.operations)[-1], source_of(of).name
    words = {"BLOCK_BYTES": of.block_bytes, "BEFORE": before, "AFTER": after, "BESIDE": beside}
    words |= {"TYPE": f"{own}_block", "FUNCTION": f"{own}_hash", "HEADER": f'"{kind}.h"'}
    words |= {"CRYPTO": kind, "CRYPTO_VERIFY": f"{kind}_verify"}
    words |= {f"FUNCTION_{entry.upper()}": f"{own}_{entry}" for entry in of.operation(operation).entries}
    stated = {each: getattr(of, size) for each, size in sizes.items()}
    stated |= {"NSECBYTES": 0} if of.kind == "aead" else {}
    head = macros(of, operation) + "".join(f"#define {each} {value}\n" for each, value in words.items())
    file = _FILES[of.kind]
    sources = {file: head + (DATA / f"{file}.c").read_text()}
    return layout(root, f"{kind}/{name}/guest", stated, primitive, **sources)


def hmac(root: Path) -> Path:
    """A folder `crypto_auth/hmacsha256/guest` below `root`."""
    text = macros(load_primitive("sha-256"), "hash") + (DATA / "hmac.c").read_text()
    return layout(root, "crypto_auth/hmacsha256/guest", {"BYTES": 32, "KEYBYTES": 32}, "sha-256", hmac=text)


def measured(folder: Path, target: str = "avr", *, flags=SIZE, gate: str = "search", part=None) -> Contender:
    """The only implementation below a folder of SUPERCOP's layout, measured."""
    (found,) = supercoptree.find(folder)
    return supercop.measure(found, target, part, flags=flags, gate=gate)


@cache
def sound(name: str, primitive: str, target: str = "avr", flags=SIZE) -> Contender:
    """What an implementation without faults measures."""
    with TemporaryDirectory() as folder:
        return measured(implementation(Path(folder), name, primitive), target, flags=flags)


@cache
def alone(primitive: str, target: str, flags=SIZE) -> Contender:
    """What the same C measures, called block by block."""
    of = load_primitive(primitive)
    operation, source = list(of.operations)[-1], source_of(of)
    asked = {"routine": source.name, "defines": definitions(of, operation), "gate": "search"}
    return measure_c(source.file, target, None, primitive, operation, flags=flags, **asked)


@cache
def measured_present(target: str = "avr", flags=SIZE) -> Contender:
    """What the guest's PRESENT measures as it is."""
    return measure_c(PRESENT, target, None, "present-80", "encrypt", flags=flags, gate="search")
