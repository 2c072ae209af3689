"""CBC, exported in both directions: functions for whole messages, and what the data sheet says of them."""

import pytest

from tests.answers import targets
from tightfit.primitives import load_primitive

from .boards import check_runs
from .compilers import levels, link
from .images import environment

PRIMITIVE = load_primitive("aes-128-cbc")


@pytest.fixture
def winner(chosen):
    """A function that gives a winner of a direction."""

    def choose(target, way):
        return chosen(target, PRIMITIVE.id, lambda known: known.measurement.variant.operation == way)[0]

    return choose


@pytest.mark.parametrize("way", ["encrypt", "decrypt"])
@pytest.mark.parametrize("target", targets("aes-128-cbc"))
def test_whole_messages(winner, frame, target, way, tmp_path):
    known, options = winner(target, way), list(levels(target).values())[-1]
    vector = max(PRIMITIVE.vectors(), key=lambda vector: len(vector.plaintext))
    texts = (vector.plaintext, vector.ciphertext)
    values = {"way": way, "vector": vector, "start": texts[way == "decrypt"], "end": texts[way == "encrypt"]}
    source, template = tmp_path / "messages.c", environment().get_template("messages-chained-blocks.c.j2")
    source.write_text(template.render(name=known.name, **values))
    sources = [source, *(known.include / f"{known.name}_{part}.c" for part in ("messages", "selftest"))]
    sources += [known.object, *frame(target).start]
    program = link(target, [*options, f"-I{known.include}"], sources, tmp_path / "messages.elf")
    check_runs(target, program, [known])


def test_the_data_sheet_says_what_a_message_is(winner):
    known = winner("avr", "decrypt")
    sheet = (known.folder / "README.md").read_text()
    assert "Whole blocks: a message that is none is filled up by its sender." in sheet
    header = (known.include / f"{known.name}_messages.h").read_text()
    assert f"{known.name}_decrypt_message" in header and "encrypt" not in header
