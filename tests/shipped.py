"""What comes with tightfit: of these primitives all is there that is optional elsewhere."""

PRIMITIVES = (
    "aes-128",
    "blake-256",
    "blake2s-256",
    "camellia-128",
    "clefia-128",
    "groestl-256",
    "groestl-512",
    "jh-256",
    "keccak-256",
    "keccak-512",
    "present-80",
    "sha-224",
    "sha-256",
    "sha-384",
    "sha-512",
    "sha3-256",
    "sha3-512",
    "skein-256-256",
    "skein-512-512",
    "speck64-128",
)
