"""One candidate through the gate: variant in, measurement out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tightfit.errors import UsageError
from tightfit.generator import Rendered, load_space, render
from tightfit.generator.sourcelines import SourceLine
from tightfit.harness import provenance
from tightfit.harness.blame import blamed
from tightfit.harness.build import Builder, Image
from tightfit.harness.gate import Findings, Gate
from tightfit.harness.kinds import kind_of
from tightfit.harness.kinds.remembered import Remembered
from tightfit.harness.machine import Machine
from tightfit.harness.routine import Rejected, Routine
from tightfit.primitives import load_primitive
from tightfit.records import Cost, Measurement, Variant
from tightfit.targets import load_target

GATES = ("search", "full")
CYCLE_LIMIT = 16_000_000
"""Cycles after which a call counts as one that never returns."""


class Candidate(NamedTuple):
    """A variant to be measured, with what it renders to where that is known."""

    variant: Variant
    rendered: Rendered | None = None


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
        self.kind = kind_of(self.primitive)
        self._gate = Gate(Machine(self.target, self.part, CYCLE_LIMIT), Remembered(self.kind))

    def close(self) -> None:
        """Remove the temporary files."""
        self._builder.close()

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def measure(
        self, variant: Variant, gate: str = "search", rendered: Rendered | None = None
    ) -> Measurement:
        """The cost of a variant, or the reason why it has none.

        Parameters
        ----------
        gate : `search`, or `full` for iterated answers and many more inputs.
        rendered : what the variant renders to, where that is known.

        Raises
        ------
        UsageError
            The variant is not of its space, or the template is wrong.
        """
        return self._measured(variant, gate, rendered)[0]

    def trial(self, variant: Variant, gate: str = "search") -> tuple[Measurement, SourceLine | None]:
        """As `measure`, with the line of source that a rejection is about, None where it is not known."""
        measurement, routine, rejected = self._measured(variant, gate)
        return measurement, rejected and blamed(variant, routine, self._builder, rejected)

    def _measured(
        self, variant: Variant, gate: str, rendered: Rendered | None = None
    ) -> tuple[Measurement, Routine, Rejected | None]:
        self._check(variant, gate)
        rendered = rendered or render(variant)
        routine = routine_of(variant, rendered)
        facts = provenance.of_variant(variant, gate)
        try:
            image, findings = self.examine(routine, self.primitive.operation(variant.operation).ranked, gate)
        except Rejected as reason:
            rejection = Measurement(
                variant, None, str(reason), None, rendered.sha256, False, routine.destroys_key, facts
            )
            return rejection, routine, reason
        measurement = Measurement(
            variant=variant,
            cost=self.cost(variant.operation, routine, image, findings),
            rejected=None,
            attribution=findings.attribution,
            source_sha256=rendered.sha256,
            reentrant=findings.reentrant,
            destroys_key=routine.destroys_key,
            provenance=facts,
            curve=findings.curve,
            registers_as_memory=findings.registers_as_memory,
        )
        return measurement, routine, None

    def follow(self, measurement: Measurement) -> Measurement:
        """A measurement whose cost holds, with its secrets followed anew.

        Raises
        ------
        UsageError
            As `measure`.
        """
        variant, gate = measurement.variant, measurement.provenance["gate"]
        self._check(variant, gate)
        routine = routine_of(variant, render(variant))
        renewed = replace(measurement, provenance=provenance.of_variant(variant, gate))
        if measurement.cost is None:
            return renewed
        try:
            secrets = self._gate.secrets(routine, self._builder.build(routine))
        except Rejected as reason:
            return replace(renewed, cost=None, rejected=str(reason), attribution=None, curve=None)
        return replace(
            renewed,
            cost=replace(measurement.cost, secrecy=secrets.secrecy),
            attribution=secrets.placed_in(measurement.attribution),
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
            ram_parts=findings.ram_parts(routine.layout.size),
            by_entry=findings.by_entry,
            ranked=self.primitive.operation(operation).ranked,
            alignment=image.alignment,
            secrecy=findings.secrecy,
            padding=image.padding,
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
        banks=rendered.banks,
        destroys_key=destroys_key,
        kept=frozenset(getattr(rendered.block, "kept", ())),
        emissions=rendered.emissions,
    )
