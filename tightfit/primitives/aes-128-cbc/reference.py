"""AES-128 in CBC mode, by our references of the mode and of the cipher."""

from functools import partial

from tightfit.primitives import load_primitive
from tightfit.primitives.modes import cbc_decrypt, cbc_encrypt


def encrypt(key: bytes, iv: bytes, text: bytes) -> bytes:
    """Ciphertext of whole blocks."""
    return cbc_encrypt(partial(load_primitive("aes-128").reference.encrypt, key), iv, text)


def decrypt(key: bytes, iv: bytes, text: bytes) -> bytes:
    """Plaintext of whole blocks."""
    return cbc_decrypt(partial(load_primitive("aes-128").reference.decrypt, key), iv, text)
