"""One candidate through the gate: variant in, measurement out.

`python -m tightfit.harness.bench TARGET PRIMITIVE OPERATION TEMPLATE [knob=value ...]` shows one measurement;
`part=NAME` and `gate=full` ask for another part or the full gate.
"""

import sys
from collections.abc import Sequence

from tightfit.errors import TightfitError, UsageError
from tightfit.generator import Rendered, load_space, render
from tightfit.harness import provenance
from tightfit.harness.build import Builder, Image
from tightfit.harness.gate import Findings, Gate
from tightfit.harness.kinds import kind_of
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Rejected, Routine
from tightfit.primitives import load_primitive
from tightfit.records import Cost, Measurement, RamParts, Variant
from tightfit.targets import load_target

GATES = ("search", "full")
CYCLE_LIMIT = 16_000_000
"""Cycles after which a call counts as one that never returns."""


class Bench:
    """Measures candidates of one primitive on one part of a target.

    Raises
    ------
    WorkError
        A tool or the C compiler is missing.
    """

    def __init__(self, target: str, part: str | None, primitive: str):
        self.target = load_target(target)
        self.part = self.target.part(part)
        self.primitive = load_primitive(primitive)
        self._builder = Builder(self.target, self.part)
        self._gate = Gate(Machine(self.target, self.part, CYCLE_LIMIT), kind_of(self.primitive))

    def close(self) -> None:
        """Remove the temporary files."""
        self._builder.close()

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def measure(self, variant: Variant, gate: str = "search") -> Measurement:
        """The cost of a variant, or the reason why it has none.

        Parameters
        ----------
        gate : `search`, or `full` for iterated answers and many more inputs.

        Raises
        ------
        UsageError
            The variant is not of its space, or the template is wrong.
        """
        self._check(variant, gate)
        rendered = render(variant)
        routine = routine_of(variant, rendered)
        facts = provenance.of_variant(variant, gate)
        try:
            image, findings = self.examine(routine, self.primitive.operation(variant.operation).ranked, gate)
        except Rejected as reason:
            return Measurement(
                variant, None, str(reason), None, rendered.sha256, False, routine.destroys_key, facts
            )
        return Measurement(
            variant=variant,
            cost=self.cost(variant.operation, routine, image, findings),
            rejected=None,
            attribution=findings.attribution,
            source_sha256=rendered.sha256,
            reentrant=findings.reentrant,
            destroys_key=routine.destroys_key,
            provenance=facts,
            curve=findings.curve,
        )

    def build(self, rendered: Rendered, name: str = "tf") -> Image:
        """The linked image of a rendered variant; raises `Rejected` where it does not assemble or link."""
        return self._builder.build(_routine(rendered, name))

    def examine(
        self, routine: Routine, ranked: Sequence[str], gate: str = "search"
    ) -> tuple[Image, Findings]:
        """The image of any routine and what the gate learned of it; raises `Rejected` with the reason."""
        image = self._builder.build(routine)
        return image, self._gate.check(routine, image, ranked, gate == "full")

    def cost(self, operation: str, routine: Routine, image: Image, findings: Findings) -> Cost:
        """The cost of a routine that passed the gate."""
        return Cost(
            rom=image.rom,
            ram_parts=RamParts(routine.layout.size, findings.static, findings.stack),
            by_entry=findings.by_entry,
            ranked=self.primitive.operation(operation).ranked,
            alignment=image.alignment,
        )

    def _check(self, variant: Variant, gate: str) -> None:
        mine = (self.target.id, self.part.name, self.primitive.id)
        if (variant.target, variant.part, variant.primitive) != mine:
            raise UsageError(
                f"variant {variant.id} is for {variant.target} {variant.part} {variant.primitive}"
            )
        if gate not in GATES:
            raise UsageError(f"no gate {gate!r}: expected one of {', '.join(GATES)}")


def routine_of(variant: Variant, rendered: Rendered, name: str = "tf") -> Routine:
    """What a rendered variant promises the harness."""
    spec = load_space(variant.target, variant.primitive, part=variant.part).spec(variant)
    return _routine(rendered, name, spec.destroys_key(variant.knobs, variant.operation))


def _routine(rendered: Rendered, name: str, destroys_key: bool = False) -> Routine:
    return Routine(
        source=rendered.source,
        name=name,
        entries=rendered.entries,
        layout=rendered.block,
        static=rendered.static,
        destroys_key=destroys_key,
        kept=frozenset(getattr(rendered.block, "kept", ())),
        emissions=rendered.emissions,
    )


def variant_of(arguments: Sequence[str], part: str | None = None) -> Variant:
    """The variant that command-line words name; knobs left out have their first value."""
    if len(arguments) < 4:
        raise UsageError(
            "usage: TARGET PRIMITIVE OPERATION TEMPLATE [knob=value ...] [part=NAME] [gate=full]"
        )
    target, primitive, operation, template = arguments[:4]
    space = load_space(target, primitive)
    if template not in space.templates:
        raise UsageError(f"no template {template!r}: expected one of {', '.join(space.templates)}")
    spec = space.templates[template]
    knobs = {name: knob.values[0] for name, knob in spec.knobs.items()}
    for word in arguments[4:]:
        name, _, value = word.partition("=")
        if name not in knobs:
            raise UsageError(f"no knob {name!r}: expected one of {', '.join(knobs)}")
        knobs[name] = next((one for one in spec.knobs[name].values if str(one) == value), value)
    if problem := spec.first_violation(operation, knobs):
        raise UsageError(problem)
    return Variant(target, load_target(target).part(part).name, primitive, operation, template, knobs)


def describe(measurement: Measurement) -> str:
    """A measurement as lines of text."""
    if measurement.cost is None:
        return f"{measurement.variant.id} rejected: {measurement.rejected}"
    cost, ram = measurement.cost, measurement.cost.ram_parts
    lines = [
        f"{measurement.variant.id}  ROM {cost.rom}  RAM {cost.ram} (block {ram.block}, static {ram.static}, "
        f"stack {ram.stack})  cycles {cost.cycles} (hazard {cost.hazard})  alignment {cost.alignment}"
        + ("" if measurement.reentrant else "  not re-entrant")
        + ("  destroys key" if measurement.destroys_key else "")
    ]
    for entry, timing in cost.by_entry.items():
        spread = "constant path" if timing.constant_path else f"{timing.minimum} .. {timing.maximum}"
        lines.append(f"  {entry:15} {timing.cycles:>10}  {spread}")
    if curve := measurement.curve:
        points = (f"{n}: {cycles:,}" for n, cycles in zip(curve.lengths, curve.cycles, strict=True))
        lines.append(f"  bytes: cycles  {', '.join(points)}; slope {curve.slope:,.6g} a byte")
    attribution = measurement.attribution
    lines.append("ROM by fragment: bytes, emissions")
    lines += [
        f"  {share.fragment or '(none)':30} {share.bytes:6} {share.emissions:4}" for share in attribution.rom
    ]
    lines.append("time by call path: cycles, executions (a call)")
    for share in attribution.time:
        path = " > ".join(name or "(none)" for name in share.path) or "(the caller's call)"
        cycles, executions = share.cycles / attribution.inputs, share.executions / attribution.inputs
        lines.append(f"  {share.entry:12} {path:50} {cycles:10.6g} {executions:8.6g}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Measure the variant that the arguments name and print what was found."""
    options = dict(word.split("=", 1) for word in arguments if word.startswith(("gate=", "part=")))
    words = [word for word in arguments if not word.startswith(("gate=", "part="))]
    try:
        variant = variant_of(words, options.get("part"))
        with Bench(variant.target, variant.part, variant.primitive) as bench:
            measurement = bench.measure(variant, options.get("gate", "search"))
    except TightfitError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status
    print(describe(measurement))
    return 0 if measurement.cost else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
