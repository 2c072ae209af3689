"""The exact search on real templates and the real bench, against the whole of a small part of their space."""

from dataclasses import replace

import pytest

from tightfit.generator import Space, TemplateSpec, load_space
from tightfit.generator.search import SearchSettings, fill_cells
from tightfit.harness.pool import pool_here
from tightfit.harness.store import Store
from tightfit.records import Budget
from tightfit.targets import load_target

SIZE = 64
BUDGETS = [
    *(Budget(f"{rom}/{ram}", rom, ram) for rom in (256, 512, 1024, None) for ram in (64, 128, None)),
    *(Budget(f"ROM-min/{ram}", None, ram, "rom") for ram in (64, None)),
]


def narrowed(spec: TemplateSpec, operation: str) -> TemplateSpec:
    """The template with two values for as many of its knobs, in order, as leave at most `SIZE` variants."""
    small = spec
    knobs = {name: replace(knob, values=knob.values[:1]) for name, knob in spec.knobs.items()}
    for name, knob in spec.knobs.items():
        wider = {**knobs, name: replace(knob, values=knob.values[:2])}
        if replace(spec, knobs=wider, _relations={}).count(operation) <= SIZE:
            knobs = wider
            small = replace(spec, knobs=knobs, _relations={})
    return small


@pytest.mark.parametrize("template", ["compact", "flat"])
def test_same_winners_as_measuring_the_whole_space(template, tmp_path):
    space = load_space("rl78", "aes-128")
    spec = narrowed(space.templates[template], "encrypt")
    space = Space(space.target, space.primitive, space.folder, {template: spec})
    part = load_target("rl78").default_part
    store = Store.open(tmp_path / "searched.sqlite")
    asked = []
    with pool_here(store, 1) as pool:

        def measure(variants):
            asked.extend(variants)
            return pool.measure(variants)

        solved = fill_cells(
            space, "encrypt", part, BUDGETS, measure, settings=SearchSettings(batch=4, enumerate_below=0)
        )
        searched = len(asked)
        whole = fill_cells(space, "encrypt", part, BUDGETS, measure)
    assert searched < spec.count("encrypt") == whole[0].certificate.measured
    assert [cell.variant_id for cell in solved] == [cell.variant_id for cell in whole]
    assert [cell.status for cell in solved] == [cell.status for cell in whole]
    assert {cell.certificate.kind for cell in whole} <= {"optimal", "infeasible"}
    assert {cell.certificate.proved for cell in solved} == {True}
