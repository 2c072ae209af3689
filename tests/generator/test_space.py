import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightfit.errors import UsageError
from tightfit.generator import load_space
from tightfit.generator.counting import count
from tightfit.generator.relations import Relation, sample, walk

from .toyspace import DATA, variant

ONE = """\
doc: one
operations: [encrypt]
knobs:
  a: {values: [x, y]}
  b: {values: [1, 2, 3], when: "k.a == 'y'"}
block:
  - {name: text, bytes: 16}
"""


def test_variants_are_lexicographic_and_pinned(declare):
    spec = declare(ONE).templates["one"]
    variants = [(knobs["a"], knobs["b"]) for knobs in spec.variants("encrypt")]
    assert variants == [("x", 1), ("y", 1), ("y", 2), ("y", 3)]
    assert spec.count("encrypt") == 4


def test_toy_space(toy):
    spec = toy.templates["mini"]
    everything = [
        dict(zip(spec.domains, values, strict=True)) for values in itertools.product(*spec.domains.values())
    ]
    kept = [knobs for knobs in everything if spec.contains("encrypt", knobs)]
    assert list(spec.variants("encrypt")) == kept
    assert toy.count("encrypt") == len(kept) == 2 * (3 * 2 + 2 * 2 + 3)


def test_layout_static_entries(toy):
    spec = toy.templates["mini"]
    knobs = {"table": "none", "step": "xor", "unroll": 1, "call": "inline"}
    assert spec.block_layout(knobs, "encrypt").fields == (("text", 0, 4), ("work", 4, 4), ("key", 8, 4))
    assert spec.block_layout(knobs, "encrypt").size == 12
    assert spec.block_layout({**knobs, "table": "ram"}, "encrypt").offset("key") == 6
    assert [spec.block_reads(name) for name in ("work", "key", "size")] == [set(), {"table"}, {"table"}]
    assert spec.static_bytes({**knobs, "table": "ram"}, "encrypt") == 4
    assert spec.entries(knobs, "encrypt+decrypt") == ("encrypt", "decrypt", "encrypt_next")
    assert spec.entries({**knobs, "table": "ram"}, "encrypt") == ("encrypt",)
    assert spec.destroys_key({**knobs, "step": "add"}, "encrypt")
    assert not spec.destroys_key({**knobs, "step": "add"}, "encrypt+decrypt")


def test_a_block_is_a_struct_of_an_even_size(declare):
    spec = declare(f"{ONE}  - {{name: work, bytes: k.b}}\n").templates["one"]
    layouts = [spec.block_layout({"a": "y", "b": b}, "encrypt") for b in (1, 2, 3)]
    assert [layout.end for layout in layouts] == [17, 18, 19]
    assert [layout.size for layout in layouts] == [18, 18, 20]


def test_first_violation(toy):
    spec = toy.templates["mini"]
    knobs = {"table": "none", "step": "xor", "unroll": 1, "call": "inline"}
    assert spec.first_violation("encrypt", knobs) is None
    assert "'hash'" in spec.first_violation("hash", knobs)
    assert "'call' missing" in spec.first_violation(
        "encrypt", {k: v for k, v in knobs.items() if k != "call"}
    )
    assert "'size' besides" in spec.first_violation("encrypt", {**knobs, "size": 1})
    assert "1, 2, 4" in spec.first_violation("encrypt", {**knobs, "unroll": 3})
    assert "step stays xor" in spec.first_violation("encrypt", {**knobs, "step": "add"})
    assert "table ram, unroll 4" in spec.first_violation("encrypt", {**knobs, "table": "ram", "unroll": 4})


@pytest.mark.parametrize(
    ("old", "new", "line", "found"),
    [
        ("when: \"k.a == 'y'\"", "when: \"k.a == 'z'\"", 5, "'z'"),
        ("when: \"k.a == 'y'\"", 'when: "k.b == 1"', 5, "k.b in its own"),
        ("[x, y]", "[x, true]", 4, "true"),
        ("[x, y]", "[]", 4, "0"),
        ("block:", "blocks:", 1, "blocks"),
        ("name: text", "name: size", 7, "'size'"),
        ("bytes: 16", 'bytes: "k.c"', 7, "k.c"),
        ("knobs:", "stack_reads: [c]\nknobs:", 3, "'c'"),
        ("knobs:", "\tknobs:", 3, "cannot start"),
    ],
)
def test_a_wrong_file_is_one_clear_line(declare, old, new, line, found):
    with pytest.raises(UsageError) as error:
        declare(ONE.replace(old, new))
    message = str(error.value)
    assert found in message and "expected" in message and "\n" not in message
    assert f"template.yaml:{line}" in message


def test_unknown_names_give_the_nearest():
    with pytest.raises(UsageError, match="no target 'rl87'; the nearest: .*rl78"):
        load_space("rl87", "toy", DATA)
    with pytest.raises(UsageError, match="no primitive 'tyo'; the nearest: toy"):
        load_space("rl78", "tyo", DATA)


def test_spec_of_a_variant(toy):
    with pytest.raises(UsageError, match="no template 'minni'"):
        toy.spec(variant("minni"))
    with pytest.raises(UsageError, match="template 'mini': expected the knobs"):
        toy.spec(variant("mini", table="none"))


@st.composite
def problems(draw):
    domains = {name: tuple(range(draw(st.integers(1, 3)))) for name in "abcde"[: draw(st.integers(1, 5))]}
    relations = []
    for _ in range(draw(st.integers(0, 4))):
        scope = tuple(sorted(draw(st.sets(st.sampled_from(sorted(domains)), min_size=0, max_size=3))))
        joint = list(itertools.product(*(domains[knob] for knob in scope)))
        relations.append(Relation(scope, draw(st.frozensets(st.sampled_from(joint))), ""))
    return domains, relations


@given(problems())
def test_walk_sample_and_count_agree_with_filtering(problem):
    domains, relations = problem
    everything = [dict(zip(domains, values, strict=True)) for values in itertools.product(*domains.values())]
    kept = [knobs for knobs in everything if all(relation.holds(knobs) for relation in relations)]
    assert list(walk(domains, relations)) == kept
    assert count(domains, relations) == len(kept)
    knob, rng = sorted(domains)[-1], random.Random(1)
    for value in domains[knob]:
        drawn = sample(domains, relations, rng, {knob: value})
        assert (drawn in kept and drawn[knob] == value) if drawn else all(k[knob] != value for k in kept)


def test_counts_a_space_nobody_can_enumerate():
    domains = {f"k{i}": tuple(range(8)) for i in range(40)}
    same = frozenset((v, v) for v in range(8))
    chain = [Relation((f"k{i}", f"k{i + 1}"), same, "") for i in range(0, 40, 2)]
    assert count(domains, chain) == 8**20


def test_templates_ask_whether_registers_have_addresses():
    apart = load_space("avr", "sha-256", part="ATtiny1614").templates
    together = load_space("avr", "sha-256", part="ATtiny85").templates
    assert apart["small"].count("hash") == 0 < together["small"].count("hash")
    assert 0 < apart["belt"].count("hash") < together["belt"].count("hash")
    assert apart["belt"].sample("hash", random.Random(0))["save"] == "straight"
