"""`tightfit new`: skeletons that load, say what goes where, and are refused for what they do not do yet."""

import json
import shutil

import pytest

from tightfit import primitives, skeletons
from tightfit.generator import folders, load_space
from tightfit.generator.notes import load_notes
from tightfit.paths import PACKAGE
from tightfit.schemas import validator
from tightfit.targets import target_ids

VECTORS = {
    "block-cipher": {"key": "00" * 16, "plaintext": "00" * 8, "ciphertext": "00" * 8, "origin": "none"},
    "hash": {"message": "", "digest": "00" * 32, "origin": "none"},
    "mac": {"key": "00" * 16, "message": "00", "tag": "00" * 16, "origin": "none"},
    "stream-cipher": {"key": "00" * 32, "iv": "00" * 12, "keystream": "00" * 20, "origin": "none"},
    "aead": {
        "key": "00" * 16,
        "nonce": "00" * 16,
        "ad": "",
        "plaintext": "00",
        "ciphertext": "00",
        "tag": "00" * 16,
        "origin": "none",
    },
}
CODE = {
    "block-cipher": ("def encrypt(key, block):\n    return {}\n", "key[:8]", "bytes(8)"),
    "hash": ("def digest(message):\n    return {}\n", "message.ljust(32)[:32]", "bytes(32)"),
    "mac": ("def tag(key, message):\n    return {}\n", "key[:16]", "bytes(16)"),
    "stream-cipher": (
        "def keystream(key, iv, start, length):\n    return {}\n",
        "(key * length)[:length]",
        "bytes(length)",
    ),
    "aead": (
        "def seal(key, nonce, ad, plaintext):\n    return {}\n",
        "plaintext + key[:16]",
        "plaintext + bytes(16)",
    ),
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An empty package beside the real one, whose targets are known."""
    caches = (primitives.load_primitive, primitives._ids, load_space, load_notes)
    for cache in caches:
        cache.cache_clear()
    for module in (skeletons, folders):
        monkeypatch.setattr(module, "PACKAGE", tmp_path)
    monkeypatch.setattr(primitives, "FOLDER", tmp_path / "primitives")
    yield tmp_path
    for cache in caches:
        cache.cache_clear()


def made(tightfit, *words) -> dict:
    outcome = tightfit("new", *words, "--json")
    assert (outcome.status, outcome.err) == (0, "")
    primitives._ids.cache_clear()
    reply = json.loads(outcome.out)
    validator("new").validate(reply)
    return reply


@pytest.mark.parametrize("kind", skeletons.KINDS)
def test_a_primitive_says_what_is_missing_until_nothing_is(tightfit, package, kind):
    reply = made(tightfit, "primitive", "toy-1", "--kind", kind)
    folder = package / "primitives" / "toy-1"
    names = {"primitive.yaml", "reference.py", "oracle.py", "vectors.json"}
    assert {file.name for file in folder.iterdir()} == names
    assert {f"{folder}/{name}" for name in names} == set(reply["files"])
    assert "toy-1" in tightfit("list", "primitives").out
    made(tightfit, "template", "avr", "toy-1", "first")
    code, reference, oracle = CODE[kind]
    for file, text, line in (
        ("reference.py", code.format(reference), "reference.py: expected a function"),
        ("oracle.py", code.format(oracle), "oracle.py: expected a function"),
        (
            "vectors.json",
            json.dumps({"primitive": "toy-1", "vectors": [VECTORS[kind]]}),
            "at least one known",
        ),
    ):
        outcome = tightfit("try", "avr/toy-1/first")
        assert (outcome.status, outcome.err.count("\n")) == (2, 1)
        assert line in outcome.err
        (folder / file).write_text(text)
        primitives.load_primitive.cache_clear()
        load_space.cache_clear()
    outcome = tightfit("try", "avr/toy-1/first")
    assert outcome.status in (0, 1) and outcome.err.startswith("rejected: ") == bool(outcome.err)


@pytest.mark.parametrize("target", target_ids())
@pytest.mark.parametrize("primitive", ["present-80", "sha-256"])
def test_a_template_is_rejected_for_its_answer(tightfit, package, target, primitive):
    shutil.copytree(PACKAGE / "primitives" / primitive, package / "primitives" / primitive)
    reply = made(tightfit, "template", target, primitive, "first")
    assert [file.rpartition("/")[2] for file in reply["files"]] == [
        "main.s.j2",
        "notes.yaml",
        "template.yaml",
    ]
    assert reply["next"][0] == f"tightfit try {target}/{primitive}/first"
    outcome = tightfit("try", f"{target}/{primitive}/first")
    assert outcome.status == 1 and outcome.err.startswith("rejected: wrong answer: ")
    assert "rejected: wrong answer" in outcome.out
    assert load_notes(target, primitive).templates.keys() == {"first"}
    assert not [file for file in reply["files"] if "@" in open(file).read()]


@pytest.mark.parametrize(
    ("name", "over", "words", "kind", "template"),
    [
        ("toy-ctr", "speck64-128", ("--mode", "ctr"), "stream-cipher", "bytes+kept"),
        ("toy-cbc", "present-80", ("--mode", "cbc"), "stream-cipher", "unchained+inverse"),
        ("toy-ccm", "camellia-128", ("--mode", "ccm"), "aead", "chained+kept"),
        ("toy-cmac", "present-80", ("--mode", "cmac"), "mac", "chained+kept"),
        ("hmac-toy", "sha-224", (), "mac", "aside+small"),
    ],
)
def test_a_construction_has_its_templates(tightfit, package, name, over, words, kind, template):
    shutil.copytree(PACKAGE / "primitives" / over, package / "primitives" / over)
    reply = made(tightfit, "primitive", name, "--over", over, *words)
    primitive, called = primitives.load_primitive(name), primitives.load_primitive(over)
    assert (primitive.kind, primitive.over, primitive.block_bytes) == (kind, over, called.block_bytes)
    assert primitive.key_bytes == (called.key_bytes or called.digest_bytes)
    assert primitive.message_bits >= called.message_bits
    assert any(over in step for step in reply["next"])
    assert template in load_space("avr", name, PACKAGE / "templates").templates
    assert not [file for file in reply["files"] if "@" in open(file).read()]


def test_nothing_is_overwritten(tightfit, package):
    made(tightfit, "primitive", "toy-1", "--kind", "hash")
    before = (package / "primitives/toy-1/primitive.yaml").read_text()
    outcome = tightfit("new", "primitive", "toy-1", "--kind", "block-cipher")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "toy-1 is there already; choose another name" in outcome.err
    assert (package / "primitives/toy-1/primitive.yaml").read_text() == before


def test_a_folder_that_cannot_be_written(tightfit, package, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(skeletons.tempfile, "mkdtemp", refuse)
    outcome = tightfit("new", "primitive", "toy-1", "--kind", "hash")
    assert (outcome.status, outcome.err.count("\n")) == (1, 1)
    assert "toy-1: cannot be written: Permission denied; new files belong in a checkout" in outcome.err


@pytest.mark.parametrize(
    "words, line",
    [
        (("primitive", "Toy", "--kind", "hash"), "'Toy': expected an id of lower-case letters"),
        (("primitive", "../x", "--kind", "hash"), "'../x': expected an id"),
        (("primitive", "toy-1", "--kind", "stream"), "'stream' is not one of 'block-cipher', 'hash'"),
        (("primitive", "toy-1"), "Missing option '--kind'"),
        (("primitive", "toy-1", "--mode", "ctr"), "--mode: expected --over beside it"),
        (
            ("primitive", "toy-1", "--over", "aes-128", "--mode", "ctr", "--kind", "mac"),
            "--kind: expected none beside --over",
        ),
        (
            ("primitive", "toy-1", "--over", "present-80"),
            "is a block-cipher with blocks of 8 bytes: mode: expected one of ctr, cbc, cmac, found none",
        ),
        (
            ("primitive", "toy-1", "--over", "present-80", "--mode", "ccm"),
            "mode: expected one of ctr, cbc, cmac, found ccm",
        ),
        (("primitive", "toy-1", "--over", "presnet-80", "--mode", "ctr"), "no primitive 'presnet-80'"),
        (("primitive", "toy-1", "--over", "poly1305"), "mode: there is none over it, found none"),
        (("template", "avx", "present-80", "one"), "no target 'avx'; the nearest: avr"),
        (
            ("template", "avr", "presnet-80", "one"),
            "no primitive 'presnet-80'; the nearest: present-80",
        ),
        (
            ("template", "avr", "present-80", "a-b"),
            "'a-b': expected lower-case letters, digits and underscores",
        ),
        (("template", "avr", "present-80", "shared"), "none of shared, lib, tables"),
        (("template", "avr", "present-80", "tiny"), "avr/present-80/tiny is there already"),
    ],
)
def test_a_wrong_word_is_one_line(tightfit, package, words, line):
    for name in ("aes-128", "poly1305", "present-80"):
        shutil.copytree(PACKAGE / "primitives" / name, package / "primitives" / name)
    (package / "templates/avr/present-80/tiny").mkdir(parents=True)
    outcome = tightfit("new", *words)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert line in outcome.err
