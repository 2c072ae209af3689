"""An assembled RL78 snippet in a fresh machine."""

import pytest

from .assembly import assemble
from .rl78 import rl78
from .snippets import Snippet, lines, machine

START = 0x1000


@pytest.fixture
def snippet(tmp_path):
    """Assemble instructions with `;` between them; code at 01000, stack from FE00 down."""

    def make(source: str, core: str = "rl78-s3", **options) -> Snippet:
        code, labels = assemble(lines(source), tmp_path, start=START)
        return machine(rl78(core, **options), code, labels, START, (0xFE00, 0xFD00))

    return make
