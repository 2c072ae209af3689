"""Exported folders of every target, family and operation: they build, and state their cost."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.answers import targets, winning
from tests.coverings import covering
from tests.exporter.firmware.winners import OPERATIONS, form, forms, primitives
from tests.families import DIFFERING
from tightfit.exporter import Export, default_name
from tightfit.exporter.interfaces import load_interface
from tightfit.exporter.kinds import kind_words
from tightfit.exporter.pages import c_bytes
from tightfit.primitives import load_primitive
from tightfit.records import Variant
from tightfit.targets import load_target
from tightfit.targets.toolchain import tool

from .libraries import STRICT, ends, exported, filled, run, tells

C11 = (*STRICT, "-std=c11")


def cases():
    """Each form and each primitive that differs on each target, each operation of each form."""
    every = [
        (target, of, operation)
        for target in targets()
        for of in dict.fromkeys((*forms(target), *(name for name in DIFFERING if target in targets(name))))
        for operation in OPERATIONS[form(of)]
    ]
    return covering(every, lambda case: (case[:2], (form(case[1]), case[2])))


@dataclass(frozen=True)
class Library:
    """An exported variant."""

    name: str
    done: Export

    @property
    def variant(self) -> Variant:
        return self.done.measurement.variant

    @property
    def entries(self) -> list[str]:
        return re.findall(rf"^void {self.name}_(\w+)\(", self.text(f"src/{self.name}.h"), re.MULTILINE)

    def text(self, file: str) -> str:
        return (self.done.folder / file).read_text()

    def tool(self, name: str) -> str:
        return str(tool(self.variant.target, name))


@pytest.fixture(scope="module", params=cases(), ids=" ".join)
def library(request, tmp_path_factory):
    """A winner that is neither long nor slow, exported under its own name."""
    target, of, operation = request.param
    every = ((each, winning(target, each, operation)) for each in primitives(target, of, operation))
    primitive, known = next(case for case in every if case[1])
    name = default_name(primitive)
    folder = tmp_path_factory.mktemp("library")
    return Library(name, exported(known[len(known) // 2], folder, name=name))


def test_the_archive_builds_and_links(library):
    folder, target = library.done.folder, load_target(library.variant.target)
    cross = library.tool("as").removesuffix("as")
    run("make", "-C", folder, f"CROSS={cross}")
    archive = f"lib{library.name}.a"
    symbols = run(library.tool("nm"), folder / archive)
    wanted = [target.abi.symbol(f"{library.name}_{entry}") for entry in library.entries]
    assert wanted and all(f" T {symbol}\n" in symbols for symbol in wanted)
    pulled = [word for symbol in wanted for word in ("-u", symbol)]
    options = target.link_options(target.part(library.variant.part))
    run(library.tool("ld"), *options, *pulled, "-o", "linked.elf", archive, cwd=folder)


def test_header_and_sources_are_strict_c11(library):
    for file in library.done.files:
        if file.endswith(".c") and not file.endswith(("_timed.c", "_clocks.c")):
            run(*C11, "-fsyntax-only", "-Isrc", file, cwd=library.done.folder)


def test_the_header_notices_another_layout(library, tmp_path):
    header = f"{library.name}.h"
    field = {"hash": "message"}.get(load_primitive(library.variant.primitive).kind, "key")
    own = re.search(rf"uint8_t {field}\[", library.text(f"src/{header}"))[0]
    (tmp_path / header).write_text(library.text(f"src/{header}").replace(own, f"uint8_t pad[2]; {own}"))
    (tmp_path / "use.c").write_text(f'#include "{header}"\n')
    assert f"{field} is at offset" in tells(*C11, "-fsyntax-only", "use.c", cwd=tmp_path)


CIPHER = """
#include <string.h>
#include "NAME.h"
static const struct { unsigned char key[KEY], text[2][TEXT]; } known[] = { VECTORS };
static void cipher(NAME_block *b, int from)
{
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!memcmp(known[i].key, b->key, KEY) && !memcmp(known[i].text[from], b->text, TEXT)) {
            memcpy(b->text, known[i].text[!from], TEXT);
            return;
        }
}
"""
WORK = {"encrypt": "cipher(b, 0); FAULT", "decrypt": "cipher(b, 1); FAULT", "setup": "(void)b;"}
HASH = """
#include <string.h>
#include "NAME.h"
static const struct { unsigned length; unsigned char message[1024], digest[DIGEST]; } known[] = { VECTORS };
static unsigned char seen[1024];
static unsigned length;
void NAME_hash(NAME_block *b)
{
    if (b->flags & 1)
        length = 0;
    unsigned more = b->flags & 2 ? b->length : sizeof b->message;
    memcpy(seen + length, b->message, more);
    length += more;
    if (b->flags & 2)
        for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
            if (known[i].length == length && !memcmp(known[i].message, seen, length))
                memcpy(b->state, known[i].digest, DIGEST);
    FAULT
}
"""


def _messages(vectors) -> str:
    """Known answers of a hash as rows of a table in C."""
    return ", ".join(
        f"{{ {len(vector.message)}, {{{c_bytes(vector.message) or '0'}}}, {{{c_bytes(vector.digest)}}} }}"
        for vector in vectors
    )


def stand_in(library: Library, fault: str) -> str:
    """C that gives the routine's answers from a table, with `fault` added."""
    primitive = load_primitive(library.variant.primitive)
    vectors = kind_words(primitive, library.done.measurement).vectors
    words = {"NAME": library.name, "FAULT": fault}
    if primitive.kind == "hash":
        return filled(HASH, {**words, "DIGEST": str(primitive.digest_bytes), "VECTORS": _messages(vectors)})
    rows = (
        f"{{ {{{c_bytes(v.key)}}}, {{ {{{c_bytes(v.plaintext)}}}, {{{c_bytes(v.ciphertext)}}} }} }}"
        for v in vectors
    )
    text = CIPHER + "".join(
        f"void NAME_{entry}(NAME_block *b) {{ {WORK[entry.removesuffix('_next')]} }}\n"
        for entry in library.entries
    )
    words |= {"KEY": str(primitive.key_bytes), "TEXT": str(primitive.block_bytes)}
    return filled(text, {**words, "VECTORS": ", ".join(rows)})


def beside_stand_in(library: Library, fault: str, folder: Path, *sources: str | Path) -> int:
    """What a program of the library's sources returns that has the stand-in for the routine."""
    (folder / "stand_in.c").write_text(stand_in(library, fault))
    options = ("-I", library.done.folder / "src", "-o", folder / "run")
    run(*C11, *options, *sources, folder / "stand_in.c", cwd=library.done.folder)
    return ends(folder / "run")


FAULTS = {"block-cipher": ("b->text[3] ^= 1;", "b->key[0] ^= 1;"), "hash": ("b->state[3] ^= 1;",)}


def test_the_self_test_tells_right_from_wrong(library, tmp_path):
    """Of ciphers and hashes by a stand-in on this machine; those of the other kinds run as firmware."""
    faults = FAULTS.get(load_primitive(library.variant.primitive).kind)
    own = [f"src/{library.name}_{part}.c" for part in ("selftest", "messages")]
    for fault in ("", *faults) if faults else ():
        destroys = library.done.measurement.destroys_key and "key" in fault
        expected = 0 if not fault or destroys else 1
        assert beside_stand_in(library, fault, tmp_path, "examples/main.c", *own) == expected


WHOLE = """
#include <string.h>
#include "NAME_messages.h"
static const struct { unsigned length; unsigned char message[1024], digest[DIGEST]; } known[] = { VECTORS };
int main(void)
{
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
        unsigned char digest[DIGEST];
        NAME_message(known[i].message, known[i].length, digest);
        if (memcmp(digest, known[i].digest, DIGEST))
            return 1 + (int)i;
    }
    return 0;
}
"""


def test_a_whole_message_in_one_call(library, tmp_path):
    primitive = load_primitive(library.variant.primitive)
    if primitive.kind != "hash":
        in_one = f"{library.name}_message(" in library.text(f"src/{library.name}_messages.h")
        assert in_one == (primitive.form in ("mac", "stream-cipher"))
        return
    rows = _messages(kind_words(primitive, library.done.measurement).vectors)
    words = {"NAME": library.name, "VECTORS": rows, "DIGEST": str(primitive.digest_bytes)}
    (tmp_path / "whole.c").write_text(filled(WHOLE, words))
    assert beside_stand_in(library, "", tmp_path, tmp_path / "whole.c", f"src/{library.name}_messages.c") == 0


def test_the_data_sheet_says_what_it_costs(library):
    sheet, done = library.text("README.md"), library.done
    target = load_target(library.variant.target)
    assert f"| ROM | {done.cost.rom} B" in sheet
    assert f"| RAM | {done.cost.ram} B" in sheet
    assert done.measurement.variant.id in sheet
    assert "{{" not in sheet and "{%" not in sheet
    assert all(" ".join(note.split()) in " ".join(sheet.split()) for note in target.notes)
    assert ("mirror" in sheet) == bool(target.part().regions("mirror"))
    assert ("hazard" in sheet) == bool(target.waits_apart)
    rows = re.findall(r"^\| cycles, (.+?) \|", sheet, re.MULTILINE)
    assert len(rows) == len(done.cost.by_entry)
    functions = {row.strip("`").removeprefix(f"{library.name}_") for row in rows if row.startswith("`")}
    assert functions <= set(library.entries)
    if load_interface(target.id).counted:  # GNU calls as the portfolio counts: the figures are its
        assert done.cost == done.measurement.cost
        assert "shim" not in sheet
    else:
        assert done.cost.rom > done.measurement.cost.rom
        assert f"ROM {done.measurement.cost.rom} B" in sheet
