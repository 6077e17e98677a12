"""Results on their way to a report: how far they are, Ctrl-C and --fail-fast.

A terminal shows a bar where it takes longer than a second.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from types import FrameType
from typing import Any

import click

from ovgather.cli._shared.outputs import CLEAN, INTERRUPTED, say
from ovgather.errors import LostFilesError, WorkerError
from ovgather.text import count
from ovgather.validation.checked import Checked, Totals
from ovgather.validation.diagnostic import SEVERITIES

_PATIENCE = 1.0  # seconds until it appears
_PERIOD = 5.0  # seconds between two lines where there is no terminal
_WIPE = "\r\x1b[2K"
_CURSOR = "\x1b[?25h"


class Rate(AbstractContextManager[Any]):
    """A bar with the number of runs a second, shown after a second and on a terminal only, and wiped at the end."""

    def __init__(self, label: str) -> None:
        self.label = label
        self._start = time.monotonic()
        self._known = 0
        self._bar: Any = None

    def reached(self, count: int, total: int) -> None:
        """``count`` of ``total`` runs have an answer; a run that is repeated counts only once."""
        before = self._known
        self._known = max(count, self._known)
        late = time.monotonic() - self._start > _PATIENCE
        if self._bar is None and late and self._known < total and on_terminal():
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

    def _rate(self) -> str | None:
        return f"{self._known / (time.monotonic() - self._start):.0f}/s"

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            click.echo(f"{_WIPE}{_CURSOR}", nl=False, err=True)


class Progress(Rate):
    """A bar that counts ``files``.

    ``lines``: where there is no terminal, a line every few seconds, and one at the end.
    """

    def __init__(self, files: Sequence[str], lines: bool = False) -> None:
        super().__init__("Checking files")
        self.files = files
        self.totals = Totals()
        self._lines = lines and not on_terminal()
        self._next_line = self._start + _PERIOD

    def over(self, results: Iterable[Checked]) -> Iterator[Checked]:
        """``results``, counted as they come. A bar is wiped before anything is printed in its place."""
        for checked in self.totals.over(results):
            self.reached(self._known + 1, len(self.files))
            if self._lines and time.monotonic() > self._next_line:
                self._next_line += _PERIOD
                click.echo(self._line(), err=True)
            if self._bar is not None and sys.stdout.isatty():
                click.echo(_WIPE, nl=False, err=True)
            yield checked

    def _line(self) -> str:
        left = (
            (time.monotonic() - self._start)
            / max(1, self._known)
            * (len(self.files) - self._known)
        )
        rate = ""
        if self._known:
            rate = f"{self._rate()}, "
        return f"ovgather: {self._known:,} of {len(self.files):,} files, {rate}{left:.0f} s left"

    def __exit__(self, *_: object) -> None:
        if self._lines:
            click.echo(self._line(), err=True)
        super().__exit__()

    def _rate(self) -> str:
        counts = (
            count(self.totals.number(each), each)
            for each in SEVERITIES
            if self.totals.number(each)
        )
        return ", ".join(
            (f"{self._known / (time.monotonic() - self._start):.0f} files/s", *counts)
        )


def on_terminal() -> bool:
    """Whether standard error is a terminal that can wipe a line."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def show_line(text: str) -> None:
    """Put ``text`` in the place of the line that is shown."""
    if on_terminal():
        click.echo(f"{_WIPE}{text}", nl=False, err=True)


class Stream:
    """``results`` until Ctrl-C, which never ends it while a result is written, an ``error`` of a worker, or the end.

    ``code`` is the worst exit code that ``code_of`` gives to one; with ``fail_fast`` it is ``stopped`` by any but 0.
    """

    def __init__(
        self,
        results: Iterable[Any],
        code_of: Callable[[Any], int],
        fail_fast: bool = False,
    ) -> None:
        self.results = iter(results)
        self.code_of = code_of
        self.fail_fast = fail_fast
        self.code = CLEAN
        self.done = 0
        self.last = ""
        self.interrupted = self.stopped = False
        self.error: WorkerError | None = None
        self._waiting = self.is_partial = False

    def __iter__(self) -> Iterator[Any]:
        before = signal.getsignal(signal.SIGINT)
        try:
            if before is signal.default_int_handler:  # a shell may have switched it off
                signal.signal(signal.SIGINT, self._interrupt)
        except ValueError:  # only the main thread is interrupted
            before = None
        try:
            for result in self._results():
                if not self.is_partial:
                    self.done = self.done + 1
                    self.last = result.path
                self.code = max(self.code, self.code_of(result))
                yield result
                if self.fail_fast and self.code != CLEAN:
                    self.stopped = True
                    break
        finally:
            if before is signal.default_int_handler:
                signal.signal(signal.SIGINT, before)

    def _results(self) -> Iterator[Any]:
        while not self.interrupted:
            try:
                self._waiting = True
                result = next(self.results)
                self._waiting = False
            except KeyboardInterrupt as error:
                self.interrupted = True
                partial = [*getattr(error, "report", ())]  # what is known of a file
                self.is_partial = bool(partial)
                yield from partial
            except WorkerError as error:
                self.error = error
                return
            except StopIteration:
                return
            else:
                yield result

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        again = self.interrupted
        self.interrupted = True
        if self._waiting or again:
            raise KeyboardInterrupt

    def ended(self) -> list[str]:
        """Why the results end early, if they do; lost files are among them."""
        if self.interrupted or self.stopped:
            return ["interrupted" if self.interrupted else "stopped by --fail-fast"]
        if self.error is None or isinstance(self.error, LostFilesError):
            return []
        return [str(self.error)]

    def exit_code(self, total: int, cached: bool | None = None) -> int:
        """The exit code, or the ``error``, with everything else reported. Where not all of ``total`` files are done, it
        is said how to go on: by ``--after``, or by what is ``cached``; None: the verb has neither."""
        if self.interrupted or self.stopped:
            say(self._rest(self.ended()[0], total, cached))
        if self.interrupted:
            return INTERRUPTED
        if isinstance(self.error, LostFilesError) or (
            self.error is not None and not self.done
        ):
            raise self.error  # there is nothing to go on from
        if self.error is not None:
            raise type(self.error)(
                self._rest(str(self.error), total, cached)
            ) from self.error
        return self.code

    def _rest(self, why: str, total: int, cached: bool | None) -> str:
        message = f"{why}: {self.done:,} of {total:,} files are done and in the report"
        if self.is_partial:
            message += ", with a part of the next one"
        if self.done == total or cached is None:
            return message
        way = "the same command goes on, with these from the cache"
        if not cached:
            import shlex

            way = "run it again"
            if self.last:
                way = f"--after {shlex.quote(self.last)} goes on"
        return f"{message}; {way}"
