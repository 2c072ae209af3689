"""NIST's files: what they ask, their answers, and what is wrong with bad ones."""

import pytest

from tightfit.errors import UsageError
from tightfit.harness import nist
from tightfit.primitives import load_primitive

KEY, TEXT = "2b7e151628aed2a6abf7158809cf4f3c", "6bc1bee22e409f96e93d7e117393172a"
CIPHER = "3ad77bb40d7a3660a89ecaf32466ef97"
CAVS = "# CAVS 11.1\n# AESVS {what} test data for ECB\n\n"
VAR_KEY = """
=========================
FILENAME:  "ecb_vk.txt"
Variable Key Known Answer Tests
==========

KEYSIZE=128

PT=00000000000000000000000000000000

I=1
KEY=80000000000000000000000000000000
CT=0EDD33D3C621E546455BD8BA1418BEC8

I=2
KEY=40000000000000000000000000000000
CT=C0CC0C5DA5BD63ACD44A80774FAD5222

==========

KEYSIZE=192

PT=00000000000000000000000000000000

I=1
KEY=800000000000000000000000000000000000000000000000
CT=DE885DC87F5A92594082D02CC1E1B42C
"""
MONTE = """
FILENAME:  "ecb_d_m.txt"
Electronic Codebook (ECB) Mode - DECRYPTION
Monte Carlo Test

KEYSIZE=128

I=0
KEY=00000000000000000000000000000000
CT=00000000000000000000000000000000
PT=44416AC2D1F53C583303917E6BE9EBE0
"""
SHA_MONTE = '#  "SHA-256 Monte" information\n[L = 32]\n\nSeed = {seed}\n'
SEED = "6d1e72ad03ddeb5de891e572e2396f8da015d899ef0e79503152d6010a3fe691"


def _known(file):
    return [(v.key.hex(), v.plaintext.hex(), v.ciphertext.hex()) for v in file.vectors]


def test_known_answers_of_both_directions(read):
    text = CAVS.format(what="VarTxt") + (
        f"[ENCRYPT]\n\nCOUNT = 0\nKEY = {KEY}\nPLAINTEXT = {TEXT}\nCIPHERTEXT = {CIPHER}\n\n"
        f"[DECRYPT]\n\nCOUNT = 0\nKEY = {KEY}\nCIPHERTEXT = {CIPHER}\nPLAINTEXT = {TEXT}\n"
    )
    _, _, decrypted = text.partition("\n\n[D")
    several = f"[D{decrypted}".replace(CIPHER, 2 * CIPHER).replace(TEXT, 2 * TEXT)
    for file in (read(text), read(several)):
        assert _known(file) == [(KEY, TEXT, CIPHER)] * 2
        assert (file.is_request, file.chains) == (False, ())


def test_files_of_the_submissions_to_aes(read):
    file = read(VAR_KEY, name="ecb_vk.txt")
    assert [known[0][:2] for known in _known(file)] == ["80", "40"]
    oracle = load_primitive("aes-128").oracle
    assert all(v.ciphertext == oracle.encrypt(v.key, v.plaintext) for v in file.vectors)


def test_a_monte_carlo_test_of_the_submissions(read):
    (chain,) = read(MONTE, name="ecb_d_m.txt").chains
    test = chain.test
    assert (test.function, test.calls, test.groups) == ("decrypt", 10_000, 1)
    (group,) = test.answers()
    assert group.answer == test.expected[0] == bytes.fromhex("44416AC2D1F53C583303917E6BE9EBE0")


def test_messages_of_a_hash(read):
    text = (
        "#  CAVS 11.0\n[L = {length}]\n\nLen = 0\nMsg = 00\nMD = {empty}\n\nLen = 8\nMsg = d3\nMD = {one}\n"
    )
    digest = load_primitive("sha3-256").oracle.digest
    empty, one = digest(b"").hex(), digest(b"\xd3").hex()
    for length in (32, 256):
        file = read(text.format(length=length, empty=empty, one=one), "sha3-256")
        assert [v.message for v in file.vectors] == [b"", b"\xd3"]


def test_a_request_for_known_answers_gets_them(read):
    asked = CAVS.format(what="MMT") + (
        f"[ENCRYPT]\n\nCOUNT = 0\nKEY = {KEY}\nPLAINTEXT = {2 * TEXT}\n\n"
        f"COUNT = 1\nKEY = {KEY}\nPLAINTEXT = {TEXT}\n\n"
        f"[DECRYPT]\n\nCOUNT = 0\nKEY = {KEY}\nCIPHERTEXT = {CIPHER}\n"
    )
    file = read(asked)
    assert file.is_request
    answered = read(file.response())
    assert not answered.is_request
    assert _known(answered) == [(KEY, TEXT, CIPHER)] * 4
    assert file.response() == (
        asked.replace(f"{2 * TEXT}\n", f"{2 * TEXT}\nCIPHERTEXT = {2 * CIPHER}\n")
        .replace(f" {TEXT}\n", f" {TEXT}\nCIPHERTEXT = {CIPHER}\n")
        .replace(f"CIPHERTEXT = {CIPHER}\n", f"CIPHERTEXT = {CIPHER}\nPLAINTEXT = {TEXT}\n", 2)
        .replace(f"CIPHERTEXT = {CIPHER}\nPLAINTEXT = {TEXT}\n\n[", f"CIPHERTEXT = {CIPHER}\n\n[")
    )


def test_a_request_for_a_chain_gets_all_groups(read):
    text = CAVS.format(what="MCT") + (
        "[ENCRYPT]\n\nCOUNT = 0\nKEY = 139a35422f1d61de3c91787fe0507afd\n"
        "PLAINTEXT = b9145a768b7dc489a096b546f43b231f\n"
    )
    answered = read(read(text).response())
    (chain,) = answered.chains
    assert (chain.test.calls, chain.test.groups, len(chain.test.expected)) == (1_000, 100, 100)
    assert chain.test.expected[0].hex() == "d7c3ffac9031238650901e157364c386"
    assert "KEY = c459caeebf2c42586c01666a9334b97b" in answered.text


def test_a_request_for_a_chain_of_a_hash(read):
    answered = read(read(SHA_MONTE.format(seed=SEED), "sha-256").response(), "sha-256")
    (chain,) = answered.chains
    assert (chain.test.groups, len(chain.test.expected)) == (100, 100)
    assert chain.test.expected[1].hex() == "2e78f8c8772ea7c9331d41ed3f9cdf27d8f514a99342ee766ee3b8b0d0b121c0"


GOOD = f"[ENCRYPT]\n\nCOUNT = 0\nKEY = {KEY}\nPLAINTEXT = {TEXT}\nCIPHERTEXT = {CIPHER}\n"

MONTE_GOOD = "# MCT\n" + GOOD.replace(f"CIPHERTEXT = {CIPHER}", "\nCOUNT = 1")


@pytest.mark.parametrize(
    ("primitive", "text", "message"),
    [
        ("aes-128", "", ": expected tests of AES-128, found none"),
        ("aes-128", GOOD + "rubbish\n", ":7: expected NAME = VALUE, found 'rubbish'"),
        ("aes-128", GOOD.replace(KEY, KEY[2:]), ":4: KEY: expected 16 bytes, found 15"),
        ("aes-128", GOOD.replace(TEXT, "xyz"), ":5: PLAINTEXT: expected hexadecimal digits, found 'xyz'"),
        ("aes-128", GOOD.replace(CIPHER, "00"), ":6: CIPHERTEXT: expected 16 bytes, found 1"),
        ("aes-128", GOOD.replace(TEXT, TEXT[2:]), ":5: PLAINTEXT: expected blocks of 16 bytes, found 15"),
        ("aes-128", GOOD.replace(f"KEY = {KEY}\n", ""), ":5: expected KEY = VALUE among its lines"),
        ("aes-128", GOOD + f"IV = {KEY}\n", ":7: IV: expected tests in ECB"),
        ("aes-128", MONTE_GOOD, ":6: expected CIPHERTEXT"),
        ("sha-256", "[L = 20]\nLen = 0\nMsg = 00\n", ":3: [L = 20]: expected digests of 32 bytes"),
        ("sha-256", "Len = 5\nMsg = 00\n", ":1: LEN: expected bits of whole bytes, found '5'"),
        ("sha-256", "Len = 16\nMsg = 00\n", ":2: MSG: expected 2 bytes, found 1"),
        ("sha-256", "COUNT = 0\nMD = 00\n", ":2: expected Len = BITS or Seed = VALUE before it"),
        ("sha-256", SHA_MONTE.format(seed="00"), ":4: SEED: expected 32 bytes, found 1"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(refused, primitive, text, message):
    assert f"test.rsp{message}" in refused(text, primitive)


def test_a_file_that_is_no_text(tmp_path):
    (tmp_path / "noise").write_bytes(bytes(range(128, 256)))
    with pytest.raises(UsageError, match=r"noise: expected ASCII, found byte 0x80"):
        nist.read(tmp_path / "noise", load_primitive("aes-128"))
