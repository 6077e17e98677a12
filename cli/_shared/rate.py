"""A bar on the terminal for many short runs: how far they are, how many a second, and how long it will take."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

import click

from ovgather.cli._shared import progress as _progress


class Rate:
    """Shows what ``reached`` tells it, after a second and on a terminal only, and is gone in the end.

    >>> with Rate("m.xml") as rate:
    ...     rate.reached(1, 2)
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self._start = time.monotonic()
        self._known = 0
        self._bar: Any = None

    def __enter__(self) -> Rate:
        return self

    def reached(self, known: int, total: int) -> None:
        """``known`` of ``total`` runs have an answer; what is to be run again counts only once."""
        before, self._known = self._known, max(known, self._known)
        patience = time.monotonic() - self._start > _progress._PATIENCE
        if self._bar is None and patience and self._known < total and _progress._on_terminal():
            self._bar = click.progressbar(
                length=total,
                label=self.label,
                show_pos=True,
                item_show_func=lambda _: self._rate(),
                update_min_steps=max(1, total // 200),
                file=sys.stderr,
            )
            self._bar.__enter__()
            before = 0
        if self._bar is not None:
            self._bar.update(self._known - before)

    def _rate(self) -> str:
        return f"{self._known / (time.monotonic() - self._start):.0f}/s"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            click.echo(f"{_progress._WIPE}{_progress._CURSOR}", nl=False, err=True)
