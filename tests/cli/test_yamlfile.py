"""A malformed YAML file gets one line: file, line, what was expected, what was found."""

import os

import pytest

from tightfit import yamlcheck, yamlfile
from tightfit.errors import UsageError
from tightfit.paths import PACKAGE
from tightfit.yamlfile import Place, line_of, load_marked, load_yaml

SCHEMA = {
    "type": "object",
    "required": ["name"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string"},
        "size": {"type": "integer", "minimum": 1},
        "kind": {"enum": ["block-cipher", "hash"]},
        "items": {"type": "array", "minItems": 1, "items": {"type": "integer"}},
    },
}


@pytest.mark.parametrize(
    "text, message",
    [
        ("name: [1\n", "2: expected YAML, found "),
        ("name: a\nname: b\n", '2: expected YAML, found duplicate key "name"'),
        ("- a\n", "1: expected a mapping, found a list"),
        ("", "1: expected a mapping, found nothing"),
        ("size: 3\n", "1: expected a key 'name', found the keys size"),
        ("name: a\nsize: big\n", "2: expected an integer for 'size', found 'big'"),
        ("name: a\n\nsize: 0\n", "3: expected at least 1 for 'size', found 0"),
        ("name: a\nkind: cake\n", "2: expected one of block-cipher, hash for 'kind', found 'cake'"),
        ("name: a\nsise: 3\n", "2: expected one of the keys name, size, kind, items, found 'sise'"),
        ("name: a\nitems:\n- 1\n- two\n", "4: expected an integer for 'items', found 'two'"),
        ("name: a\nitems: []\n", "2: expected at least 1 entries for 'items', found 0"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, text, message):
    path = tmp_path / "thing.yaml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        load_yaml(path, SCHEMA)
    assert str(caught.value).startswith(f"{path}:{message}")
    assert "\n" not in str(caught.value)


def test_a_good_file_becomes_plain_data(tmp_path):
    path = tmp_path / "thing.yaml"
    path.write_text("name: on\nsize: 0x10\nitems: [1, 2]\n")
    data = load_yaml(path, SCHEMA)
    assert data == {"name": "on", "size": 16, "items": [1, 2]}
    assert {type(data), type(data["name"]), type(data["size"]), type(data["items"])} == {dict, str, int, list}


def test_a_missing_file_and_a_file_of_bytes(tmp_path):
    with pytest.raises(UsageError, match="expected a YAML file, found none that can be read"):
        load_yaml(tmp_path / "none.yaml", SCHEMA)
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="bytes.yaml:1: expected UTF-8 text, found byte 0xff"):
        load_yaml(tmp_path / "bytes.yaml", SCHEMA)


def test_line_of_an_entry(tmp_path):
    path = tmp_path / "thing.yaml"
    path.write_text("name: a\nitems:\n- 1\n- 2\n")
    _, marked = load_marked(path, SCHEMA)
    assert [line_of(marked, keys) for keys in ((), ("items",), ("items", 1), ("items", 9))] == [1, 2, 4, 2]


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A file that counts as part of the package, a cache of its own, and how often the file was parsed."""
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(yamlfile, "PACKAGE", tmp_path)
    parsed = []

    def checked(path, text, schema):
        parsed.append(text)
        return yamlcheck_checked(path, text, schema)

    yamlcheck_checked = yamlcheck.checked
    monkeypatch.setattr(yamlcheck, "checked", checked)
    path = tmp_path / "thing.yaml"
    path.write_text("name: on\nsize: 0x10\n")
    return path, parsed


def test_a_file_that_ships_is_parsed_once(shipped):
    path, parsed = shipped
    assert [load_yaml(path, SCHEMA) for _ in range(3)] == [{"name": "on", "size": 16}] * 3
    assert len(parsed) == 1


def test_a_changed_file_or_schema_is_parsed_again(shipped):
    path, parsed = shipped
    load_yaml(path, SCHEMA)
    before = path.stat()
    path.write_text("name: no\nsize: 0x11\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert load_yaml(path, SCHEMA) == {"name": "no", "size": 17}
    with pytest.raises(UsageError, match="2: expected a word for 'size', found 17"):
        load_yaml(path, {"type": "object", "properties": {"size": {"type": "string"}}})
    assert len(parsed) == 3


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"source": "x"}', '{"data": {}}'])
def test_a_damaged_cache_is_made_again(shipped, damage):
    path, parsed = shipped
    load_yaml(path, SCHEMA)
    (kept,) = (path.parent / "cache" / "yaml").iterdir()
    kept.write_text(damage)
    assert [load_yaml(path, SCHEMA) for _ in range(2)] == [{"name": "on", "size": 16}] * 2
    assert len(parsed) == 2


def test_a_cache_that_cannot_be_written_costs_time_only(shipped):
    path, parsed = shipped
    (path.parent / "cache").write_text("a file where the folder would be")
    assert [load_yaml(path, SCHEMA) for _ in range(2)] == [{"name": "on", "size": 16}] * 2
    assert len(parsed) == 2


def test_keys_that_are_no_words_come_back_as_they_were(shipped):
    path, _ = shipped
    path.write_text("banks: {1: 0xFFEF0, 2: {3: [a, {4: b}]}}\n")
    first, second = (load_yaml(path, {}) for _ in range(2))
    assert first == second == {"banks": {1: 0xFFEF0, 2: {3: ["a", {4: "b"}]}}}


def test_the_place_of_an_entry_is_found_when_it_is_shown(shipped):
    path, parsed = shipped
    _, marked = load_marked(path, SCHEMA)
    assert str(Place(marked, ("size",))) == f"{path}:2"


FILES = [file for file in sorted(PACKAGE.rglob("*.yaml")) if "skeletons" not in file.parts]
"""Without the skeletons, whose names are filled in when they are written."""


@pytest.mark.dear("every YAML file of the package is parsed")
def test_what_is_kept_of_every_file_is_what_was_parsed(tmp_path, monkeypatch):
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path))
    for file in FILES:
        first, second = (load_yaml(file, {}) for _ in range(2))
        assert first == second, file
    assert len(list(tmp_path.glob("yaml/*.json"))) == len(FILES)
