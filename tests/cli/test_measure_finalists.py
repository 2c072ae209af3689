"""`measure --finalists`: the table of the finalists of AES."""

import json

import pytest

from tightfit.contenders import finalists
from tightfit.schemas import validator


def test_the_table_of_the_study(tightfit, monkeypatch):
    short = ("Rijndael", "RC6")
    real = finalists.measure
    monkeypatch.setattr(finalists, "measure", lambda *asked: real(*asked, gate="search", names=short))
    outcome = tightfit("measure", "--finalists", "--target", "avr", "--level=-Os", "--json")
    data = json.loads(outcome.out)
    validator("measure-finalists").validate(data)
    assert (outcome.status, [row["finalist"] for row in data["finalists"]]) == (0, [*short])
    shown = tightfit("measure", "--finalists", "--target", "avr", "--level=-Os")
    assert shown.status == 0 and f"{data['finalists'][0]['rom']:,}" in shown.out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "measure PATH... or measure --finalists: expected one of them"),
        (("x.c", "--finalists"), "measure PATH... or measure --finalists: expected one of them"),
        (("--finalists", "--primitive", "aes-128"), "--finalists: expected no --primitive beside it"),
        (("--finalists", "--header", "a.h"), "--finalists: expected no --header beside it"),
    ],
)
def test_what_does_not_go_with_the_table(tightfit, words, reason):
    outcome = tightfit("measure", "--target", "avr", *words)
    assert (outcome.status, reason in outcome.err) == (2, True)
