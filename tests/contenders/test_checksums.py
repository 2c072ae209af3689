"""SUPERCOP's checksums: those of its tree, by our references, and of what is measured, on the simulator."""

import pytest

from tightfit.contenders import checksums, supercoptree
from tightfit.errors import UsageError
from tightfit.primitives import load_primitive

from . import guests

pytestmark = pytest.mark.dear("compiled C through the gate")

PUBLISHED = {
    "keccak-256": "995ec6efa3a2e23e34c2b0fba46e55fd634c414173019d6437858741a70a82f2",
    "keccak-512": "e76c5669450be730432e26b6f6ced608a3536509e28c8d38b07ebaf64c95500a",
    "blake-256": "3b1dd815e015dd0ba095ff895f68c51124cc84bd98f1f5b3537def6057a8aa19",
    "trivium": "94b286b9743aa84fdc6fddde56ccaa43cea63e8d9902039ce0b482af1a9a9a32",
    "aes-128-ctr": "542c6cb8c77a73baa3ae824404a58e9275443a9e37ed8490ced26ac7a4e2bf85",
    "rabbit": "11c0d54a053cfed38ab1c79d29b36cf05511ac82274ad6a22a77e77a3d41463d",
    "hc-128": "0cc960d95b61f835f47fe841488db4a6c7d81d7c71654b54076a7acd938566c7",
    "aes-128-gcm": "4263556d575c8d8d4b868cbf71d24359eabb09398c4b91af9f6c6893b24d9e49",
    "hmac-sha-256": "0e2353400319630aecd4e8f0865325c51927fca117f6a50a2bc75bffba06e07a",
}
"""Files `checksumsmall` in SUPERCOP, as mirrored in github.com/floodyberry/supercop at 3b8d1d3985c8."""
NAMED = [
    pytest.param(of["primitive"], of["checksumsmall"], id=f"{kind}/{name}")
    for kind, rest in supercoptree.names().items()
    for name, of in rest.items()
    if "checksumsmall" in of
]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("primitive", PUBLISHED)
def test_the_rule_gives_what_supercop_publishes(primitive):
    assert checksums.of_reference(load_primitive(primitive)) == PUBLISHED[primitive]


@pytest.mark.parametrize("primitive, checksum", NAMED)
def test_the_checksums_that_are_expected_are_those_of_our_references(primitive, checksum):
    assert PUBLISHED.get(primitive, checksum) == checksum
    if primitive not in PUBLISHED:
        assert checksums.of_reference(load_primitive(primitive)) == checksum


def measured(folder):
    return guests.measured(folder, flags=guests.SPEED, gate="full")


def test_what_is_measured_has_the_checksum_of_its_tree(tmp_path):
    folder = guests.implementation(tmp_path, "trivium", "trivium")
    file = folder.parent / "checksumsmall"
    file.write_text(PUBLISHED["trivium"] + "\n")
    assert measured(folder).rejected is None
    file.write_text(PUBLISHED["aes-128-ctr"] + "\n")
    with pytest.raises(UsageError, match=f"checksumsmall: expected {PUBLISHED['trivium']}, that of trivium"):
        measured(folder)
    file.write_text("sum\n")
    with pytest.raises(UsageError, match="found 'sum'"):
        measured(folder)


def test_an_input_that_only_the_checksum_has(tmp_path):
    drawn = checksums._Drawn()
    while not drawn.length():
        pass
    iv, key = drawn.bytes(10), drawn.bytes(10)
    odd = f"c[0] ^= n[0] == {iv[0]} && n[1] == {iv[1]} && n[2] == {iv[2]} && k[0] == {key[0]}"
    folder = guests.implementation(tmp_path, "trivium", "trivium", after=odd)
    assert measured(folder).rejected.startswith(f"checksumsmall: expected {PUBLISHED['trivium']}, found ")
