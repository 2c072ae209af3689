"""The C interface of the submissions to AES: `makeKey`, `cipherInit`, `blockEncrypt`, `blockDecrypt`."""

from tightfit.contenders.plans import Calls
from tightfit.errors import UsageError
from tightfit.primitives import Primitive

AES_CANDIDATE = "aes-candidate"
INTERFACES = (AES_CANDIDATE,)
_KEY = "{name}[sizeof(keyInstance)], DIR_{way}, {bits}, (char *)hex(key)"
_CIPHER = "cipherInit(cipher[sizeof(cipherInstance)], MODE_ECB, NULL)"
_NAMES = {"encrypt": "key_to_encrypt", "decrypt": "key_to_decrypt"}


def calls_of(primitive: Primitive, operation: str, headers: tuple[str, ...]) -> Calls:
    """How files with that interface compute an operation; each direction has a key of its own.

    Raises
    ------
    UsageError
        The primitive is no block cipher, or no header declares the interface.
    """
    if primitive.kind != "block-cipher":
        raise UsageError(f"--interface {AES_CANDIDATE}: expected a block cipher, found {primitive.name}")
    if not headers:
        raise UsageError(f"--interface {AES_CANDIDATE}: expected --header with the file that declares it")
    entries = primitive.operation(operation).entries
    ways = [way for way in _NAMES if any(entry.startswith(way) for entry in entries)]
    keys = [
        f"makeKey({_KEY.format(name=_NAMES[way], way=way.upper(), bits=primitive.key_bits)})" for way in ways
    ]
    call = {
        way: f"block{way.capitalize()}(cipher, {_NAMES[way]}, in, {primitive.block_bits}, out)"
        for way in ways
    }
    return Calls(call.get("encrypt", ""), "; ".join([*keys, _CIPHER]), call.get("decrypt", ""), headers)
