"""Routines that take several arguments: measured through an adapter, whose cost is taken off."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tightfit.contenders import calltext, checksums
from tightfit.contenders.adapter import FLAGS, Adapter, Writer
from tightfit.contenders.compiler import check_flags, compiler
from tightfit.contenders.convention import load_convention
from tightfit.contenders.interface import words_of
from tightfit.contenders.linking import ContenderBuilder, check_source
from tightfit.contenders.measure import Question, Result, functions_of, record
from tightfit.contenders.overhead import Through, overhead
from tightfit.contenders.plans import Calls, Plan, plan_of
from tightfit.contenders.trial import Trial, check_checksum
from tightfit.errors import UsageError
from tightfit.harness.gate import Gate
from tightfit.harness.routine import Rejected
from tightfit.records import Contender

_HEAD = "#include <stddef.h>\n#include <stdint.h>\n"
_SIZES = "tightfit_sizes"
_SEEN_BY_CALLERS = ("-D", "-U", "-I", "-i", "-fpack", "-fshort", "-fno-short", "-funsigned", "-fsigned")
"""Flags that change what headers say or how arguments are passed."""
_MOST = 1 << 15


@dataclass(frozen=True)
class Sources:
    """The files of a routine, further folders of headers, and headers that are written for it.

    `aliases` are other names that a function may have, `checksum` is SUPERCOP's, where it is known.
    """

    files: tuple[Path, ...]
    include: tuple[Path, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    checksum: str | None = None


def measure_calls(asked: Question, sources: Sources, calls: Calls, interface: str | None = None) -> Contender:
    """Measure a routine as those calls use it; `interface` is that of the record, by default the calls.

    Raises
    ------
    UsageError
        The calls are not those of the operation, a function is missing, or the adapter does not compile.
    WorkError
        A tool is missing.
    """
    check_flags(asked.flags)
    for file in sources.files:
        check_source(file)
    builder = ContenderBuilder(asked.target, asked.part, compiler(asked.target, asked.part))
    try:
        measured = _Measuring(asked, builder, sources, calls)
        return record(asked, builder, interface or calls.text, sources.files, measured.run)
    finally:
        builder.close()


class _Measuring:
    """One routine with its adapter."""

    def __init__(self, asked: Question, builder: ContenderBuilder, sources: Sources, calls: Calls):
        self.asked, self.builder, self.sources, self.calls = asked, builder, sources, calls
        self.plan = plan_of(asked.primitive, asked.part, asked.primitive.operation(asked.operation), calls)
        plans = filter(None, (self.plan, self.plan.companion()))
        self.all = [call for plan in plans for entry in plan.entries.values() for call in entry]
        self.buffers = calltext.buffers(self.all, asked.primitive.kind)
        written = (builder.headers(sources.headers),) if sources.headers else ()
        folders = dict.fromkeys(file.parent for file in sources.files)
        self.include = (*sources.include, *folders, *written)
        self.flags = tuple(flag for flag in asked.all_flags if flag.startswith(_SEEN_BY_CALLERS))
        self.head = _HEAD + "".join(f'#include "{header}"\n' for header in calls.headers) + calls.head

    def run(self) -> Result:
        """Its figures; `Rejected` with what is wrong with it."""
        objects = self.builder.objects(self.sources.files, self.asked.all_flags, self.include)
        symbols = self._symbols(objects)
        trial = self._trial(self.plan, symbols, objects)
        beside = self.plan.companion()
        trials = [trial, self._trial(beside, symbols, objects)] if beside else [trial]
        full = self.asked.gate == "full"
        if full and self.sources.checksum and self.plan.longest >= checksums.LONGEST:
            check_checksum(self.asked.primitive, trials, self.sources.checksum)
        secrecies = [each.findings.secrecy for each in trials]
        secrecy = max(secrecies, key=lambda one: (one.leaks, one.flash_lookups))
        return trial.result(self.asked, secrecy)

    def _trial(self, plan: Plan, symbols: Mapping[str, str], objects: Sequence[Path]) -> Trial:
        """The functions of a plan, through the gate."""
        convention = load_convention(self.asked.target.folder)
        adapter = self._adapter(plan, symbols)
        made = self._compiled(adapter.text, "adapter", (*self.flags, *FLAGS))
        machine = convention.machine(self.asked.target, self.asked.part, plan.limit)
        added = overhead(self.builder, machine, adapter, made, self.flags, self.include)
        image = self.builder.link(adapter.routine, (made, *objects))
        through, kind = Through(machine, added), plan.kind(added)
        findings = Gate(through, kind).check(adapter.routine, image, plan.ranked, self.asked.gate == "full")
        return Trial(plan, adapter, added, image, through, kind, findings)

    def _adapter(self, plan: Plan, symbols: Mapping[str, str]) -> Adapter:
        sizes = self._sizes()
        declared = not self.calls.headers
        own = {call.function: symbols[call.function] for entry in plan.entries.values() for call in entry}
        writer = Writer(plan.words, sizes, own, self.head, declared, self.calls.status)
        return writer.write(plan.entries)

    def _compiled(self, text: str, stem: str, flags: Sequence[str]) -> Path:
        """The object of C that is written here; what is wrong with it is wrong with the calls."""
        try:
            return self.builder.compile_text(text, stem, flags, self.include)
        except Rejected as reason:
            if self.calls.stated:
                raise Rejected(f"{self.calls.stated}: {reason}") from None
            raise UsageError(f"{self.calls.text}: {reason}") from None

    def _sizes(self) -> dict[str, int]:
        """The bytes of each buffer, as the compiler counts them."""
        if not self.buffers:
            return {}
        sizes = ", ".join(f"(unsigned short)({size})" for size in self.buffers.values())
        text = f"{self.head}const unsigned short {_SIZES}[] = {{{sizes}}};\n"
        made = self.builder.read(self._compiled(text, "sizes", self.flags))
        found = words_of(made, self.asked.target.abi.symbol(_SIZES))
        for (name, size), number in zip(self.buffers.items(), found, strict=True):
            if not 0 < number < _MOST:
                raise UsageError(f"buffer {name!r}: expected a size of 1 to {_MOST - 1} bytes, found {size}")
        return dict(zip(self.buffers, found, strict=True))

    def _symbols(self, objects: Iterable[Path]) -> dict[str, str]:
        """Where each function is found."""
        prefix = self.asked.target.abi.symbol_prefix
        there = [name for made in objects for name in functions_of(self.builder.read(made), prefix)]
        return {call.function: prefix + self._found(call.function, there) for call in self.all}

    def _found(self, function: str, there: Sequence[str]) -> str:
        names = (*self.sources.aliases.get(function, ()), function)
        for name in names:
            if name in there:
                return name
        mangled = sorted(name for name in there if _mangled(function).fullmatch(name))
        if len(mangled) > 1 and not _is_special(function):
            raise UsageError(f"{function}: expected one function, found {', '.join(mangled)}")
        if mangled:
            return mangled[0]
        shown = ", ".join(sorted(there)[:8]) or "no global function"
        raise UsageError(f"{self.sources.files[0].name}: expected {function}, found {shown}")


def _mangled(function: str) -> re.Pattern[str]:
    """The names that compilers of C++ give a function (Itanium C++ ABI 5.1.4)."""
    *scopes, name = function.split("::")
    spelled = "C[12]" if _is_special(function) else f"{len(name)}{name}"
    if not scopes:
        return re.compile(f"_Z{spelled}.+")
    nested = "".join(f"{len(scope)}{scope}" for scope in scopes)
    return re.compile(f"_ZN[KVrRO]*{nested}{spelled}E.+")


def _is_special(function: str) -> bool:
    """Whether it is a constructor, which compilers give two names."""
    parts = function.split("::")
    return len(parts) > 1 and parts[-1] == parts[-2]
