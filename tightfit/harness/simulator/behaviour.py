"""What each core does, as two digests: the identity of a simulator, however its source is written.

`simulator/behaviour.yaml` has those of the sources that ship, written by `python -m
tightfit.harness.simulator.behaviour`. Of other sources they are computed, and kept in the cache beside the
compiled library.
"""

import json
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tightfit.errors import UsageError, WorkError
from tightfit.harness.simulator.sources import library_hash
from tightfit.paths import simulator_source
from tightfit.textfile import replace_text
from tightfit.yamlfile import load_yaml, mapping, named

FILE = "behaviour.yaml"
KEPT = "behaviour.json"
_DIGEST = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_SCHEMA = mapping({"sources": _DIGEST, "cores": named(mapping({"run": _DIGEST}, {"taint": _DIGEST}))})
_HEAD = """\
# What each core of the simulator does: SHA-256 of its transcripts, and the state of the sources they are of.
# run: states, clocks and ends; taint: masks and records. Figures rest on these, not on the spelling.
# Written by: python -m tightfit.harness.simulator.behaviour
"""


@dataclass(frozen=True)
class Behaviour:
    """Digests of a core's transcripts, 64 hexadecimal digits; `taint` is None for a core without taint."""

    run: str
    taint: str | None


def behaviour(core: str, source: Path | None = None) -> Behaviour:
    """What a core does today.

    It is read from `behaviour.yaml` where that is of these sources, which takes no C compiler and no time.

    Parameters
    ----------
    core : a core's name, as `cores()` lists them
    source : folder of other C sources than the package's

    Raises
    ------
    UsageError
        There is no such core, it brings no transcript, or the file is not as it should be.
    WorkError
        The library cannot be built, or memory does not suffice.
    """
    known = behaviours(source)
    if core not in known:
        raise UsageError(f"no core {core!r} with a transcript: expected one of {', '.join(known)}")
    return known[core]


def behaviours(source: Path | None = None) -> Mapping[str, Behaviour]:
    """What every core does, by its name; the parameter and the errors are those of `behaviour`."""
    folder = source or simulator_source()
    return _of_state(folder, library_hash(folder))


@cache
def _of_state(source: Path, state: str) -> Mapping[str, Behaviour]:
    file = source / FILE
    if file.is_file():
        written = load_yaml(file, _SCHEMA)
        if written["sources"] == state:
            return _behaviours(written["cores"])
    from tightfit.harness.simulator.library import build_library

    kept = build_library(source).with_name(KEPT)
    found = _read(kept)
    if found is None:
        found = computed(source)
        text = {name: asdict(each) for name, each in found.items()}
        replace_text(kept, json.dumps(text, indent=1) + "\n")
    return found


def _behaviours(cores: Mapping[str, Mapping[str, str | None]]) -> dict[str, Behaviour]:
    return {name: Behaviour(digests["run"], digests.get("taint")) for name, digests in cores.items()}


def _read(kept: Path) -> dict[str, Behaviour] | None:
    """What was kept for a library; None where there is nothing that can be read."""
    try:
        return _behaviours(json.loads(kept.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def computed(source: Path | None = None, cores: Collection[str] | None = None) -> dict[str, Behaviour]:
    """As `behaviours`, from the built library, whatever a file or the cache says: about a second a core.

    Parameters
    ----------
    cores : names; without it, all
    """
    from tightfit.harness.simulator.library import load

    ffi, library = load(source)
    names = [name for name in _names(ffi, library) if cores is None or name in cores]
    wanted = [(name, which) for name in names for which in ("RUN", "TAINT")]
    with ThreadPoolExecutor() as pool:
        digests = dict(zip(wanted, pool.map(lambda each: _digest(ffi, library, *each), wanted), strict=True))
    return {
        name: Behaviour(digest, digests[name, "TAINT"])
        for (name, which), digest in digests.items()
        if which == "RUN" and digest is not None
    }


def _names(ffi: Any, library: Any) -> list[str]:
    names: list[str] = []
    while (name := library.sim_core_name(len(names))) != ffi.NULL:
        names.append(ffi.string(name).decode())
    return names


def _digest(ffi: Any, library: Any, core: str, which: str) -> str | None:
    digest = ffi.new("uint8_t[32]")
    status = library.sim_behaviour(core.encode(), getattr(library, f"SIM_TRANSCRIPT_{which}"), digest)
    if status < 0:
        raise WorkError(f"the transcript of {core} was not made: memory does not suffice")
    return bytes(digest).hex() if status == 0 else None


def write(source: Path | None = None) -> None:
    """Write `behaviour.yaml` for the sources as they are."""
    folder = source or simulator_source()
    lines = [f"sources: {library_hash(folder)}", "cores:"]
    for name, each in computed(folder).items():
        lines += [f"  {name}:", f"    run: {each.run}"] + ([f"    taint: {each.taint}"] if each.taint else [])
    replace_text(folder / FILE, _HEAD + "\n".join(lines) + "\n")


if __name__ == "__main__":
    write()
