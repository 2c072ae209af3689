import pytest

from tightfit.errors import UsageError
from tightfit.generator.expressions import parse_expression

DOMAINS = {"sbox": ("ram", "flash"), "unroll": (1, 2, 10)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k.sbox == 'ram'", True),
        ("k.sbox != 'ram' or k.unroll >= 2", True),
        ("not k.unroll in (2, 10)", False),
        ("16 * k.unroll // 2 + 1 - 3", 14),
        ("32 if k.unroll == 10 else 16", 16),
        ("operation == 'encrypt'", True),
        (24, 24),
    ],
)
def test_value(text, expected):
    expression = parse_expression(text, DOMAINS, "f:1")
    assert expression({"sbox": "ram", "unroll": 2}, "encrypt") == expected


def test_names_the_knobs_it_reads():
    assert parse_expression("k.sbox == 'ram' and k.unroll < 3", DOMAINS, "f:1").knobs == {"sbox", "unroll"}
    assert parse_expression("operation == 'x'", DOMAINS, "f:1").knobs == frozenset()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("k.sbox ==", "k.sbox =="),
        ("k.box == 'ram'", "k.box"),
        ("k.sbox == 'rma'", "'rma'"),
        ("k.unroll in (1, 3)", "3"),
        ("sbox == 'ram'", "sbox"),
        ("k.sbox.upper() == 'RAM'", "k.sbox.upper()"),
        ("__import__('os')", "__import__('os')"),
        ("[x for x in (1, 2)]", "[x for x in (1, 2)]"),
        ("k.unroll ** 99", "k.unroll ** 99"),
        ("1.5", "1.5"),
        ("k.__class__", "k.__class__"),
    ],
)
def test_refuses(text, found):
    with pytest.raises(UsageError) as error:
        parse_expression(text, DOMAINS, "variants.yaml:7")
    assert str(error.value).startswith("variants.yaml:7: expected ")
    assert found in str(error.value) and "\n" not in str(error.value)


def test_mismatched_types_are_a_usage_error():
    expression = parse_expression("k.sbox < 3", DOMAINS, "f:9")
    with pytest.raises(UsageError, match="f:9"):
        expression({"sbox": "ram"}, "encrypt")


def test_constants_of_the_primitive():
    constants = {"block_bytes": 136, "padding": 6}
    expression = parse_expression("p.block_bytes + 2 if p.padding == 6 else 0", DOMAINS, "f:1", constants)
    assert expression({}, "hash") == 138
    assert expression.knobs == frozenset()
    assert not parse_expression("k.sbox == 'ram' and p.padding < 2", DOMAINS, "f:1", constants)(
        {"sbox": "ram"}, "hash"
    )


def test_unknown_constant():
    with pytest.raises(UsageError, match="f:3: expected one of the primitive's constants rate, found p.rat"):
        parse_expression("p.rat", DOMAINS, "f:3", {"rate": 8})
