"""``ovgather validate``: every problem of IR files, with its place and what OpenVINO does with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from ovgather.cli import _checking, _files, _options
from ovgather.cli._progress import Progress
from ovgather.configuration import AUTO, parse_jobs
from ovgather.plan import check_files, excluded, plan
from ovgather.report import render
from ovgather.validate import Checked


@click.command()
@_options.paths
@_options.weights
@_options.format_of("validate", configured=True)
@_options.output
@_options.color
@_checking.options
def command(
    paths: tuple[str, ...],
    weights: str | None,
    format: str | None,
    output: str | None,
    color: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    strict: bool | None,
    exit_zero: bool,
    statistics: bool,
    no_suppressions: bool,
    baseline: str | None,
    write_baseline: bool,
    jobs: str | None,
    config: str | None,
    isolated: bool,
) -> int:
    """Report every problem of the IR files PATH, of those in a folder PATH, or of standard input (-).

    Exit code 1 when there is an error, 4 when a file could not be read at all. What is said here wins over
    what a configuration file says.
    """
    settings = _checking.read_configuration(config, isolated)
    if statistics and format not in (None, "text"):
        raise click.UsageError(f"--statistics prints text: it does not go with --format {format}")
    chosen = plan(settings, _checking.choice(select, ignore), weights, suppressions=not no_suppressions)
    processes = parse_jobs(jobs) if jobs is not None else settings.jobs or AUTO
    known = _checking.read_baseline(baseline or settings.baseline, write_baseline)
    files = _files.find_files(paths, partial(excluded, settings))
    if not files:
        _files.none_found(paths, settings.path if settings.exclude else None)
        return 3
    _options.check_one_weights(weights, files)
    with Progress(len(files)) as progress:
        results = check_files(files, chosen, processes, progress)
    if known is not None and write_baseline:
        known = _checking.write_baseline(known, results, chosen)
    if known is not None:
        results = _checking.apply_baseline(known, results, chosen)
    what, how = ("statistics", "text") if statistics else ("validate", format or settings.format or "text")
    _files.write_text(render(what, how, results, color=_files.wants_color(color, output)), output)
    return _exit_code(results, settings.strict if strict is None else strict, exit_zero)


def _exit_code(results: Sequence[Checked], strict: bool | None, exit_zero: bool) -> int:
    if any(checked.fatal for checked in results):
        return 4
    failing = ("error", "warning") if strict else ("error",)
    failed = any(found.severity in failing for checked in results for found in checked.diagnostics)
    return int(failed and not exit_zero)
