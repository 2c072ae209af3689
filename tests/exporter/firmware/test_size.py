"""Firmware grows by the ROM that is claimed, to the byte, as `size` counts it."""

from pathlib import Path

import pytest

from tightfit.targets import load_target, target_ids

from .compilers import assemble, compile_c, link, size
from .images import batches, checks, includes
from .winners import Winner, forms

FLAGS = {".text": "ax", ".rodata": "a", ".progmem": "a", ".data": "aw", ".bss": "aw"}
PAGE = 256
OPTIONS = ("-Os", "-Wl,--no-gc-sections")


@pytest.mark.parametrize("target, of", [(target, of) for target in target_ids() for of in forms(target)])
def test_firmware_grows_by_what_is_claimed(chosen, frame, target, of, tmp_path):
    wrong = []
    for batch in batches(chosen(target, of)):
        source = tmp_path / "checks.c"
        source.write_text(checks(batch))
        program = compile_c(target, ["-Os", *includes(batch)], source, tmp_path / "checks.o")
        hollows = {winner.name: hollow(target, winner) for winner in batch}
        for winner in batch:
            others = [empty for name, empty in hollows.items() if name != winner.name]
            before = [
                program,
                *frame(target).watched,
                *others,
                "-lgcc",
                page(target, winner, tmp_path / "page.s"),
            ]
            sizes = [
                size(target, link(target, OPTIONS, [*before, last], tmp_path / "image.elf"))
                for last in (hollows[winner.name], winner.object)
            ]
            if sizes[1] - sizes[0] != expected(target, winner):
                wrong.append(f"{winner}: {sizes[1] - sizes[0]} bytes, claimed {winner.cost.rom}")
    assert not wrong, wrong


def expected(target: str, winner: Winner) -> int:
    """The claimed ROM, plus the byte that aligns code behind odd constants."""
    constants = sum(section.size for section in winner.sections if section.name.startswith(".progmem"))
    return winner.cost.rom + constants % 2


def hollow(target: str, winner: Winner) -> Path:
    """An object with the same symbols but no code or data."""
    prefix = load_target(target).abi.symbol_prefix
    symbols = [f"{prefix}{winner.name}_{entry}" for entry in winner.entries]
    source = winner.object.with_suffix(".hollow.s")
    source.write_text("".join(f".global {symbol}\n{symbol}:\n" for symbol in symbols))
    return assemble(target, source, source.with_suffix(".o"))


def page(target: str, winner: Winner, source: Path) -> Path:
    """An object after which a routine's sections need no padding, since padding is not part of its ROM."""
    aligned = [section for section in winner.sections if section.alignment > 1 and section.name != ".bss"]
    lines = [
        f'.section {section.name}, "{_flags(section.name)}"\n.balign {PAGE}\n.skip {PAGE}\n'
        for section in aligned
    ]
    source.write_text("".join(lines))
    return assemble(target, source, source.with_suffix(".o"))


def _flags(section: str) -> str:
    return next(flags for name, flags in FLAGS.items() if section.startswith(name))
