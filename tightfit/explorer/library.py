"""A drop-in library as one zip file."""

import io
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from tightfit.exporter import default_name, export, prepare
from tightfit.records import Measurement


def zipped(found: Measurement) -> dict[str, Any]:
    """Name and bytes, in base64, of the zip file with the library of a variant."""
    variant = found.variant
    name = default_name(variant.primitive)
    command = (
        f"tightfit export {variant.primitive} {variant.operation} --target {variant.target} "
        f"--part {variant.part} --variant {variant.id}"
    )
    with TemporaryDirectory(prefix="tightfit-") as folder:
        done = export(prepare(found, name), Path(folder) / name, command=command)
        packed = io.BytesIO()
        with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
            for file in done.files:
                archive.write(done.folder / file, f"{name}/{file}")
    note = f"figures with the GNU interface not measured: {done.reason}" if done.reason else None
    return {"file": f"{name}_{variant.id}.zip", "base64": b64encode(packed.getvalue()).decode(), "note": note}
