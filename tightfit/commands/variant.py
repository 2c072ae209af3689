"""`show`: one variant of the store."""

import click

from tightfit.commands.options import json_option, variant_argument
from tightfit.commands.output import emit, note
from tightfit.errors import TightfitError
from tightfit.harness.store import Store
from tightfit.records import Measurement
from tightfit.reports.variant import variant_report, variant_text


@click.command()
@variant_argument
@click.option("--no-listing", is_flag=True, help="Leave out the listing, which needs the toolchain.")
@json_option
def show(variant: str, no_listing: bool, as_json: bool) -> None:
    """Knobs, cost split by fragment, listing with cycles per line.

    VARIANT is an id, or as many of its first digits as tell it apart.
    """
    with Store.open(read_only=True) as store:
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


def _listing(measurement: Measurement) -> tuple[list | None, str]:
    """The listing as JSON and as text; where a tool is missing, only the line that says so."""
    try:
        from tightfit.reports import listing

        found = listing.listing(measurement.variant)
    except TightfitError as error:
        note(f"no listing: {error}")
        return None, ""
    return listing.listing_form(found), f"\nlisting: bytes, and cycles of one call\n{listing.text(found)}"
