"""Files of authenticated encryption, MACs and stream ciphers, made of our known answers in their formats."""

import hmac
from functools import reduce

import pytest

from tightfit.errors import UsageError
from tightfit.primitives import load_primitive

CAVS_GCM = "[Keylen = 128]\n[IVlen = {iv}]\n[PTlen = 128]\n[AADlen = {data}]\n[Taglen = {tag}]\n\n"


def known(primitive, **sizes):
    """A known answer of ours whose fields have so many bytes."""
    vectors = load_primitive(primitive).vectors()
    return next(v for v in vectors if all(len(getattr(v, name)) == size for name, size in sizes.items()))


def without_origin(vectors):
    """What vectors say, but for where they are from."""
    return [{name: said for name, said in vars(vector).items() if name != "origin"} for vector in vectors]


def flipped(data):
    return bytes([data[0] ^ 1]) + data[1:]


def contest(vector, answer=True):
    """A test as in the contest for lightweight cryptography."""
    sealed = f"CT = {(vector.ciphertext + vector.tag).hex()}\n" if answer else ""
    return (
        f"Count = 1\nKey = {vector.key.hex()}\nNonce = {vector.nonce.hex()}\nPT = {vector.plaintext.hex()}\n"
        f"AD = {vector.ad.hex()}\n{sealed}\n"
    )


def gcm(vector, count=0, **changes):
    """A test of GCM; `changes` are its other lines."""
    lines = {"PT": vector.plaintext.hex(), "AAD": vector.ad.hex(), "CT": vector.ciphertext.hex()}
    lines |= {"Tag": vector.tag.hex(), **changes}
    rest = "".join(f"{name} = {value}\n" for name, value in lines.items() if value is not None)
    return f"Count = {count}\nKey = {vector.key.hex()}\nIV = {vector.nonce.hex()}\n{rest}"


GCM = known("aes-128-gcm", plaintext=16)


def section(*tests, iv=96, tag=128):
    """Tests of GCM below what they have in common."""
    return CAVS_GCM.format(iv=iv, tag=tag, data=8 * len(GCM.ad)) + "\n".join(tests)


def test_the_contest_for_lightweight_cryptography(read):
    vectors = load_primitive("ascon-aead128").vectors()[:5]
    file = read("".join(map(contest, vectors)), "ascon-aead128", "LWC_AEAD_KAT_128_128.txt")
    assert without_origin(file.vectors) == without_origin(vectors)
    assert not file.is_request


def test_a_request_of_the_contest(read):
    vector = known("ascon-aead128", plaintext=1)
    file = read(contest(vector, answer=False), "ascon-aead128")
    assert file.is_request
    assert file.response() == contest(vector)


def test_hashes_of_the_contest(read):
    vectors = load_primitive("ascon-hash256").vectors()[:5]
    tests = (f"Count = 1\nMsg = {v.message.hex()}\nMD = {v.digest.hex()}\n\n" for v in vectors)
    file = read("".join(tests), "ascon-hash256", "LWC_HASH_KAT_256.txt")
    assert [(v.message, v.digest) for v in file.vectors] == [(v.message, v.digest) for v in vectors]


def test_gcm_skips_other_initial_values_and_takes_short_tags(read):
    other = section(gcm(GCM, IV="00" * 128), iv=1024)
    sections = (section(gcm(GCM)), section(gcm(GCM, Tag=GCM.tag[:4].hex()), tag=32), other)
    file = read("\n".join(sections), "aes-128-gcm", "gcmEncryptExtIV128.rsp")
    assert without_origin(file.vectors) == without_origin([GCM, GCM])
    assert file.skipped == {"initial values of 1024 bits": 1}


def test_a_short_tag_that_is_wrong_stays_wrong(read):
    file = read(section(gcm(GCM, Tag=flipped(GCM.tag)[:4].hex()), tag=32), "aes-128-gcm")
    assert file.vectors[0].tag == flipped(GCM.tag)


def test_what_gcm_must_refuse(read):
    wrong = gcm(GCM, PT=None, Tag=flipped(GCM.tag).hex())
    file = read(section(wrong + "FAIL\n", gcm(GCM, count=1)), "aes-128-gcm", "gcmDecrypt128.rsp")
    assert [v.forged for v in file.vectors] == [True, False]
    assert not file.is_request
    asked = read(section(wrong, gcm(GCM, count=1, PT=None)), "aes-128-gcm", "gcmDecrypt128.req")
    lines = asked.response().splitlines()
    assert lines.index("FAIL") < lines.index(f"PT = {GCM.plaintext.hex()}")
    assert [v.forged for v in asked.vectors] == [True, False]


def test_a_request_of_gcm(read):
    answered = read(section(gcm(GCM, CT=None, Tag=None), tag=96), "aes-128-gcm").response()
    assert answered.endswith(f"CT = {GCM.ciphertext.hex()}\nTag = {GCM.tag[:12].hex()}\n")
    assert not read(answered, "aes-128-gcm").is_request


def ccm(vector, result="", payload=True, **changes):
    """A test of CCM."""
    lines = {"Nonce": vector.nonce.hex(), "Adata": vector.ad.hex() or "00", **changes}
    lines["CT"] = (vector.ciphertext + changes.pop("tag", vector.tag)).hex()
    lines.pop("tag", None)
    if result:
        lines["Result"] = result
    if payload:
        lines["Payload"] = vector.plaintext.hex() or "00"
    return "".join(f"{name} = {value}\n" for name, value in lines.items())


def test_ccm_verdicts_and_other_sizes(read):
    empty, full = known("aes-128-ccm", plaintext=0, ad=0), known("aes-128-ccm", plaintext=1, ad=0)
    wrong = ccm(full, "Fail", payload=False, tag=flipped(full.tag))
    head = "[Alen = 0, Plen = {}, Nlen = {}, Tlen = {}]\n\nKey = {}\n\nCount = {}\n"
    key = empty.key.hex()
    text = (
        f"# CAVS 11.0\n{head.format(0, 7, 4, key, 0)}{ccm(empty, 'Pass', Nonce=7 * '00')}\n"
        f"{head.format(0, 13, 16, key, 1)}{ccm(empty, 'Pass')}\n"
        f"{head.format(1, 13, 16, full.key.hex(), 2)}{wrong}\nCount = 3\n{ccm(full, 'Pass')}"
    )
    file = read(text, "aes-128-ccm", "DVPT128.rsp")
    assert [v.forged for v in file.vectors] == [False, True, False]
    assert without_origin(file.vectors[::2]) == without_origin([empty, full])
    assert file.skipped == {"nonces of 7 bytes": 1}


def test_ccm_with_sizes_above_all_sections(read):
    vector = known("aes-128-ccm", plaintext=1, ad=0)
    head = f"Plen = 1\nNlen = 13\nTlen = 16\n\n[Alen = 0]\n\nKey = {vector.key.hex()}\n"
    payload = f"Adata = 00\nPayload = {vector.plaintext.hex()}\n"
    text = f"{head}Nonce = {vector.nonce.hex()}\n\nCount = 0\n{payload}"
    file = read(text, "aes-128-ccm", "VADT128.req")
    assert file.response() == f"{text}CT = {(vector.ciphertext + vector.tag).hex()}\n"
    assert without_origin(file.vectors[:1]) == without_origin([vector])


def mac(vector, size, tag, klen=16, key=None, extra=""):
    """A test of CMAC or HMAC."""
    mac = f"Mac = {tag[:size].hex()}\n" if tag else ""
    return (
        f"Count = 0\nKlen = {klen}\nMlen = {len(vector.message)}\nTlen = {size}\n"
        f"Key = {(key or vector.key).hex()}\nMsg = {vector.message.hex() or '00'}\n{mac}{extra}\n"
    )


def test_tags_of_cmac(read):
    vectors = load_primitive("aes-128-cmac").vectors()[:3]
    file = read("".join(mac(v, 4, v.tag) for v in vectors), "aes-128-cmac", "CMACGenAES128.rsp")
    assert without_origin(file.vectors) == without_origin(vectors)
    asked = read("".join(mac(v, 4, b"") for v in vectors), "aes-128-cmac", "CMACGenAES128.req")
    assert asked.response() == "".join(mac(v, 4, v.tag) for v in vectors)


def test_verdicts_of_cmac(read):
    one, other, *_ = load_primitive("aes-128-cmac").vectors()
    right, wrong = mac(one, 8, one.tag), mac(other, 8, flipped(other.tag))
    said = "Result = P (0 )\n", "Result = F (1 - Message changed)\n"
    file = read(right.rstrip() + f"\n{said[0]}\n" + wrong.rstrip() + f"\n{said[1]}", "aes-128-cmac")
    assert [v.tag for v in file.vectors] == [one.tag, other.tag]
    asked = read(right + wrong, "aes-128-cmac", "CMACVerAES128.req")
    results = [line for line in asked.response().splitlines() if "Result" in line]
    assert results == ["Result = P", "Result = F"]


def test_keys_of_hmac(read):
    one = load_primitive("hmac-sha-256").vectors()[0]
    short = one.key.rstrip(b"\0")
    text = (
        f"[L=20]\n\n{mac(one, 20, one.tag, len(short), short)}"
        f"[L=32]\n\n{mac(one, 16, one.tag, len(short), short)}"
        f"{mac(one, 16, one.tag, 40, bytes(40))}"
    )
    file = read(text, "hmac-sha-256", "HMAC.rsp")
    assert without_origin(file.vectors) == without_origin([one])
    assert file.skipped == {"hashes of 20 bytes": 1, "keys of 33 to 64 bytes": 1}


def test_a_long_key_of_hmac_is_hashed(read):
    key, message = bytes(range(100)), b"message"
    tag = hmac.digest(key, message, "sha256")
    given = f"Key = {key.hex()}\nMsg = {message.hex()}\nMac = {tag.hex()}\n"
    (vector,) = read(f"[L=32]\nCount = 0\nKlen = 100\nTlen = 32\n{given}", "hmac-sha-256").vectors
    assert load_primitive("hmac-sha-256").oracle.tag(vector.key, message) == tag


def estream(key, iv, digest=None):
    """A test of eSTREAM: four parts of a stream of 512 bytes, each on four lines, and the digest."""
    stream = load_primitive("trivium").oracle.keystream(key, iv, 0, 512)
    blocks = [int.from_bytes(stream[n : n + 64], "big") for n in range(0, 512, 64)]
    digest = digest or reduce(int.__xor__, blocks).to_bytes(64, "big")
    parts = {f"stream[{n}..{n + 63}]": stream[n : n + 64] for n in (0, 192, 256, 448)}
    lines = ["Set 1, vector#  0:", f"key = {key.hex().upper()}", f"IV = {iv.hex().upper()}"]
    for name, part in {**parts, "xor-digest": digest}.items():
        digits = part.hex().upper()
        lines.append(f"{name:>27} = {digits[:32]}")
        lines += [f"{'':30}{digits[n : n + 32]}" for n in (32, 64, 96)]
    return "\n".join(lines) + "\n\n"


HEAD = """****************
* ECRYPT Stream Cipher Project *
****************

Primitive Name: Trivium
=======================
Key size: 80 bits
IV size: 80 bits

Test vectors -- set 1
=====================

(stream is generated by encrypting 512 zero bytes)

"""


def test_vectors_of_estream(read):
    vector = load_primitive("trivium").vectors()[0]
    text = HEAD + estream(vector.key, vector.iv) + "End of test vectors\n"
    file = read(text, "trivium", "verified.test-vectors")
    parts = {v.keystream_offset: v for v in file.vectors}
    assert list(parts) == [0, 192, 256, 448]
    assert without_origin([parts[vector.keystream_offset]]) == without_origin([vector])


def test_keys_of_estream_of_another_size_are_skipped(read):
    zeros = bytes(10)
    other = estream(zeros, zeros).replace(f"key = {zeros.hex()}", f"key = {bytes(16).hex()}")
    file = read(HEAD + estream(zeros, zeros) + other, "trivium")
    assert file.skipped == {"keys of 16 bytes with initial values of 10": 1}


GOOD_AEAD = contest(known("ascon-aead128", plaintext=1))
NO_TEXT = GOOD_AEAD.replace("PT = 20\n", "")
GOOD_GCM = gcm(GCM)
MESSAGE = known("aes-128-cmac", message=16)
GOOD_MAC = mac(MESSAGE, 16, MESSAGE.tag)
GOOD_STREAM = estream(bytes(10), bytes(10))
SHORT_PART = GOOD_STREAM.replace("[0..63]", "[0..62]")


@pytest.mark.parametrize(
    ("primitive", "text", "message"),
    [
        ("ascon-aead128", GOOD_AEAD.replace("Key = 00", "Key = "), ":2: KEY: expected 16 bytes, found 15"),
        ("ascon-aead128", GOOD_AEAD.replace("Nonce", "Other"), ":6: expected NONCE = VALUE or IV = VALUE"),
        ("ascon-aead128", GOOD_AEAD.replace("PT = 20", "PT = 2020"), ":4: PLAINTEXT: expected 1 bytes"),
        ("ascon-aead128", "Count = 1\n" + "rubbish\n", ":2: expected NAME = VALUE, found 'rubbish'"),
        ("ascon-aead128", NO_TEXT.rstrip() + "\nResult = No\n", ":6: RESULT: expected Pass"),
        ("aes-128-gcm", "[Taglen = 12]\n" + GOOD_GCM, ":1: TAGLEN: expected whole bytes, at most 128 bits"),
        ("aes-128-gcm", "[IVlen = 8]\n" + GOOD_GCM, ": expected tests of AES-128-GCM, found none; skipped 1"),
        ("aes-128-cmac", GOOD_MAC.replace("Tlen = 16", "Tlen = 17"), ":4: TLEN: expected 1 to 16 bytes"),
        ("aes-128-cmac", GOOD_MAC.replace("Mlen = 16", "Mlen = 15"), ":6: MSG: expected 15 bytes, found 16"),
        ("aes-128-cmac", GOOD_MAC.rstrip() + "\nResult = F\n", ":8: RESULT: expected P, as the tag is right"),
        (
            "trivium",
            GOOD_STREAM.replace("[0..63]", "[0..62]"),
            ":4: stream[0..62]: expected 63 bytes, found 64",
        ),
        ("trivium", estream(bytes(10), bytes(10), bytes(64)), ":20: xor-digest: expected"),
        ("trivium", GOOD_STREAM.replace("IV", "VI"), ":3: expected a value of a test, found 'VI ="),
        ("trivium", HEAD, ": expected tests of Trivium, found none"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(refused, primitive, text, message):
    assert f"test.rsp{message}" in refused(text, primitive)


CBC = (
    "# AESVS {what} test data for CBC\n\n[ENCRYPT]\n\nCOUNT = 0\nKEY = {key}\nIV = {iv}\nPLAINTEXT = {text}\n"
)


def test_answers_in_cbc_mode_have_an_initial_value(read):
    (vector,) = [v for v in load_primitive("aes-128-cbc").vectors() if len(v.plaintext) == 64][:1]
    key, iv, text = vector.key.hex(), vector.iv.hex(), vector.plaintext.hex()
    asked = CBC.format(what="MMT", key=key, iv=iv, text=text)
    file = read(asked, "aes-128-cbc", "CBCMMT128.req")
    assert file.is_request and f"CIPHERTEXT = {vector.ciphertext.hex()}" in file.response()
    found = read(file.response(), "aes-128-cbc", "CBCMMT128.rsp").vectors
    assert without_origin(found) == without_origin([vector])
    with pytest.raises(UsageError, match=r":7: expected IV = VALUE among its lines, found none"):
        read(asked.replace(f"IV = {iv}\n", ""), "aes-128-cbc", "CBCMMT128.req")


def test_the_chain_of_cbc_has_an_initial_value_in_each_group(read):
    asked = CBC.format(what="MCT", key=16 * "00", iv=16 * "11", text=16 * "22")
    lines = read(asked, "aes-128-cbc", "CBCMCT128.req").response().splitlines()
    assert len(lines) == 9 + 99 * 6
    names = [line.partition(" ")[0] for line in lines[8:14]]
    assert names == ["CIPHERTEXT", "", "COUNT", "KEY", "IV", "PLAINTEXT"]
    answer, key = lines[8].split()[-1], int(lines[11].split()[-1], 16)
    assert f"{key:032x}" == answer == lines[12].split()[-1]
