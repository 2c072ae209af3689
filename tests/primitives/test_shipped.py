"""What our own primitives must have, and what is optional for any other."""

import pytest

from tests.shipped import PRIMITIVES, TARGETS
from tightfit.contenders.baselines import source_of
from tightfit.generator import load_space
from tightfit.generator.notes import load_notes
from tightfit.primitives import load_primitive, primitive_ids

OPERATIONS = {
    "block-cipher": {"encrypt", "encrypt+decrypt", "encrypt-next"},
    "hash": {"hash"},
    "mac": {"mac"},
    "stream-cipher": {"encrypt", "encrypt-next"},
    "aead": {"seal", "open", "seal+open"},
}
OPTIONAL = {"decrypt", "decrypt-next"}
UNPUBLISHED = {"grain-v1", "simon64-128", "sosemanuk"}
"""Of which no figure in cycles of a microcontroller of these targets was found."""
EVERY = [pytest.param(load_primitive(name), id=name) for name in PRIMITIVES]
EVERYWHERE = [pytest.param(target, name, id=f"{target}-{name}") for target in TARGETS for name in PRIMITIVES]


def test_they_are_there():
    assert set(PRIMITIVES) <= set(primitive_ids())


@pytest.mark.parametrize("primitive", EVERY)
def test_operations_and_sources(primitive):
    assert set(primitive.operations) - OPTIONAL == OPERATIONS[primitive.kind]
    assert source_of(primitive) is not None or primitive.over
    assert (
        primitive.security.bits <= 4 * primitive.digest_bytes or primitive.security.bits <= primitive.key_bits
    )
    compared = primitive.published() or primitive.over or primitive.id.startswith("sha3-")
    assert bool(compared) != (primitive.id in UNPUBLISHED)


@pytest.mark.parametrize("primitive", EVERY)
def test_vectors(primitive):
    vectors = primitive.vectors()
    if primitive.kind == "block-cipher":
        assert any(vector.iterations > 1 for vector in vectors)
        return
    if primitive.kind not in ("hash", "mac"):
        return
    edges = {0, primitive.block_bytes - 1, primitive.block_bytes, primitive.block_bytes + 1}
    assert edges <= {len(vector.message) for vector in vectors}


@pytest.mark.parametrize(("target", "primitive"), EVERYWHERE)
def test_templates_have_notes_and_a_floor(target, primitive):
    space = load_space(target, primitive)
    assert load_notes(target, primitive).templates.keys() == space.templates.keys()
    assert (space.folder / "floor.md").is_file() or list(space.folder.glob("*/floor.md"))
    offered = {operation for spec in space.templates.values() for operation in spec.operations}
    assert offered == set(load_primitive(primitive).operations)
