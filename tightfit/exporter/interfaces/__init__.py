"""How a target's compilers call a routine, where GNU's compiler does not call it as the portfolio counts.

A target that needs a shim has a module here, named after the target, with an `INTERFACE`. Where there is
none, GNU's compiler calls the routine directly, as all other toolchains do.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tightfit.records import Cost, Variant

if TYPE_CHECKING:
    from tightfit.harness.routine import Routine


class Interface:
    """The counted interface, which is the compiler's own.

    `counted` says that it is the counted one. `counted_as` says how a routine without a shim is called, and
    `counted_for` by which compiler; `stack_holds` what the stack figure includes; `handlers` what interrupt
    handlers must do while a routine with register banks runs.
    """

    counted = True
    counted_as = "as the portfolio counts it"
    counted_for = "GNU"
    stack_holds = "return address included"
    handlers = (
        "A handler that may run during a call must not be declared with a bank of its own (`bank=RB1` and "
        "the like): without one it saves the registers that it uses, in the bank that it finds selected"
    )

    def source(self, source: str, name: str, entries: Sequence[str], reentrant: bool) -> str:
        """Source whose symbols GNU's compiler can call."""
        return source

    def least(self, entries: Sequence[str]) -> tuple[int, int]:
        """Bytes of ROM and of RAM that it adds to any routine with these entries, and to some no more."""
        return 0, 0

    def predicted(self, cost: Cost, entries: Sequence[str], reentrant: bool) -> Cost:
        """The counted cost of a routine plus what a shim adds."""
        return cost

    def measure(self, routine: "Routine", variant: Variant) -> Cost:
        """The cost of a routine with this interface; only for one that is not the counted one."""
        raise NotImplementedError


@cache
def load_interface(target: str, toolchain: str = "gnu") -> Interface:
    """The interface of a toolchain of a target."""
    name = f"{__name__}.{target}"
    return import_module(name).INTERFACE if toolchain == "gnu" and find_spec(name) else Interface()
