"""What comes with tightfit: on these targets, of these primitives, all that is optional elsewhere."""

TARGETS = ("avr", "msp430", "rl78")
"""Others have templates, answers and C baselines of some primitives, or of none."""

PRIMITIVES = (
    "aes-128",
    "aes-256",
    "ascon-hash256",
    "blake-256",
    "blake2s-256",
    "camellia-128",
    "chacha20",
    "chacha20-poly1305",
    "clefia-128",
    "grain-v1",
    "groestl-256",
    "groestl-512",
    "jh-256",
    "keccak-256",
    "keccak-512",
    "poly1305",
    "present-80",
    "rabbit",
    "salsa20-12",
    "sha-224",
    "sha-256",
    "sha-384",
    "sha-512",
    "sha3-256",
    "sha3-512",
    "simon64-128",
    "skein-256-256",
    "skein-512-512",
    "sosemanuk",
    "speck64-128",
    "trivium",
    "xtea",
)
