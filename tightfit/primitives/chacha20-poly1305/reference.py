"""ChaCha20-Poly1305 as RFC 8439 words it (section 2.8), to be read."""

from tightfit.primitives import load_primitive


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


def seal(key: bytes, nonce: bytes, ad: bytes, plaintext: bytes) -> bytes:
    """The ciphertext and its tag of 16 bytes."""
    keystream = load_primitive("chacha20").reference.keystream(key, nonce, 0, 64 + len(plaintext))
    one_time_key, stream = keystream[:32], keystream[64:]
    ciphertext = bytes(a ^ b for a, b in zip(plaintext, stream, strict=True))
    lengths = len(ad).to_bytes(8, "little") + len(ciphertext).to_bytes(8, "little")
    message = _padded(ad) + _padded(ciphertext) + lengths
    return ciphertext + load_primitive("poly1305").reference.tag(one_time_key, message)
