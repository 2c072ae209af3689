"""The C of exported libraries: self-test and examples, without a warning, on every simulator."""

from itertools import cycle
from pathlib import Path

from .boards import boards
from .compilers import assemble, levels, link
from .winners import Winner


def kinds(winners: list[Winner]) -> list[Winner]:
    """A winner for each distinct C text; the parameter block, which other tests cover, is ignored."""
    return list({(tuple(winner.entries), winner.destroys_key): winner for winner in winners}.values())


def programs(folder: Path) -> list[Path]:
    """The examples of a library, the one that runs the self-test first."""
    return sorted(folder.glob("examples/*.c"), key=lambda file: (file.stem != "main", file.stem))


def test_self_test_and_examples(exported, tmp_path):
    target, known, supports = exported
    start = [support for support in supports if support.stem != "supervised"]
    every = levels(target)
    turns = cycle(every)
    for winner in kinds(known):
        objects = [
            assemble(target, source, source.with_suffix(".o")) for source in winner.folder.rglob("*.S")
        ]
        main, *others = programs(winner.folder)
        runs = [(main, level) for level in every] + [(example, next(turns)) for example in others]
        for example, level in runs:
            sources = [example, *sorted(winner.folder.glob("src/*.c")), *objects, *start]
            options = [*every[level], f"-I{winner.include}"]
            image = link(target, options, sources, tmp_path / "example.elf")
            for board, run in boards(target, [winner]).items():
                ending = run(target, image)
                fault = (str(winner), example.name, level, board, ending)
                assert not ending.trouble and not ending.code, fault
