"""Calls as users write them: `aes_init(context[240], key); aes_encrypt(in, out, context)`.

A call is the name of a function and its arguments. An argument is a word of the kind of primitive (such as
`in`), a buffer of the caller's own, which has its size in brackets where it is named first, or a constant. A
type in parentheses before it is that of the function's parameter; `swap2`, `swap4`, `swap8` and `reverse`
around it give its bytes in another order, `hex` the key as hexadecimal text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tightfit.errors import UsageError

WORDS = {
    "block-cipher": ("in", "out", "text", "key"),
    "hash": ("in", "out", "length", "bits"),
    "mac": ("in", "out", "length", "key", "tag"),
    "stream-cipher": ("in", "out", "length", "iv", "key"),
    "aead": ("in", "out", "length", "made", "data", "data_length", "nonce", "key"),
}
"""What calls may pass, by kind of primitive."""
NUMBERS = ("length", "bits", "data_length")
ORDERS = {"swap2": 2, "swap4": 4, "swap8": 8, "reverse": 0}
"""Orders of bytes: bytes of each word reversed, by the bytes of a word; 0: all bytes reversed."""
HEX = "hex"
"""A key in hexadecimal digits, as text that ends with a zero."""
_NAME = r"[A-Za-z_]\w*"
_CALL = re.compile(rf"\s*((?:{_NAME}::)*~?{_NAME})\s*\((.*)\)\s*", re.S)
_CAST = re.compile(r"\(\s*([A-Za-z_][\w\s]*?(?:\s*\*)*)\s*\)\s*(?=[\w(-])")
_AROUND = re.compile(rf"({'|'.join((*ORDERS, HEX))})\s*\((.*)\)", re.S)
_BUFFER = re.compile(rf"({_NAME})\s*(?:\[(.*)\])?", re.S)
_NUMBER = re.compile(r"-?(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*")
_SIZE = re.compile(r"[\w\s()+*/-]+")
_CONSTANT = re.compile(r"[A-Z_][A-Z0-9_]*")


@dataclass(frozen=True)
class Argument:
    """What is passed: `what` is a word, a buffer or a constant.

    `size` is that of a buffer in C, where it is named first. `type` is that of the parameter, "" where it is
    not said. `orders` are the changes of the order of bytes, the outermost first.
    """

    what: str
    type: str = ""
    size: str = ""
    orders: tuple[str, ...] = ()

    @property
    def is_constant(self) -> bool:
        """Whether it is a number, or a name in capitals, which a header defines."""
        return bool(_NUMBER.fullmatch(self.what) or _CONSTANT.fullmatch(self.what))


@dataclass(frozen=True)
class Call:
    """A function, with `::` for one of C++, and what is passed to it."""

    function: str
    arguments: tuple[Argument, ...]

    def passes(self, what: str) -> bool:
        """Whether an argument is that word or buffer."""
        return any(argument.what == what for argument in self.arguments)


def read(text: str, kind: str) -> tuple[Call, ...]:
    """The calls of a text, one after the other, for a kind of primitive.

    Raises
    ------
    UsageError
        It is no list of calls, or passes what the kind does not have.
    """
    calls = tuple(_call(part, text, kind) for part in _split(text, ";") if part.strip())
    if not calls:
        raise UsageError(f"call {text!r}: expected FUNCTION(ARGUMENT, ...), found none")
    return calls


def buffers(calls: Iterable[Call], kind: str) -> dict[str, str]:
    """The buffers of the caller's own and their sizes, in the order in which calls name them.

    Raises
    ------
    UsageError
        One has no size, or two.
    """
    sizes: dict[str, str] = {}
    for argument in (argument for call in calls for argument in call.arguments):
        what, size = argument.what, argument.size
        if argument.is_constant or what in WORDS[kind]:
            continue
        if not size and what not in sizes:
            words = f"{', '.join(WORDS[kind])}, a number"
            raise UsageError(
                f"argument {what!r}: expected {words}, or a buffer with its size, such as {what}[32]"
            )
        if size and sizes.setdefault(what, size) != size:
            raise UsageError(f"buffer {what!r}: expected one size, found {sizes[what]} and {size}")
    return sizes


def _call(text: str, whole: str, kind: str) -> Call:
    found = _CALL.fullmatch(text)
    if not found:
        raise UsageError(f"call {whole!r}: expected FUNCTION(ARGUMENT, ...), found {text.strip()!r}")
    arguments = [part.strip() for part in _split(found[2], ",")]
    if arguments == [""]:
        arguments = []
    return Call(found[1], tuple(_argument(argument, whole, kind) for argument in arguments))


def _argument(text: str, whole: str, kind: str) -> Argument:
    cast = _CAST.match(text)
    type_, rest, orders = "", text, []
    if cast:
        type_, rest = " ".join(cast[1].split()), text[cast.end() :]
    while around := _AROUND.fullmatch(rest.strip()):
        orders.append(around[1])
        rest = around[2]
    rest = rest.strip()
    if _NUMBER.fullmatch(rest):
        return Argument(rest, type_)
    buffer = _BUFFER.fullmatch(rest)
    size = buffer and (buffer[2] or "").strip()
    if not buffer or (size and not _SIZE.fullmatch(size)):
        raise UsageError(f"call {whole!r}: expected an argument such as in or 16, found {text!r}")
    argument = Argument(buffer[1], type_, size, tuple(orders))
    _check(argument, kind)
    return argument


def _check(argument: Argument, kind: str) -> None:
    what = argument.what
    if argument.size and (what in WORDS[kind] or argument.is_constant):
        raise UsageError(f"argument {what!r}: expected no size, found [{argument.size}]")
    if HEX in argument.orders and (what != "key" or argument.orders[0] != HEX or HEX in argument.orders[1:]):
        raise UsageError(f"hex({what}): expected hex(key), outside of all orders of bytes")
    reordered = {"block-cipher": WORDS[kind], "hash": ("out",)}.get(kind, ())
    if argument.orders and what not in reordered:
        raise UsageError(
            f"{argument.orders[0]}({what}): expected one of {', '.join(reordered)} in another order of bytes"
        )


def _split(text: str, separator: str) -> Iterator[str]:
    """The parts between separators outside of all parentheses and brackets."""
    depth, start = 0, 0
    for at, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if character == separator and depth == 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]
