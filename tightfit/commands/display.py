"""One display of the progress of all jobs of a `fill`: bars on a terminal, plain lines elsewhere."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from tightfit.generator.search import Event
from tightfit.records import Measurement

_PLAIN_SECONDS = 10.0


class Display:
    """The jobs of a run, one after the other, and all of them together."""

    def __init__(self, jobs: int, console: Console, bars: Progress | None):
        self.jobs, self.console, self.bars = jobs, console, bars
        self.fresh, self.begun, self.done = 0, time.monotonic(), 0
        self._beside: dict[str, TaskID | None] = {}
        self._all = bars.add_task("all", total=jobs, unit="jobs", rate="", stage="") if bars else None

    @contextmanager
    def job(self, name: str, cells: int) -> Iterator["JobDisplay"]:
        """The display of the next job, which has so many cells to close."""
        shown = JobDisplay(self, name, cells)
        yield shown
        shown.end()
        self.done += 1
        self.tell()

    def steps(self, what: str, done: int, total: int) -> None:
        """Show work beside the jobs: a bar on a terminal, its name when it begins elsewhere."""
        begins = what not in self._beside
        if self.bars is not None:
            if begins:
                self._beside[what] = self.bars.add_task(what, total=total, unit="", rate="", stage="")
            self.bars.update(self._beside[what], completed=done, total=total)
        elif begins:
            self._beside[what] = None
            self.console.print(what, highlight=False)

    def rate(self) -> str:
        """What this run has measured and how fast."""
        return f"{self.fresh:,} measured, {self.fresh / max(time.monotonic() - self.begun, 1e-3):.0f}/s"

    def tell(self) -> None:
        """Show how far the run is."""
        if self.bars is not None:
            self.bars.update(self._all, completed=self.done, rate=self.rate())


class JobDisplay:
    """Progress of one job: which cells are closed, and what the search is doing."""

    def __init__(self, display: Display, name: str, cells: int):
        self._display, self._closed, self._spoken = display, set(), time.monotonic()
        bars = display.bars
        self._task = bars.add_task(name, total=cells, unit="cells", rate="", stage="") if bars else None
        self._say(name if display.jobs == 1 else f"{name} ({display.done + 1} of {display.jobs})")

    def result(self, measurement: Measurement) -> None:
        """A candidate was measured."""
        self._display.fresh += 1
        self._show("")

    def event(self, event: Event) -> None:
        """The search got somewhere."""
        if event.stage == "cell" and event.budget:
            self._closed.add(event.budget)
            self._say(f"  {event.budget}: {event.status}")
        of = f" of {event.total:,}" if event.total else ""
        self._show(f"{event.stage} {event.budget or ''} {event.measured:,}{of} known")

    def say(self, stage: str) -> None:
        """Another stage begins."""
        self._say(f"  {stage}")
        self._show(stage)

    def end(self) -> None:
        """The job is done: its bar makes room for the next."""
        if self._display.bars is not None:
            self._display.bars.remove_task(self._task)

    def _say(self, line: str) -> None:
        if self._display.bars is None:
            self._display.console.print(line, highlight=False)

    def _show(self, stage: str) -> None:
        display = self._display
        if display.bars is not None:
            update = {"stage": stage} if stage else {}
            display.bars.update(self._task, completed=len(self._closed), **update)
            display.tell()
        elif time.monotonic() - self._spoken > _PLAIN_SECONDS and display.fresh:
            self._spoken = time.monotonic()
            display.console.print(f"  {display.rate()}", highlight=False)


@contextmanager
def display(jobs: int) -> Iterator[Display]:
    """The display of a run of so many jobs, on standard error."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Display(jobs, console, None)
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total} {task.fields[unit]}"),
        TextColumn("{task.fields[rate]}{task.fields[stage]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as bars:
        yield Display(jobs, console, bars)
