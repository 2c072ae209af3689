"""The C of exported libraries: self-test and examples, without a warning, on every simulator."""

import pytest

from tests import answers
from tests.coverings import covering
from tightfit.exporter.examples import examples
from tightfit.primitives import load_primitive
from tightfit.targets import target_ids

from .boards import check_runs
from .compilers import assemble, levels, link
from .winners import FILES, OPERATIONS, Winner, form, forms, primitives, way

EXAMPLES = {"block-cipher": ("ctr", "ccm"), "hash": ("hmac",)}
"""What there is beside `main`, which runs the self-test."""


def cases():
    """Each form on each target and at each level, each operation and each example on each target."""
    every = [
        (target, of, operation, program, level)
        for target in target_ids()
        for of in forms(target)
        for operation in OPERATIONS[form(of)]
        for program in ("main", *EXAMPLES.get(form(of), ()))
        for level in levels(target)
        if program == "main" or not operation.startswith("decrypt")
    ]

    def parts(case):
        target, of, operation, program, level = case
        if program == "main":
            return (target, of, operation), (of, level), (target, level)
        return ((target, of, program),)

    return covering(every, parts)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("target, of, operation, program, level", cases())
def test_self_test_and_examples(chosen, frame, target, of, operation, program, level, tmp_path):
    def wanted(winner: Winner) -> bool:
        there = (winner.folder / "examples" / f"{program}.c").is_file()
        return there and winner.measurement.variant.operation == operation

    for winner in one_of_each_way(chosen(target, of, wanted)):
        routines = winner.folder.rglob("*.S")
        objects = [assemble(target, source, tmp_path / f"{source.stem}.o") for source in routines]
        sources = [*sorted(winner.folder.glob("src/*.c")), *objects, *frame(target).start]
        options = [*levels(target)[level], f"-I{winner.include}"]
        example = winner.folder / "examples" / f"{program}.c"
        check_runs(target, link(target, options, [example, *sources], tmp_path / "example.elf"), [winner])


def one_of_each_way(winners: list[Winner]) -> list[Winner]:
    """A winner for each distinct C text; the parameter block, which other tests cover, is ignored."""
    return list({way(winner.measurement): winner for winner in winners}.values())


def test_every_operation_and_example_is_tried():
    """Of one primitive of every form and target, or in an exhaustive run of all."""
    for target in target_ids():
        for of in forms(target):
            primitive = primitives(target, of, "operations")[0]
            cells, _ = answers.cells_and_fronts(FILES[target, primitive])
            operations = {cell.operation for cell in cells}
            assert operations == set(OPERATIONS[form(primitive)]), (target, primitive)
            shown = examples(load_primitive(primitive), OPERATIONS[form(primitive)])
            assert set(shown) <= {*EXAMPLES.get(form(primitive), ())}, primitive
