"""Ids as people write them: as many of the first digits as tell a variant or a contender apart."""

from collections.abc import Callable, Collection

from tightfit.errors import UsageError
from tightfit.records import Contender

_SHOWN = 4


def digits_of(prefix: str) -> str:
    """The digits of an id as ids have them; UsageError where there are none, or others."""
    if not prefix or not set(prefix.lower()) <= set("0123456789abcdef"):
        raise UsageError(f"{prefix!r} is no variant id: expected hexadecimal digits")
    return prefix.lower()


def the_variant(prefix: str, variants: Collection[str], other: Callable[[], Contender | None]) -> str:
    """The only one of the variants whose id begins with a prefix.

    Raises
    ------
    UsageError
        There is none, or more than one; the message says what else the prefix names, as `other` finds it.
    """
    if not variants:
        raise UsageError(_no_variant(prefix, other()))
    return _only(f"variant {prefix!r}", list(variants))


def the_contender(
    prefix: str, contenders: Collection[str], variants: Callable[[], Collection[str]]
) -> str | None:
    """The only one of the contenders whose id begins with a prefix; None where there is none.

    Raises
    ------
    UsageError
        There is more than one, or a variant whose id begins with it too.
    """
    return _only(repr(prefix), [*contenders, *variants()]) if contenders else None


def _only(what: str, found: list[str]) -> str:
    if len(found) > 1:
        more = " ..." if len(found) > _SHOWN else ""
        raise UsageError(f"{what} is ambiguous: {', '.join(found[:_SHOWN])}{more}")
    return found[0]


def _no_variant(prefix: str, other: Contender | None) -> str:
    if other is None:
        return f"no variant {prefix!r} in the store"
    what = f"{other.id} is no variant of ours but {other.name} ({other.origin})"
    return f"{what}; `tightfit show` has its figures"
