"""How the compilers of a target call a routine, where GNU's does so in another way than the portfolio counts.

A target that needs a shim has a module here, named as the target, with an `INTERFACE`; where there is none,
GNU calls a routine as it is. All other toolchains do.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from tightfit.harness.routine import Routine
from tightfit.records import Cost, Variant


class Interface:
    """The counted interface, which is the compiler's own.

    `counted` says so. `counted_as` tells how a routine without the shim is called, and `counted_for` by
    which compiler, `stack_holds` what is in the stack's figure, `static_scratch` what a routine that is not
    re-entrant asks of its callers.
    """

    counted = True
    counted_as = "as the portfolio counts it"
    counted_for = "GNU"
    stack_holds = "return address included"
    static_scratch = "It uses static data as scratch: one call at a time"

    def source(self, source: str, name: str, entries: Sequence[str], reentrant: bool) -> str:
        """Source whose symbols are called as GNU does."""
        return source

    def foretold(self, cost: Cost, entries: Sequence[str], reentrant: bool) -> Cost:
        """What the counted cost of a routine becomes."""
        return cost

    def measure(self, routine: Routine, variant: Variant) -> Cost:
        """The cost of a routine with this interface; only where it is not the counted one."""
        raise NotImplementedError


@cache
def load_interface(target: str, toolchain: str = "gnu") -> Interface:
    """The interface of a toolchain of a target."""
    name = f"{__name__}.{target}"
    return import_module(name).INTERFACE if toolchain == "gnu" and find_spec(name) else Interface()
