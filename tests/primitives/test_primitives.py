"""Primitives against each other: reference, independent oracle, published vectors."""

import random

import pytest

from tightfit.errors import UsageError
from tightfit.primitives import load_folder, load_primitive, primitive_ids

IDS = primitive_ids()


EVERY = [pytest.param(load_primitive(name), id=name) for name in IDS]
CIPHERS = [case for case in EVERY if case.values[0].kind == "block-cipher"]
HASHES = [case for case in EVERY if case.values[0].kind == "hash"]
MACS = [case for case in EVERY if case.values[0].kind == "mac"]
STREAMS = [case for case in EVERY if case.values[0].form == "stream-cipher"]
CHAINED = [case for case in EVERY if case.values[0].form == "chained-blocks"]
AEADS = [case for case in EVERY if case.values[0].kind == "aead"]
IMPLEMENTATIONS = ("reference", "oracle")


def test_there_are_primitives():
    assert "aes-128" in {case.id for case in CIPHERS}
    assert {"sha-256", "keccak-256", "keccak-512", "sha3-256", "sha3-512"} <= {case.id for case in HASHES}


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("primitive", CIPHERS)
def test_known_answers_of_ciphers(primitive, implementation):
    module = getattr(primitive, implementation)
    vectors = primitive.vectors()
    for vector in vectors:
        if implementation == "reference" and vector.iterations > 100:
            continue  # the same code 1000 times over teaches nothing and takes seconds
        text = vector.plaintext
        for _ in range(vector.iterations):
            text = module.encrypt(vector.key, text)
        assert text == vector.ciphertext, vector.origin
        if "decrypt" not in primitive.functions:
            continue
        for _ in range(vector.iterations):
            text = module.decrypt(vector.key, text)
        assert text == vector.plaintext, vector.origin


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("primitive", HASHES)
def test_known_answers_of_hashes(primitive, implementation):
    module = getattr(primitive, implementation)
    for vector in primitive.vectors():
        assert module.digest(vector.message) == vector.digest, vector.origin


@pytest.mark.parametrize("primitive", CIPHERS)
def test_reference_equals_oracle_on_random_blocks(primitive):
    source = random.Random(primitive.seed)
    for _ in range(50):
        key, block = source.randbytes(primitive.key_bytes), source.randbytes(primitive.block_bytes)
        ciphertext = primitive.oracle.encrypt(key, block)
        assert primitive.reference.encrypt(key, block) == ciphertext
        if "decrypt" in primitive.functions:
            answers = (code.decrypt(key, ciphertext) for code in (primitive.reference, primitive.oracle))
            assert set(answers) == {block}


@pytest.mark.parametrize("primitive", HASHES)
def test_reference_equals_oracle_on_messages_of_every_length(primitive):
    source = random.Random(primitive.seed)
    for length in range(2 * primitive.block_bytes + 2):
        message = source.randbytes(length)
        assert primitive.reference.digest(message) == primitive.oracle.digest(message), length


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("primitive", STREAMS)
def test_known_answers_of_stream_ciphers(primitive, implementation):
    module = getattr(primitive, implementation)
    for vector in primitive.vectors():
        start, length = vector.keystream_offset, len(vector.keystream)
        assert module.keystream(vector.key, vector.iv, start, length) == vector.keystream, vector.origin


@pytest.mark.parametrize("primitive", STREAMS)
def test_reference_equals_oracle_on_pieces_of_streams(primitive):
    source = random.Random(primitive.seed)
    for _ in range(20):
        key, iv = source.randbytes(primitive.key_bytes), source.randbytes(primitive.iv_bytes)
        start, length = source.randrange(3 * primitive.block_bytes), source.randrange(1, 100)
        whole = primitive.oracle.keystream(key, iv, 0, start + length)
        for code in (primitive.reference, primitive.oracle):
            assert code.keystream(key, iv, start, length) == whole[start:]


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("primitive", CHAINED)
def test_known_answers_of_chained_blocks(primitive, implementation):
    module = getattr(primitive, implementation)
    for vector in primitive.vectors():
        assert module.encrypt(vector.key, vector.iv, vector.plaintext) == vector.ciphertext, vector.origin
        assert module.decrypt(vector.key, vector.iv, vector.ciphertext) == vector.plaintext, vector.origin


@pytest.mark.parametrize("primitive", CHAINED)
def test_reference_equals_oracle_on_messages_of_whole_blocks(primitive):
    source = random.Random(primitive.seed)
    for blocks in range(12):
        sizes = (primitive.key_bytes, primitive.iv_bytes, blocks * primitive.block_bytes)
        key, iv, text = map(source.randbytes, sizes)
        ciphertext = primitive.oracle.encrypt(key, iv, text)
        assert primitive.reference.encrypt(key, iv, text) == ciphertext
        assert {code.decrypt(key, iv, ciphertext) for code in (primitive.reference, primitive.oracle)} == {
            text
        }


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("primitive", MACS)
def test_known_answers_of_macs(primitive, implementation):
    module = getattr(primitive, implementation)
    for vector in primitive.vectors():
        assert module.tag(vector.key, vector.message) == vector.tag, vector.origin


@pytest.mark.parametrize("primitive", MACS)
def test_reference_equals_oracle_on_tags_of_every_length(primitive):
    source = random.Random(primitive.seed)
    for length in range(2 * primitive.block_bytes + 2):
        key, message = source.randbytes(primitive.key_bytes), source.randbytes(length)
        assert primitive.reference.tag(key, message) == primitive.oracle.tag(key, message), length


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("primitive", AEADS)
def test_known_answers_of_authenticated_encryption(primitive, implementation):
    module = getattr(primitive, implementation)
    for vector in primitive.vectors():
        sealed = module.seal(vector.key, vector.nonce, vector.ad, vector.plaintext)
        assert sealed == vector.ciphertext + vector.tag, vector.origin


@pytest.mark.parametrize("primitive", AEADS)
def test_reference_equals_oracle_on_messages_of_many_shapes(primitive):
    source, block = random.Random(primitive.seed), primitive.block_bytes
    for n in range(2 * block + 2):
        shape = (primitive.key_bytes, primitive.nonce_bytes, (7 * n) % (block + 2), n)
        inputs = [source.randbytes(size) for size in shape]
        assert primitive.reference.seal(*inputs) == primitive.oracle.seal(*inputs), shape


@pytest.mark.parametrize("primitive", EVERY)
def test_the_oracle_stands_alone(primitive):
    primitive.check_sources()


@pytest.mark.parametrize("primitive", EVERY)
def test_published_figures_name_their_source(primitive):
    for cell in primitive.published():
        assert cell.operation in primitive.operations
        assert cell.source and cell.counted
        assert all(cycles > 0 for cycles in cell.by_entry.values())


def test_published_keccak():
    larger, smaller = (
        {(cell.target, cell.rom): cell.to_beat for cell in load_primitive(name).published()}
        for name in ("keccak-256", "keccak-512")
    )
    assert larger["rl78", 453] == {"middle": 517_022} and smaller["rl78", 453] == {"middle": 516_528}
    assert larger["avr", 910] == {"middle": 1388 * 136}
    assert larger["msp430", 1404] == {"middle": 3537 * 136}


def test_primitives_of_one_family_share_templates():
    family = [load_primitive(name) for name in ("keccak-256", "keccak-512", "sha3-256", "sha3-512")]
    assert {primitive.templates for primitive in family} == {"keccak"}
    assert load_primitive("sha-256").templates == "sha-256"
    assert family[2].constants == {"block_bytes": 136, "digest_bytes": 32, "padding": 6}
    assert load_primitive("present-80").constants == {"block_bytes": 8, "key_bytes": 10}


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
        ("key_bytes: 16\n", "", r"primitive\.yaml: expected key_bytes, as every block-cipher has it"),
        ("key_bytes: 16", "key_bytes: 16\ndigest_bytes: 9", r"expected no digest_bytes, as no block-cipher"),
        ("key_bytes: 16", "key_bytes: 16\nparameters: {block_bytes: 1}", r"expected another name"),
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
        ('"plaintext"', '"iterations": 100001, "plaintext"', "100001 is greater than the maximum of 100000"),
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


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"message": "", ', "", r"vectors\.json: vectors/0: 'message' is a required property"),
        ('"message": ""', '"message": "abc"', r"vectors/0/message: expected a byte string in hexadecimal"),
        ('"digest": "e3b0', '"digest": "', r"vectors/0: digest: expected 32 bytes, found 30"),
        ('"message": ""', '"message": "", "iterations": 1', r"vectors/0: .*'iterations' was unexpected"),
    ],
)
def test_malformed_vectors_of_a_hash(tmp_path, old, new, message):
    with pytest.raises(UsageError, match=message):
        _copy(load_primitive("sha-256"), tmp_path, "vectors.json", old, new).vectors()


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


def test_published_cell_without_a_figure(tmp_path):
    broken = _copy(
        load_primitive("aes-128"),
        tmp_path,
        "published.yaml",
        "rom: 486, ram: 128,\n     status: fits, cycles: {encrypt: 7288}}",
        "rom: null, ram: 128, status: fits}",
    )
    with pytest.raises(UsageError, match=r"published.yaml:\d+: expected a figure: cycles, or the bytes of"):
        broken.published()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("    return 1 // 0", ":2: expected an answer of encrypt, found ZeroDivisionError: integer division"),
        (
            "    return helper(block)",
            r":5: expected an answer of encrypt, found IndexError: index out of range",
        ),
        ("    raise ValueError('one\\ntwo')", ":2: expected an answer of encrypt, found ValueError: one two"),
        ("    raise SystemExit(3)", ":2: expected an answer of encrypt, found SystemExit: 3"),
        ("    return block[1:]", ":1: expected 16 bytes from encrypt, found 15"),
        ("    return list(block)", r":1: expected 16 bytes from encrypt, found \[0, 0, "),
    ],
)
@pytest.mark.parametrize("name", ["reference", "oracle"])
def test_what_goes_wrong_in_code_of_others_is_one_line(tmp_path, name, body, message):
    primitive = _copy(load_primitive("aes-128"), tmp_path, f"{name}.py", "", "")
    text = f"def encrypt(key, block):\n{body}\n\ndef helper(block):\n    return block[99]\n"
    (tmp_path / f"{name}.py").write_text(text)
    with pytest.raises(UsageError, match=f"{name}.py{message}") as caught:
        getattr(primitive, name).encrypt(bytes(16), bytes(16))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("one\n", "oracle.py:1: cannot be loaded: NameError: name 'one' is not defined"),
        ("import none_of_that\n", "oracle.py:1: cannot be loaded: ModuleNotFoundError: No module named"),
        ("\ndef f(:\n", "oracle.py:2: cannot be loaded: SyntaxError: invalid syntax"),
    ],
)
def test_code_of_others_that_cannot_be_loaded_is_one_line(tmp_path, text, message):
    primitive = _copy(load_primitive("aes-128"), tmp_path, "oracle.py", "", "")
    (tmp_path / "oracle.py").write_text(text)
    with pytest.raises(UsageError, match=message):
        _ = primitive.oracle
