"""What comes with tightfit: of these primitives all is there that is optional elsewhere."""

from tightfit.primitives import load_primitive

PRIMITIVES = ("aes-128", "keccak-256", "keccak-512", "present-80", "sha-256", "sha3-256", "sha3-512")
FAMILIES = {load_primitive(primitive).templates for primitive in PRIMITIVES}
