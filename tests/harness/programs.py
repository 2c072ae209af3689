"""Small programs in assembly, as firmware of a target."""

import subprocess
from pathlib import Path

from tightfit.targets import load_target
from tightfit.targets.toolchain import tool


def program(target_id: str, source: str, folder: Path) -> Path:
    """The image of a source that begins at `_start`."""
    target = load_target(target_id)
    part = target.part()
    (folder / "t.s").write_text(source)
    subprocess.run([tool(target_id, "as"), *part.assemble, "t.s", "-o", "t.o"], cwd=folder, check=True)
    options = [*target.link_options(part), "-e", "_start"]
    subprocess.run([tool(target_id, "ld"), *options, "-o", "t.elf", "t.o"], cwd=folder, check=True)
    return folder / "t.elf"
