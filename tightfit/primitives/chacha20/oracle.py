"""ChaCha20 by an implementation that shares nothing with ours: OpenSSL through `cryptography`."""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream under a 32-byte key and a 12-byte nonce, from byte `start` on."""
    counter = (start // 64).to_bytes(4, "little")
    skipped = start % 64
    cipher = Cipher(algorithms.ChaCha20(key, counter + iv), mode=None).encryptor()
    return cipher.update(bytes(skipped + length))[skipped:]
