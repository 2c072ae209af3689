"""A wheel carries the portfolio and the simulator's source, which a checkout has beside the package."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    """Puts what `tightfit.paths` looks for into the wheel, but not into an editable installation."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":
            build_data["force_include"] |= {name: f"tightfit/_{name}" for name in ("portfolio", "simulator")}
