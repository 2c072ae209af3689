"""Constructions: the templates that they call, with knobs, fields and text of both."""

import pytest

from tightfit.errors import UsageError
from tightfit.generator import load_space, render, sources
from tightfit.generator.folders import spaces
from tightfit.generator.sources import space_digest
from tightfit.primitives import load_primitive
from tightfit.records import Variant
from tightfit.targets import load_target

OUTER = """\
doc: counter mode
operations: [encrypt]
calls: {operation: encrypt-next, fields: FIELDS}
knobs: {KNOBS}
block:
  - {name: counter, bytes: 16, kept: true}
  - {name: iv, bytes: 16}
  - {name: length, bytes: 1}
"""


@pytest.fixture
def root(tmp_path):
    """A folder of templates with AES-128 as it is, and a counter mode that a test writes."""
    own = load_space("avr", "aes-128").folder
    (tmp_path / "avr").mkdir()
    (tmp_path / "avr" / "aes-128").symlink_to(own)
    (tmp_path / "avr" / "lib").symlink_to(own.parent / "lib")
    (tmp_path / "avr" / "ctr" / "plain").mkdir(parents=True)

    def write(fields="{key: key, text: text}", knobs=""):
        folder = tmp_path / "avr" / "ctr" / "plain"
        (folder / "template.yaml").write_text(OUTER.replace("FIELDS", fields).replace("KNOBS", knobs))
        (folder / "main.s.j2").write_text("")
        return tmp_path

    return write


def test_a_template_for_each_that_offers_the_operation():
    outer, inner = load_space("avr", "aes-128-ctr"), load_space("avr", "aes-128")
    offered = {spec.name for spec in inner.of("encrypt-next")}
    assert {name.split("+")[1] for name in outer.templates} == offered
    assert outer.count("encrypt") == 2 * inner.count("encrypt-next")


def test_the_block_begins_with_that_of_what_is_called():
    spec = load_space("avr", "aes-128-ctr").templates["bytes+kept"]
    called = load_space("avr", "aes-128").templates["kept"]
    knobs = next(spec.variants("encrypt"))
    layout, inner = spec.block_layout(knobs, "encrypt"), called.block_layout(knobs, "encrypt-next")
    fields = [(name, *rest) for name, *rest in layout.fields if name.startswith(("inner", "key"))]
    renamed = [(name if name == "key" else f"inner_{name}", *rest) for name, *rest in inner.fields]
    assert fields[: len(renamed)] == renamed
    assert layout.offset("counter") == inner.size
    assert layout.kept == {"counter", "inner_round_keys"}


def test_the_text_has_both_and_only_the_entries_of_the_construction_are_global():
    spec = load_space("avr", "aes-128-ctr").templates["bytes+kept"]
    part = load_target("avr").part().name
    knobs = next(spec.variants("encrypt"))
    variant = Variant("avr", part, "aes-128-ctr", "encrypt", spec.name, knobs)
    rendered = render(variant)
    assert rendered.entries == ("setup", "next")
    assert rendered.source.count(".global") == 2
    assert "tf_inner_encrypt_next:" in rendered.source
    assert "sub_bytes" in {emission.fragment for emission in rendered.emissions}


def test_a_template_that_keeps_round_keys_also_encrypts_at_once():
    templates = load_space("avr", "xtea").templates
    spec, called = templates["at_once+kept"], templates["kept"]
    assert not {name for name in templates if name.startswith("at_once+")} - {"at_once+kept"}, (
        "others offer encrypt"
    )
    assert spec.operations == ("encrypt",) and spec.count("encrypt") == called.count("encrypt-next")
    knobs = next(spec.variants("encrypt"))
    layout, inner = spec.block_layout(knobs, "encrypt"), called.block_layout(knobs, "encrypt-next")
    assert layout.size == inner.size and layout.offset("key") == inner.offset("key")
    assert not layout.kept
    rendered = render(Variant("avr", load_target("avr").part().name, "xtea", "encrypt", spec.name, knobs))
    assert rendered.entries == ("encrypt",) and rendered.source.count(".global") == 1


def test_every_block_cipher_that_keeps_round_keys_encrypts_at_once():
    for target, primitive in spaces():
        definition = load_primitive(primitive)
        if definition.kind != "block-cipher":
            continue
        templates = load_space(target, primitive).templates
        kept = {name for name, spec in templates.items() if "encrypt-next" in spec.operations}
        fresh = {
            name.removeprefix("at_once+") for name, spec in templates.items() if "encrypt" in spec.operations
        }
        assert kept <= fresh, (target, primitive)


def test_a_template_of_the_library_is_part_of_the_space(monkeypatch):
    part = load_target("avr").part().name
    questions = [("avr", part, "xtea", operation) for operation in ("encrypt", "encrypt-next")]
    before = [space_digest(*question) for question in questions]
    monkeypatch.setattr(sources, "joining", lambda target, primitive: [])
    fresh, following = (space_digest(*question) for question in questions)
    assert fresh != before[0] and following == before[1]


def test_a_field_under_another_name(root):
    space = load_space("avr", "aes-128-ctr", root(fields="{key: key, text: data}"))
    names = [name for name, _ in space.templates["plain+kept"].fields]
    assert {"key", "data"} <= set(names) and "inner_text" not in names


@pytest.mark.parametrize(
    ("fields", "knobs", "message"),
    [
        ("{key: key, text: iv}", "", "field 'iv': expected another name, as aes-128 has it already"),
        ("[key]", "sbox: {values: [here]}", "knob 'sbox': expected a name that aes-128 has no knob of"),
    ],
)
def test_names_of_both(root, fields, knobs, message):
    with pytest.raises(UsageError, match=message):
        load_space("avr", "aes-128-ctr", root(fields, knobs))


def test_only_constructions_call(tmp_path):
    assert load_primitive("aes-128-ctr").over == "aes-128"
    folder = tmp_path / "avr" / "aes-128" / "plain"
    folder.mkdir(parents=True)
    text = OUTER.replace("FIELDS", "[key]").replace("KNOBS", "")
    (folder / "template.yaml").write_text(text)
    (folder / "main.s.j2").write_text("")
    with pytest.raises(UsageError, match="expected `calls` in the templates of a primitive that is `over`"):
        load_space("avr", "aes-128", tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "calls: {kind: block-cipher, operation: encrypt-next, fields: [key]}\n"
            "block: [{name: key, bytes: 16}]\n",
            "expected `kind` only in templates of the library",
        ),
        ("block: []\n", "expected a field or more, found none"),
    ],
)
def test_what_only_templates_of_the_library_may_say(tmp_path, text, message):
    folder = tmp_path / "avr" / "aes-128" / "plain"
    folder.mkdir(parents=True)
    (folder / "template.yaml").write_text(f"doc: plain\noperations: [encrypt]\nknobs: {{}}\n{text}")
    (folder / "main.s.j2").write_text("")
    with pytest.raises(UsageError, match=message):
        load_space("avr", "aes-128", tmp_path)
