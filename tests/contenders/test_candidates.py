"""The C interface of the submissions to AES."""

import shutil

import pytest

from tightfit.contenders import candidates
from tightfit.contenders.called import Sources, measure_calls
from tightfit.contenders.calltext import read
from tightfit.contenders.measure import question
from tightfit.contenders.path import Asked, measure_paths
from tightfit.errors import UsageError
from tightfit.primitives import load_primitive

from . import guests
from .guests import TARGETS

pytestmark = pytest.mark.dear("compiled C through the gate")

PRESENT = load_primitive("present-80")
HEADERS = ("candidate.h",)


@pytest.fixture
def files(tmp_path):
    """PRESENT-80 with that interface."""
    for name in ("cipher.h", "cipher.c", "cipher_keys.c", "candidate.h", "candidate.c"):
        shutil.copy(guests.DATA / name, tmp_path / name)
    return tuple(tmp_path / name for name in ("candidate.c", "cipher.c", "cipher_keys.c"))


def measured(files, operation, target="avr"):
    asked = question(target, None, "present-80", operation, "guest", ("-Os",), "search")
    calls = candidates.calls_of(PRESENT, operation, HEADERS)
    return measure_calls(asked, Sources(files), calls, candidates.AES_CANDIDATE)


@pytest.mark.parametrize("target", TARGETS)
def test_a_candidate_is_measured_as_its_interface_says(files, target):
    contender = measured(files, "encrypt", target)
    assert (contender.rejected, contender.interface) == (None, "aes-candidate")
    cycles = {name: timing.cycles for name, timing in contender.cost.by_entry.items()}
    assert cycles["encrypt"] == cycles["setup"] + cycles["encrypt_next"] == contender.cost.cycles
    following = measured(files, "encrypt-next", target)
    assert following.cost.cycles == cycles["encrypt_next"]
    assert following.cost.ram_parts.block >= 8 + 8 + 21 + 256 + 9  # texts, digits, round keys, cipher


def test_a_wrong_candidate_is_rejected(files):
    source = files[0]
    source.write_text(source.read_text().replace("return -2;", "return -2;\n    keyMaterial[0] = '0';"))
    assert "wrong answer: encrypt" in measured(files, "encrypt").rejected


@pytest.mark.in_turn(4)
def test_files_are_measured_for_every_operation(files):
    """Each direction has a key of its own."""
    asked = Asked("avr", None, "present-80", flags=[("-Os",)], headers=HEADERS, interface="aes-candidate")
    routines = list(measure_paths(files, asked))
    assert [routine.operation for routine in routines] == list(PRESENT.operations)
    assert all(routine.rejected is None for routine in routines)


def test_a_description_may_name_the_interface(files):
    file, sources = files[0].with_name("present.yaml"), "candidate.c, cipher.c, cipher_keys.c"
    said = "primitive: present-80\noperation: encrypt\nheaders: [candidate.h]\ninterface: aes-candidate\n"
    file.write_text(f"sources: [{sources}]\n{said}")
    (routine,) = measure_paths([file], Asked("avr", None, flags=[("-Os",)]))
    assert (routine.rejected, routine.interface) == (None, "aes-candidate")


def test_what_does_not_go_with_the_interface():
    with pytest.raises(UsageError, match="expected a block cipher, found SHA-256"):
        candidates.calls_of(load_primitive("sha-256"), "hash", HEADERS)
    with pytest.raises(UsageError, match="expected --header with the file that declares it"):
        candidates.calls_of(PRESENT, "encrypt", ())
    for text in ("f(hex(in))", "f(reverse(hex(key)))"):
        with pytest.raises(UsageError, match="expected hex\\(key\\), outside of all orders"):
            read(text, "block-cipher")
