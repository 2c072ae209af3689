"""An oracle that is the reference, or uses it, is refused; so is a primitive with a file too few."""

import pytest

from tightfit.errors import UsageError
from tightfit.harness.kinds import kind_of
from tightfit.primitives import load_folder

DEFINITION = """\
name: Toy
kind: block-cipher
standard: none
block_bytes: 4
key_bytes: 4
seed: 1
operations:
  encrypt: {entries: [encrypt], ranked: [encrypt]}
"""
VECTOR = '{"key": "00000000", "plaintext": "01020304", "ciphertext": "04060801"}'
VECTORS = f'{{"primitive": "Toy", "vectors": [{VECTOR}]}}'
REFERENCE = '''\
"""As the standard has it."""

TABLE = [(3 * value + 1) % 256 for value in range(256)]


def turned(word: list[int], places: int) -> list[int]:
    """A word turned to the left."""
    return [word[(i + places) % len(word)] for i in range(len(word))]


def schedule(key: bytes) -> list[list[int]]:
    """The round keys."""
    keys = [list(key)]
    for i in range(8):
        last = turned(keys[-1], 1)
        keys.append([TABLE[last[0]] ^ i, last[1] ^ last[0], last[2] ^ last[1], last[3] ^ last[2]])
    return keys


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext."""
    state = list(block)
    for round_key in schedule(key):
        state = turned([TABLE[a ^ b] for a, b in zip(state, round_key)], 3)
    return bytes(state)
'''
OWN = """\
def _sbox(value):
    return (value + value + value + 1) & 255


def _keys(key):
    a, b, c, d = key
    yield a, b, c, d
    for i in range(8):
        a, b, c, d = _sbox(b) ^ i, c ^ b, d ^ c, a ^ d
        yield a, b, c, d


def encrypt(key, block):
    a, b, c, d = block
    for w, x, y, z in _keys(key):
        a, b, c, d = _sbox(d ^ z), _sbox(a ^ w), _sbox(b ^ x), _sbox(c ^ y)
    return bytes((a, b, c, d))
"""
RENAMED = (
    REFERENCE.replace("TABLE", "_BOX").replace("turned", "_rotate").replace("schedule", "_expand")
    .replace("round_key", "rk").replace("state", "s").replace("last", "previous").replace("word", "w")
    .replace('"""The round keys."""', '"""Something else."""').replace(": bytes", "").replace(" -> bytes", "")
)  # fmt: skip
SCHEDULE = RENAMED[: RENAMED.index("def encrypt")] + OWN[OWN.index("def encrypt") :].replace(
    "_keys", "_expand"
).replace("_sbox(", "_BOX.__getitem__(")


@pytest.fixture
def primitive(tmp_path):
    def write(oracle: str = OWN, reference: str = REFERENCE, definition: str = DEFINITION, without: str = ""):
        folder = tmp_path / "toy"
        folder.mkdir()
        files = {
            "primitive.yaml": definition,
            "vectors.json": VECTORS,
            "reference.py": reference,
            "oracle.py": oracle,
        }
        for name, text in files.items():
            if name != without:
                (folder / name).write_text(text)
        return load_folder(folder)

    return write


def test_what_is_required_is_enough(primitive):
    """No figures, no reference in C, no iterated answer, no decryption."""
    toy = primitive()
    key, block = bytes(range(4)), bytes(range(4, 8))
    assert toy.oracle.encrypt(key, block) == toy.reference.encrypt(key, block)
    assert toy.published() == []
    kind_of(toy)


@pytest.mark.parametrize(
    ("oracle", "line"),
    [
        (REFERENCE, "oracle.py:20: expected an implementation that shares nothing with reference.py"),
        (RENAMED, "found encrypt to be its encrypt"),
        (SCHEDULE, "found _expand to be its schedule"),
        (f"from reference import encrypt\n\n{OWN}", "oracle.py:1: expected no use of the reference"),
        (f"import toy.reference\n\n{OWN}", "oracle.py:1: expected no use of the reference"),
        (f"{OWN}\nFILE = 'reference.py'\n", "expected no use of the reference, found one"),
        (f"{OWN}\nprint(load_primitive('toy').reference)\n", "expected no use of the reference, found one"),
        ("import hashlib\n", "oracle.py: expected a function encrypt, found none"),
        ("def encrypt(key, block)\n", "oracle.py:1: expected Python, found"),
    ],
)
def test_an_oracle_that_is_none(primitive, oracle, line):
    with pytest.raises(UsageError) as error:
        kind_of(primitive(oracle))
    assert line in str(error.value) and "\n" not in str(error.value)


def test_an_oracle_that_calls_what_the_reference_calls(primitive):
    both = "from tightfit.primitives.keccak import sponge\n\n"
    with pytest.raises(UsageError, match="both import tightfit.primitives.keccak"):
        kind_of(primitive(both + OWN, both + REFERENCE))


def test_two_calls_of_one_library(primitive):
    one = "from some import library\n\n\ndef encrypt({0}, {1}):\n    return library.run({0}, {1})\n"
    with pytest.raises(UsageError, match="oracle.py:4: .* found encrypt to be its encrypt"):
        kind_of(primitive(one.format("k", "b"), one.format("key", "block")))


@pytest.mark.parametrize("name", ["reference.py", "oracle.py", "vectors.json"])
def test_a_file_that_is_missing(primitive, name):
    with pytest.raises(UsageError, match=f"toy: expected a file {name}, found none"):
        kind_of(primitive(without=name))


def test_decryption_is_wanted_where_an_operation_has_it(primitive):
    both = "  encrypt+decrypt: {entries: [encrypt, decrypt], ranked: [encrypt, decrypt]}\n"
    with pytest.raises(UsageError, match="reference.py: expected a function decrypt, found none"):
        kind_of(primitive(definition=DEFINITION + both))
