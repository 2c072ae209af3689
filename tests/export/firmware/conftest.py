"""The winners of a target and primitive, exported once for all tests of a module."""

import pytest

from tightfit.export.figures import read_figures
from tightfit.export.interfaces import load_interface
from tightfit.primitives import primitive_ids
from tightfit.targets import target_ids

from .images import supports
from .winners import winners


def shipped(interface, routine, variant):
    """The cost that ships, in place of a measurement."""
    return read_figures(variant.target, variant.primitive)[variant.id].cost


@pytest.fixture(scope="module", params=[(t, p) for t in target_ids() for p in primitive_ids()], ids=" ".join)
def exported(request, tmp_path_factory):
    """Target, winners with the figures that ship, and the objects that every program needs."""
    target, primitive = request.param
    folder = tmp_path_factory.mktemp("exported")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(load_interface(target)), "measure", shipped)
        return target, winners(target, primitive, folder), supports(target, folder)
