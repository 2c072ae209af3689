"""Lines of the templates: how many are shared, belong to one template, or are written twice.

    python benchmarks/template_lines.py

Only lines with code count, no blank lines and no comments. `library` counts `templates/tables` and
`<target>/lib`, `shared` what the templates of one primitive share, `own` the rest. A line is written twice if
it lies in a run of six lines that also stands somewhere else, letter for letter.
"""

import re
from collections import Counter, defaultdict
from pathlib import Path

from tightfit.paths import PACKAGE

RUN = 6
_COMMENT = re.compile(r"\{#.*?#\}", re.S)


def code(file: Path) -> list[str]:
    """The lines of a template that are code, without the white space round them."""
    text = _COMMENT.sub("", file.read_text(encoding="utf-8"))
    lines = (" ".join(line.partition(";")[0].split()) for line in text.splitlines())
    return [line for line in lines if line]


def twice(files: dict[Path, list[str]]) -> dict[Path, int]:
    """Number of lines in each file that lie in a run of lines that stands in several places."""
    places = defaultdict(list)
    for file, lines in files.items():
        for start in range(len(lines) - RUN + 1):
            places[tuple(lines[start : start + RUN])].append((file, start))
    covered = defaultdict(set)
    for repeats in places.values():
        if len(repeats) > 1:
            for file, start in repeats:
                covered[file].update(range(start, start + RUN))
    return {file: len(lines) for file, lines in covered.items()}


def share(file: Path, root: Path) -> tuple[str, str]:
    """(target, `library`, `shared` or `own`) of a file."""
    parts = file.relative_to(root).parts
    if parts[0] == "tables" or parts[1] == "lib":
        return "all" if parts[0] == "tables" else parts[0], "library"
    return parts[0], "shared" if parts[2] == "shared" or len(parts) == 3 else "own"


def table(root: Path) -> list[tuple[str, Counter]]:
    """A row for each target, and one for all of them."""
    files = {file: code(file) for file in sorted(root.rglob("*.j2"))}
    doubled = twice(files)
    rows: dict[str, Counter] = defaultdict(Counter)
    for file, lines in files.items():
        target, kind = share(file, root)
        for name in dict.fromkeys((target, "sum")):
            rows[name][kind] += len(lines)
            rows[name]["lines"] += len(lines)
            rows[name]["twice"] += doubled.get(file, 0)
    return sorted(rows.items(), key=lambda row: (row[0] == "sum", row[0]))


def main() -> None:
    columns = ("lines", "library", "shared", "own", "twice")
    print(f"{'target':8}" + "".join(f"{name:>9}" for name in columns))
    for target, counts in table(PACKAGE / "templates"):
        print(f"{target:8}" + "".join(f"{counts[name]:9,}" for name in columns))


if __name__ == "__main__":
    main()
