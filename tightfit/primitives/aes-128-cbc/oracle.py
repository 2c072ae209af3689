"""AES-128 in CBC mode by an implementation that shares nothing with ours: OpenSSL through `cryptography`."""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def encrypt(key: bytes, iv: bytes, text: bytes) -> bytes:
    """Ciphertext of whole blocks."""
    return Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor().update(text)


def decrypt(key: bytes, iv: bytes, text: bytes) -> bytes:
    """Plaintext of whole blocks."""
    return Cipher(algorithms.AES(key), modes.CBC(iv)).decryptor().update(text)
