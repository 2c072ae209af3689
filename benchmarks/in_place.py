"""The least cycles of short stretches in place: MixColumns and its inverse, of a column of bytes on a two-operand machine.

A register takes the sum of itself and another one, a copy of another one, or its double in GF(2^8); a sum and a copy cost a cycle, a
double three. All programs are searched, by the number of sums and copies, over the sets of values that the registers hold: two that turn
into one another with the bytes of the column are one. What is left out can make no shorter program: a register that is overwritten
although another one holds nothing that is needed, and a double that brings no output nearer, since three have to be made and there are three.

For each kernel and number of free registers it prints the cycles of the shortest program, and the program.
"""

import argparse
import time
from collections.abc import Iterator

KERNELS = {"MixColumns": (2, 3, 1, 1), "InvMixColumns": (14, 11, 13, 9)}
"""The first row of the circulant matrix of each (FIPS 197, 5.1.3 and 5.3.3)."""

DOUBLES = 3
"""What either kernel needs: the outputs have that many dimensions beside those of the inputs."""

DOUBLE_CYCLES = 3
"""`lsl`, a branch over one instruction and `eor` on AVR, taken or not."""

Values = tuple[int, ...]
"""What registers hold, in rising order: bit 4 j + i says whether 2^j times byte i of the column is in the sum."""

_TURNED = [[nibble << 1 & 15 | nibble >> 3 for nibble in range(16)]]
for _ in range(2):
    _TURNED.append([_TURNED[0][nibble] for nibble in _TURNED[-1]])


def turned(value: int, turns: int) -> int:
    """The value with the bytes of the column turned, one to three times."""
    table = _TURNED[turns - 1]
    return table[value & 15] | table[value >> 4 & 15] << 4 | table[value >> 8 & 15] << 8 | table[value >> 12] << 12


def canonical(values: Values) -> Values:
    """The same for all four that turn into one another."""
    return min(values, *(tuple(sorted(turned(value, turns) for value in values)) for turns in (1, 2, 3)))


def outputs(row: tuple[int, ...]) -> tuple[int, ...]:
    """The bytes of the column that the circulant matrix makes."""
    first = sum(1 << 4 * j + i for i, factor in enumerate(row) for j in range(4) if factor >> j & 1)
    return (first, *(turned(first, turns) for turns in (1, 2, 3)))


def dimensions(values: Values) -> int:
    basis: list[int] = []
    for value in values:
        for other in basis:
            value = min(value, value ^ other)
        if value:
            basis.append(value)
    return len(basis)


class Search:
    """The shortest program of a kernel with so many registers, four of them the column."""

    def __init__(self, row: tuple[int, ...], registers: int):
        self.outputs, self.registers = outputs(row), registers
        self.bounds: dict[tuple[Values, int], int] = {}

    def bound(self, values: Values, doubles: int) -> int:
        """Sums and copies that are wanted at least with so many doubles to come; 99 if the outputs are out of reach."""
        found = self.bounds.get((values, doubles))
        if found is None:
            found = self.bounds[values, doubles] = self._bound(values, doubles)
        return found

    def _bound(self, values: Values, doubles: int) -> int:
        if dimensions(values + self.outputs) - dimensions(values) > doubles:
            return 99
        missing = [output for output in self.outputs if output not in values]
        if doubles or not missing:
            return len(missing)
        sums = {0: 0}
        for value in values:
            for total, count in list(sums.items()):
                sums[total ^ value] = min(count + 1, sums.get(total ^ value, 99))
        return len(missing) - 1 + min(sums[output] for output in missing) - 1

    def following(self, values: Values) -> Iterator[tuple[Values, int, int]]:
        """The values after an instruction, or after a copy and what is done to it; sums and copies, doubles."""
        for i, value in enumerate(values):
            others = values[:i] + values[i + 1 :]
            made = [] if value >> 12 else [(value << 4, 0, 1)]
            made += [(value ^ other, 1, 0) for other in others]
            for new, sums, doubles in made:
                if new and new not in values:
                    yield (*others, new), sums, doubles
                    if len(values) < self.registers:
                        yield (*values, new), sums + 1, doubles
                    else:
                        for lost in range(len(values)):
                            yield (*values[:lost], *values[lost + 1 :], new), sums + 1, doubles

    def least(self, most: int) -> tuple[int | None, int]:
        """Sums and copies of the shortest program, None where more than `most` are wanted; how many sets were looked at."""
        waiting: list[list[set[Values]]] = [[set() for _ in range(DOUBLES + 1)] for _ in range(most + 3)]
        waiting[0][0].add(canonical((1, 2, 4, 8)))
        seen: list[set[Values]] = [set() for _ in range(DOUBLES + 1)]
        for count in range(most + 1):
            for doubles in range(DOUBLES + 1):
                fresh = waiting[count][doubles] - seen[doubles]
                seen[doubles] |= fresh
                waiting[count][doubles] = set()
                for values in fresh:
                    if doubles == DOUBLES and set(self.outputs) <= set(values):
                        return count, sum(map(len, seen))
                    for new, sums, doubled in self.following(values):
                        after, left = count + sums, DOUBLES - doubles - doubled
                        if left >= 0 and after <= most:
                            key = canonical(tuple(sorted(new)))
                            if key not in seen[doubles + doubled] and after + self.bound(key, left) <= most:
                                waiting[after][doubles + doubled].add(key)
        return None, sum(map(len, seen))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--free", type=int, default=1, help="registers beside the column")
    options.add_argument("kernel", nargs="*", default=list(KERNELS), choices=list(KERNELS))
    chosen = options.parse_args()
    for name in chosen.kernel:
        began = time.process_time()
        most = 4
        while True:
            least, sets = Search(KERNELS[name], 4 + chosen.free).least(most)
            if least is not None:
                break
            most += 1
        cycles = least + DOUBLES * DOUBLE_CYCLES
        seconds = time.process_time() - began
        print(f"{name}, {chosen.free} free: {least} sums and copies, {cycles} cycles; {sets:,} sets, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
