"""``crosscheck --fuzz N``: random layers instead of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ovgather.cli import _files
from ovgather.cli._rate import Rate

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
    with Rate("Running layers") as rate:
        campaign.run(rate.reached)
    if not campaign.interrupted:
        with Rate("Making failures small") as rate:
            campaign.reduce(rate.reached)
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
