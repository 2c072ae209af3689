"""`tightfit show`."""

import click

from tightfit import extras
from tightfit.commands.options import json_option, variant_argument
from tightfit.commands.output import emit, note
from tightfit.errors import TightfitError
from tightfit.records import Contender, Measurement
from tightfit.reports import measured
from tightfit.reports.known import Current
from tightfit.reports.variant import variant_report, variant_text
from tightfit.reports.view import view


@click.command("show")
@variant_argument
@click.option("--no-listing", is_flag=True, help="Leave out the listing, which needs the toolchain.")
@json_option
def command(variant: str, no_listing: bool, as_json: bool) -> None:
    """A variant: knobs, cost split by fragment, listing with cycles per line.

    VARIANT is an id, or as many of its first digits as tell it apart. Of a C baseline or an external routine:
    what made it, its figures, or why it was rejected.
    """
    with view() as store:
        contender = store.contender(variant)
        if contender is not None:
            _show_contender(store, contender, as_json)
            return
        measurement = store.by_id(variant)
        cells = store.cells(
            target=measurement.variant.target,
            part=measurement.variant.part,
            primitive=measurement.variant.primitive,
            operation=measurement.variant.operation,
        )
    report, text = variant_report(measurement, cells), variant_text(measurement, cells)
    lines, listed = (None, "") if no_listing or measurement.cost is None else _listing(measurement)
    emit({**report, "listing": lines}, text + listed, as_json)


def _show_contender(store: Current, contender: Contender, as_json: bool) -> None:
    """A routine that tightfit did not generate, in the words of `measure`."""
    beside = measured.beside_ours(store, [contender])
    facts = "\n".join(f"{name}: {value}" for name, value in contender.provenance.items())
    emit(measured.form(beside), f"{measured.text(beside)}\n{facts}", as_json)


def _listing(measurement: Measurement) -> tuple[list | None, str]:
    """The listing as JSON and as text; where a tool is missing, only the line that says so."""
    if absent := extras.missing("search"):
        note(f"no listing: {absent}")
        return None, ""
    try:
        from tightfit.reports import listing

        listed = listing.listing(measurement.variant)
    except TightfitError as error:
        note(f"no listing: {error}")
        return None, ""
    return listing.listing_form(listed), f"\nlisting: bytes, and cycles of one call\n{listing.text(listed)}"
