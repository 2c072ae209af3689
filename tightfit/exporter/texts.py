"""The assembly file of a routine in its toolchain's dialect, and what was checked about it."""

from dataclasses import replace
from functools import cache

from tightfit.errors import UsageError
from tightfit.exporter.dialects import Dialect, dialects
from tightfit.exporter.prepared import GNU, Prepared, missing_tool
from tightfit.targets import load_target


@cache
def toolchains(target: str) -> tuple[str, ...]:
    """The toolchains that a library for a target can be for, GNU's first."""
    return (GNU, *dialects(target))


def check_toolchain(target: str, name: str) -> None:
    """Raise UsageError unless a target's libraries can be for a toolchain."""
    if name not in toolchains(target):
        raise UsageError(
            f"toolchain {name!r}: expected one that {target} has: {', '.join(toolchains(target))}"
        )


def dialect_of(prepared: Prepared) -> Dialect | None:
    """The dialect that a routine is written in; None for GNU's."""
    return dialects(prepared.measurement.variant.target).get(prepared.toolchain)


def suffix(prepared: Prepared) -> str:
    """Extension of the assembly file, with the full stop; `.S` is what Arduino takes too."""
    dialect = dialect_of(prepared)
    return dialect.extension if dialect else ".S"


def written(prepared: Prepared, gnu: str) -> str:
    """A GNU text of the routine, comments and all, in its toolchain's dialect.

    Raises
    ------
    UsageError
        The dialect cannot say something in it.
    """
    dialect = dialect_of(prepared)
    if dialect is None:
        return gnu
    symbol = load_target(prepared.measurement.variant.target).abi.symbol
    entries = [symbol(f"{prepared.name}_{entry}") for entry in prepared.rendered.entries]
    return dialect.source(gnu, dict.fromkeys(entries, prepared.as_exported.cost.ram_parts.stack))


def standing(prepared: Prepared, text: str) -> str:
    """How a text was checked: run with GNU's tools, or read back to GNU's form with the same bytes.

    Raises
    ------
    WorkError
        The text, read back, assembles to other bytes.
    """
    dialect, provenance = dialect_of(prepared), prepared.measurement.provenance
    if dialect is None:
        tools = f"{provenance.get('as', 'the GNU assembler')} and {provenance.get('ld', 'GNU ld')}"
        return f"Assembled and run with {tools}"
    missing = missing_tool(prepared.measurement.variant.target)
    if missing:
        return f"Text only, for {dialect.words}; the round trip was not made, as {missing}"
    _check(dialect, prepared, text)
    return (
        f"Text only, for {dialect.words}, checked by round trip: read back to GNU's form, it assembles to "
        f"the bytes that were measured"
    )


def _check(dialect: Dialect, prepared: Prepared, text: str) -> None:
    from tightfit.exporter.dialects.roundtrip import check_round_trip
    from tightfit.harness.bench import routine_of
    from tightfit.harness.build import Builder

    variant = prepared.measurement.variant
    target = load_target(variant.target)
    routine = routine_of(variant, prepared.rendered, prepared.name)
    builder = Builder(target, target.part(variant.part))
    try:
        check_round_trip(dialect, replace(routine, source=prepared.source, emissions=()), text, builder)
    finally:
        builder.close()
