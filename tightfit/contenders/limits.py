"""Tools that read somebody else's sources, run with bounds on memory, time, output and open files."""

import errno
import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

MEMORY_MB, OUTPUT_MB, SECONDS, FILES = 1024, 64, 60, 64
_BOUNDED = (
    f"ulimit -v {MEMORY_MB << 10}; ulimit -f {OUTPUT_MB << 11}; ulimit -t {SECONDS}; ulimit -n {FILES}; "
    'exec "$@"'
)
"""A shell sets the limits, which the tool and all that it starts inherit; a lower limit of the user stays."""
_SAID = 1 << 16
_WAIT = 20 * SECONDS
"""Seconds until a tool that waits for something is ended: on a busy machine all take many times longer."""
_TOO_MUCH = {
    f"needs more than {MEMORY_MB} MB of memory": "memory exhausted|[Cc]annot allocate|out of memory",
    f"writes more than {OUTPUT_MB} MB": "File size limit exceeded|File too large",
    f"takes more than {SECONDS} seconds": "CPU time limit exceeded",
    f"opens more than {FILES} files at a time": "Too many open files",
}
_SIGNALS = {
    "SIGXFSZ": f"writes more than {OUTPUT_MB} MB",
    "SIGXCPU": f"takes more than {SECONDS} seconds",
    "SIGALRM": "does not end",
}


def run(command: Sequence[str], folder: Path, messages: Path, environment: Mapping[str, str]) -> int:
    """The exit status of a command run in a folder, less than 0 for a signal; what it says goes to a file.

    Raises
    ------
    OSError
        It does not start.
    """
    if not os.access(command[0], os.X_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    with messages.open("wb") as said:
        process = subprocess.Popen(
            ["/bin/sh", "-c", _BOUNDED, command[0], *command],
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    try:
        return process.wait(_WAIT)
    except subprocess.TimeoutExpired:
        return -signal.SIGALRM
    finally:
        if process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def exceeded(status: int, messages: Path) -> str | None:
    """Which limit ended a command, as a phrase; None where none did."""
    if status < 0:
        name = signal.Signals(-status).name
        return _SIGNALS.get(name, f"was ended by {name}")
    with messages.open(errors="replace") as said:
        text = said.read(_SAID)
    return next((phrase for phrase, words in _TOO_MUCH.items() if status and re.search(words, text)), None)
