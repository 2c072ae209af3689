"""Whether a dialect's text, read back, is the routine that it was written from."""

from dataclasses import replace

from tightfit.errors import WorkError
from tightfit.exporter.dialects.dialect import Dialect
from tightfit.harness.build import STUB_SECTION, Builder, Image
from tightfit.harness.elf import Section
from tightfit.harness.routine import Rejected, Routine


def check_round_trip(dialect: Dialect, routine: Routine, text: str, builder: Builder) -> None:
    """Check that a text in a dialect, read back to GNU form, links to the bytes of a routine.

    Raises
    ------
    UsageError
        The text is not in the dialect.
    WorkError
        It links to other bytes or does not assemble, or a tool is missing.
    """
    again = replace(routine, source=dialect.back(text))
    try:
        before, after = builder.build(routine), builder.build(again)
    except Rejected as error:
        raise WorkError(f"{dialect.words}: the text read back does not build: {error}") from None
    if difference := _difference(before, after):
        raise WorkError(f"{dialect.words}: the text read back has other bytes: {difference}")


def _difference(before: Image, after: Image) -> str | None:
    """The first difference between two images, in words."""
    sections, others = _sections(before), _sections(after)
    if sections.keys() != others.keys():
        return f"sections {', '.join(sections)} became {', '.join(others)}"
    for name, section in sections.items():
        if not _same(section, others[name]):
            return f"{name} of {section.size} bytes became another of {others[name].size}"
    return None


def _sections(image: Image) -> dict[str, Section]:
    return {
        section.name: section
        for section in image.elf.sections
        if section.name != STUB_SECTION and section.size
    }


def _same(first: Section, second: Section) -> bool:
    """Same place and bytes; GNU as fills a section with zeros up to its alignment, which does not count."""
    short, long = sorted((first, second), key=lambda section: section.size)
    fill = long.data[len(short.data) :]
    return (
        (first.address, first.load) == (second.address, second.load)
        and long.data[: len(short.data)] == short.data
        and not any(fill)
        and long.size - short.size < long.alignment
    )
