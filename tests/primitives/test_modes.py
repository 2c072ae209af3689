"""Modes of operation against libraries, over blocks of 8 and of 16 bytes: as worded and by bits."""

import random

import pytest
from Crypto.Cipher import AES, DES3
from Crypto.Hash import CMAC
from Crypto.Util import Counter

from tightfit.primitives import modes, modes_by_bits

CIPHERS = [pytest.param(AES, bytes(range(16)), id="16"), pytest.param(DES3, bytes(range(24)), id="8")]


class Ecb:
    """A library's block cipher under a key."""

    def __init__(self, library, key):
        self._code, self.size = library.new(key, library.MODE_ECB), library.block_size

    def __call__(self, block):
        return self._code.encrypt(block)

    def back(self, block):
        return self._code.decrypt(block)


@pytest.mark.parametrize(("library", "key"), CIPHERS)
def test_cmac(library, key):
    cipher, source = Ecb(library, key), random.Random(1)
    for length in range(3 * cipher.size + 1):
        message = source.randbytes(length)
        tag = CMAC.new(key, message, library).digest()
        assert modes.cmac(cipher, cipher.size, message) == tag
        assert modes_by_bits.authenticated(cipher, message) == tag


@pytest.mark.parametrize(("library", "key"), CIPHERS)
def test_ctr_wraps(library, key):
    cipher = Ecb(library, key)
    first = 256**cipher.size - 2
    counter = Counter.new(8 * cipher.size, initial_value=first, allow_wraparound=True)
    stream = library.new(key, library.MODE_CTR, counter=counter).encrypt(bytes(100))
    for start in range(50):
        for ctr in (modes.ctr, modes_by_bits.counted):
            assert ctr(cipher, first.to_bytes(cipher.size), start, 50) == stream[start : start + 50]


@pytest.mark.parametrize(("library", "key"), CIPHERS)
def test_cbc(library, key):
    cipher, source = Ecb(library, key), random.Random(2)
    for blocks in range(5):
        iv, text = source.randbytes(cipher.size), source.randbytes(blocks * cipher.size)
        made = library.new(key, library.MODE_CBC, iv=iv).encrypt(text)
        assert modes.cbc_encrypt(cipher, iv, text) == modes_by_bits.chained(cipher, iv, text) == made
        assert modes.cbc_decrypt(cipher.back, iv, made) == modes_by_bits.unchained(cipher, iv, made) == text
