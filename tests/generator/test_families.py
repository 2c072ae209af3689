"""Primitives of one family: one folder of templates, which read what differs as `p.<name>`."""

import pytest

from tightfit.errors import UsageError
from tightfit.generator import load_space, render, spaces
from tightfit.records import Variant

YAML = """\
doc: one
operations: [hash]
knobs:
  a: {values: [x, y]}
constraints:
  - "k.a == 'x' or p.padding == 6"
block:
  - {name: state, bytes: 200, kept: true}
  - {name: message, bytes: p.block_bytes}
  - {name: flags, bytes: 1}
  - {name: length, bytes: 1}
"""
SOURCE = '{% fragment "pad" %}\n        mov     a, #{{ p.padding }}\n{% endfragment %}\n'
FAMILY = ("keccak-256", "keccak-512", "sha3-256", "sha3-512")


@pytest.fixture
def declared(tmp_path):
    def write(source: str):
        folder = tmp_path / "rl78" / "keccak" / "one"
        folder.mkdir(parents=True)
        (folder / "template.yaml").write_text(YAML)
        (folder / "main.s.j2").write_text(source)
        return tmp_path

    yield write
    load_space.cache_clear()


def variant(primitive: str, **knobs) -> Variant:
    return Variant("rl78", "R5F100LE", primitive, "hash", "one", {"a": "x", **knobs})


def test_constants_of_each_primitive(declared):
    root = declared(SOURCE)
    loaded = {name: load_space("rl78", name, root) for name in FAMILY}
    sizes = {
        name: space.templates["one"].block_layout({"a": "x"}, "hash").size for name, space in loaded.items()
    }
    assert sizes == {"keccak-256": 338, "keccak-512": 274, "sha3-256": 338, "sha3-512": 274}
    counts = [space.count("hash") for space in loaded.values()]
    assert counts == [1, 1, 2, 2]
    rendered = {name: render(variant(name), space=space) for name, space in loaded.items()}
    assert "#1" in rendered["keccak-256"].source and "#6" in rendered["sha3-512"].source
    assert rendered["keccak-256"].source == rendered["keccak-512"].source != rendered["sha3-256"].source
    assert len({text.sha256 for text in rendered.values()}) == len(FAMILY)
    assert rendered["sha3-256"].reads == {"pad": frozenset()}


def test_every_primitive_of_the_family_has_a_space(declared):
    assert spaces(declared(SOURCE)) == [("rl78", name) for name in FAMILY]


def test_unknown_constant_in_a_template(declared):
    space = load_space("rl78", "keccak-256", declared(SOURCE.replace("padding", "pading")))
    with pytest.raises(
        UsageError, match=r"one/main\.s\.j2:2: p\.pading is no constant .* digest_bytes, padding"
    ):
        render(variant("keccak-256"), space=space)


def test_no_templates_names_those_that_have(declared):
    with pytest.raises(UsageError, match="no primitive 'sha-256'; the nearest: .*sha3-256"):
        load_space("rl78", "sha-256", declared(SOURCE))


def test_the_package_has_spaces_by_primitive():
    assert {("rl78", "aes-128"), ("avr", "present-80"), ("msp430", "aes-128")} <= set(spaces())


def test_a_construction_over_what_has_no_templates_has_none(declared):
    root = declared(SOURCE)
    other = root / "rl78" / "hmac" / "aside"
    other.mkdir(parents=True)
    (other / "template.yaml").write_text(YAML)
    assert spaces(root) == [("rl78", name) for name in FAMILY]
    assert all(load_space(*subject).templates for subject in spaces())
