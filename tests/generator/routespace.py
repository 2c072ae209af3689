"""A made-up space of the size of Keccak's: 24 routes through shift routines that a variant may have or not.

Costs are drawn from a seed and written in the source for the fake bench. `Frontier` finds the best of a
budget without the search and without its model: it tries every set of routines and fills ROM by dynamic
programming.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

import numpy as np

from tightfit.generator import Space, load_space
from tightfit.records import Budget

ROUNDS, CALLER, BLOCK, RETURN = 24, 13, 337, 4
ROM_LIMIT, NEVER = 4096, 1 << 40
Cost = tuple[int, int]


@dataclass(frozen=True)
class Routing:
    """Bytes, and cycles per round, of every choice.

    Attributes
    ----------
    templates : by name, what every variant costs.
    steps : by knob and value.
    saved : by value, bytes, cycles and bytes of RAM.
    routines : by name and form, bytes, and cycles per call.
    routes : by name and value, bytes, cycles, and how often which routine is called.
    """

    templates: dict[str, Cost]
    steps: dict[str, dict[str, Cost]]
    saved: dict[str, tuple[int, int, int]]
    routines: dict[str, dict[str, Cost]]
    routes: dict[str, dict[str, tuple[int, int, str, int]]]


def drawn(seed: int, routes: int = 24, routines: int = 8, ways: int = 8) -> Routing:
    """Costs at random: routines of two forms, routes by own code or by one to three calls of a routine."""
    draw = Random(seed)
    forms = {}
    for name in (f"left{i + 1}" for i in range(routines)):
        size, time = draw.randrange(14, 60), draw.randrange(30, 160)
        forms[name] = {"small": (size, time), "quick": (size + draw.randrange(9, 50), time * 2 // 3)}
    chosen = {}
    for route in (f"r{i:02}" for i in range(routes)):
        chosen[route] = {"direct": (draw.randrange(40, 150), draw.randrange(20, 60), "", 0)}
        for name, calls in draw.sample([(name, n) for name in forms for n in (1, 2, 3)], ways - 1):
            size, time = 3 * calls + draw.randrange(4, 16), draw.randrange(5, 50)
            chosen[route][f"{name}x{calls}"] = size, time, name, calls
    return Routing(
        templates={"plain": (draw.randrange(120, 200), 1400), "merged": (draw.randrange(240, 300), 1100)},
        steps={
            "chi": {"loop": (30, 900), "rows": (70, 600), "flat": (190, 500)},
            "theta": {"apart": (5, 300), "joined": (draw.randrange(30, 60), 20)},
            "iota": {"table": (192, 20), "packed": (60, 60), "lfsr": (31, 200)},
        },
        saved={"work": (0, 0, 40), "again": (12, 31, 0)},
        routines=forms,
        routes=chosen,
    )


def written(costs: Routing, root: Path) -> Space:
    """The space as files under `root`, loaded."""
    for name, cost in costs.templates.items():
        folder = root / "rl78" / "routes" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "main.s.j2").write_text("\n".join(_source(costs, cost)) + "\n")
        (folder / "template.yaml").write_text("\n".join(_declared(costs)) + "\n")
    load_space.cache_clear()
    return load_space("rl78", "routes", root)


def _declared(costs: Routing) -> Iterator[str]:
    yield "doc: routes through routines\noperations: [hash]\nknobs:"
    routines = {name: ["absent", *forms] for name, forms in costs.routines.items()}
    for knob, values in ({"saved": costs.saved} | costs.steps | routines | costs.routes).items():
        yield f"  {knob}: {{values: [{', '.join(values)}]}}"
    yield "constraints:"
    for route, ways in costs.routes.items():
        for way, (_, _, routine, _) in ways.items():
            if routine:
                yield f"  - \"k.{route} != '{way}' or k.{routine} != 'absent'\""
    yield "block:"
    yield f"  - {{name: state, bytes: {BLOCK}}}"
    yield f"  - {{name: work, bytes: \"{costs.saved['work'][2]} if k.saved == 'work' else 0\"}}"
    yield "stack_reads: []"
    yield "entries: {hash: [middle]}"


def _source(costs: Routing, all_variants: Cost) -> Iterator[str]:
    yield from _fragment("enter", "", {"": _lines(*all_variants)})
    saved = {value: cost[:2] for value, cost in costs.saved.items()}
    for knob, values in ({"saved": saved} | costs.steps).items():
        yield from _fragment(knob, knob, {value: _lines(*cost) for value, cost in values.items()})
    for name, forms in costs.routines.items():
        called = {form: [*_lines(*cost), "called"] for form, cost in forms.items()}
        yield from _fragment(name, name, {"absent": ["size 0", "called"]} | called)
    for route, ways in costs.routes.items():
        calls = {
            way: [*_lines(size, time), *[f"calls {routine}"] * count]
            for way, (size, time, routine, count) in ways.items()
        }
        yield from _fragment(route, route, calls)


def _lines(size: int, time: int) -> list[str]:
    return [f"size {size}", f"times {ROUNDS}", f"time {time}"]


def _fragment(name: str, knob: str, lines: dict[str, list[str]]) -> Iterator[str]:
    yield f'{{% fragment "{name}" reads="{knob}" %}}'
    for value, text in lines.items():
        yield f'{{% if k.{knob} == "{value}" %}}' if knob else ""
        yield "\n".join(f" {line}" for line in text)
        yield "{% endif %}" if knob else ""
    yield "{% endfragment %}"


class Frontier:
    """Least cycles by bytes of ROM, for every choice of what is saved."""

    def __init__(self, costs: Routing) -> None:
        least = np.full(ROM_LIMIT, NEVER)
        for forms in product(*({"absent": (0, NEVER)} | forms for forms in costs.routines.values())):
            np.minimum(least, _routed(costs, dict(zip(costs.routines, forms, strict=True))), out=least)
        for values in (*costs.steps.values(), costs.templates):
            least = _added(least, values.values())
        self._costs = costs
        self._least = {value: _added(least, [cost[:2]]) for value, cost in costs.saved.items()}

    def best(self, budget: Budget) -> tuple[int, int, int] | None:
        """Cycles, ROM and RAM of the best variant in a budget without `below`; None where none fits."""
        costs = []
        for value, least in self._least.items():
            block = BLOCK + self._costs.saved[value][2]
            ram = block + block % 2 + RETURN
            room = least[: (budget.rom or ROM_LIMIT - 1) + 1]
            there = np.flatnonzero(room < NEVER)
            if len(there) and (budget.ram is None or ram <= budget.ram):
                rom = int(there[0] if budget.objective == "rom" else np.argmin(room))
                costs.append((ROUNDS * int(room[rom]) + CALLER, rom, ram))
        return min(
            costs, key=lambda cost: (cost[1], cost) if budget.objective == "rom" else cost, default=None
        )


def _routed(costs: Routing, forms: dict[str, str]) -> np.ndarray:
    """Least cycles by bytes of ROM over all ways of all routes through these forms of the routines."""
    there = {name: costs.routines[name][form] for name, form in forms.items() if form != "absent"}
    used = sum(size for size, _ in there.values())
    least = np.full(ROM_LIMIT, NEVER)
    least[used] = 0
    for ways in costs.routes.values():
        open_ways = [way for way in ways.values() if not way[2] or way[2] in there]
        options = [(s, t + (n * there[name][1] if n else 0)) for s, t, name, n in open_ways]
        least = _added(least, options)
    return least


def _added(least: np.ndarray, options: Iterable[Cost]) -> np.ndarray:
    least_after = np.full(ROM_LIMIT, NEVER)
    for size, time in options:
        np.minimum(least_after[size:], least[: ROM_LIMIT - size] + time, out=least_after[size:])
    return np.minimum(least_after, NEVER)
