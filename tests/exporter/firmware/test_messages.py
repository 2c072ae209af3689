"""Whole messages in firmware, on every simulator; and what their functions are said to take."""

import re

import pytest

from tests import answers
from tests.coverings import covering
from tests.exporter.libraries import filled
from tightfit.exporter import layer
from tightfit.exporter.layer import measure_layer
from tightfit.exporter.lengths import exported_curve
from tightfit.harness.simulator import run_elf
from tightfit.primitives import Primitive
from tightfit.targets import load_target
from tightfit.targets.toolchain import load_toolchain

from .boards import check_runs
from .compilers import compile_c, link, part_of, size
from .images import environment, message
from .winners import Winner, exported_winner, form

CASES = [
    ("sha-256", "hash"),
    ("blake2s-256", "hash"),
    ("aes-128", "encrypt+decrypt"),
    ("aes-128", "encrypt-next"),
    ("aes-128", "decrypt-next"),
]
SIZES = ("-Os", "-ffunction-sections", "-fdata-sections", "-Wl,--no-gc-sections")
SHORTENED = 4
"""Bytes and cycles that the linker of MSP430 takes off jumps to what is near in an image."""
TAKES = """
#include "NAME_messages.h"
static uint8_t message[BLOCK], digest[DIGEST];
int main(void)
{
    NAME_message(message, sizeof message, digest);
    return 0;
}
"""


def cases():
    """Each kind on each target, and each primitive and operation."""
    every = [(target, *case) for case in CASES for target in answers.targets(case[0])]
    return covering(every, lambda case: ((case[0], form(case[1])), case[1:]))


@pytest.fixture(scope="module", params=cases(), ids=" ".join)
def winner(request, tmp_path_factory):
    """The fastest winner on a core that a C compiler is known for, exported with all its figures."""
    target, primitive, operation = request.param
    compiled = load_toolchain(target).compiling
    won = answers.winning(target, primitive, operation)
    fastest = next(each for each in won if load_target(target).part(each.variant.part).core.name in compiled)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layer, "measure_layer", measure_layer)
        return exported_winner(fastest, "it", tmp_path_factory.mktemp("library"))


def check(winner: Winner) -> str:
    """C that tries whole messages of a kind."""
    primitive = winner.primitive
    values = _hash(primitive) if primitive.kind == "hash" else _cipher(primitive, winner.entries)
    template = environment().get_template(f"messages-{primitive.kind}.c.j2")
    return template.render(name=winner.name, **values)


def _hash(primitive: Primitive) -> dict:
    block = primitive.block_bytes
    messages = [message(length) for length in (0, 1, block - 1, block, block + 1, 2 * block, 2 * block + 7)]
    return {
        "answers": [(text, primitive.oracle.digest(text)) for text in messages],
        "longest": max(map(len, messages)),
    }


def _cipher(primitive: Primitive, entries: list[str]) -> dict:
    """Keys and texts, and what the oracle makes of them; the counter carries into its highest byte."""
    block, encrypt = primitive.block_bytes, primitive.oracle.encrypt
    key, text = message(primitive.key_bytes), message(3 * block + 5)
    chain = b"\x5a" + b"\xff" * (block - 2) + b"\xfe"
    counters = [(int.from_bytes(chain, "big") + n).to_bytes(block, "big") for n in range(4)]
    stream = b"".join(encrypt(key, counter) for counter in counters)
    cbc = [chain]
    for n in range(3):
        cbc.append(encrypt(key, bytes(a ^ b for a, b in zip(cbc[-1], text[n * block :], strict=False))))
    every = {
        "ctr_crypt": ("ctr_crypt", "1", "SIZE", "text", "ctr"),
        "cbc_encrypt": ("cbc_encrypt", "BLOCK", "(BLOCKS * BLOCK)", "text", "cbc"),
        "cbc_decrypt": ("cbc_decrypt", "BLOCK", "(BLOCKS * BLOCK)", "cbc", "text"),
    }
    encrypts, decrypts = (any(entry.startswith(way) for entry in entries) for way in ("encrypt", "decrypt"))
    there = {"ctr_crypt": encrypts, "cbc_encrypt": encrypts, "cbc_decrypt": decrypts}
    return {
        "key": key,
        "chain": chain,
        "text": text,
        "ctr": bytes(a ^ b for a, b in zip(text, stream, strict=False)),
        "cbc": b"".join(cbc[1:]),
        "functions": [every[function] for function in every if there[function]],
    }


def test_messages_in_pieces(winner, frame, tmp_path):
    target = winner.measurement.variant.target
    (tmp_path / "check.c").write_text(check(winner))
    whole = winner.include / f"{winner.name}_messages.c"
    sources = [tmp_path / "check.c", whole, winner.object, *frame(target).start]
    image = link(target, ["-O2", f"-I{winner.include}"], sources, tmp_path / "image.elf")
    check_runs(target, image, [winner])


def rows(winner: Winner) -> dict[tuple[str, str], list[int]]:
    """ROM, stack and cycles of each call, as the data sheet has them; ROM is 0 where a row has none."""
    sheet = (winner.folder / "README.md").read_text()
    found = re.findall(
        r"^\| `(\w+)` \| ([\w ]*?) \| (?:(\d+) B)? \| (\d+) B \| (\d+) \|$", sheet, re.MULTILINE
    )
    return {(function, what): [int(n or 0) for n in figures] for function, what, *figures in found}


def said(winner: Winner, words: str) -> int:
    """A number of bytes in the data sheet's part on whole messages."""
    _, _, part = (winner.folder / "README.md").read_text().partition("## Whole messages")
    return int(re.search(words, part)[1])


def test_firmware_grows_by_the_rom_that_is_said(winner, frame, tmp_path):
    target = winner.measurement.variant.target
    whole = winner.include / f"{winner.name}_messages.c"
    made = compile_c(target, ["-Os", "-std=c99", f"-I{winner.include}"], whole, tmp_path / "whole.o")
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    common = [tmp_path / "main.c", winner.object, *frame(target).start]
    sizes = [
        size(target, link(target, SIZES, [*common, *more], tmp_path / "image.elf")) for more in ([], [made])
    ]
    functions = {function: figures[0] for (function, _), figures in rows(winner).items() if figures[0]}
    borrowed = sum(map(int, re.findall(r"(\d+) B of it", (winner.folder / "README.md").read_text())))
    grown = sizes[1] - sizes[0]  # memcpy and its like are there anyway
    own = said(winner, r"ROM (\d+) B") - borrowed
    assert abs(grown - own) <= SHORTENED and own >= sum(functions.values())


def test_a_message_takes_what_is_said_and_the_routine(winner, frame, tmp_path):
    variant, primitive = winner.measurement.variant, winner.primitive
    if primitive.kind != "hash":
        return
    words = {"NAME": "it", "BLOCK": str(primitive.block_bytes), "DIGEST": str(primitive.digest_bytes)}
    (tmp_path / "main.c").write_text(filled(TAKES, words))
    target, made = load_target(variant.target), winner.include / "it_messages.c"
    whole = compile_c(target.id, ["-Os", "-std=c99", f"-I{winner.include}"], made, tmp_path / "whole.o")
    sources = [tmp_path / "main.c", whole, winner.object, *frame(target.id).start]
    image = link(target.id, ["-Os", f"-I{winner.include}"], sources, tmp_path / "image.elf")
    run = run_elf(image, target, part_of(target.id), profile=True, uninit="off")
    taken = {one.name: one.total_cycles for one in run.symbols}[target.abi.symbol("it_message")]
    routine = exported_curve(winner.prepared)
    expected = routine.cycles[routine.lengths.index(primitive.block_bytes)]
    own = taken + target.part().core.call_cycles - expected
    assert abs(own - rows(winner)["message", "a block"][2]) <= SHORTENED
