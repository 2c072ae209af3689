"""`tightfit try`: one variant of a template, its cost or which line is at fault."""

import json
import re

import pytest

from tightfit.generator import folders, load_space
from tightfit.generator.naming import variant_named
from tightfit.harness.bench import Bench
from tightfit.paths import PACKAGE
from tightfit.schemas import validator
from tightfit.targets import load_target, target_ids

TINY = "avr/present-80/tiny"
DECLARED = """\
doc: one
operations: [encrypt]
knobs:
  way: {values: [plain, other]}
block:
  - {name: text, bytes: 8}
  - {name: key, bytes: 10}
"""
MAIN = """\
{% import "lib/words.s.j2" as words %}
{% routine "encrypt" %}
{% fragment "step" reads="way" %}
{% if k.way == "other" %}
        OTHER
{% endif %}
        MAIN
{{ words.twice() }}
{% include "shared/end.s.j2" %}
{% endfragment %}
{% endroutine %}
"""
LIB = """\
{% macro twice() -%}
{% for turn in range(2) %}
        LIB
{% endfor %}
{%- endmacro %}
"""
SHARED = "{#- The end. -#}\n        SHARED\n        BACK\n"
FORMS = {
    "main": ("main.s.j2", 7),
    "lib": ("words.s.j2", 3),
    "shared": ("end.s.j2", 2),
    "other": ("main.s.j2", 5),
}
JUMPS = {"armv6m": "b", "avr": "rjmp", "msp430": "jmp", "rl78": "br $", "rv32e": "j"}


@pytest.fixture
def template(tmp_path, monkeypatch):
    """Write a template whose lines are as said, `nop` otherwise."""

    def write(target: str = "avr", ending: str = "\n", **lines: str) -> str:
        folder = tmp_path / "templates" / target / "present-80"
        texts = {
            folder / "one/template.yaml": DECLARED,
            folder / "one/main.s.j2": MAIN,
            folder / "shared/end.s.j2": SHARED,
            folder.parent / "lib/words.s.j2": LIB,
        }
        for file, text in texts.items():
            text = text.replace("BACK", load_target(target).returns)
            for name in FORMS:
                text = text.replace(name.upper(), lines.get(name, "nop"))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.replace("\n", ending).encode())
        return f"{target}/present-80/one"

    monkeypatch.setattr(folders, "PACKAGE", tmp_path)
    load_space.cache_clear()
    yield write
    load_space.cache_clear()


def tried(tightfit, *words, status: int = 1) -> dict:
    outcome = tightfit("try", *words, "--json")
    assert outcome.status == status
    reply = json.loads(outcome.out)
    validator("try").validate(reply)
    assert outcome.err == (f"rejected: {reply['rejected']}\n" if status else "")
    return reply


def test_cost_and_fragments_are_those_of_the_bench(tightfit):
    variant = variant_named(TINY, {})
    with Bench(variant.target, variant.part, variant.primitive) as bench:
        cost = bench.measure(variant).cost
    reply = tried(tightfit, TINY, status=0)
    assert (reply["cost"]["rom"], reply["cost"]["cycles"]) == (cost.rom, cost.cycles)
    assert sum(share["rom"] for share in reply["fragments"]) == cost.rom
    assert (reply["place"], reply["source"], reply["rejected"]) == (None, None, None)


def test_what_the_page_on_primitives_shows(tightfit):
    page = (PACKAGE.parent / "docs" / "adding-a-primitive.md").read_text()
    command, shown = re.search(
        r"```\ntightfit try (.* rotate=.*)\n```.*?```\n(cost\n.*?)```", page, re.DOTALL
    ).groups()
    lines = tightfit("try", *command.split()).out.splitlines()
    assert [line for line in shown.splitlines() if line not in lines] == []


def test_the_text_and_the_source(tightfit):
    outcome = tightfit("try", TINY, "--source", "--operation", "encrypt+decrypt", "--part", "ATtiny85")
    assert outcome.status == 0
    assert "present-80 encrypt+decrypt on avr (ATtiny85), template tiny" in outcome.out
    assert "where the bytes and the cycles are" in outcome.out
    assert "         .global tf_decrypt\n" in outcome.out


@pytest.mark.parametrize("where", FORMS)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_an_instruction_that_there_is_not(tightfit, template, where, ending):
    name = template(ending=ending, **{where: "bogus r1"})
    reply = tried(tightfit, name, *(["way=other"] if where == "other" else []))
    file, line = FORMS[where]
    assert reply["rejected"].startswith("assembler: ") and "bogus" in reply["rejected"]
    assert reply["place"]["fragment"] == "step" and reply["place"]["text"].strip() == "bogus r1"
    assert reply["place"]["template"].endswith(f"/{file}") and reply["place"]["template_line"] == line
    assert f":{reply['place']['source_line']}:" in reply["rejected"]


@pytest.mark.parametrize("target", target_ids())
@pytest.mark.parametrize("fault", ["bogus", "missing", "hang"])
def test_a_fault_on_every_target(tightfit, template, target, fault):
    """An unknown instruction, a symbol that the linker does not find, a loop without end."""
    jump = JUMPS[target]
    line = {
        "bogus": "bogus",
        "missing": ".word missing",
        "hang": f".Lhang: {jump} .Lhang".replace("$ ", "$"),
    }[fault]
    reply = tried(tightfit, template(target, main=line))
    assert (reply["place"]["fragment"], reply["place"]["template_line"]) == ("step", 7)
    assert reply["place"]["text"].strip() == line


def test_a_rejection_that_no_line_is_to_blame_for(tightfit, template):
    reply = tried(tightfit, template(), "--gate", "full")
    assert reply["rejected"].startswith("wrong answer: encrypt of text") and reply["place"] is None


def test_an_entry_that_is_missing(tightfit, template, tmp_path):
    name = template()
    file = tmp_path / "templates" / name / "main.s.j2"
    file.write_text(file.read_text().replace('routine "encrypt"', 'routine "encode"'))
    reply = tried(tightfit, name)
    assert "undefined reference to `tf_encrypt'" in reply["rejected"] and reply["place"] is None


def test_a_rejection_as_text(tightfit, template):
    outcome = tightfit("try", template(lib="bogus r1"))
    assert outcome.status == 1
    reason, *place = outcome.out.rstrip().splitlines()[-4:]
    assert reason.startswith("rejected: assembler: routine.s:")
    names = [row.split()[0] for row in place]
    assert names == ["fragment", "template", "line"]
    assert place[1].endswith("/lib/words.s.j2:3") and place[2].endswith("  bogus r1")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["avr/present-80/tinny"], "no template 'tinny'; the nearest: tiny, ring"),
        ([TINY, "loop"], "'loop': expected knob=value"),
        (["rl78/aes-128/compact", "sbx=ram"], "no knob 'sbx'; the nearest: sbox"),
        (["rl78/aes-128/compact", "sbox=rma"], "no value 'rma' of knob sbox; the nearest: ram"),
        ([TINY, "--gate", "open"], "'open' is not one of 'search', 'full'"),
    ],
)
def test_a_wrong_word_is_one_line(tightfit, no_tools, words, line):
    outcome = tightfit("try", *words)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert line in outcome.err


def test_without_a_toolchain(tightfit, no_tools):
    outcome = tightfit("try", "rl78/present-80/tiny")
    assert (outcome.status, outcome.err) == (
        1,
        "tightfit: rl78-elf-as is missing; `tightfit setup rl78` gets it\n",
    )
