"""Measurements then and now, as text and as JSON."""

from collections.abc import Sequence
from typing import Any

from tightfit.harness.replay import Replay
from tightfit.reports import words
from tightfit.reports.document import Document, Table, write


def form(replay: Replay) -> dict[str, Any]:
    """The object that `replay --json` prints."""
    return {
        "variant": replay.then.variant.id,
        "same": replay.same,
        "moved": [{"what": what, "then": old, "now": new} for what, old, new in replay.moved],
        "changed": [{"what": what, "then": old, "now": new} for what, old, new in replay.changed],
    }


def form_of_all(replays: Sequence[Replay]) -> dict[str, Any]:
    """The object that `replay --all --json` prints."""
    return {"replayed": len(replays), "moved": [form(replay) for replay in replays if not replay.same]}


def text(replay: Replay) -> str:
    """The figures of a measurement that moved, and what changed since it was made."""
    fate = "every figure as before" if replay.same else f"{len(replay.moved)} figures moved"
    cost = replay.now.cost
    figures = f" ({words.by_entry(cost)} cycles, {cost.rom} B of ROM, {cost.ram} B of RAM)" if cost else ""
    head = f"variant {replay.then.variant.id}: {fate}{figures}"
    tables = [
        Table(caption, ("what", "then", "now"), tuple((what, str(old), str(new)) for what, old, new in rows))
        for caption, rows in (("moved", replay.moved), ("changed since", replay.changed))
        if rows
    ]
    return write(Document(head, tuple(tables)), "text")


def text_of_all(replays: Sequence[Replay]) -> str:
    """How many measurements moved, and which figures of each."""
    moved = [replay for replay in replays if not replay.same]
    fate = f"{len(moved)} moved" if moved else "every figure as before"
    return "\n".join([f"{len(replays)} measurements replayed: {fate}", *map(text, moved)])
