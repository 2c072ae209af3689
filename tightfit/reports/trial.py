"""One variant that was tried: its cost by fragment, or why it was rejected and by which line."""

from dataclasses import dataclass

from tightfit.generator.sourcelines import SourceLine
from tightfit.records import Measurement
from tightfit.reports.variant import variant_report, variant_text


@dataclass(frozen=True)
class Trial:
    """A measurement that is not kept, the line that a rejection is about, and the assembled source."""

    measurement: Measurement
    line: SourceLine | None
    source: str


def form(trial: Trial, with_source: bool) -> dict:
    """A trial as plain JSON."""
    report = variant_report(trial.measurement, ())
    del report["wins"]
    line = trial.line
    place = line and {
        "fragment": line.fragment,
        "template": str(line.template) if line.template else None,
        "template_line": line.template_line if line.template else None,
        "source_line": line.number,
        "text": line.text,
    }
    return {**report, "place": place, "source": trial.source if with_source else None}


def text(trial: Trial, with_source: bool) -> str:
    """A trial as `try` prints it."""
    place = "" if trial.line is None else "\n".join(["", *_place(trial.line), ""])
    source = f"\n{_numbered(trial.source)}" if with_source else ""
    return variant_text(trial.measurement, ()) + place.removeprefix("\n") + source


def _place(line: SourceLine) -> list[str]:
    rows = [("fragment", line.fragment or "none")]
    if line.template is not None:
        rows.append(("template", f"{line.template}:{line.template_line}"))
    rows.append((f"line {line.number}", line.text.strip()))
    width = max(len(name) for name, _ in rows)
    return [f"  {name:{width}}  {said}" for name, said in rows]


def _numbered(source: str) -> str:
    lines = source.splitlines()
    width = len(str(len(lines)))
    return "\n".join(f"{number:{width}}  {line}".rstrip() for number, line in enumerate(lines, 1))
