"""AES-128 in CTR mode by an implementation that shares nothing with ours: OpenSSL through `cryptography`."""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def keystream(key: bytes, iv: bytes, start: int, length: int) -> bytes:
    """`length` bytes of the keystream from byte `start` on; `iv` is the first counter block."""
    counter = (int.from_bytes(iv) + start // 16) % (1 << 128)
    skipped = start % 16
    cipher = Cipher(algorithms.AES(key), modes.CTR(counter.to_bytes(16))).encryptor()
    return cipher.update(bytes(skipped + length))[skipped:]
