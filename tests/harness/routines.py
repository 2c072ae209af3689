"""A correct AES routine, and wrappers round it that misbehave on purpose."""

from dataclasses import dataclass
from pathlib import Path

from tightfit.harness.routine import Routine

CORRECT = (Path(__file__).parent / "data" / "aes_encrypt.s").read_text()
TEXT, KEY, WORK, SIZE = 0, 16, 32, 58


@dataclass(frozen=True)
class Layout:
    fields: tuple[tuple[str, int, int], ...] = (("text", TEXT, 16), ("key", KEY, 16), ("work", WORK, 26))
    size: int = SIZE


LAYOUT = Layout()
ENTRIES = ("setup", "encrypt", "encrypt_next", "decrypt", "decrypt_next")


@dataclass(frozen=True)
class Emission:
    fragment: str
    begin_label: str
    end_label: str
    parent_index: int | None = None


def entry(name: str, body: str) -> str:
    """A global routine that is called with the address of the block in AX and ends with `ret`."""
    return (
        f"        .text\n        .global _tf_{name}\n        .type _tf_{name}, @function\n_tf_{name}:\n"
        f"{body}\n        ret\n        .size _tf_{name}, . - _tf_{name}\n"
    )


ENCRYPT = "        push ax\n        call !!_inner_encrypt\n        pop ax\n"


def lines(text: str) -> str:
    """Instructions, each on a line of its own; what ends with a colon is a label."""
    return "".join(line if line.endswith(":") else f"        {line}\n" for line in text.splitlines())


def routine(before: str = "", after: str = "", extra: str = "", **promises) -> Routine:
    """A routine `encrypt` that runs `before`, the correct one, and `after`, both with the block's address in
    AX.

    `before` must keep AX.
    """
    return of_entries(extra, encrypt=f"{before}\n{ENCRYPT}{after}", **promises)


def of_entries(extra: str = "", layout: Layout = LAYOUT, **entries_and_promises) -> Routine:
    """A routine with these entries, which may call the correct one, and with other promises."""
    bodies = {name: text for name, text in entries_and_promises.items() if name in ENTRIES}
    promises = {name: said for name, said in entries_and_promises.items() if name not in ENTRIES}
    source = "".join(entry(name, body) for name, body in bodies.items()) + CORRECT + extra
    return Routine(source, "tf", **{"entries": tuple(bodies), "layout": layout, **promises})
