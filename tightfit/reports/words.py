"""Figures and facts as words, the same on the screen and on every page."""

from collections.abc import Mapping

from tightfit.records import Certificate, Cost, Measurement, Variant


def cycles(figure: int | float) -> str:
    """`3,123`, or `3,123.4` for a mean that is no integer."""
    return f"{figure:,}" if isinstance(figure, int) else f"{figure:,.1f}"


def by_entry(cost: Cost) -> str:
    """The ranked entries' cycles, `3,123` or `3,123 / 4,567`."""
    return " / ".join(cycles(cost.by_entry[entry].cycles) for entry in cost.ranked)


def ram(cost: Cost) -> str:
    """`62 (32+24+6)`: the sum, and block + static + stack."""
    parts = cost.ram_parts
    return f"{cost.ram} ({parts.block}+{parts.static}+{parts.stack})"


def knobs(values: Mapping[str, str | int]) -> str:
    """`mix=flat sbox=mirror`."""
    return " ".join(f"{name}={value}" for name, value in values.items())


def recipe(variant: Variant) -> str:
    """Template and knobs."""
    return f"{variant.template}: {knobs(variant.knobs)}" if variant.knobs else variant.template


def marks(measurement: Measurement) -> list[str]:
    """What a caller must know of a variant besides its cost."""
    cost = measurement.cost
    constant = "constant path (tested)" if cost.constant_path else "cycles depend on the input"
    found = [constant, "re-entrant" if measurement.reentrant else "not re-entrant"]
    return found + (["destroys the key"] if measurement.destroys_key else [])


def short_marks(measurement: Measurement) -> str:
    """The marks as letters: C constant path (tested), R re-entrant, K destroys the key."""
    flags = (measurement.cost.constant_path, measurement.reentrant, measurement.destroys_key)
    return "".join(letter for letter, flag in zip("CRK", flags, strict=True) if flag)


def proof(certificate: Certificate | None) -> str:
    """A certificate in one line; it says no more than was proved."""
    if certificate is None:
        return "nothing searched yet"
    space = f"of {int(certificate.space):,} variants, {certificate.measured:,} measured"
    match certificate.kind:
        case "optimal":
            return f"proved optimal: {space}"
        case "optimal under additivity":
            return f"optimal under additivity (margin {cycles(certificate.margin)}): {space}"
        case "infeasible":
            return f"proved that none fits: {space}{_reach(certificate)}"
        case "best found":
            bound = "none" if certificate.bound is None else cycles(certificate.bound)
            return f"best found (bound {bound}): {space}"
        case _:
            return f"best known, not proved: {space}"


def _reach(certificate: Certificate) -> str:
    least = ((certificate.least_rom, "ROM"), (certificate.least_ram, "RAM"))
    reach = [f"{size} B {what}" for size, what in least if size is not None]
    return f"; the space reaches {' and '.join(reach)}" if reach else ""
