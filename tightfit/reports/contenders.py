"""Routines that tightfit did not generate, beside its own: what compilers make of C, and external ones."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tightfit.records import BASELINE, Budget, Contender, Measurement
from tightfit.reports import words
from tightfit.reports.answer import Answer, Known
from tightfit.reports.forms import contender_form, variant_form

if TYPE_CHECKING:
    from tightfit.reports.document import Table

C_ALONE = "C alone"
NONE_FITS, NONE_KNOWN = "x", "?"
_BROKEN = ("flags", "RAM", "cycles", "ours")
RULE = (
    "C alone: the portable C that comes with the primitive, compiled at every level of optimisation, the "
    "fastest that fits; x none of these fits. Counted as our variants are, what it takes from the compiler's "
    "library included."
)


@dataclass(frozen=True)
class Rivalry:
    """A contender, and our best variant within its ROM and RAM (None: no known variant is so small).

    `known` tells whether any variant is known for the part.
    """

    contender: Contender
    ours: Measurement | None
    known: bool = True

    @property
    def ratio(self) -> float | None:
        """Its cycles over ours."""
        return self.ours and self.contender.cost.cycles / self.ours.cost.cycles


def rivalries(known: Known) -> tuple[Rivalry, ...]:
    """Every contender that may be shown, C baselines first, with our best variant within its ROM and RAM."""
    ordered = sorted(known.rivals, key=lambda rival: (rival.origin, rival.name, *_figures(rival), rival.id))
    any_known = bool(known.usable)
    return tuple(
        Rivalry(rival, known.best(Budget("", rival.cost.rom, rival.cost.ram)), any_known) for rival in ordered
    )


def beside(answer: Answer) -> str:
    """The text beside a cell: `12,345 -O2`, x where no baseline fits, nothing where none was measured.

    Where the least ROM is asked for, the text has the bytes as well.
    """
    baseline = answer.c_alone
    if baseline is None:
        return NONE_FITS if answer.c_measured else ""
    size = f" ({baseline.cost.rom} B)" if answer.question.budget.objective == "rom" else ""
    return f"{words.by_entry(baseline.cost)}{size} {level(baseline)}"


def _figures(contender: Contender) -> tuple[int | float, int, int]:
    return contender.cost.cycles, contender.cost.rom, contender.cost.ram


def level(contender: Contender) -> str:
    """The optimisation level among its flags: the last, which compilers obey; all flags where it has none."""
    levels = re.findall(r"(?:^|\s)(-O\S*)", contender.flags)
    return levels[-1] if levels else contender.flags


def made_by(contender: Contender) -> str:
    """`gcc 12.2.0 -O2`."""
    return " ".join(filter(None, (contender.compiler, contender.version, level(contender))))


def title(contender: Contender) -> str:
    """`C alone -O2`, or `external keccak/ref -Os`."""
    what = "C alone" if contender.origin == BASELINE else f"{contender.origin} {contender.name}"
    return f"{what} {level(contender)}"


def warnings(contender: Contender) -> list[str]:
    """What its callers must see to, as marks."""
    flags = {words.BANKS: contender.cost.ram_parts.banks, words.MEMORY: contender.registers_as_memory}
    return [mark for mark, flag in flags.items() if flag]


def rejection(contender: Contender) -> str:
    """`rejected: reference.c -O2: wrong answer: ...`."""
    return f"rejected: {' '.join(filter(None, (contender.name, contender.flags)))}: {contender.rejected}"


def table(rivalries: Sequence[Rivalry], where: str) -> "Table":
    """Each contender with our best variant within its ROM and RAM."""
    apart = words.apart_column(rivalries[0].contender.target) if rivalries else ""
    columns = (
        "whose",
        "name",
        "compiler",
        "version",
        "flags",
        "ROM",
        "RAM",
        "cycles",
        apart,
        "marks",
        "id",
        "ours",
        "theirs/ours",
        "variant",
    )
    rows = tuple(map(_row, rivalries))
    caption = f"{where}: C alone and external, with ours within the same ROM and RAM"
    spare = ("version", "compiler", "id", "variant", "marks", apart, "name", "theirs/ours")
    from tightfit.reports.document import Table

    return Table(caption, columns, rows, frozenset({5, 7, 8, 11, 12}), spare, _BROKEN).dropping(apart)


def _row(rivalry: Rivalry) -> tuple[str, ...]:
    rival, cost = rivalry.contender, rivalry.contender.cost
    return (
        rival.origin,
        rival.name,
        rival.compiler,
        rival.version,
        rival.flags,
        words.rom(cost),
        words.ram(cost),
        words.by_entry(cost),
        words.cycles(cost.cycles_apart),
        words.mark_letters(rival),
        rival.id,
        words.by_entry(rivalry.ours.cost) if rivalry.ours else NONE_FITS if rivalry.known else NONE_KNOWN,
        f"{rivalry.ratio:.2f}" if rivalry.ratio else "",
        rivalry.ours.variant.id if rivalry.ours else "",
    )


def rejected_form(contender: Contender) -> dict[str, Any]:
    """A rejected contender as plain JSON."""
    names = "id primitive operation target part name flags".split()
    return {**{name: getattr(contender, name) for name in names}, "reason": contender.rejected}


def rivalry_form(rivalry: Rivalry) -> dict[str, Any]:
    """A contender with our best variant within its ROM and RAM, as plain JSON."""
    return {
        **contender_form(rivalry.contender),
        "ours": variant_form(rivalry.ours) if rivalry.ours else None,
        "ratio": rivalry.ratio,
    }
