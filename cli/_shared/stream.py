"""Results on their way to a report that is written while they come, and that ends early at Ctrl-C or --fail-fast."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from types import FrameType

import click

from ovgather.cli._shared import files as _files
from ovgather.errors import LostFilesError
from ovgather.report import pieces
from ovgather.text import printable
from ovgather.validation.checked import Checked, Totals


class Stream:
    """``results`` until Ctrl-C or the end.

    Attributes:
        totals: the sums of what has come.
        last: the path of the last file that has come.
        interrupted: Ctrl-C was pressed. Only then, and never while a result is written, it ends the stream.
        stopped: it ended at a file with one of the severities ``fatal``.
        lost: names the files whose process died.
    """

    def __init__(self, results: Iterable[Checked], fatal: Iterable[str] = ()) -> None:
        self.results = iter(results)
        self.fatal = tuple(fatal)
        self.totals = Totals()
        self.last = ""
        self.interrupted = self.stopped = False
        self.lost: LostFilesError | None = None
        self._waiting = False

    def __iter__(self) -> Iterator[Checked]:
        before = signal.getsignal(signal.SIGINT)
        try:
            if before is signal.default_int_handler:  # a shell may have switched it off
                signal.signal(signal.SIGINT, self._interrupt)
        except ValueError:  # only the main thread is interrupted
            before = None
        try:
            for checked in self.totals.over(self._results()):
                self.last = checked.path
                yield checked
                if self.fatal and (checked.fatal or self.totals.number(*self.fatal)):
                    self.stopped = True
                    break
        finally:
            if before is signal.default_int_handler:
                signal.signal(signal.SIGINT, before)

    def _results(self) -> Iterator[Checked]:
        while not self.interrupted:
            try:
                self._waiting = True
                checked = next(self.results, None)
                self._waiting = False
            except KeyboardInterrupt:
                self.interrupted = True
                break
            except LostFilesError as error:
                self.lost = error
                break
            if checked is None:
                break
            yield checked

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        again, self.interrupted = self.interrupted, True
        if self._waiting or again:
            raise KeyboardInterrupt

    def show(self, what: str, format: str, color: str, output: str | None, **more: object) -> None:
        """Print the results in ``format`` as they come, or put them into the file ``output``."""
        _files.write_pieces(pieces(what, format, self, color=_files.wants_color(color, output), **more), output)

    def say_rest(self, total: int, cached: bool) -> None:
        """Where the stream ended early, say how much is done and how to go on."""
        if not (self.interrupted or self.stopped):
            return
        why = "interrupted" if self.interrupted else "stopped by --fail-fast"
        message = f"ovgather: {why}: {self.totals.files:,} of {total:,} files are done and in the report"
        if self.totals.files < total:
            way = "the same command goes on, with these from the cache"
            if not cached:
                import shlex

                way = f"--after {shlex.quote(self.last)} goes on" if self.last else "run it again"
            message = f"{message}; {way}"
        click.echo(printable(message), err=True)


def rest(paths: list[str], after: str | None) -> list[str]:
    """The files behind the file ``after``, or all."""
    if after is None:
        return paths
    if after not in paths:
        raise click.UsageError(f"--after: {printable(after)} is none of the {len(paths)} files")
    return paths[paths.index(after) + 1 :]
