"""A drop-in library as one zip file."""

import io
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from tightfit.errors import UsageError
from tightfit.explorer import data
from tightfit.exporter import default_name, export, prepare
from tightfit.records import Measurement
from tightfit.reports import words
from tightfit.reports.known import memory_of
from tightfit.targets import Part, load_target


def zipped(measurement: Measurement, part_name: str) -> dict[str, Any]:
    """Name and bytes, in base64, of the zip file with the library of a variant for a part.

    Raises
    ------
    UsageError
        The variant was not simulated for the part's core class, or does not fit the part.
    WorkError
        The routine fails with the interface of the toolchain.
    """
    variant = measurement.variant
    part = load_target(variant.target).part(part_name)
    _check(measurement, part)
    name = default_name(variant.primitive)
    command = (
        f"tightfit export {variant.primitive} {variant.operation} --target {variant.target} "
        f"--part {part.name} --variant {variant.id}"
    )
    with TemporaryDirectory(prefix="tightfit-") as folder:
        done = export(prepare(measurement, name), Path(folder) / name, command=command, part=part.name)
        packed = io.BytesIO()
        with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
            for file in done.files:
                archive.write(done.folder / file, f"{name}/{file}")
    note = f"figures with the GNU interface not measured: {done.reason}" if done.reason else None
    return {"file": f"{name}_{variant.id}.zip", "base64": b64encode(packed.getvalue()).decode(), "note": note}


def _check(measurement: Measurement, part: Part) -> None:
    variant, cost, memory = measurement.variant, measurement.cost, memory_of(part)
    if cost is None:
        raise UsageError(f"variant {variant.id} was rejected: {measurement.rejected}")
    if variant.part != part.simulated:
        raise UsageError(f"variant {variant.id} was simulated on {variant.part}, not for {part.name}")
    if not data.fits(cost, memory):
        raise UsageError(
            f"variant {variant.id} takes {cost.rom:,} B of ROM and {cost.ram:,} B of RAM; {part.name} has "
            f"{words.bounds(memory)}"
        )
