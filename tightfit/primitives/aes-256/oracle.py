"""AES-256 by an implementation that shares nothing with ours: OpenSSL through `cryptography`."""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def encrypt(key: bytes, block: bytes) -> bytes:
    """Ciphertext of one 16-byte block under a 32-byte key."""
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)


def decrypt(key: bytes, block: bytes) -> bytes:
    """Plaintext of one 16-byte block under a 32-byte key."""
    return Cipher(algorithms.AES(key), modes.ECB()).decryptor().update(block)
