"""Whether a reference and an oracle can be believed: both are whole, and neither is the other.

The gate compares every candidate with the oracle, and the tests the oracle with the reference. Where one is a
copy of the other, that they agree says nothing.
"""

import ast
import builtins
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from tightfit.errors import UsageError

REFERENCE, ORACLE = "reference.py", "oracle.py"
REQUIRED = ("primitive.yaml", REFERENCE, ORACLE, "vectors.json")
_ALIKE = 60
"""Nodes of syntax from which functions that are the same were copied; helpers of a line may be alike."""


@cache
def check_sources(folder: Path, functions: tuple[str, ...]) -> None:
    """Raise UsageError unless reference and oracle have these functions, each its own way.

    A function is copied where it has the same steps, whatever its names, docstring and annotations, and calls
    functions of which the same holds.
    """
    for name in REQUIRED:
        if not (folder / name).is_file():
            raise UsageError(f"{folder}: expected a file {name}, found none")
    reference, oracle = (_Source(folder / name) for name in (REFERENCE, ORACLE))
    for source in (reference, oracle):
        for name in functions:
            if name not in source.defined:
                raise UsageError(f"{source.file}: expected a function {name}, found none")
    oracle.check_no_use_of("reference")
    reference.check_no_use_of("oracle")
    if shared := oracle.ours() & reference.ours():
        raise UsageError(
            f"{oracle.file}: expected an implementation that shares nothing with {REFERENCE}, "
            f"found that both import {min(shared)}"
        )
    theirs = {form: name for name, form, _ in reference.forms()}
    for name, form, size in sorted(oracle.forms(), key=lambda one: one[0] not in functions):
        if form in theirs and (name in functions or size >= _ALIKE):
            raise UsageError(
                f"{oracle.file}:{oracle.line(name)}: expected an implementation that shares nothing with "
                f"{REFERENCE}, found {name} to be its {theirs[form]}"
            )


class _Source:
    """A Python file and what it defines at its top."""

    def __init__(self, file: Path):
        self.file = file
        try:
            self.tree = ast.parse(file.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError) as error:
            raise UsageError(
                f"{file}:{getattr(error, 'lineno', 1)}: expected Python, found {error}"
            ) from None
        self.defined: dict[str, ast.AST] = {}
        self.imported: dict[str, str] = {}
        self.known_forms: dict[str, str] = {}
        for node in self.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.defined[node.name] = node
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                named = (one for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
                self.defined.update((one.id, node) for one in named)
        for node in ast.walk(self.tree):
            for name, path in _imports(node):
                self.imported[name] = path

    def line(self, name: str) -> int:
        """Where a name is defined."""
        return self.defined[name].lineno

    def ours(self) -> set[str]:
        """Modules of this package that it imports."""
        found = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(node.module or "")
        return {module for module in found if module.split(".")[0] == "tightfit"}

    def check_no_use_of(self, other: str) -> None:
        """Raise UsageError where the other file is imported, loaded or asked for."""
        for node in ast.walk(self.tree):
            words = [path for _, path in _imports(node)]
            if isinstance(node, ast.Attribute):
                words.append(node.attr)
            if isinstance(node, ast.Constant) and node.value == f"{other}.py":
                words.append(other)
            if any(other in word.split(".") for word in words):
                raise UsageError(f"{self.file}:{node.lineno}: expected no use of the {other}, found one")

    def forms(self) -> Iterator[tuple[str, str, int]]:
        """Name, form and nodes of every function; two functions of one form take the same steps."""
        for name, node in self.defined.items():
            if isinstance(node, ast.FunctionDef):
                yield name, self._form(name, ()), sum(1 for _ in ast.walk(node))

    def _form(self, name: str, inside: tuple[str, ...]) -> str:
        if name not in self.known_forms:
            words = self._words(self.defined[name], {}, (*inside, name))
            self.known_forms[name] = sha256(" ".join(words).encode()).hexdigest()
        return self.known_forms[name]

    def _words(self, node: ast.AST, local: dict[str, int], inside: tuple[str, ...]) -> Iterator[str]:
        yield type(node).__name__
        if isinstance(node, ast.Name):
            yield self._named(node.id, local, inside)
            return
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "type_comment", "name", "ctx", "kind"):
                continue
            if field == "arg" and isinstance(node, ast.arg):
                yield str(local.setdefault(value, len(local)))
                continue
            items = value if isinstance(value, list) else [value]
            if field == "body" and items and _is_docstring(items[0]):
                items = items[1:]
            for item in items:
                if isinstance(item, ast.AST):
                    yield from self._words(item, local, inside)
                else:
                    yield repr(item)
        yield "."

    def _named(self, name: str, local: dict[str, int], inside: tuple[str, ...]) -> str:
        """A name as what it stands for: a local by its number, a definition by its form."""
        if name in local:
            return str(local[name])
        if name in inside:
            return f"<{len(inside) - inside.index(name)} up>"
        if name in self.defined:
            return self._form(name, inside)
        if name in self.imported:
            return self.imported[name]
        if name in _BUILTINS:
            return name
        return str(local.setdefault(name, len(local)))


_BUILTINS = frozenset(dir(builtins))


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """(name here, what it is from where) of an import; () of other nodes."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.asname or alias.name.split(".")[0], alias.name
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module or ''}.{alias.name}"


def _is_docstring(node: object) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
