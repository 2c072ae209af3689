"""Primitives against each other: reference, independent oracle, published vectors."""

import random

import pytest

from tightfit.errors import UsageError
from tightfit.primitives import load_folder, load_primitive, primitive_ids

IDS = primitive_ids()


@pytest.fixture(params=IDS)
def primitive(request):
    return load_primitive(request.param)


def test_there_are_primitives():
    assert "aes-128" in IDS


@pytest.mark.parametrize("implementation", ["reference", "oracle"])
def test_known_answers(primitive, implementation):
    module = getattr(primitive, implementation)
    vectors = primitive.vectors()
    assert any(vector.iterations > 1 for vector in vectors)
    for vector in vectors:
        if implementation == "reference" and vector.iterations > 100:
            continue  # the same code 1000 times over teaches nothing and takes seconds
        text = vector.plaintext
        for _ in range(vector.iterations):
            text = module.encrypt(vector.key, text)
        assert text == vector.ciphertext, vector.origin
        for _ in range(vector.iterations):
            text = module.decrypt(vector.key, text)
        assert text == vector.plaintext, vector.origin


def test_reference_equals_oracle_on_random_inputs(primitive):
    source = random.Random(primitive.seed)
    for _ in range(50):
        key, block = source.randbytes(primitive.key_bytes), source.randbytes(primitive.block_bytes)
        ciphertext = primitive.oracle.encrypt(key, block)
        assert primitive.reference.encrypt(key, block) == ciphertext
        assert (
            primitive.reference.decrypt(key, ciphertext) == block == primitive.oracle.decrypt(key, ciphertext)
        )


def test_published_figures_name_their_source(primitive):
    cells = primitive.published()
    assert cells
    for cell in cells:
        assert cell.operation in primitive.operations
        assert cell.source and cell.counted
        assert all(cycles > 0 for cycles in cell.by_entry.values())


def test_published_aes_on_rl78():
    cells = load_primitive("aes-128").published("rl78")
    by_bound = {(cell.operation, cell.rom, cell.ram): dict(cell.by_entry) for cell in cells}
    assert by_bound["encrypt", 486, 128] == {"encrypt": 7288}
    assert by_bound["encrypt", 1024, 64] == {"encrypt": 3855}
    assert by_bound["encrypt+decrypt", 2380, 64] == {"encrypt": 3865, "decrypt": 6541}
    assert by_bound["encrypt", 192, None] == {}
    assert {cell.target for cell in cells} == {"rl78"}


def test_unknown_primitive_names_the_nearest():
    with pytest.raises(UsageError, match="no primitive 'aes128'; the nearest: aes-128"):
        load_primitive("aes128")


def test_unknown_operation_names_the_nearest():
    with pytest.raises(UsageError, match="the nearest: encrypt"):
        load_primitive("aes-128").operation("encript")


def _copy(primitive, folder, name, old, new):
    for file in primitive.folder.iterdir():
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes())
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))
    return load_folder(folder)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("key_bytes: 16", "key_bytes: many", r"primitive\.yaml:5: expected an integer"),
        ("kind: block-cipher", "kind: blockcipher", r"primitive\.yaml:2: expected one of block-cipher"),
        ("ranked: [encrypt]", "ranked: [encode]", r"ranked: expected one of encrypt, found 'encode'"),
    ],
)
def test_malformed_definition(tmp_path, old, new, message):
    with pytest.raises(UsageError, match=message):
        _copy(load_primitive("aes-128"), tmp_path, "primitive.yaml", old, new)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"vectors": [', '"vectors": ', r"vectors\.json:\d+: expected JSON"),
        ('"plaintext"', '"plain"', r"vectors\.json: vectors/0"),
        ('"000102030405060708090a0b0c0d0e0f"', '"0001"', r"vectors/0: key: expected 16 bytes, found 2"),
        (
            '"000102030405060708090a0b0c0d0e0f"',
            '"xyz"',
            r"vectors/0/key: expected a byte string in hexadecimal",
        ),
    ],
)
def test_malformed_vectors(tmp_path, old, new, message):
    with pytest.raises(UsageError, match=message):
        _copy(load_primitive("aes-128"), tmp_path, "vectors.json", old, new).vectors()


def test_vector_file_that_is_not_there(tmp_path):
    primitive = _copy(load_primitive("aes-128"), tmp_path, "vectors.json", "FIPS-197", "FIPS-197")
    (tmp_path / "vectors.json").unlink()
    with pytest.raises(UsageError, match="expected a vector file, found none that can be read"):
        primitive.vectors()


def test_published_cell_of_an_unknown_source(tmp_path):
    broken = _copy(
        load_primitive("aes-128"), tmp_path, "published.yaml", "{source: fse2013", "{source: fse2031"
    )
    with pytest.raises(UsageError, match="expected one of fse2013, .* found 'fse2031'"):
        broken.published()
