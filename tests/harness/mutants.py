"""Mutants: shipped winners with an instruction dropped, changed, or swapped with the next, or a bit of a
table flipped.


    python -m tests.harness.mutants --target avr --primitive aes-128 --count 100

sends mutants through the full gate as it is, and through one that asks every input however long it takes, and
counts who is caught by each.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tightfit.generator import render
from tightfit.harness import gate, portfolio
from tightfit.harness.bench import Bench, routine_of
from tightfit.harness.portfolio import file_of
from tightfit.harness.routine import Rejected, Routine
from tightfit.paths import portfolio_dir
from tightfit.records import Measurement

_INSTRUCTION = re.compile(r"^\s+[a-z][a-z0-9.]*(\s+[^@].*)?$")
_DATA = re.compile(r"^\s*\.(byte|short|2byte|hword|word|long)\s+[\dx]")
_NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F]+|\d+)\b")
_REGISTER = re.compile(r"\br(\d+)\b|(?<=[ ,])([abcdehlx])(?=[ ,]|$)")
_OTHERS = {
    **{"add": "adc", "adc": "add", "addw": "subw", "addc": "add", "and": "or", "or": "and", "xor": "or"},
    **{"eor": "or", "eors": "orrs", "orrs": "eors", "ands": "orrs", "bis": "xor", "rla": "rlc", "rlc": "rla"},
    **{"lsl": "rol", "rol": "lsl", "lsr": "ror", "brcc": "brcs", "brcs": "brcc", "brne": "breq", "jz": "jnz"},
    **{"jnz": "jz", "bnz": "bz", "bz": "bnz", "bc": "bnc", "bnc": "bc", "bne": "beq", "xorw": "orw"},
}


@dataclass(frozen=True)
class Mutant:
    """A routine with a fault, and what was done to it."""

    routine: Routine
    what: str


def winners(target: str, primitive: str, count: int, source: random.Random) -> list[Measurement]:
    """Some of the measurements that ship, on the default part of the target."""
    measurements = portfolio.read(file_of(portfolio_dir(), target, primitive))[0]
    part = measurements[0].variant.part
    mine = [each for each in measurements if each.cost and each.variant.part == part]
    return source.sample(mine, min(count, len(mine)))


def mutants(routine: Routine, count: int, source: random.Random) -> Iterator[Mutant]:
    """Routines that differ from one in an instruction."""
    lines = routine.source.splitlines()
    places = [n for n, line in enumerate(lines) if _INSTRUCTION.match(line)]
    data = [n for n, line in enumerate(lines) if _DATA.match(line)]
    for _ in range(count):
        n, changed = source.choice(places), list(lines)
        how = source.choice(("dropped", "changed", "changed", "swapped", *["of data"] * bool(data)))
        if how == "of data":
            n = source.choice(data)
            number = source.choice(list(_NUMBER.finditer(lines[n])))
            flipped = int(number[0], 0) ^ 1 << source.randrange(8)
            changed[n] = f"{lines[n][: number.start()]}{flipped}{lines[n][number.end() :]}"
        elif how == "dropped":
            changed[n] = ""
        elif how == "swapped":
            after = places[(places.index(n) + 1) % len(places)]
            changed[n], changed[after] = changed[after], changed[n]
        else:
            changed[n] = _changed(lines[n], source)
        if changed != lines:
            yield Mutant(
                routine.with_source("\n".join(changed) + "\n"), f"line {n + 1} {how}: {lines[n].strip()}"
            )


def _changed(line: str, source: random.Random) -> str:
    """Another operation, another number, or another register."""
    operation = line.split()[0]
    ways = []
    if operation in _OTHERS:
        ways.append(line.replace(operation, _OTHERS[operation], 1))
    if number := _NUMBER.search(line, line.index(operation) + len(operation)):
        flipped = int(number[0], 0) ^ 1 << source.randrange(8)
        ways.append(f"{line[: number.start()]}{flipped}{line[number.end() :]}")
    if register := _REGISTER.search(line, line.index(operation) + len(operation)):
        other = f"r{int(register[1]) ^ 1}" if register[1] else source.choice("abcdehlx")
        ways.append(f"{line[: register.start()]}{other}{line[register.end() :]}")
    return source.choice(ways) if ways else ""


@contextmanager
def budget(instructions: int) -> Iterator[None]:
    """The full gate with another budget of simulated instructions."""
    usual, gate.BUDGET = gate.BUDGET, instructions
    try:
        yield
    finally:
        gate.BUDGET = usual


def caught(bench: Bench, routine: Routine, operation: str, level: str = "full") -> str | None:
    """Why a gate rejects a routine; None where it passes."""
    try:
        bench.examine(routine, bench.primitive.operation(operation).ranked, level)
    except Rejected as reason:
        return str(reason)
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="avr")
    parser.add_argument("--primitive", default="aes-128")
    parser.add_argument("--count", type=int, default=100, help="mutants")
    arguments = parser.parse_args()
    source, fates = random.Random(1), Counter()
    chosen = winners(arguments.target, arguments.primitive, 10, source)
    with Bench(arguments.target, chosen[0].variant.part, arguments.primitive) as bench:
        for winner in chosen:
            variant = winner.variant
            routine = routine_of(variant, render(variant))
            for mutant in mutants(routine, arguments.count // len(chosen), source):
                usual = caught(bench, mutant.routine, variant.operation)
                with budget(1 << 62):
                    unlimited = caught(bench, mutant.routine, variant.operation)
                with budget(0):
                    floors = caught(bench, mutant.routine, variant.operation)
                fates["mutants"] += 1
                fates["caught"] += usual is not None
                fates["caught with every input"] += unlimited is not None
                fates["caught with the floors"] += floors is not None
                if (usual is None) != (unlimited is None) or (floors is None) != (unlimited is None):
                    print(f"{variant.template}: {mutant.what}: {usual}, with every input {unlimited}")
    print(", ".join(f"{number} {what}" for what, number in fates.items()))


if __name__ == "__main__":
    main()
