"""The least cycles of MixColumns and its inverse, of a column of bytes in place on a two-operand machine.

    python benchmarks/in_place.py [--free 1] [MixColumns] [InvMixColumns]

A register takes the sum of itself and another one, a copy of another one, or its double in GF(2^8). A sum
and a copy cost a cycle, a double three. All programs are tried, by the number of sums and copies, over the
sets of values that registers hold: two sets that turn into one another with the bytes of the column are
one. The outputs have three dimensions beside those of the inputs, so three doubles are needed; more of them
are tried as far as they could still make a shorter program.

Printed are the cycles of the shortest program, how many sets were looked at, processor time, and the values
in the order in which they are made: each takes the place of one that it is made of, or, with `+`, a free
register.
"""

import argparse
import time
from collections.abc import Iterator
from functools import cache
from itertools import count

KERNELS = {"MixColumns": (2, 3, 1, 1), "InvMixColumns": (14, 11, 13, 9)}
"""The first row of the circulant matrix of each (FIPS 197, 5.1.3 and 5.3.3)."""

LEAST_DOUBLES, LEAST_SUMS = 3, 4
"""What either kernel needs: see above; and each output is a sum."""

DOUBLE_CYCLES = 3
"""`lsl`, a branch over one instruction and `eor` on AVR, taken or not."""

Values = tuple[int, ...]
"""What registers hold, in rising order: bit 4 j + i says whether 2^j times byte i of the column is in it."""

Node = tuple[Values, int]
"""What registers hold, and how many doubles were made."""

COLUMN: Values = (1, 2, 4, 8)


@cache
def turned(value: int, turns: int) -> int:
    """The value with the bytes of the column turned."""
    total = 0
    for shift in range(0, value.bit_length(), 4):
        nibble = value >> shift & 15
        total |= (nibble << turns & 15 | nibble >> 4 - turns) << shift
    return total


def canonical(values: Values) -> Values:
    """The same for all four that turn into one another."""
    return min(values, *(tuple(sorted(turned(value, turns) for value in values)) for turns in (1, 2, 3)))


def outputs(row: tuple[int, ...]) -> Values:
    """The bytes of the column that the circulant matrix makes."""
    first = sum(1 << 4 * j + i for i, factor in enumerate(row) for j in range(4) if factor >> j & 1)
    return (first, *(turned(first, turns) for turns in (1, 2, 3)))


def named(value: int) -> str:
    """A sum of the bytes a, b, c and d of the column and of their multiples."""
    factors = [sum((value >> 4 * j + i & 1) << j for j in range(8)) for i in range(4)]
    terms = zip(factors, "abcd", strict=True)
    return " ^ ".join(f"{factor if factor > 1 else ''}{byte}" for factor, byte in terms if factor)


def dimensions(values: Values) -> int:
    """Those of the space that the values make over GF(2)."""
    basis: list[int] = []
    for value in values:
        for other in basis:
            value = min(value, value ^ other)
        if value:
            basis.append(value)
    return len(basis)


class Search:
    """For the shortest program of a kernel with so many registers, of which the column has four."""

    def __init__(self, row: tuple[int, ...], registers: int, doubles: int):
        self.outputs, self.registers, self.doubles = outputs(row), registers, doubles
        self.bound = cache(self._bound)

    def _bound(self, values: Values, doubles: int) -> int | None:
        """The sums and copies needed with so many doubles to come, at least; None if they do not suffice."""
        if dimensions(values + self.outputs) - dimensions(values) > doubles:
            return None
        missing = [output for output in self.outputs if output not in values]
        if doubles or not missing:
            return len(missing)
        terms = {0: 0}
        for value in values:
            for total, many in list(terms.items()):
                terms[total ^ value] = min(many + 1, terms.get(total ^ value, many + 1))
        return len(missing) - 1 + min(terms[output] for output in missing) - 1

    def following(self, values: Values) -> Iterator[tuple[Values, int, int]]:
        """The values after an instruction, or after a copy and what is done to it; its sums and doubles."""
        for i, value in enumerate(values):
            others = values[:i] + values[i + 1 :]
            made = [(value << 4, 0, 1), *((value ^ other, 1, 0) for other in others)]
            for new, sums, doubles in made:
                if new not in values:
                    yield (*others, new), sums, doubles
                    if len(values) < self.registers:
                        yield (*values, new), sums + 1, doubles
                    else:
                        for lost in range(len(values)):
                            yield (*values[:lost], *values[lost + 1 :], new), sums + 1, doubles

    def least(self, most: int) -> tuple[int | None, list[str], int]:
        """Sums and copies of the shortest program, the values that it makes, how many sets were looked at.

        None where more than `most` are needed.
        """
        before: dict[Node, Node | None] = {}
        waiting: list[list[dict[Node, Node | None]]] = [
            [{} for _ in range(self.doubles + 1)] for _ in range(most + 1)
        ]
        waiting[0][0][COLUMN, 0] = None
        for done in range(most + 1):
            for doubles in range(self.doubles + 1):
                fresh = {node: last for node, last in waiting[done][doubles].items() if node not in before}
                before |= fresh
                waiting[done][doubles] = {}
                for node in fresh:
                    if doubles == self.doubles and set(self.outputs) <= set(node[0]):
                        return done, self._program(node, before), len(before)
                    for new, sums, doubled in self.following(node[0]):
                        after, now = done + sums, doubles + doubled
                        if now <= self.doubles and after <= most:
                            to = canonical(tuple(sorted(new))), now
                            if to not in before and to not in waiting[after][now]:
                                bound = self.bound(to[0], self.doubles - now)
                                if bound is not None and after + bound <= most:
                                    waiting[after][now][to] = node
        return None, [], len(before)

    def _program(self, node: Node | None, before: dict[Node, Node | None]) -> list[str]:
        """What is made of the bytes of the column, in order; with `+` where nothing is lost for it."""
        path = []
        while node is not None:
            path.append(node[0])
            node = before[node]
        values, program = COLUMN, []
        for key in path[-2::-1]:
            held, values = (
                values,
                next(new for new, _, _ in self.following(values) if canonical(tuple(sorted(new))) == key),
            )
            program.append(("+" if len(values) > len(held) else "") + named(values[-1]))
        return program


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--free", type=int, default=1, help="registers beside the column")
    options.add_argument("kernel", nargs="*", help="MixColumns or InvMixColumns; both otherwise")
    chosen = options.parse_args()
    if unknown := set(chosen.kernel) - set(KERNELS):
        options.error(f"no kernel {min(unknown)!r}: expected one of {', '.join(KERNELS)}")
    for name in chosen.kernel or KERNELS:
        began = time.process_time()
        registers = len(COLUMN) + chosen.free
        search = Search(KERNELS[name], registers, LEAST_DOUBLES)
        sums, program, sets = next(found for found in map(search.least, count(LEAST_SUMS)) if found[1])
        cycles = sums + LEAST_DOUBLES * DOUBLE_CYCLES
        for doubles in count(LEAST_DOUBLES + 1):
            most = cycles - 1 - doubles * DOUBLE_CYCLES
            if most < LEAST_SUMS:
                break
            other, longer, more = Search(KERNELS[name], registers, doubles).least(most)
            sets += more
            if other is not None:
                program, cycles = longer, other + doubles * DOUBLE_CYCLES
        seconds = time.process_time() - began
        print(f"{name}, {chosen.free} free: {cycles} cycles; {sets:,} sets looked at, {seconds:.0f} s")
        print("   ", ", ".join(program), flush=True)


if __name__ == "__main__":
    main()
