"""AES-128-GCM, by our references of the mode and of the cipher."""

from functools import partial

from tightfit.primitives import load_primitive
from tightfit.primitives.modes import gcm


def seal(key: bytes, nonce: bytes, ad: bytes, plaintext: bytes) -> bytes:
    """The ciphertext and its tag of 16 bytes."""
    return gcm(partial(load_primitive("aes-128").reference.encrypt, key), nonce, ad, plaintext)
