"""Camellia-128 by an implementation that shares nothing with ours: OpenSSL through `cryptography`."""

from cryptography.hazmat.decrepit.ciphers.algorithms import Camellia
from cryptography.hazmat.primitives.ciphers import Cipher, modes


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 16-byte block under a 16-byte key."""
    return Cipher(Camellia(key), modes.ECB()).encryptor().update(block)


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 16-byte block under a 16-byte key."""
    return Cipher(Camellia(key), modes.ECB()).decryptor().update(block)
