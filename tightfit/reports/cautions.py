"""What callers must see to: register banks of a routine, its look-ups in flash, cores it cannot run on."""

import re
from functools import cache

from tightfit.errors import UsageError
from tightfit.records import Contender, Measurement, Variant
from tightfit.targets import BANK_BYTES, load_target

PREFETCH = "constant time only where that flash has no wait states, and no prefetcher, buffer or cache is on"
HANDLERS = "an interrupt handler that changes one during a call makes its result wrong"
_NUMBER = re.compile(r"\b0x[0-9a-f]+\b", re.IGNORECASE)
_SELECTED = re.compile(r"\bsel\s+rb(\d)", re.IGNORECASE)


def cautions(measured: Measurement | Contender) -> dict[str, str]:
    """A line for each of `banks`, `look-ups` and `cores` that a caller must know of."""
    lines = {}
    if measured.cost.ram_parts.banks:
        lines["banks"] = f"{bank_words(measured)}: {HANDLERS}"
    if measured.cost.constant_time_without_prefetch and not measured.cost.constant_time:
        lines["look-ups"] = f"in flash, at secret addresses: {PREFETCH}"
    if measured.registers_as_memory:
        lines["cores"] = f"not {cores_without(_target(measured))}, whose registers have no addresses"
    return lines


def sentences(measured: Measurement | Contender) -> list[str]:
    """The cautions as sentences."""
    heads = {"banks": "Register banks", "look-ups": "Look-ups", "cores": "Cores:"}
    return [f"{heads[name]} {line}." for name, line in cautions(measured).items()]


def bank_words(measured: Measurement | Contender) -> str:
    """The register banks in use: `1 to 3`, `2 and 3`, `1`; `2 of 1 to 3` where it is not known which."""
    every = sorted(load_target(_target(measured)).abi.scratch_banks or ())
    count = measured.cost.ram_parts.banks // BANK_BYTES
    used = every
    if count < len(every):
        used = _in_text(measured.variant) if isinstance(measured, Measurement) else []
    if len(used) != count:
        return f"{count} of {_listed(every)}"
    return _listed(used)


def cores_without(target: str) -> str:
    """The families of a target's cores that give registers no addresses."""
    return load_target(target).registers_apart


def _target(measured: Measurement | Contender) -> str:
    return measured.variant.target if isinstance(measured, Measurement) else measured.target


@cache
def _in_text(variant: Variant) -> list[int]:
    """The banks that the text selects or has addresses of; none where the template has changed since."""
    from tightfit.generator import render  # which takes its time, and few routines use some of the banks

    try:
        source = render(variant, markers=False).source
    except UsageError:
        return []
    target = load_target(variant.target)
    code = "\n".join(line.partition(target.comment)[0] for line in source.splitlines())
    banks = target.abi.scratch_banks
    places = {target.pointer(int(found, 16)) for found in _NUMBER.findall(code)}
    selected = {int(bank) for bank in _SELECTED.findall(code)}
    return [
        bank
        for bank, start in sorted(banks.items())
        if bank in selected or any(0 <= place - target.pointer(start) < BANK_BYTES for place in places)
    ]


def _listed(banks: list[int]) -> str:
    if len(banks) > 2:
        return f"{banks[0]} to {banks[-1]}"
    return " and ".join(map(str, banks))
