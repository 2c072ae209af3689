"""The small expression language of template.yaml: knobs, constants, literals, comparison and arithmetic.

`k.<name>` is a knob, `p.<name>` a constant of the primitive, `t.<name>` a fact of the target's core class or
whether its registers are apart, `operation` the operation.

An expression is checked node by node against a list of what is allowed before it is ever evaluated.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType, SimpleNamespace
from typing import Any

from tightfit.errors import UsageError
from tightfit.records import Knobs
from tightfit.yamlfile import Place

Domains = Mapping[str, tuple[str | int, ...]]
Constants = Mapping[str, int]
Where = Place | str

_ALLOWED = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.IfExp,
    ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv,
    ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
    ast.Constant, ast.Tuple, ast.List, ast.Load, ast.Attribute, ast.Name,
)  # fmt: skip


@dataclass(frozen=True)
class Expression:
    """A checked expression over knobs and the operation.

    Attributes
    ----------
    text : as written.
    knobs : the knobs it reads.
    where : what prints as "file:line", for errors.
    """

    text: str
    knobs: frozenset[str]
    where: Where
    _code: CodeType = field(repr=False, compare=False)
    _named: Mapping[str, SimpleNamespace] = field(repr=False, compare=False)

    def __call__(self, knobs: Knobs, operation: str) -> Any:
        """Value of the expression; `knobs` must hold at least the knobs it reads."""
        names = {"k": SimpleNamespace(**knobs), **self._named, "operation": operation}
        try:
            return eval(self._code, {"__builtins__": {}, **names})
        except (TypeError, ZeroDivisionError) as error:
            raise UsageError(
                f"{self.where}: expected an expression that holds for every knob value, "
                f"found {self.text!r} ({error})"
            ) from None


def parse_expression(
    text: str | int,
    domains: Domains,
    where: Where,
    constants: Constants | None = None,
    facts: Constants | None = None,
) -> Expression:
    """Checked form of `text`.

    Parameters
    ----------
    text : an expression, or an integer constant.
    domains : the values of every knob that may be read.
    where : what prints as "file:line", for errors.
    constants : what may be read as `p.<name>`.
    facts : what may be read as `t.<name>`.

    Raises
    ------
    UsageError
        Where the text is no expression, uses what is not allowed, reads an unknown knob or constant, or
        compares a knob with a word that is not among its values.
    """
    try:
        tree = ast.parse(str(text), mode="eval")
    except SyntaxError:
        raise UsageError(f"{where}: expected an expression, found {text!r}") from None
    named = {"p": constants or {}, "t": facts or {}}
    reader = _Checker(str(text), domains, named, where)
    reader.visit(tree)
    code = compile(tree, "<expression>", "eval")
    namespaces = {owner: SimpleNamespace(**values) for owner, values in named.items()}
    return Expression(str(text), frozenset(reader.knobs), where, code, namespaces)


_WHAT = {"p": "the primitive's constants", "t": "the facts of the core class"}


class _Checker(ast.NodeVisitor):
    def __init__(self, text: str, domains: Domains, named: Mapping[str, Constants], where: Where) -> None:
        self.text, self.domains, self.named, self.where = text, domains, named, where
        self.knobs: set[str] = set()

    def fail(self, expected: str, found: str) -> None:
        raise UsageError(f"{self.where}: expected {expected}, found {found} in {self.text!r}")

    def visit(self, node: ast.AST) -> None:
        if not isinstance(node, _ALLOWED):
            self.fail(
                "only knobs, literals, comparisons, and/or/not, + - * // and if/else", ast.unparse(node)
            )
        super().visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        owner = node.value.id if isinstance(node.value, ast.Name) else None
        if owner in self.named:
            if node.attr not in self.named[owner]:
                names = ", ".join(self.named[owner]) or "none"
                self.fail(f"one of {_WHAT[owner]} {names}", f"{owner}.{node.attr}")
            return
        if owner != "k":
            self.fail("a knob as k.<name>", ast.unparse(node))
        if node.attr not in self.domains:
            self.fail("one of the knobs " + ", ".join(self.domains), f"k.{node.attr}")
        self.knobs.add(node.attr)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id != "operation":
            self.fail("a knob as k.<name>, or operation", node.id)

    def visit_Constant(self, node: ast.Constant) -> None:
        if type(node.value) not in (int, str, bool):
            self.fail("a word or an integer", ast.unparse(node))

    def visit_Compare(self, node: ast.Compare) -> None:
        self.generic_visit(node)
        operands = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, operands[:-1], operands[1:], strict=True):
            if isinstance(operator, (ast.Eq, ast.NotEq, ast.In, ast.NotIn)):
                self._check_values(left, right)
                self._check_values(right, left)

    def _check_values(self, knob: ast.AST, other: ast.AST) -> None:
        if not (isinstance(knob, ast.Attribute) and knob.value.id == "k"):
            return
        literals = other.elts if isinstance(other, (ast.Tuple, ast.List)) else [other]
        for literal in literals:
            if isinstance(literal, ast.Constant) and literal.value not in self.domains[knob.attr]:
                values = ", ".join(map(str, self.domains[knob.attr]))
                self.fail(f"one of {values} for k.{knob.attr}", repr(literal.value))
