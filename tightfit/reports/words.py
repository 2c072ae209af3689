"""Figures and facts as words, the same on the screen and on every page."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tightfit.conditions import titles
from tightfit.curve import is_measured
from tightfit.errors import UsageError
from tightfit.primitives import load_primitive
from tightfit.records import Budget, Certificate, Contender, Cost, Measurement, Secrecy, Timing, Variant
from tightfit.reports.answer import Answer
from tightfit.targets import load_target

if TYPE_CHECKING:
    from fractions import Fraction


def fill(primitive: str, target: str, part: str) -> str:
    """The command that searches a primitive on the core class of a part."""
    known = load_target(target)
    simulated = known.part(part).simulated
    which = "" if simulated == known.default_part else f" --part {simulated}"
    return f"tightfit fill {primitive} --target {target}{which}"


def cycles(figure: int | float) -> str:
    """`3,123`, or `3,123.4` for a mean that is no integer."""
    return f"{figure:,}" if isinstance(figure, int) else f"{figure:,.1f}"


BANKS = "uses register banks"
MEMORY = "registers as memory"
MARKS = (
    "Marks: T constant time, P constant time with prefetch off, C constant path (tested), c the same but for "
    "the carry of a block count, R re-entrant, B uses register banks, M uses registers as memory, "
    "K destroys the key."
)


def apart_column(target: str) -> str:
    """The column of the wait that a target tells apart; one that stays empty where it tells none."""
    apart = load_target(target).waits_apart
    return apart.words if apart else "waits apart"


def cycles_apart(target: str, cost: Cost) -> str:
    """`of which hazard 3`, in the words of the target; nothing where there is none."""
    figure = cost.cycles_apart
    return f"{apart_column(target)} {cycles(figure)}" if figure else ""


def by_entry(cost: Cost) -> str:
    """The ranked entries' cycles, `3,123` or `3,123 / 4,567`; `3,123.4 (to 3,200)` where they vary."""
    return " / ".join(_range(cost.by_entry[entry]) for entry in cost.ranked)


def _range(timing: Timing) -> str:
    """The mean, and the greatest where the cycles vary."""
    greatest = "" if timing.minimum == timing.maximum else f" (to {cycles(timing.maximum)})"
    return cycles(timing.cycles) + greatest


PADDING = "+n: up to n bytes more where the linker pads to the alignment."


def rom(cost: Cost) -> str:
    """`510`, or `510 +255` where the linker may pad."""
    return f"{cost.rom}{padding(cost.padding.rom)}"


def ram(cost: Cost) -> str:
    """`62 (32+24+6)`, or `62 (32+24+6) +255`."""
    return ram_parts(cost) + padding(cost.padding.ram)


def ram_parts(cost: Cost) -> str:
    """`62 (32+24+6)`: the sum, and block + static + stack."""
    parts = cost.ram_parts
    return f"{cost.ram} ({parts.block}+{parts.static}+{parts.stack})"


def padding(most: int) -> str:
    """` +255`; nothing where there is none."""
    return f" +{most}" if most else ""


def padded(most: int, alignment: int) -> str:
    """`, up to 255 B more where the linker pads to 256`; nothing where there is no padding."""
    return f", up to {most} B more where the linker pads to {alignment}" if most else ""


def bounds(budget: Budget) -> str:
    """`1,024 B of ROM and any RAM`, and the conditions."""
    rom = "any ROM" if budget.rom is None else f"{budget.rom:,} B of ROM"
    rom = "the least ROM" if budget.objective == "rom" else rom
    ram = "any RAM" if budget.ram is None else f"{budget.ram:,} B of RAM"
    return f"{rom} and {ram}{titles(budget.only)}"


def place(target: str, part: str) -> str:
    """`TARGET (PART)`; `TARGET (PART, simulated on OTHER)` where another part stands for its core class."""
    simulated = load_target(target).part(part).simulated
    return f"{target} ({part}{'' if simulated == part else f', simulated on {simulated}'})"


def varies(cost: Cost) -> bool:
    """Whether the ranked cycles are not the same for all inputs."""
    return any(cost.by_entry[entry].minimum != cost.by_entry[entry].maximum for entry in cost.ranked)


def is_proved(answer: Answer) -> bool:
    """Whether nothing better can exist."""
    return bool(answer.certificate and answer.certificate.proved)


def is_estimate(answer: Answer) -> bool:
    """Whether its cycles are those of a message of a length that was not measured."""
    question = answer.question
    length = question.filters.message
    return length is not None and not is_measured(load_primitive(question.primitive), length)


def figure(answer: Answer) -> str:
    """The ranked cycles in short: `3,123`, `3,123.4~` where they vary, with `*` where they are not proved."""
    return cycles(answer.measurement.cost.cycles) + signs(answer)


def signs(answer: Answer) -> str:
    """`~` where cycles vary, `*` where they are not proved."""
    return f"{'~' if varies(answer.measurement.cost) else ''}{'' if is_proved(answer) else '*'}"


def milliseconds(figure: float) -> str:
    """`0.347`, `12.3`, `1,234`: three digits at least."""
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:#.3g}"


def clock(hertz: "Fraction") -> str:
    """`8 MHz`, `32.768 kHz`."""
    for unit, size in (("MHz", 10**6), ("kHz", 10**3)):
        if hertz >= size:
            return f"{float(hertz / size):g} {unit}"
    return f"{float(hertz):g} Hz"


def knobs(values: Mapping[str, str | int]) -> str:
    """`mix=flat sbox=mirror`."""
    return " ".join(f"{name}={value}" for name, value in values.items())


def recipe(variant: Variant) -> str:
    """Template and knobs, without knobs that do not matter to the operation."""
    free = free_knobs(variant)
    return f"{variant.template}: {knobs(free)}" if free else variant.template


def free_knobs(variant: Variant) -> dict[str, str | int]:
    """The knobs whose `when` holds; all of them where the template no longer has just these knobs."""
    if variant.free is not None:
        return {name: variant.knobs[name] for name in variant.free}
    try:
        from tightfit.generator import load_space

        space = load_space(variant.target, variant.primitive, part=variant.part)
        knobs = space.templates[variant.template].knobs
    except (KeyError, UsageError):
        return dict(variant.knobs)
    if knobs.keys() != variant.knobs.keys():
        return dict(variant.knobs)
    whens = {name: knob.when for name, knob in knobs.items()}
    return {
        k: v for k, v in variant.knobs.items() if not whens[k] or whens[k](variant.knobs, variant.operation)
    }


def marks(measurement: Measurement) -> list[str]:
    """What a caller must know of a variant besides its cost."""
    cost = measurement.cost
    reentrant = "re-entrant" if measurement.reentrant else "not re-entrant"
    return [*_constancy(cost), reentrant, *_more_marks(measurement)]


def _more_marks(measurement: Measurement) -> list[str]:
    flags = {
        BANKS: measurement.cost.ram_parts.banks,
        MEMORY: measurement.registers_as_memory,
        "destroys the key": measurement.destroys_key,
    }
    return [mark for mark, flag in flags.items() if flag]


def _constancy(cost: Cost) -> list[str]:
    """What is proved of the time, and what was only tested; the block count is no secret."""
    carry = f", but for the carry of the block count: up to {cost.carry} cycles more" if cost.carry else ""
    only = "" if cost.constant_time else " with prefetch off and no wait states"
    proved = []
    if cost.constant_time_without_prefetch:
        proved = [f"constant time{only}{_how(cost.secrecy)}{carry}"]
    if cost.constant_path:
        return [*proved, f"constant path (tested){carry}"]
    if proved:
        return proved
    if all(timing.minimum == timing.maximum for timing in cost.by_entry.values()):
        return [f"same cycles (tested){carry}"]
    return ["cycles vary"]


def _how(secrecy: Secrecy) -> str:
    """What holds beside a proof of constant time, in brackets."""
    said = {"balanced conditions": secrecy.balanced, "secret look-ups": secrecy.lookups}
    words = [word for word, count in said.items() if count]
    return f" ({', '.join(words)})" if words else ""


def short_marks(measurement: Measurement) -> str:
    """The marks as letters: those of `mark_letters`, and K where the key is destroyed."""
    return mark_letters(measurement) + "K" * measurement.destroys_key


def mark_letters(measured: Measurement | Contender) -> str:
    """The letters of `MARKS` but for K."""
    flags = {
        "T": measured.cost.constant_time,
        "P": measured.cost.constant_time_without_prefetch and not measured.cost.constant_time,
        "C": measured.cost.constant_path and not measured.cost.carry,
        "c": measured.cost.constant_path and measured.cost.carry,
        "R": measured.reentrant,
        "B": measured.cost.ram_parts.banks,
        "M": measured.registers_as_memory,
    }
    return "".join(letter for letter, flag in flags.items() if flag)


def proof(certificate: Certificate | None) -> str:
    """A certificate in one line; it says no more than was proved.

    The effort is that of the solver for the cell, in its deterministic seconds.
    """
    if certificate is None:
        return "nothing searched yet"
    space = f"of {int(certificate.space):,} variants, {certificate.measured:,} measured"
    if certificate.deterministic_time:
        space += f", effort {certificate.deterministic_time:.2g}"
    match certificate.kind:
        case "optimal":
            return f"proved optimal: {space}"
        case "optimal under additivity":
            return f"optimal under additivity{_margin(certificate)}: {space}"
        case "infeasible":
            return f"proved that none fits: {space}{_reach(certificate)}"
        case "infeasible under additivity":
            return f"none fits, under additivity{_margin(certificate)}: {space}{_reach(certificate)}"
        case "best found":
            bound = "none" if certificate.bound is None else cycles(certificate.bound)
            return f"best found (bound {bound}): {space}"
        case _:
            return f"not proved: {space}"


def _margin(certificate: Certificate) -> str:
    return f" (margin {cycles(certificate.margin)})"


def _reach(certificate: Certificate) -> str:
    least = ((certificate.least_rom, "ROM"), (certificate.least_ram, "RAM"))
    reach = [f"{size} B {what}" for size, what in least if size is not None]
    return f"; the space reaches {' and '.join(reach)}" if reach else ""
