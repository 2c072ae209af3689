"""Answers and costs as plain JSON, in the form that the schemas of the package describe."""

from typing import Any

from tightfit.jsonform import to_json
from tightfit.primitives import load_primitive
from tightfit.records import Budget, Certificate, Contender, Cost, Measurement, Timing
from tightfit.reports.answer import Answer, Offer
from tightfit.targets import load_target


def answer_form(answer: Answer) -> dict[str, Any]:
    """An answer, as tables have it."""
    question, measurement = answer.question, answer.measurement
    return {
        "primitive": question.primitive,
        "operation": question.operation,
        "target": question.target,
        "part": question.part,
        "simulated_part": load_target(question.target).part(question.part).simulated,
        "budget": budget_form(question.budget),
        "status": answer.status,
        "satiated_by": answer.satiated_by,
        "variant": variant_form(measurement) if measurement else None,
        "cost": cost_form(measurement.cost) if measurement else None,
        "certificate": certificate_form(answer.certificate) if answer.certificate else None,
        "limited_by": list(answer.limited_by),
        "next": [offer_form(offer) for offer in answer.offers],
        "c_alone": {
            "measured": answer.c_measured,
            "best": contender_form(answer.c_alone) if answer.c_alone else None,
        },
    }


def asked_form(answer: Answer) -> dict[str, Any]:
    """The object that `ask --json` prints: an answer, what it was asked of, and what would fit."""
    primitive = load_primitive(answer.question.primitive)
    filters, measurement = answer.question.filters, answer.measurement
    return {
        **answer_form(answer),
        "key_bits": primitive.key_bits,
        "block_bits": primitive.block_bits,
        "security_bits": primitive.security and primitive.security.bits,
        "filters": {
            "reentrant": filters.reentrant,
            "message": filters.message,
            "clock": filters.clock and float(filters.clock),
            "under": filters.under and float(filters.under),
            "toolchain": filters.toolchain,
        },
        "milliseconds": measurement and filters.milliseconds(measurement.cost.cycles),
        "external": contender_form(answer.external) if answer.external else None,
        "least": [{"variant": variant_form(one), "cost": cost_form(one.cost)} for one in answer.least],
        "moved": list(answer.moved),
    }


def budget_form(budget: Budget) -> dict[str, Any]:
    """Name and bounds of a budget; a free bound is null, `below` is there only where cycles are bounded."""
    form = {"name": budget.name, "rom": budget.rom, "ram": budget.ram}
    return {**form, "below": dict(budget.below)} if budget.below else form


def variant_form(measurement: Measurement) -> dict[str, Any]:
    """Identity and marks of a measured variant."""
    variant = measurement.variant
    return {
        "id": variant.id,
        "template": variant.template,
        "knobs": dict(variant.knobs),
        "constant_time": bool(measurement.cost and measurement.cost.constant_time),
        "constant_time_without_prefetch": bool(
            measurement.cost and measurement.cost.constant_time_without_prefetch
        ),
        "constant_path": bool(measurement.cost and measurement.cost.constant_path),
        "reentrant": measurement.reentrant,
        "registers_as_memory": measurement.registers_as_memory,
        "destroys_key": measurement.destroys_key,
    }


def contender_form(contender: Contender) -> dict[str, Any]:
    """Identity, marks and cost of a routine that tightfit did not generate."""
    names = "primitive operation target part origin name compiler version flags interface reentrant".split()
    return {
        "id": contender.id,
        **{name: getattr(contender, name) for name in names},
        "constant_time": contender.cost.constant_time,
        "constant_time_without_prefetch": contender.cost.constant_time_without_prefetch,
        "constant_path": contender.cost.constant_path,
        "registers_as_memory": contender.registers_as_memory,
        "cost": cost_form(contender.cost),
    }


def cost_form(cost: Cost) -> dict[str, Any]:
    """Bytes and cycles; `cycles` is the ranked figure."""
    parts = cost.ram_parts
    return {
        "rom": cost.rom,
        "ram": cost.ram,
        "ram_parts": to_json(parts) | {"banks": parts.banks},
        "cycles": cost.cycles,
        "by_entry": {entry: timing.cycles for entry, timing in cost.by_entry.items()},
        "waits_apart": cost.cycles_apart,
        "alignment": cost.alignment,
        "padding": to_json(cost.padding),
        "secrecy": to_json(cost.secrecy),
    }


def timing_form(timing: Timing) -> dict[str, Any]:
    """Cycles of one entry: least, mean, greatest."""
    return {
        "minimum": timing.minimum,
        "mean": timing.cycles,
        "maximum": timing.maximum,
        "constant_path": timing.constant_path,
    }


def certificate_form(certificate: Certificate) -> dict[str, Any]:
    """What was proved."""
    return {
        "proved": certificate.proved,
        "kind": certificate.kind,
        "space": certificate.space,
        "measured": certificate.measured,
        "exact": certificate.exact,
        "bound": certificate.bound,
        "margin": certificate.margin,
        "solver": certificate.solver,
        "seed": certificate.seed,
        "deterministic_limit": certificate.deterministic_limit,
        "deterministic_time": certificate.deterministic_time,
        "least_rom": certificate.least_rom,
        "least_ram": certificate.least_ram,
    }


def offer_form(offer: Offer) -> dict[str, Any]:
    """What the next budget along a bound reaches."""
    return {
        "bound": offer.bound,
        "budget": budget_form(offer.budget),
        "variant": variant_form(offer.measurement),
        "cost": cost_form(offer.measurement.cost),
    }
