"""Exported winners, called by C, on every simulator: one batch at every level of the compiler."""

from itertools import cycle

from .boards import boards, faults
from .compilers import levels
from .images import batches, image


def test_every_winner_keeps_the_convention(exported, tmp_path):
    target, known, supports = exported
    every = levels(target)
    turns = cycle(every)
    for number, batch in enumerate(batches(known)):
        for level, options in every.items() if number == 0 else [(turn := next(turns), every[turn])]:
            folder = tmp_path / f"{number}{level}"
            folder.mkdir()
            program = image(target, options, batch, supports, folder)
            for board, run in boards(target, batch).items():
                ending = run(target, program)
                faulty = faults(ending, batch)
                assert not ending.trouble and not ending.code and not faulty, (board, level, ending, faulty)
