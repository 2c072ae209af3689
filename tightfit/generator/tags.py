"""The tags of our templates: fragments, and the routines and tables that bytes lie in."""

from collections.abc import Callable

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.runtime import Context

from .recorder import Recorder, RenderError

BEGIN, END = "\x01", "\x02"
"""Round the text of a fragment, each followed by the number of the emission and a semicolon."""


class _Tag(Extension):
    """A tag with a name, some options and a body, which a method turns into text."""

    def _block(self, parser: Parser, method: str, options: tuple[str, ...]) -> nodes.Node:
        token = next(parser.stream)
        arguments: list[nodes.Expr] = [nodes.ContextReference(), parser.parse_expression()]
        given: dict[str, nodes.Expr] = {}
        while parser.stream.current.type == "name":
            name = next(parser.stream).value
            if name not in options or name in given:
                known = ", ".join(options) or "none"
                parser.fail(f"{token.value} has the options {known}, found {name!r}", token.lineno)
            parser.stream.expect("assign")
            given[name] = parser.parse_expression()
        body = parser.parse_statements((f"name:end{token.value}",), drop_needle=True)
        arguments += [given.get(name, nodes.Const(None)) for name in options]
        return nodes.CallBlock(self.call_method(method, arguments), [], [], body).set_lineno(token.lineno)


class Fragments(_Tag):
    """`{% fragment "name" reads="knob knob" %} ... {% endfragment %}`: bytes and cycles go to its name."""

    tags = {"fragment"}

    def parse(self, parser: Parser) -> nodes.Node:
        return self._block(parser, "_fragment", ("reads",))

    def _fragment(self, context: Context, name: str, reads: str | None, caller: Callable[[], str]) -> str:
        recorder: Recorder = context.parent["k"]._recorder
        with recorder.fragment(name, frozenset((reads or "").split())) as index:
            return f"{BEGIN}{index};{caller()}{END}{index};"


class Symbols(_Tag):
    """Stretches with a symbol of their own, so that every byte is counted in one.

    `{% routine "encrypt" %} ... {% endroutine %}` is code; it is global where the variant has an entry of
    that name. `{% table "sbox" place="flash" align=256 %} ... {% endtable %}` is data in one of the target's
    sections, `flash` by default, or in `code`, beside the routines. In both `symbol(name)` is the label.
    """

    tags = {"routine", "table"}

    def parse(self, parser: Parser) -> nodes.Node:
        if parser.stream.current.value == "routine":
            return self._block(parser, "_routine", ())
        return self._block(parser, "_table", ("place", "align"))

    def _routine(self, context: Context, name: str, caller: Callable[[], str]) -> str:
        symbol = context.parent["symbol"](name)
        shared = [f"        .global {symbol}"] if name in context.parent["routines"] else []
        head = ["        .text", *shared, _typed(context, symbol, "function"), f"{symbol}:"]
        return _sized(head, symbol, caller())

    def _table(
        self, context: Context, name: str, place: str | None, align: int | None, caller: Callable[[], str]
    ) -> str:
        symbol, sections = context.parent["symbol"](name), {"code": ".text", **context.parent["sections"]}
        place = place or "flash"
        if place not in sections:
            raise RenderError(f"table {name!r}: expected a place of {', '.join(sections)}, found {place!r}")
        aligned = [f"        .balign {align}"] if align else []
        section = f"        .section {sections[place]}"
        head = [section, *aligned, _typed(context, symbol, "object"), f"{symbol}:"]
        return _sized(head, symbol, caller())


def _typed(context: Context, symbol: str, kind: str) -> str:
    return f"        .type   {symbol}, {context.parent['type_mark']}{kind}"


def _sized(head: list[str], symbol: str, body: str) -> str:
    lines = "\n".join(head)
    between = "" if body.endswith("\n") else "\n"
    return f"{lines}\n{body}{between}        .size   {symbol}, . - {symbol}\n"
