"""A malformed YAML file gets one line: file, line, what was expected, what was found."""

import pytest

from tightfit.errors import UsageError
from tightfit.yamlfile import line_of, load_marked, load_yaml

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
