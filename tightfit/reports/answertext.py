"""An answer in a few lines of text."""

from collections.abc import Sequence

from tightfit.conditions import CONDITIONS, searched
from tightfit.primitives import PublishedCell, load_primitive
from tightfit.records import Contender, Cost, Measurement
from tightfit.reports import contenders, words
from tightfit.reports.answer import FITS, IMPOSSIBLE, SATIATED, Answer, Offer, Question
from tightfit.reports.cautions import cautions

_ASKS_WITHOUT = {
    quantity: f"; `--{name}` asks for one without"
    for name, condition in CONDITIONS.items()
    for quantity in condition.quantities
}
"""Where a quantity is a caution, the condition that keeps it at 0."""
_FACTS = {
    "run": "simulator",
    "taint": "taint of the simulator",
    "as": "assembler",
    "ld": "linker",
    "rules": "version of the rules",
    "target": "definition of the target",
    "primitive": "definition of the primitive",
}
"""Facts of a context in words."""
_BOUNDS = {"rom": "ROM", "ram": "RAM", "both": "ROM and RAM together"}


def text(answer: Answer, published: Sequence[PublishedCell] = ()) -> str:
    """The answer as `ask` shows it; `published` are the figures for the same bounds."""
    question = answer.question
    where = words.place(question.target, question.part)
    asked = f"{question.primitive} {question.operation} on {where} within "
    lines = [f"{asked}{words.bounds(question.budget)}{question.filters.titles()}", ""]
    if answer.measurement is None:
        lines += _nothing(answer)
    else:
        lines += _something(answer, answer.measurement)
    lines += [f"  next       {_offer(offer, answer)}" for offer in answer.offers]
    lines += [f"  C alone    {_c_alone(answer)}"] * bool(answer.c_measured)
    if answer.external:
        lines.append(f"  external   {_external(answer.external)}")
    if not question.filters.selects:
        lines += [f"  published  {_published(cell)}" for cell in published]
    return "\n".join(lines)


def _something(answer: Answer, measurement: Measurement) -> list[str]:
    cost, variant, filters = measurement.cost, measurement.variant, answer.question.filters
    figures = f"{words.by_entry(cost)} ({' / '.join(cost.ranked)})"
    estimate = "an estimate" if words.is_estimate(answer) else ""
    apart = words.cycles_apart(variant.target, cost)
    lines = [
        f"  cycles     {', '.join(filter(None, (figures, apart, estimate)))}",
        f"  ROM        {cost.rom:,} B{_alignment(cost)}",
        f"  RAM        {words.ram_parts(cost)} B: block + static + stack"
        + words.padded(cost.padding.ram, cost.alignment),
        f"  variant    {variant.id}  {words.recipe(variant)}",
        f"  marks      {', '.join(words.marks(measurement))}",
        *(f"  {name:10} {line}{_ASKS_WITHOUT.get(name, '')}" for name, line in cautions(measurement).items()),
    ]
    other = [
        f"{name} {words.cycles(t.cycles)}" for name, t in cost.by_entry.items() if name not in cost.ranked
    ]
    if other:
        lines.insert(1, f"  also       {', '.join(other)}")
    if filters.clock is not None:
        time = words.milliseconds(filters.milliseconds(cost.cycles))
        lines.insert(1, f"  time       {time} ms at {words.clock(filters.clock)}")
    lines.append(f"  primitive  {_primitive(answer)}")
    if answer.status == SATIATED:
        lines.append(f"  satiated   {answer.satiated_by} reaches the same")
    lines.append(f"  limit      {_limits(answer)}")
    lines.append(f"  proof      {words.proof(answer.certificate)}")
    if answer.moved:
        lines.append(f"  measured   {_context(answer)}")
    if not words.is_proved(answer):
        lines += ["", f"  BETTER MAY EXIST{_at_most(answer)}: {_unsearched(answer)}", ""]
    return lines


def _context(answer: Answer) -> str:
    """`with another assembler than today's`, and what measures again."""
    question, moved = answer.question, [_FACTS.get(name, name) for name in answer.moved]
    again = words.fill(question.primitive, question.target, question.part)
    return f"with another {' and '.join(moved)} than today's; `{again}` measures again"


def _primitive(answer: Answer) -> str:
    """`AES-128: key of 128 bits, block of 128 bits, 128 bits of security`, with who says so."""
    primitive = load_primitive(answer.question.primitive)
    facts = [f"block of {primitive.block_bits} bits"]
    if primitive.key_bits:
        facts.insert(0, f"key of {primitive.key_bits} bits")
    if primitive.security:
        facts.append(f"{primitive.security.bits} bits of security ({primitive.security.source})")
    return f"{primitive.name}: {', '.join(facts)}"


def _unsearched(answer: Answer) -> str:
    if answer.question.filters.selects:
        return "no search closes a budget under these filters; this is the best of the variants known"
    return f"no search has closed this budget; `{_fill(answer)}` does"


def _at_most(answer: Answer) -> str:
    """`, by 0.4 % at most`, where a bound is proved."""
    bound = answer.certificate and answer.certificate.bound
    if not bound or answer.question.budget.objective != "cycles":
        return ""
    return f", by {1 - bound / answer.measurement.cost.cycles:.1%} at most".replace("%", " %")


def _alignment(cost: Cost) -> str:
    plain = f", alignment {cost.alignment}" if cost.alignment > 1 else ""
    return words.padded(cost.padding.rom, cost.alignment) or plain


def _nothing(answer: Answer) -> list[str]:
    least = [f"  least      {_least(one, answer)}" for one in answer.least]
    if answer.status == IMPOSSIBLE:
        return [
            "  impossible: no variant of the space fits",
            f"  proof      {words.proof(answer.certificate)}",
            *least,
        ]
    searches = "" if answer.question.filters.selects else f"; `{_fill(answer)}` searches"
    return [f"  unexplored: nothing known fits, and nothing proves that nothing can{searches}", *least]


def _least(measurement: Measurement, answer: Answer) -> str:
    """What would fit, or what fits but for the deadline."""
    cost, filters = measurement.cost, answer.question.filters
    sizes, cycles = f"{cost.rom:,} B of ROM with {cost.ram} B of RAM", f"{words.by_entry(cost)} cycles"
    time = filters.milliseconds(cost.cycles)
    took = cycles if time is None else f"{cycles}, {words.milliseconds(time)} ms"
    if filters.most_cycles is not None and cost.cycles > filters.most_cycles:
        return f"{sizes} has the least time: {took}"
    return f"{sizes} would fit: {took}"


def _fill(answer: Answer) -> str:
    """The command that searches the core class of the part, for the question's budget if others are known."""
    question = answer.question
    budget = question.budget
    everything = words.fill(question.primitive, question.target, question.part)
    if answer.certificate is None:
        return everything
    rom = "ROM-min" if budget.objective == "rom" else budget.rom
    bounds = "".join(f" --{name} {size}" for name, size in (("rom", rom), ("ram", budget.ram)) if size)
    conditions = "".join(f" --{name}" for name in searched(budget.only))
    return f"{everything} --operation {question.operation}{bounds}{conditions}"


def _limits(answer: Answer) -> str:
    if not answer.limited_by:
        return "neither ROM nor RAM: nothing better is known"
    return " and ".join(_BOUNDS[bound] for bound in answer.limited_by)


def _offer(offer: Offer, answer: Answer) -> str:
    cost = offer.measurement.cost
    sizes = f"{cost.rom:,} B of ROM, {cost.ram} B of RAM"
    reaches = f"{offer.budget.name} reaches {words.by_entry(cost)} cycles with {sizes}"
    if answer.measurement is None:
        return reaches
    if answer.question.budget.objective == "rom":
        return f"{reaches} ({answer.measurement.cost.rom - cost.rom} B of ROM less)"
    return f"{reaches} ({1 - cost.cycles / answer.measurement.cost.cycles:.1%} fewer)"


def _c_alone(answer: Answer) -> str:
    """What the compiler alone reaches within the same bounds."""
    contender = answer.c_alone
    if contender is None:
        return f"{contenders.NONE_FITS}: none of {answer.c_measured} ways to compile the portable C fits"
    cost = contender.cost
    reaches = f"{words.by_entry(cost)} cycles with {cost.rom:,} B of ROM, {cost.ram} B of RAM"
    if answer.measurement is not None and answer.question.budget.objective == "cycles":
        reaches += f" ({cost.cycles / answer.measurement.cost.cycles:.2f} times as many)"
    return f"{reaches}: {'; '.join([contenders.made_by(contender), *contenders.warnings(contender)])}"


def _external(rival: Contender) -> str:
    """A better routine of somebody else."""
    sizes = f"{rival.cost.rom:,} B of ROM, {rival.cost.ram} B of RAM"
    reaches = f"{rival.name} reaches {words.by_entry(rival.cost)} cycles with {sizes}"
    return f"{reaches}: {contenders.made_by(rival)}; {rival.id}"


def _published(cell: PublishedCell) -> str:
    figure = " / ".join(map(words.cycles, cell.by_entry.values())) or (
        "x" if cell.status != FITS else f"{cell.rom} B"
    )
    return f"{figure}, {cell.source}" + (f" ({cell.budget})" if cell.budget else "")


def published_within(question: Question) -> list[PublishedCell]:
    """The published figures of a question's operation whose bounds are those of its budget."""
    bounds = question.budget.rom, question.budget.ram
    return [
        cell
        for cell in load_primitive(question.primitive).published(question.target)
        if (cell.operation, cell.rom, cell.ram) == (question.operation, *bounds) and cell.status != SATIATED
    ]
