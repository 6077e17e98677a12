"""``crosscheck --fuzz N``: random layers instead of files."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

import click

from ovgather.cli import _files

if TYPE_CHECKING:
    from ovgather.crosscheck.fuzz.campaign import Campaign, Settings

FORMATS = ("text", "json")
option = click.option(
    "--fuzz",
    metavar="N",
    type=click.IntRange(1),
    help="Run N random layers instead of files; -o is then a folder for reproducers.",
)


def run(settings: Settings, format: str, folder: str | None, color: str) -> int:
    """Run random layers, make one failure of each kind small, and print all; the exit code."""
    from ovgather.crosscheck.fuzz.campaign import Campaign
    from ovgather.report import render

    if format not in FORMATS:
        raise click.UsageError(f"--fuzz prints {' or '.join(FORMATS)}, not {format}")
    campaign = Campaign(settings)
    with Rate(settings.limit, "Running layers") as progress:
        campaign.run(progress)
    with Rate(len(campaign.groups), "Making failures small") as progress:
        if not campaign.interrupted:
            campaign.reduce(progress)
    text = render("fuzz", format, [campaign], color=_files.wants_color(color, None))
    _files.write_text(text, None)
    if folder is not None:
        _write(campaign, folder)
    return 1 if campaign.groups else 0


def _write(campaign: Campaign, folder: str) -> None:
    from ovgather.crosscheck.fuzz.folders import write_all

    written, left = write_all(campaign, folder)
    for path in written:
        click.echo(f"ovgather: a reproducer in {path}", err=True)
    if left:
        click.echo(f"ovgather: no reproducer for {left}", err=True)


class Rate:
    """On a terminal, how far it is, how many a second, and how long it will still take.

    >>> with Rate(2, "Running") as progress:
    ...     progress(1)
    """

    def __init__(self, total: int, label: str) -> None:
        self.total = total
        self.label = label
        self.done = 0
        self.start = time.monotonic()
        self.shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __enter__(self) -> Rate:
        return self

    def __call__(self, some: int) -> None:
        """``some`` more are done."""
        self.done += some
        seconds = time.monotonic() - self.start
        if self.shown and seconds > 1:
            rate = self.done / seconds
            left = (self.total - self.done) / rate
            text = f"{self.label}: {self.done} of {self.total}, {rate:.0f} a second, {left:.0f} s left"
            click.echo(f"\r\x1b[2K{text}", nl=False, err=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            click.echo("\r\x1b[2K", nl=False, err=True)
