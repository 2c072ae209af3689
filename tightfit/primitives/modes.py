"""Modes of operation over a block cipher, as their standards word them: for references of constructions."""

from collections.abc import Callable

Encrypt = Callable[[bytes], bytes]
"""A block cipher under a key."""


def ctr(encrypt: Encrypt, iv: bytes, start: int, length: int) -> bytes:
    """Keystream of the counter mode (SP 800-38A, 6.5) from byte `start` on.

    `iv` is the first counter block.
    """
    size = len(iv)
    first, after = start // size, -(-(start + length) // size)
    counter = int.from_bytes(iv)
    blocks = (((counter + n) % (1 << 8 * size)).to_bytes(size) for n in range(first, after))
    return b"".join(map(encrypt, blocks))[start - size * first :][:length]


def cbc_encrypt(encrypt: Encrypt, iv: bytes, plaintext: bytes) -> bytes:
    """CBC (SP 800-38A, 6.2) of whole blocks."""
    blocks, size = [iv], len(iv)
    for start in range(0, len(plaintext), size):
        blocks.append(encrypt(_xor(plaintext[start : start + size], blocks[-1])))
    return b"".join(blocks[1:])


def cbc_decrypt(decrypt: Encrypt, iv: bytes, ciphertext: bytes) -> bytes:
    """The plaintext of whole blocks in CBC (SP 800-38A, 6.2)."""
    size, before = len(iv), iv + ciphertext
    starts = range(0, len(ciphertext), size)
    return b"".join(_xor(decrypt(ciphertext[at : at + size]), before[at : at + size]) for at in starts)


def cmac(encrypt: Encrypt, size: int, message: bytes) -> bytes:
    """CMAC (SP 800-38B, 6.2) of a message, over a cipher with blocks of `size` bytes."""
    whole = len(message) > 0 and len(message) % size == 0
    last = message[-size:] if whole else message[len(message) // size * size :]
    subkey = _doubled(encrypt(bytes(size)))
    if not whole:
        subkey, last = _doubled(subkey), (last + b"\x80").ljust(size, b"\0")
    start = len(message) // size * size - size * whole
    return cbc_mac(encrypt, size, message[:start] + _xor(last, subkey))


def cbc_mac(encrypt: Encrypt, size: int, message: bytes) -> bytes:
    """The last block of CBC from 0, of a message of whole blocks."""
    state = bytes(size)
    for start in range(0, len(message), size):
        state = encrypt(_xor(state, message[start : start + size]))
    return state


def ccm(encrypt: Encrypt, nonce: bytes, ad: bytes, plaintext: bytes, tag_bytes: int) -> bytes:
    """CCM (SP 800-38C, A.2 and 6.1): the ciphertext, then the tag; `ad` has fewer than 65,280 bytes."""
    width = 15 - len(nonce)
    flags = 64 * bool(ad) | (tag_bytes - 2) // 2 << 3 | (width - 1)
    first = bytes([flags]) + nonce + len(plaintext).to_bytes(width)
    data = len(ad).to_bytes(2) + ad if ad else b""
    authenticated = first + _filled(data) + _filled(plaintext)
    stream = ctr(encrypt, bytes([width - 1]) + nonce + bytes(width), 0, 16 + len(plaintext))
    tag = _xor(cbc_mac(encrypt, 16, authenticated), stream[:16])[:tag_bytes]
    return _xor(plaintext, stream[16:]) + tag


def gcm(encrypt: Encrypt, nonce: bytes, ad: bytes, plaintext: bytes) -> bytes:
    """GCM (SP 800-38D, 7.1) with a nonce of 12 bytes: the ciphertext, then the tag of 16 bytes."""
    stream = ctr(encrypt, nonce + (1).to_bytes(4), 0, 16 + len(plaintext))
    ciphertext = _xor(plaintext, stream[16:])
    sizes = (8 * len(ad)).to_bytes(8) + (8 * len(ciphertext)).to_bytes(8)
    hashed = ghash(encrypt(bytes(16)), _filled(ad) + _filled(ciphertext) + sizes)
    return ciphertext + _xor(hashed, stream[:16])


def ghash(key: bytes, message: bytes) -> bytes:
    """GHASH (SP 800-38D, 6.4): bit 0 of a block is the highest of its first byte."""
    factor, state = int.from_bytes(key), 0
    for start in range(0, len(message), 16):
        state ^= int.from_bytes(message[start : start + 16])
        product, power = 0, factor
        for bit in range(127, -1, -1):
            product ^= power * (state >> bit & 1)
            power = power >> 1 ^ (0xE1 << 120) * (power & 1)
        state = product
    return state.to_bytes(16)


def hmac(digest: Callable[[bytes], bytes], size: int, key: bytes, message: bytes) -> bytes:
    """HMAC (FIPS 198-1, section 4) over a hash with blocks of `size` bytes; the key is no longer than one."""
    padded = key.ljust(size, b"\0")
    inner, outer = (bytes(byte ^ pad for byte in padded) for pad in (0x36, 0x5C))
    return digest(outer + digest(inner + message))


def _doubled(block: bytes) -> bytes:
    """A block times x in its field (SP 800-38B, 5.3 and 6.1), of 128 bits or of 64."""
    bits = 8 * len(block)
    number = int.from_bytes(block) << 1
    return (number ^ (number >> bits) * (1 << bits | {128: 0x87, 64: 0x1B}[bits])).to_bytes(len(block))


def _filled(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=False))
