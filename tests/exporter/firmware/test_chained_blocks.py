"""CBC, exported in both directions: its routines called by C, functions for whole messages, its self-test."""

import pytest

from tightfit.generator import load_space
from tightfit.harness.bench import Bench
from tightfit.primitives import load_primitive
from tightfit.records import Variant
from tightfit.targets import load_target, target_ids

from .boards import boards, faults
from .compilers import compile_c, levels, link
from .images import environment, image, supports
from .winners import exported_winner

PRIMITIVE = load_primitive("aes-128-cbc")


def winner(target, way, folder):
    """A variant of a direction, measured with the GNU interface and exported."""
    space, part = load_space(target, PRIMITIVE.id), load_target(target).default_part
    spec = next(spec for spec in space.of(way) if spec.name.endswith(("+flat", "+registers", "+inverse")))
    knobs = next(spec.variants(way))
    with Bench(target, part, PRIMITIVE.id) as bench:
        measured = bench.measure(Variant(target, part, PRIMITIVE.id, way, spec.name, knobs))
    assert measured.rejected is None
    return exported_winner(measured, f"cbc_{way}", folder)


@pytest.mark.parametrize("way", ["encrypt", "decrypt"])
@pytest.mark.parametrize("target", target_ids())
def test_routines_and_whole_messages(target, way, tmp_path):
    known, objects = winner(target, way, tmp_path / "lib"), supports(target, tmp_path)
    level, options = list(levels(target).items())[-1]
    program = image(target, options, [known], objects, tmp_path)
    for board, run in boards(target, [known]).items():
        ending = run(target, program)
        faulty = faults(ending, [known])
        assert not ending.trouble and not ending.code and not faulty, (board, level, ending, faulty)
    vector = max(PRIMITIVE.vectors(), key=lambda vector: len(vector.plaintext))
    texts = (vector.plaintext, vector.ciphertext)
    values = {"way": way, "vector": vector, "start": texts[way == "decrypt"], "end": texts[way == "encrypt"]}
    source = tmp_path / "messages.c"
    source.write_text(
        environment().get_template("messages-chained-blocks.c.j2").render(name=known.name, **values)
    )
    sources = [source, *(known.include / f"{known.name}_{part}.c" for part in ("messages", "selftest"))]
    flags = ["-Wall", "-Wextra", "-Werror", *options, f"-I{known.include}"]
    started = [support for support in objects if support.stem != "supervised"]
    program = link(target, flags, [*sources, known.object, *started], tmp_path / "messages.elf")
    compile_c(target, flags, known.include / f"{known.name}_timed.c", tmp_path / "timed.o")
    for board, run in boards(target, [known]).items():
        ending = run(target, program)
        assert not ending.trouble and not ending.code, (board, ending)


def test_the_data_sheet_says_what_a_message_is(tmp_path):
    known = winner("avr", "decrypt", tmp_path / "lib")
    sheet = (known.folder / "README.md").read_text()
    assert "Whole blocks: a message that is none is filled up by its sender." in sheet
    header = (known.include / f"{known.name}_messages.h").read_text()
    assert "cbc_decrypt_decrypt_message" in header and "encrypt" not in header
