"""@NAME@ as its standard words it, to be read.

Here goes `seal(key: bytes, nonce: bytes, ad: bytes, plaintext: bytes) -> bytes`, the ciphertext and then the
tag. It may be slow; names and steps are those of the standard.
"""
