"""Drop-in libraries: a variant as assembly, header, example, self-test, build file and data sheet."""

from tightfit.export.library import (
    TOOLCHAINS,
    Export,
    Prepared,
    default_name,
    export,
    prepare,
    prepare_fastest,
)

__all__ = ["TOOLCHAINS", "Export", "Prepared", "default_name", "export", "prepare", "prepare_fastest"]
