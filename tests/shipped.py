"""What comes with tightfit: of these primitives all is there that is optional elsewhere."""

PRIMITIVES = (
    "aes-128",
    "clefia-128",
    "keccak-256",
    "keccak-512",
    "present-80",
    "sha-256",
    "sha3-256",
    "sha3-512",
    "speck64-128",
)
