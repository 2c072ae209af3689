"""Records as a measurement leaves them, for tests that need no toolchain."""

from collections.abc import Mapping

from tightfit.harness.provenance import context_of
from tightfit.records import (
    Attribution,
    Budget,
    Cell,
    Certificate,
    Cost,
    Front,
    Measurement,
    RamParts,
    RomShare,
    TimeShare,
    Timing,
    Variant,
)

SUBJECT = ("rl78", "R5F100xE", "aes-128", "encrypt")
PROOF = Certificate(True, "optimal", "12", 12, 12, 5000, 0, "cp-sat", 1, 10.0)


def variant(**knobs: str | int) -> Variant:
    return Variant(*SUBJECT, "fast", knobs or {"sbox": "ram", "unroll": 2})


def in_context(gate: str = "search", **facts: str) -> dict[str, str]:
    """The provenance of a measurement in the context of these facts."""
    facts = {"gate": gate, "rl78-elf-as": "2.40", **facts}
    return {**facts, "context": context_of(facts)}


def measurement(
    of: Variant | None = None,
    *,
    rom: int = 400,
    stack: int = 6,
    cycles: int = 5000,
    rejected: str | None = None,
    provenance: Mapping[str, str] | None = None,
) -> Measurement:
    timing = Timing(64, 64 * cycles, cycles, cycles, True, 64 * 9)
    cost = Cost(rom, RamParts(48, 0, stack), {"encrypt": timing}, ("encrypt",), 2)
    time = (TimeShare("encrypt", (), 3, 1), TimeShare("encrypt", ("rounds", "mix_columns"), cycles - 3, 9))
    attribution = Attribution(1, (RomShare("rounds", rom, 1),), time)
    return Measurement(
        variant=of or variant(),
        cost=None if rejected else cost,
        rejected=rejected,
        attribution=None if rejected else attribution,
        source_sha256="5" * 64,
        reentrant=True,
        destroys_key=False,
        provenance=provenance or in_context(),
    )


def cell(budget: str = "1KB/64B", status: str = "fits", rom: int | None = 1024, ram=64, **more) -> Cell:
    """An answer; `more` says more of its budget."""
    return Cell(*SUBJECT, Budget(budget, rom, ram, **more), status, variant().id, None, PROOF)


def front(*variants: Variant, only=(), stretches=(), proof: Certificate = PROOF) -> Front:
    return Front(*SUBJECT, only, tuple(each.id for each in variants), stretches, proof)
