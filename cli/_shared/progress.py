"""What a terminal shows while it takes longer than a second: a bar, or of a single file how long it has taken."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import click

from ovgather.text import printable

_PATIENCE = 1.0
"""Seconds until it appears."""
_BEAT = 0.5
"""Seconds from one telling to the next."""
_WIPE = "\r\x1b[2K"
_CURSOR = "\x1b[?25h"


class Progress:
    """Counts ``files``; on a terminal it shows how far they are, and is gone in the end.

    >>> with Progress(["a.xml", "b.xml"]) as progress:
    ...     progress(1)
    ...     progress(1)
    """

    def __init__(self, files: Sequence[str]) -> None:
        self.files = files
        self._start = time.monotonic()
        self._done = 0
        self._bar: Any = None
        self._watch: _Watch | None = None

    def __enter__(self) -> Progress:
        if len(self.files) == 1 and self.files[0] != "-" and _on_terminal():
            self._watch = _Watch(self.files[0])
        return self

    def __call__(self, files: int) -> None:
        """``files`` more are done."""
        self._done += files
        total = len(self.files)
        if self._bar is not None:
            self._bar.update(files)
        elif time.monotonic() - self._start > _PATIENCE and self._done < total and _on_terminal():
            self._bar = click.progressbar(
                length=total,
                label="Checking files",
                show_pos=True,
                update_min_steps=max(1, total // 200),
                file=sys.stderr,
            )
            self._bar.__enter__()
            self._bar.update(self._done)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watch is not None:
            self._watch.stop()
        if self._bar is not None:
            click.echo(f"{_WIPE}{_CURSOR}", nl=False, err=True)


class _Watch:
    """Tells every half second that a file is still being checked: its reader does not say how far it is."""

    def __init__(self, path: str) -> None:
        # Only on a terminal: threads take a few milliseconds to import.
        from threading import Event, Thread

        self.path = path
        self._stopped = Event()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        start = time.monotonic()
        told = False
        wait = _PATIENCE
        while not self._stopped.wait(wait):
            seconds = time.monotonic() - start
            text = f"Checking {printable(os.path.basename(self.path))}, {_megabytes(self.path)}: {seconds:.0f} s"
            click.echo(f"{_WIPE}{text}", nl=False, err=True)
            told, wait = True, _BEAT
        if told:
            click.echo(_WIPE, nl=False, err=True)

    def stop(self) -> None:
        """Wipe what is told."""
        self._stopped.set()
        self._thread.join()


def _megabytes(path: str) -> str:
    try:
        return f"{os.stat(path).st_size / 1e6:.1f} MB"
    except OSError:
        return "no file"


def _on_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
