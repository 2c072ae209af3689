"""The C of exported libraries: self-test and example, without a warning, on every simulator."""

from .boards import boards
from .compilers import assemble, levels, link
from .winners import Winner


def kinds(winners: list[Winner]) -> list[Winner]:
    """A winner for each distinct C text; the parameter block, which other tests cover, is ignored."""
    return list({(tuple(winner.entries), winner.destroys_key): winner for winner in winners}.values())


def test_self_test_and_example(exported, tmp_path):
    target, known, supports = exported
    start = [support for support in supports if support.stem != "supervised"]
    for winner in kinds(known):
        objects = [
            assemble(target, source, source.with_suffix(".o")) for source in winner.folder.rglob("*.S")
        ]
        for level, options in levels(target).items():
            sources = [*sorted(winner.folder.rglob("*.c")), *objects, *start]
            image = link(target, [*options, f"-I{winner.include}"], sources, tmp_path / "example.elf")
            for board, run in boards(target, [winner]).items():
                ending = run(target, image)
                assert not ending.trouble and not ending.code, (str(winner), level, board, ending)
