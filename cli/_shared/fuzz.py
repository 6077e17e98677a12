"""``crosscheck --fuzz N``: random layers instead of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ovgather.cli._shared.exits import CLEAN, FINDINGS, say_interrupted
from ovgather.cli._shared.outputs import Report
from ovgather.cli._shared.progress import Rate
from ovgather.text import printable

if TYPE_CHECKING:
    from ovgather.crosscheck.options import CrosscheckOptions

FORMATS = ("text", "json")
_NAMES = "paths fuzz no_reduce seed device against start strict timeout format output color config plugins tolerance"
option = click.option(
    "--fuzz",
    metavar="N",
    type=click.IntRange(1),
    help="Run N random layers instead of files. -o names a folder for reproducers.",
)
no_reduce = click.option("--no-reduce", is_flag=True, help="With --fuzz: do not make failures small.")
paths = click.argument("paths", metavar="PATH...", nargs=-1)


def check(fuzz: int | None, paths: tuple[str, ...]) -> None:
    """Raise UsageError unless either files or random layers are asked for, with options that hold there."""
    context = click.get_current_context()
    if fuzz is None:
        if context.params["no_reduce"]:
            raise click.UsageError("--no-reduce goes with --fuzz N")
        if not paths:
            raise click.UsageError("Missing argument 'PATH...': name files, or take random layers with --fuzz N.")
        return
    names = [name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    options = [*paths[:1], *(f"--{name}" for name in names if name not in _NAMES.split())]
    if options:
        raise click.UsageError(f"--fuzz makes its own layers and takes no {options[0]}")


def run(limit: int, options: CrosscheckOptions, report: Report, no_reduce: bool) -> int:
    """Run random layers, make one failure of each kind small, and print all; the exit code."""
    from ovgather.crosscheck.fuzz import Campaign, write_all
    from ovgather.files.whole import require_creatable

    folder = report.output
    if report.format not in FORMATS:
        raise click.UsageError(f"--fuzz prints {' or '.join(FORMATS)}, not {report.format}")
    if folder is not None:
        require_creatable(folder)
    campaign = Campaign(limit, options)
    with Rate("Running layers") as rate:
        campaign.run(rate.reached)
    if not campaign.interrupted and not no_reduce:
        with Rate("Making failures small") as rate:
            campaign.reduce(rate.reached)
    report._replace(what="fuzz", output=None).show([campaign])
    if folder is not None:
        paths, reason = write_all(campaign, folder)
        for path in paths:
            click.echo(printable(f"ovgather: a reproducer in {path}"), err=True)
        if reason:
            click.echo(f"ovgather: no reproducer for {reason}", err=True)
    if campaign.interrupted:
        return say_interrupted()
    return FINDINGS if campaign.groups else CLEAN
