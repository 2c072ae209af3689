"""Transcripts reach all of the interpreters and of taint: what they do not reach, the identity would not see.

It compiles the simulator with gcc for gcov: optimised where nothing is measured, and without the digests.
"""

import json
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from tightfit.paths import simulator_source

MAIN = """
#include "sim.h"
#include "behaviour_api.h"
#include "sha256.h"

void sha256_begin(Sha256 *sha) { (void)sha; }
void sha256_add(Sha256 *sha, const void *data, size_t length) { (void)sha; (void)data; (void)length; }
void sha256_end(Sha256 *sha, uint8_t digest[32]) { (void)sha; digest[0] = 0; }

int main(void)
{
    uint8_t digest[32];
    for (uint32_t n = 0; sim_core_name(n); n++)
        for (int which = SIM_TRANSCRIPT_RUN; which <= SIM_TRANSCRIPT_TAINT; which++)
            if (sim_behaviour(sim_core_name(n), which, digest) != 0)
                return 1;
    return 0;
}
"""
OPTIMISED = ("gcc", "-std=gnu11", "-O2")
MEASURED = ("gcc", "-std=gnu11", "-O0", "--coverage")
RUNS = ("armv6m_run.c", "avr_run.c", "msp430_run.c", "rl78_run.c", "rv32e_run.c")
TAINTS = ("taint_armv6m.c", "taint_avr.c", "taint_msp430.c", "taint_rl78.c", "taint_rv32e.c")
FILES = (*RUNS, "sim.c", "watch.c", "taint.c", *TAINTS, "chain.c")
BRANCHES_OF_RUNS = 0.87
"""Least share of branch outcomes in a fast interpreter. Most of the others cannot be: every access asks for
all kinds of memory, but an SFR address never leads to flash, and LPM never reads above flash."""

UNREACHED = {
    "sim.c": {
        "the host is out of memory": (
            "sim_new_core: if (!sim)",
            "sim_new_core: if (planes_new",
            "sim_new_core: if (core->init",
            "sim_map: if (sim_open",
            "sim_map_code: *span = code",
            "sim_run_profiled: if (sim->profile.failed)",
            "grow: if (!bigger)",
            "new_node: && grow(",
            "sim_profile_start: if (!p->frames || !p->cells)",
            "sim_profile_start: if (!p->failed)",
            "sim_profile_call: if (!p->failed)",
            "grow_cells: if (!bigger)",
            "sim_profile_add: if (grow_cells(p) != 0)",
        ),
        "no memory map has an empty region": ("sim_map_code: if (region->kind",),
        "an instruction counts, a skipped one has waits": ("sim_profile_add: if (!p->on ||",),
        "calls in one context test answers; no figure counts them": (
            "carried: static const",
            "sim_call_many: if (batch->carried",
            "sim_call_many: block = carried",
        ),
        "names are for the host": ("sim_wait_name: const char", "sim_pointer_bits: uint32_t"),
    },
    "watch.c": {
        "all of a stack is there": ("clobber: if (!planes_are_open", "release: if (!planes_are_open"),
    },
    "taint.c": {
        "the host is out of memory": (
            "grow: if (!bigger)",
            "record_at: && grow(",
            "taint_touch: && grow(",
            "save: if (!s->machine)",
            "keep_other: if (!other->bytes)",
            "try_ways: if (steps >= 0 && keep_other",
            "decide: if (!c->apart",
            "taint_new: if (!t)",
            "taint_new: if (planes_new",
            "taint_new: || planes_open",
            "put_mask: if (planes_open",
            "finish: if (t->failed)",
            "taint_run: while (now->pc != stop && !t->failed)",
            "taint_step: while (steps-- && !t->failed)",
        ),
        "every core that there is has taint": ("taint_new: Taint *t = core",),
        "every instruction has a rule": ("step: if (t->unknown)",),
        "no store leaves the address space": ("taint_write: if (actual(address) >=",),
        "a way that was tried goes well once more": (
            "decide: for (int n = 0; n < steps && more",
            "advance: return condition.kind < 0",
        ),
    },
    "taint_avr.c": {"every instruction has a rule": ("move_insn: switch (i->op)", "move_insn: default:")},
    "taint_rl78.c": {
        "every instruction has a rule": ("move_control: switch (i->op)", "move_control: default:")
    },
    "taint_armv6m.c": {
        "every instruction has a rule": ("move_insn: switch (i->op)", "move_insn: default:"),
    },
    "taint_msp430.c": {
        "every instruction has a rule": (
            "move_extended: if (op >= OP_MOVA_N",
            "move_extended: switch (op)",
            "move_extended: default:",
        ),
        "the decoder turns PC as a source into a constant": (
            "to_special: Bits result",
            "push: if (i->src == R_SP && kind != N)",
            "address_sum: int same",
        ),
    },
}
"""By file and reason: the function and how the line begins. Lines behind such a branch alone go with it."""


pytestmark = pytest.mark.long(seconds=70)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """gcov's record of every file of the simulator, and its text, after both transcripts of every core."""
    folder = tmp_path_factory.mktemp("coverage")
    for file in simulator_source().glob("*.[chd]*"):
        shutil.copy(file, folder)
    (folder / "sha256.c").unlink()
    (folder / "main.c").write_text(MAIN)
    for name in RUNS:
        one_operation_a_line(folder / name)
    for file in sorted(folder.glob("*.c")):
        compiled = MEASURED if file.name in FILES else OPTIMISED
        subprocess.run([*compiled, "-c", file.name], cwd=folder, check=True)
    objects = sorted(file.name for file in folder.glob("*.o"))
    subprocess.run([*MEASURED, "-o", "main", *objects], cwd=folder, check=True)
    subprocess.run([folder / "main"], cwd=folder, check=True)
    return {name: lines_of(folder, name) for name in FILES}


def one_operation_a_line(file: Path) -> None:
    """Expand the macros, so that each interpreter has lines of its own, and each operation in it."""
    done = subprocess.run(
        ["gcc", "-std=gnu11", "-E", "-P", file.name],
        cwd=file.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    file.write_text(re.sub(r"(?<![\w&])(L_\w+:)", r"\n\1", done.stdout))


def lines_of(folder: Path, name: str) -> list[tuple[str, str, int, list[int]]]:
    """Function, text, executions, and the counts of the branch outcomes of each line with code."""
    command = ["gcov", "--branch-probabilities", "--json-format", "--stdout", f"{Path(name).stem}.gcda"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    text = (folder / name).read_text().splitlines()
    [record] = [each for each in json.loads(done.stdout)["files"] if Path(each["file"]).name == name]
    return [
        (
            line.get("function_name", ""),
            text[line["line_number"] - 1].strip(),
            line["count"],
            [branch["count"] for branch in line["branches"]],
        )
        for line in record["lines"]
    ]


def missed_of(name: str, lines: list[tuple[str, str, int, list[int]]]) -> list[str]:
    """Lines and branches not reached that no reason excuses, and reasons that excuse nothing."""
    reasons = UNREACHED.get(name, {})
    allowed = {place for places in reasons.values() for place in places}
    missed, used, behind = [], set(), False
    for function, text, count, branches in lines:
        place = next((each for each in allowed if f"{function}: {text}".startswith(each)), None)
        if count and all(branches):
            behind = False
        elif place is not None:
            used.add(place)
            behind = True
        elif count or not behind:
            missed.append(f"{name}: {function}: {text}")
    return [*missed, *(f"{name}: {place} is reached" for place in sorted(allowed - used))]


def test_all_of_it_is_reached(measured):
    missed = [each for name in FILES if name not in RUNS for each in missed_of(name, measured[name])]
    assert not missed, "\n".join(missed)


def test_every_operation_is_reached_in_every_interpreter(measured):
    """Fast and traced: every line, and in the fast ones, which measure, the branch outcomes that can be."""
    for name in RUNS:
        lines = [each for each in measured[name] if "_run_" in each[0]]
        assert not [f"{function}: {text[:60]}" for function, text, count, _ in lines if not count]
        operations, outcomes = defaultdict(set), defaultdict(list)
        for function, text, _, branches in lines:
            if label := re.match(r"L_(\w+):", text):
                operations[function].add(label[1])
            outcomes[function] += branches
        listed = (simulator_source() / name.replace("_run.c", "_ops.h")).read_text()
        assert set(re.findall(r"\bX\((\w+)\)", listed)) - {"name"} <= set().union(*operations.values()), name
        for function, counts in outcomes.items():
            share = sum(map(bool, counts)) / len(counts)
            assert "traced" in function or share >= BRANCHES_OF_RUNS, f"{function}: {share:.3f}"
