"""Where a question is asked that names no target."""

from tightfit.generator import spaces
from tightfit.reports import subject
from tightfit.reports.scope import scope


def asked(*words):
    return {target.id for target, _ in scope(words).places}


def test_it_is_asked_of_the_targets_that_have_templates():
    assert asked("aes-128") == {target for target, _ in spaces()}


def test_a_target_without_templates_is_asked_by_its_name_or_that_of_a_part(monkeypatch):
    monkeypatch.setattr(subject, "generated_targets", lambda: ["avr"])
    assert asked("aes-128") == {"avr"} == {target.id for target, _ in subject.classes()}
    assert asked("aes-128", "rl78") == asked("aes-128", "R5F100xE") == {"rl78"}
