"""A wheel carries portfolio, simulator and ready answers, which a checkout has beside the package."""

import lzma
import shutil
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    """Puts what `tightfit.paths` looks for into a wheel, but not into an editable installation.

    The texts of the portfolio, which answers are not read from, are packed.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from tightfit.readyfile import SHIPPED
            from tightfit.reports.indexing import make_to_ship
        finally:
            sys.path.remove(str(root))
        self.made = Path(mkdtemp())
        make_to_ship(self.made / SHIPPED)
        included = {str(self.made / SHIPPED): f"tightfit/{SHIPPED}", "simulator": "tightfit/_simulator"}
        for file in sorted(path for path in (root / "portfolio").rglob("*") if path.is_file()):
            name = file.relative_to(root / "portfolio")
            if file.suffix in (".json", ".jsonl"):
                beside = self.made / "portfolio" / name.with_name(f"{name.name}.xz")
                beside.parent.mkdir(parents=True, exist_ok=True)
                beside.write_bytes(lzma.compress(file.read_bytes(), preset=1))
                file, name = beside, name.with_name(beside.name)
            included[str(file)] = f"tightfit/_portfolio/{name}"
        build_data["force_include"] |= included

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version == "standard":
            shutil.rmtree(self.made)
