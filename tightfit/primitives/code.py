"""Reference and oracle as they are called: what goes wrong in them is one line with their file and line."""

import importlib.util
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from tightfit.errors import UsageError


class Code:
    """A Python file whose `functions` must answer with `size(function, inputs)` bytes; all else is as
    the file has it.
    """

    def __init__(self, path: Path, functions: Collection[str], size: Callable[..., int]):
        self._path, self._functions, self._size = path, functions, size
        name = f"tightfit.primitives.{path.parent.name.replace('-', '_')}_{path.stem}"
        specification = importlib.util.spec_from_file_location(name, path)
        self._module = importlib.util.module_from_spec(specification)
        try:
            specification.loader.exec_module(self._module)
        except (Exception, SystemExit) as error:
            raise UsageError(f"{self._place(error)}: cannot be loaded: {_words(error)}") from None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = getattr(self._module, name)
        if name in self._functions:
            value = self._checked(name, value)
        self.__dict__[name] = value
        return value

    def _checked(self, name: str, function: Callable[..., Any]) -> Callable[..., bytes]:
        def checked(*inputs: Any) -> bytes:
            try:
                answer = function(*inputs)
            except (Exception, SystemExit) as error:
                raise UsageError(
                    f"{self._place(error)}: expected an answer of {name}, found {_words(error)}"
                ) from None
            size = self._size(name, inputs)
            if not isinstance(answer, (bytes, bytearray)) or len(answer) != size:
                found = f"{len(answer)}" if isinstance(answer, (bytes, bytearray)) else repr(answer)[:60]
                line = getattr(getattr(function, "__code__", None), "co_firstlineno", 1)
                raise UsageError(f"{self._path}:{line}: expected {size} bytes from {name}, found {found}")
            return bytes(answer)

        return checked

    def _place(self, error: BaseException) -> str:
        """File and line of this file in which an error arose; the file alone where it has none in it."""
        line = error.lineno if isinstance(error, SyntaxError) else None
        traceback = error.__traceback__
        while traceback:
            if traceback.tb_frame.f_code.co_filename == str(self._path):
                line = traceback.tb_lineno
            traceback = traceback.tb_next
        return f"{self._path}:{line}" if line else str(self._path)


def _words(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
