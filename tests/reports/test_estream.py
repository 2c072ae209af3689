"""Stream ciphers by eSTREAM's measures: from the message-length curves of the winners."""

from fractions import Fraction

import pytest

from tightfit import api
from tightfit.curve import curve
from tightfit.reports import estream


@pytest.fixture(scope="module")
def pages():
    return api.table("avr", kind=estream.KIND)


def test_measures_are_those_of_the_curve(pages):
    page = next(page for page in pages if page.primitive.id == "chacha20" and page.operation == "encrypt")
    winner = next(answer.measurement for answer in page.answers if answer.measurement)
    found, points = estream.measures(winner), curve(winner)
    cycles = dict(zip(points.lengths, map(Fraction, points.cycles), strict=True))
    assert found.setup == winner.cost.by_entry["setup"].cycles
    assert found.packets[576] == cycles[576] / 576
    assert found.mix * (7 * 40 + 4 * 576 + 1500) == 7 * cycles[40] + 4 * cycles[576] + cycles[1500]
    assert found.stream == Fraction(winner.cost.by_entry["next"].cycles) / 64


def test_rows_are_the_winners_least_mix_first(pages):
    rows, (table,) = estream.form(pages)["rows"], estream.document(pages, "").tables
    assert [row["mix"] for row in rows] == sorted(row["mix"] for row in rows)
    assert {row["operation"] for row in rows} == {"encrypt", "encrypt-next"}
    assert len(table.rows) == len(rows) > 2
    assert all(row["stream"] < row["packets"]["40"] for row in rows)
