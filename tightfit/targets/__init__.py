"""Where a primitive runs: cores, parts with their memory, the calling convention, the toolchain.

A target is one folder beside this file: `target.yaml` (facts), `link.ld` (how the harness links a
candidate) and `toolchain.yaml` (where its tools come from). Nothing here knows one target from another.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tightfit.errors import UsageError
from tightfit.names import unknown
from tightfit.targets.schema import TARGET
from tightfit.yamlfile import load_yaml

FOLDER = Path(__file__).resolve().parent
BANK_BYTES = 8
"""Bytes of a register bank."""


@dataclass(frozen=True)
class Region:
    """A stretch of the address space; `kind` is flash, mirror, data-flash, ram or sfr.

    `start` and `size` in bytes. A mirror shows the flash from address `shows` on.
    """

    name: str
    kind: str
    start: int
    size: int
    shows: int | None = None

    @property
    def end(self) -> int:
        """First address after the region."""
        return self.start + self.size


@dataclass(frozen=True)
class Core:
    """A class of parts: all that can move a figure is the same on each of them.

    The simulator knows the core by this name. `timing` is "tested" or "not verified", `assemble` the
    assembler options that select the core, `call` the caller's instruction, which takes `call_cycles`.
    `part` is the part that is simulated for all of the class, `facts` are integers that templates read as
    `t.<name>`, such as 1 where the core has an instruction. The cells of a `shipped` class come with the
    portfolio. On a core with `registers_apart` registers have no addresses, as they have on others.
    """

    name: str
    about: str
    timing: str
    assemble: tuple[str, ...]
    call: str
    call_cycles: int
    part: str = ""
    facts: Mapping[str, int] = field(default_factory=dict, hash=False)
    shipped: bool = False
    registers_apart: bool = False

    @property
    def stated(self) -> Mapping[str, int]:
        """What constraints of templates may ask: the facts, and whether registers are apart."""
        return {**self.facts, "registers_apart": int(self.registers_apart)}

    @property
    def timing_tested(self) -> bool:
        """Whether its clocks have a source; figures of other cores stay out of every table."""
        return self.timing == "tested"


@dataclass(frozen=True)
class Part:
    """A microcontroller: its core, bytes of ROM and RAM, and memory map.

    `assemble` and `link` are options that select the part; the assembler's include those of the core.
    """

    name: str
    core: Core
    about: str
    rom: int
    ram: int
    memory: tuple[Region, ...]
    assemble: tuple[str, ...]
    link: tuple[str, ...]

    @property
    def simulated(self) -> str:
        """Name of the part that was simulated for all parts with this core."""
        return self.core.part

    def regions(self, kind: str) -> tuple[Region, ...]:
        """Its regions of one kind, in address order."""
        return tuple(region for region in self.memory if region.kind == kind)


@dataclass(frozen=True)
class Abi:
    """The interface that the portfolio counts.

    `pointer` is the register that holds the address of the parameter block, `preserved` what the routine must
    keep, `register_bank` the bank selected at call and return (None where there are no banks),
    `scratch_banks` the addresses of those it may use, `return_address` its bytes on the stack, `stack_gap`
    the bytes that the stack pointer is below the last byte pushed (1 where it points at the free byte).
    """

    pointer: str
    preserved: tuple[str, ...]
    symbol_prefix: str
    return_address: int
    stack_gap: int = 0
    register_bank: int | None = None
    scratch_banks: Mapping[int, int] | None = None

    def symbol(self, name: str) -> str:
        """Assembly name of the C function `name`."""
        return self.symbol_prefix + name


@dataclass(frozen=True)
class WaitsApart:
    """One of the waits of a target, which figures tell apart.

    `wait` is its name among the target's `waits`, `words` are what stands before its cycles, `why` is the
    sentence below tables that have some.
    """

    wait: str
    words: str
    why: str


@dataclass(frozen=True)
class Target:
    """A CPU family: cores, parts, calling convention, and the options its linker is run with.

    `elf_machine` is the `e_machine` of its executables, `registers` are those that a run shows, with their
    hexadecimal digits, `pointer_bits` are those of a pointer in a register or on the stack. `waits` are the
    names of the parts of its cycles beyond the base, by those that the simulator gives them; `waits_apart` is
    the one that figures tell apart, None where there is none. `conditions` are those that only some targets
    have, by their names (`tightfit.conditions`). `comment` begins a comment in assembly, `code_alignment` are
    the bytes of which the address of every instruction is a multiple. `sections` says where tables go, by
    `flash`, `ram` (initialised) and `zeroed`, as the assembler's `.section` has it. `block_alignment` are
    the bytes of which the address and the size of a parameter block are multiples, `head` are directives that
    every source begins with, `type_mark` is what `.type` has before `function` and `object`, `returns` is the
    instruction that a routine without a frame ends with. `harvard` says that C reads data from RAM only,
    `notes` are for those who use an exported routine. `registers_apart` are the families of its cores on
    which registers have no addresses, as they have on its default part.
    """

    id: str
    name: str
    default_part: str
    elf_machine: str
    registers: Mapping[str, int]
    pointer_bits: int
    waits: Mapping[str, str]
    cores: Mapping[str, Core]
    parts: Mapping[str, Part]
    abi: Abi
    comment: str
    code_alignment: int
    sections: Mapping[str, str]
    link: tuple[str, ...]
    folder: Path
    waits_apart: WaitsApart | None = None
    conditions: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    block_alignment: int = 2
    head: tuple[str, ...] = ()
    type_mark: str = "@"
    returns: str = "ret"
    harvard: bool = False
    notes: tuple[str, ...] = ()
    registers_apart: str = ""

    @property
    def pointer_bytes(self) -> int:
        """Bytes of a pointer in memory."""
        return -(-self.pointer_bits // 8)

    def pointer(self, address: int) -> int:
        """What a pointer holds of an address."""
        return address & ((1 << self.pointer_bits) - 1)

    @property
    def link_script(self) -> Path:
        """The linker script of the harness."""
        return self.folder / "link.ld"

    def link_options(self, part: Part) -> tuple[str, ...]:
        """Options of the linker for a part: the script of the harness and the part's memory."""
        memory = {
            f"__tf_{kind}{what}": number
            for kind in ("flash", "ram")
            for region in part.regions(kind)[:1]
            for what, number in (("", region.start), ("_bytes", region.size))
        }
        defined = (f"--defsym={name}={number:#x}" for name, number in memory.items())
        return (*self.link, *part.link, *defined, "-T", str(self.link_script))

    def part(self, name: str | None = None) -> Part:
        """The part `name`, or the default one; UsageError names the nearest where there is none."""
        name = self.default_part if name is None else name
        if name not in self.parts:
            raise unknown("part", name, self.parts, f"target {self.id}")
        return self.parts[name]

    def class_of(self, part: Part) -> list[Part]:
        """The parts that share a part's figures, itself among them."""
        return [other for other in self.parts.values() if other.core == part.core]

    @property
    def shipped(self) -> list[Part]:
        """The simulated part of each class whose cells come with the portfolio, the default part first."""
        parts = [self.part(core.part) for core in self.cores.values() if core.shipped]
        return sorted(parts, key=lambda part: part.name != self.default_part)


def target_ids() -> list[str]:
    """All targets, in alphabetical order."""
    return sorted(file.parent.name for file in FOLDER.glob("*/target.yaml"))


@cache
def load_target(target_id: str) -> Target:
    """The target with this id.

    Raises
    ------
    UsageError
        No such target, or a malformed `target.yaml`.
    """
    if target_id not in target_ids():
        raise unknown("target", target_id, target_ids())
    file = FOLDER / target_id / "target.yaml"
    data = load_yaml(file, TARGET)
    cores = {name: _core(name, core) for name, core in data["cores"].items()}
    parts = {name: _part(name, part, cores, file) for name, part in data["parts"].items()}
    if data["default_part"] not in parts:
        raise _unknown(f"{file}: default_part", data["default_part"], parts)
    for core in cores.values():
        own = [name for name, part in parts.items() if part.core == core]
        if own and core.part not in own:
            raise _unknown(f"{file}: cores: {core.name}: part", core.part, own)
    return Target(
        id=target_id,
        name=data["name"],
        default_part=data["default_part"],
        elf_machine=data["elf_machine"],
        registers=data["registers"],
        pointer_bits=data["pointer_bits"],
        waits=data["waits"],
        cores=cores,
        parts=parts,
        abi=_abi(data["abi"]),
        comment=data["comment"],
        code_alignment=data["code_alignment"],
        sections=data["sections"],
        link=tuple(data["link"]),
        folder=file.parent,
        waits_apart=_waits_apart(data, file),
        conditions=data.get("conditions", {}),
        block_alignment=data.get("block_alignment", 2),
        head=tuple(data.get("head", ())),
        type_mark=data.get("type_mark", "@"),
        returns=data.get("returns", "ret"),
        harvard=data.get("harvard", False),
        notes=tuple(data.get("notes", ())),
        registers_apart=data.get("registers_apart", ""),
    )


def _core(name: str, data: Mapping[str, Any]) -> Core:
    return Core(**{**data, "name": name, "assemble": tuple(data["assemble"])})


def _part(name: str, data: Mapping[str, Any], cores: Mapping[str, Core], file: Path) -> Part:
    if data["core"] not in cores:
        raise _unknown(f"{file}: parts: {name}: core", data["core"], cores)
    memory = sorted((Region(**region) for region in data["memory"]), key=lambda region: region.start)
    for lower, upper in zip(memory, memory[1:], strict=False):
        if lower.end > upper.start:
            raise UsageError(f"{file}: parts: {name}: memory: {lower.name} overlaps {upper.name}")
    core = cores[data["core"]]
    return Part(
        name=name,
        core=core,
        about=data["about"],
        rom=data["rom"],
        ram=data["ram"],
        memory=tuple(memory),
        assemble=(*core.assemble, *data.get("assemble", ())),
        link=tuple(data.get("link", ())),
    )


def _waits_apart(data: Mapping[str, Any], file: Path) -> WaitsApart | None:
    apart = data.get("waits_apart")
    if apart and apart["wait"] not in data["waits"]:
        raise _unknown(f"{file}: waits_apart: wait", apart["wait"], data["waits"])
    return WaitsApart(**apart) if apart else None


def _abi(data: Mapping[str, Any]) -> Abi:
    return Abi(**{**data, "preserved": tuple(data["preserved"])})


def _unknown(where: str, found: str, choices: Mapping[str, Any]) -> UsageError:
    return UsageError(f"{where}: expected one of {', '.join(choices)}, found {found!r}")
