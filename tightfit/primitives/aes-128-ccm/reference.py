"""AES-128-CCM, by our references of the mode and of the cipher."""

from functools import partial

from tightfit.primitives import load_primitive
from tightfit.primitives.modes import ccm


def seal(key: bytes, nonce: bytes, ad: bytes, plaintext: bytes) -> bytes:
    """The ciphertext and its tag of 16 bytes."""
    return ccm(partial(load_primitive("aes-128").reference.encrypt, key), nonce, ad, plaintext, 16)
