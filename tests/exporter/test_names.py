"""Names of libraries: what is refused, what is offered, and what a library is called by itself."""

import re
import subprocess
from itertools import combinations
from pathlib import Path

import pytest

from tightfit.errors import UsageError
from tightfit.exporter.names import KEYWORDS, check_name, default_name, name_of_several, offer
from tightfit.primitives import primitive_ids
from tightfit.targets import target_ids
from tightfit.targets.toolchain import tool

REASONS = {
    "is a header of the C library": ["string", "String", "math"],
    "is a word of C or C++": ["float", "class"],
    "begins as those of Arduino's own libraries": ["Arduino", "arduino_aes"],
    "is a header of Arduino": ["Wire", "EEPROM"],
    "is a header of the microcontroller": ["msp430"],
    "is a function of C": ["main", "printf"],
    "is a library of the compiler": ["m", "gcc"],
    "is a target of CMake": ["test", "selftest"],
    "is a device of Windows": ["con"],
    "is no C name": ["1st", "_box", "box-1", "", "bo\x1b[31mx", "é", "9" * 5_000],
    "has __, which C++ reserves": ["a__b"],
    "has 64 characters, more than the 63": ["a" * 64],
}
REFUSED = {name: reason for reason, names in REASONS.items() for name in names}


@pytest.mark.parametrize("name", REFUSED, ids=lambda name: ascii(name[:12]))
def test_a_name_that_is_refused(name):
    with pytest.raises(UsageError, match=re.escape(REFUSED[name])) as raised:
        check_name(name)
    line = str(raised.value)
    assert line.isprintable() and len(line) < 250
    assert line.endswith(f"; take another, such as {offer(name)}")
    check_name(offer(name))


@pytest.mark.parametrize("name", ["aes128", "box", "my_string", "string_lib", "a_b_", "Crypto", "x" * 63])
def test_a_name_that_a_library_can_have(name):
    check_name(name)


@pytest.mark.parametrize("target", target_ids())
def test_every_header_and_word_of_the_compiler_is_refused(target):
    cc = tool(target, "cc")
    told = subprocess.run([cc, "-E", "-v", "-x", "c", "-"], input="", capture_output=True, text=True).stderr
    own = subprocess.check_output([cc, "-print-file-name=include"], text=True).strip()
    folders = [own, *re.findall(r"^ (/\S+)$", told, re.MULTILINE)]
    headers = {file.stem for folder in folders for file in Path(folder).glob("*.h")}
    assert {"stdint", "float"} <= headers
    for name in headers | KEYWORDS:
        with pytest.raises(UsageError):
            check_name(name)


def test_default_names_differ_and_can_be_had():
    names = [default_name(primitive) for primitive in primitive_ids()]
    assert len({name.lower() for name in names}) == len(names)
    pairs = combinations(primitive_ids(), 2)
    several = [name_of_several([(one, None), (other, None)]) for one, other in pairs]
    for name in (*names, *several):
        check_name(name)
    assert len({*names, *several}) == len(names) + len(several)


def test_the_name_of_several_says_what_is_inside():
    assert name_of_several([("aes-128", None), ("sha-256", None)]) == "aes128_sha256"
    assert name_of_several([("aes-128", "encrypt+decrypt")]) == "aes128_encrypt_decrypt"
    many = [(primitive, "encrypt+decrypt") for primitive in primitive_ids()]
    name = name_of_several(many)
    check_name(name)
    assert re.fullmatch(r"aes128_encrypt_decrypt_\w+_and_\d+_more", name)
