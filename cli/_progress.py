"""A bar on the terminal for what takes longer than a second."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import Any

import click

_PATIENCE = 1.0
"""Seconds until it appears."""


class Progress:
    """Counts files; on a terminal it shows how far they are, and is gone in the end.

    >>> with Progress(2) as progress:
    ...     progress(1)
    ...     progress(1)
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self._start = time.monotonic()
        self._done = 0
        self._bar: Any = None

    def __enter__(self) -> Progress:
        return self

    def __call__(self, files: int) -> None:
        """``files`` more are done."""
        self._done += files
        if self._bar is not None:
            self._bar.update(files)
        elif time.monotonic() - self._start > _PATIENCE and self._done < self.total and _on_terminal():
            self._bar = click.progressbar(
                length=self.total,
                label="Checking files",
                show_pos=True,
                update_min_steps=max(1, self.total // 200),
                file=sys.stderr,
            )
            self._bar.__enter__()
            self._bar.update(self._done)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            click.echo("\r\x1b[2K\x1b[?25h", nl=False, err=True)  # the line is wiped, the cursor is back


def _on_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
